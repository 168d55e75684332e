/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.h - assertions of the C tests: one line for each failure, the test goes on
 *
 *      CHECK(cond)   CHECK_EQ(got, want)   CHECK_STR(got, want)   CHECK_MEM(got, want, size)
 *      int main(void) { ...; return check_summary("name"); }
 *
 * Each returns whether it held. check_context(...) names the case at hand; the name heads its failures.
 */
#ifndef PORTICO_TESTS_CHECK_H
#define PORTICO_TESTS_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CHECK_UNUSED __attribute__((unused))

static unsigned long check_done, check_failed;
static char check_name[256];

__attribute__((format(printf, 1, 2))) CHECK_UNUSED static void check_context(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(check_name, sizeof(check_name), format, ap);
	va_end(ap);
}

/* Counts one assertion; a failure begins its line here and the caller ends it. */
static bool check_one(bool held, const char *file, int line)
{
	check_done++;
	if (held)
		return true;
	check_failed++;
	fprintf(stderr, "%s:%d: %s%s", file, line, check_name, check_name[0] ? ": " : "");
	return false;
}

CHECK_UNUSED static bool check_cond(bool held, const char *text, const char *file, int line)
{
	if (!check_one(held, file, line))
		fprintf(stderr, "%s is false\n", text);
	return held;
}

CHECK_UNUSED static bool check_eq(long long got, long long want, const char *text, const char *file, int line)
{
	bool held = check_one(got == want, file, line);

	if (!held)
		fprintf(stderr, "%s is %lld (0x%llx), should be %lld (0x%llx)\n", text, got, (unsigned long long)got,
			want, (unsigned long long)want);
	return held;
}

CHECK_UNUSED static bool check_str(const char *got, const char *want, const char *text, const char *file, int line)
{
	bool held = check_one(got && want ? !strcmp(got, want) : got == want, file, line);

	if (!held)
		fprintf(stderr, "%s is\n    \"%s\", should be\n    \"%s\"\n", text, got ? got : "(null)",
			want ? want : "(null)");
	return held;
}

/* Names the first byte that differs, with the bytes around it. */
CHECK_UNUSED static bool check_mem(const void *got, const void *want, size_t size, const char *text, const char *file,
				   int line)
{
	const unsigned char *g = got, *w = want;
	size_t at = 0, from, to;

	while (at < size && g[at] == w[at])
		at++;
	if (check_one(at == size, file, line))
		return true;
	from = at < 8 ? 0 : at - 8;
	to = size - from < 24 ? size : from + 24;
	fprintf(stderr, "%s differs from byte %zu on; from byte %zu:\n    is       ", text, at, from);
	for (size_t i = from; i < to; i++)
		fprintf(stderr, " %02x", g[i]);
	fprintf(stderr, "\n    should be");
	for (size_t i = from; i < to; i++)
		fprintf(stderr, " %02x", w[i]);
	fprintf(stderr, "\n");
	return false;
}

#define CHECK(cond) check_cond((cond), #cond, __FILE__, __LINE__)
#define CHECK_EQ(got, want) check_eq((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
#define CHECK_STR(got, want) check_str((got), (want), #got, __FILE__, __LINE__)
#define CHECK_MEM(got, want, size) check_mem((got), (want), (size), #got, __FILE__, __LINE__)

/* Prints how it went and returns the exit status of the test. */
CHECK_UNUSED static int check_summary(const char *name)
{
	if (check_failed)
		fprintf(stderr, "%s: %lu of %lu assertions failed\n", name, check_failed, check_done);
	else
		printf("%s: %lu assertions hold\n", name, check_done);
	return check_failed ? 1 : 0;
}

#endif
