/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_file.h - a configuration file of a test: FILE_NAME, in a directory of its own */
#ifndef PORTICO_TESTS_CONF_FILE_H
#define PORTICO_TESTS_CONF_FILE_H

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "../check.h"
#include "conf/conf.h"

#define FILE_NAME "test.conf"

CHECK_UNUSED static void file_write(const char *text, size_t size)
{
	FILE *f = fopen(FILE_NAME, "w");

	if (CHECK(f != NULL)) {
		CHECK_EQ(fwrite(text, 1, size, f), size);
		CHECK_EQ(fclose(f), 0);
	}
}

CHECK_UNUSED static int read_text(struct conf *c, const char *text, struct err *err)
{
	file_write(text, strlen(text));
	return conf_read(c, FILE_NAME, err);
}

/* Runs `test` where the file is written. Returns what main() is to return. */
CHECK_UNUSED static int conf_file_run(const char *name, void (*test)(void))
{
	char dir[] = "/tmp/portico-conf-XXXXXX";

	if (!mkdtemp(dir) || chdir(dir)) {
		perror(dir);
		return 1;
	}
	test();
	unlink(FILE_NAME);
	rmdir(dir);
	return check_summary(name);
}

#endif
