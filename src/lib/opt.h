/* SPDX-License-Identifier: GPL-2.0-or-later */
/* opt.h - a command line as data: one table of options parses it and makes its help
 *
 *      struct demo { const char *name; bool json; };
 *      static const struct opt options[] = {
 *              {'n', "name", "NAME", opt_text, offsetof(struct demo, name), "the instance"},
 *              {0, "json", NULL, opt_flag, offsetof(struct demo, json), "print JSON"},
 *              {0},
 *      };
 *
 * Every table has --help (-h) without naming it.
 */
#ifndef PORTICO_LIB_OPT_H
#define PORTICO_LIB_OPT_H

#include <stddef.h>

#include "err.h"

struct opt;

/* Takes one value (NULL for a flag) into `field`. 0, or -EINVAL with *err filled, which starts with the option. */
typedef int opt_value(const struct opt *o, void *field, const char *value, struct err *err);

struct opt {
	char letter;	  /* short form, or 0 */
	const char *name; /* long form */
	/* What the value is called in the help; NULL: a flag. Where it ends with "...", the option takes all words up
	 * to the next option, each as if the option had been given again. */
	const char *arg;
	opt_value *set;
	size_t offset; /* of the field in the command's struct */
	const char *help;
	unsigned long min, max; /* opt_number; both 0: any */
};

/* Kinds of values; a command may have its own. */
opt_value opt_flag;   /* bool */
opt_value opt_text;   /* const char *, points into argv */
opt_value opt_number; /* unsigned int, decimal, min ... max */
opt_value opt_list;   /* struct opt_list; may be given again */

#define OPT_LIST_MAX 16
struct opt_list {
	unsigned int count;
	const char *value[OPT_LIST_MAX];
};

#define OPT_HELP 0

/* Parses argv[1 ...] into `into`. Returns the index in argv of the first operand (operands are moved behind the
 * options); OPT_HELP for --help; -EINVAL with *err filled. argv[0] is the command. */
int opt_parse(const struct opt *options, void *into, int argc, char **argv, struct err *err);

/* The lines of the help about the options, to stdout. */
void opt_help(const struct opt *options);

#endif
