/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_test.c - golden vectors through the packet core in user space, byte for byte
 *
 *      replay_test TOP         runs each case below TOP
 */
#include "../check.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "case.h"

/* Where outputs go; removed at the end. */
static char work[] = "/tmp/portico-vec-XXXXXX";

static size_t file_read(const char *path, unsigned char *data, size_t room)
{
	FILE *file = fopen(path, "rbe");
	size_t n = 0;

	if (CHECK(file != NULL)) {
		n = fread(data, 1, room, file);
		fclose(file);
	}
	return n;
}

static void files_compare(const char *got, const char *want)
{
	static unsigned char a[1 << 20], b[1 << 20];
	size_t n = file_read(got, a, sizeof(a)), m = file_read(want, b, sizeof(b));

	CHECK_MEM(a, b, n < m ? n : m);
	CHECK_EQ(n, m);
}

static void case_run(const char *dir)
{
	static struct vec_case c;
	struct replay_file inputs[DP_PORTS_MAX], outputs[DP_PORTS_MAX];
	char in[DP_PORTS_MAX][CASE_PATH_MAX], out[DP_PORTS_MAX][CASE_PATH_MAX];
	struct dp_counter want[REASON_COUNT];
	struct replay_result result;
	struct err err;
	int rc;

	check_context("%.200s", dir);
	if (!CHECK_EQ(case_read(&c, dir, &err), 0)) {
		fprintf(stderr, "%s\n", err.text);
		return;
	}
	for (u32 i = 0; i < case_ports(&c); i++) {
		inputs[i] = (struct replay_file){.port = i, .path = case_path(in[i], dir, "", &c, i)};
		outputs[i] = (struct replay_file){.port = i, .path = case_path(out[i], work, "", &c, i)};
	}
	c.options.inputs = inputs;
	c.options.ninputs = case_ports(&c);
	c.options.outputs = outputs;
	c.options.noutputs = case_ports(&c);
	rc = replay_run(&c.options, &result, &err);
	c.options.inputs = NULL; /* they are this call's */
	c.options.outputs = NULL;
	if (!CHECK_EQ(rc, 0)) {
		fprintf(stderr, "%s\n", err.text);
		return;
	}
	CHECK_EQ(case_counters(&c, want), 0);
	CHECK_EQ(case_counters_differ(result.counters, want), 0);
	for (u32 i = 0; i < case_ports(&c); i++) {
		files_compare(out[i], case_path(in[i], dir, "out-", &c, i));
		unlink(out[i]);
	}
}

int main(int argc, char **argv)
{
	int rc;

	if (argc != 2 || !mkdtemp(work))
		return 2;
	rc = case_each(argv[1], case_run);
	check_context("%s", "no file is left behind");
	CHECK_EQ(rmdir(work), 0);
	return rc ? rc : check_summary("replay of golden vectors");
}
