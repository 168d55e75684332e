/* SPDX-License-Identifier: GPL-2.0-or-later */
/* commands_test.c - what portico-bench list, show and export say of a store: commands_test PORTICO-BENCH */
#include <stdlib.h>
#include <sys/wait.h>

#include "../check.h"
#include "fixture.h"

#define OUTPUT (1 << 20)

static char path[FIXTURE_PATH], output[OUTPUT];

/* Runs a command line in which @ is the program and % the store; its exit status, and what it printed in `output`. */
static int sh(const char *program, const char *line)
{
	char command[1024];
	size_t n = 0;
	FILE *pipe;

	for (; *line; line++)
		n += (size_t)snprintf(command + n, sizeof(command) - n, "%s",
				      *line == '@'   ? program
				      : *line == '%' ? path
						     : (char[]){*line, 0});
	check_context("%s", command);
	pipe = popen(command, "r");
	if (!pipe)
		return -1;
	output[fread(output, 1, OUTPUT - 1, pipe)] = 0;
	return WEXITSTATUS(pclose(pipe));
}

/* All of it in one line, blanks as one. */
static const char *flat(void)
{
	char *to = output;

	for (const char *from = output; *from; from++)
		if (!strchr(" \n", *from))
			*to++ = *from;
		else if (to > output && to[-1] != ' ')
			*to++ = ' ';
	*to = 0;
	return output;
}

static void says(const char *program, const char *line, const char *words)
{
	if (CHECK_EQ(sh(program, line), 0) && !CHECK(strstr(flat(), words)))
		fprintf(stderr, "  %s\n  has no: %s\n", output, words);
}

static void refuses(const char *program, const char *line, int status, const char *words)
{
	if (CHECK_EQ(sh(program, line), status) && !CHECK(strstr(flat(), words)))
		fprintf(stderr, "  %s\n  has no: %s\n", output, words);
}

static json_t *json_of(const char *program, const char *line)
{
	json_t *json = sh(program, line) ? NULL : json_loads(output, JSON_DECODE_ANY, NULL);

	CHECK(json);
	return json;
}

/* Four looks were planned, and A differs from A by more than B does. */
static void floor_fill(struct store *s)
{
	struct store_comparison c;
	struct err err;

	CHECK_EQ(fixture_comparison(s), 5);
	for (unsigned int number = 1; number <= 8; number++)
		CHECK_EQ(fixture_pair(s, 5, number, false, 1.03), 0);
	CHECK_EQ(fixture_pair(s, 5, 1, true, 1.05), 0);
	if (!CHECK(!store_comparison_get(s, 5, &c, &err)))
		return;
	json_object_set_new(c.plan, "looks", json_integer(4));
	CHECK_EQ(store_comparison_plan(s, &c, &err), 0);
	store_comparison_free(&c);
}

/* A comparison with 12 pairs, one that was interrupted after 5, one without a pair, and one where a run was 0. */
static void store_fill(void)
{
	struct err err = {""};
	struct store *s = store_open(path, true, &err);
	struct store_trial a = fixture_trial(1, 0, 1), b = fixture_trial(1, 1, 1);
	struct store_pair pair = {.number = 7, .trial = {&a, &b}};

	if (!CHECK(s))
		return;
	CHECK_EQ(fixture_comparison(s), 1);
	for (unsigned int number = 1; number <= 12; number++)
		CHECK_EQ(fixture_pair(s, 1, number, false, 1.05), 0);
	for (unsigned int number = 1; number <= 3; number++)
		CHECK_EQ(fixture_pair(s, 1, number, true, 1.004), 0);
	CHECK_EQ(store_comparison_end(s, 1, &err), 0);
	CHECK_EQ(fixture_comparison(s), 2);
	for (unsigned int number = 1; number <= 5; number++)
		CHECK_EQ(fixture_pair(s, 2, number, false, 0.7), 0);
	CHECK_EQ(fixture_comparison(s), 3);
	CHECK_EQ(fixture_comparison(s), 4);
	for (unsigned int number = 1; number <= 6; number++)
		CHECK_EQ(fixture_pair(s, 4, number, false, 0.7), 0);
	b.value[1].value = 0;
	CHECK_EQ(store_pair_add(s, 4, &pair, &err), 0);
	floor_fill(s);
	store_close(s);
}

static void listed(const char *program)
{
	json_t *all, *one;

	says(program, "@ list --store %",
	     "home old -> new, and faster 12 done out rate FASTER, in rate FASTER, "
	     "delay p99 FASTER, table FASTER 2 ");
	says(program, "@ list --store %", "5 of 12 pairs: resume out rate INCONCLUSIVE, in rate INCONCLUSIVE");
	says(program, "@ list --store %", "0 of 12 pairs: resume 4 ");
	says(program, "@ list --store %", "7 of 12 pairs: resume out rate SLOWER, delay p99 SLOWER, table SLOWER 5 ");
	all = json_of(program, "@ list --store % --json");
	CHECK_EQ(json_array_size(all), 5);
	one = json_array_get(all, 1);
	CHECK_EQ(json_integer_value(json_object_get(one, "pairs")), 5);
	CHECK_STR(json_string_value(json_object_get(one, "ended")), "");
	CHECK_STR(json_string_value(json_object_get(json_array_get(json_object_get(one, "verdicts"), 3), "cell")),
		  "table");
	json_decref(all);
}

static void shown(const char *program)
{
	json_t *all, *finding;

	says(program, "@ show 1 --store %",
	     "differs besides the variants: kernel.release: 6.1 -> 6.18 lan.mtu: (none) -> 1500 of the routers: "
	     "router.build: a1 -> b2 out rate ");
	says(program, "@ show 1 --store %",
	     "'new, and faster' is 5.1 % faster than 'old' (95 % CI +4.8 ... +5.1 %, 12 pairs, A/A "
	     "floor 0.3 %); not link-limited (headroom 2.3)");
	says(program, "@ show 1 --store %", "'new, and faster' is 4.8 % shorter than 'old'");
	says(program, "@ show 1 --store %",
	     "plan: 12 pairs, 1 look, seed 7; 12 pairs and 3 of A and A in 45 s of trials; ended 20");
	says(program, "@ show 2 --store %", "but 5 pairs give no 95 % interval");
	says(program, "@ show 2 --store %", "not ended: 'portico-bench resume' goes on");
	says(program, "@ show 3 --store %", "warning: no pair of A and B is stored yet: nothing can be said");
	says(program, "@ show 4 --store %", "warning: in rate cannot be compared: a run of it is 0");
	says(program, "@ show --store %", "comparison 5, lab home");
	says(program, "@ show --store %",
	     "(98 % CI +2.8 ... +3.3 %, 8 pairs, A/A floor 4.8 %); A differed from A as much");
	all = json_of(program, "@ show 1 --store % --json");
	finding = json_array_get(json_object_get(all, "findings"), 0);
	CHECK_STR(json_string_value(json_object_get(finding, "cell")), "out rate");
	CHECK(json_real_value(json_object_get(finding, "headroom")) == 2.3);
	CHECK(json_real_value(json_object_get(finding, "floor_percent")) > 0.2);
	CHECK_EQ(json_integer_value(json_object_get(json_object_get(all, "comparison"), "floor_pairs")), 3);
	CHECK_EQ(json_array_size(json_object_get(json_object_get(all, "differs"), "besides")), 2);
	json_decref(all);
}

/* What of a finding must come back from a table: all but what only the store knows. */
static bool agree(const json_t *one, const json_t *other)
{
	static const char *const keys[] = {"verdict",	     "cell",	 "unit",	  "a", "b", "paired",
					   "effect_percent", "interval", "interval_same", "p"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!CHECK(json_equal(json_object_get(one, keys[i]), json_object_get(other, keys[i]))))
			return false;
	return true;
}

static void exported(const char *program)
{
	static const char *const lines[][2] = {
		{"@ show 1 --store % --json", "@ export 1 --store % | @ verdict - --json"},
		{"@ show 2 --store % --json", "@ export 2 --store % | @ verdict - --json"},
	};

	for (size_t i = 0; i < 2; i++) {
		json_t *stored = json_of(program, lines[i][0]), *read = json_of(program, lines[i][1]);
		json_t *of_stored = json_object_get(stored, "findings"), *of_read = json_object_get(read, "findings");

		CHECK_EQ(json_array_size(of_stored), 4);
		CHECK_EQ(json_array_size(of_read), 4);
		for (size_t k = 0; k < 4; k++)
			agree(json_array_get(of_stored, k), json_array_get(of_read, k));
		json_decref(stored);
		json_decref(read);
	}
	refuses(program, "@ export 3 --store % 2>&1", 1, "comparison 3 has no pair of A and B");
	says(program, "@ export 3 --store % --json", "\"trials\": []");
}

static void refused(const char *program)
{
	refuses(program, "@ show 6 --store % 2>&1", 1, "no comparison 6: the first is 1, the last 5");
	refuses(program, "@ show five --store % 2>&1", 1, "'five' is no number of a comparison: 'portico-bench list'");
	refuses(program, "@ export 0 --store % 2>&1", 1, "'0' is no number of a comparison");
	refuses(program, "cd / && @ list 2>&1", 1, STORE_FILE ": No such file or directory: a comparison makes it");
	refuses(program, "@ list 3 --store % 2>&1", 2, "'3' is too much");
	refuses(program, "@ show --store /dev/null 2>&1", 1, "/dev/null: ");
}

int main(int argc, char **argv)
{
	char *program = argc > 1 ? realpath(argv[1], NULL) : NULL;

	if (!program) {
		fprintf(stderr, "usage: commands_test PORTICO-BENCH\n");
		return 2;
	}
	fixture_init(path);
	store_fill();
	listed(program);
	shown(program);
	exported(program);
	refused(program);
	fixture_exit(path);
	free(program);
	return check_summary("store commands");
}
