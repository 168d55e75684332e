/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key.h - every key of a lab file, in one table: what reads it writes it */
#ifndef PORTICO_BENCH_LAB_KEY_H
#define PORTICO_BENCH_LAB_KEY_H

#include <stdio.h>

#include "lab.h"

enum lab_section {
	LAB_SECTION_NONE,
	LAB_SECTION_LAB,
	LAB_SECTION_LOAD,
	LAB_SECTION_WIRE,
	LAB_SECTION_VARIANTS,
	LAB_SECTION_VARIANT,
};

#define LAB_VALUE 180 /* bytes: a line of a lab must not be longer than libinih's 200 */

struct lab_key;

/* Takes a value into the struct that has the key: 0; -EINVAL: not of its form; -E2BIG: no room for it. */
typedef int lab_key_take(const struct lab_key *key, void *base, const char *value, int line);
/* Writes the lines "NAME = VALUE" that are read back as what is there. */
typedef void lab_key_write(const struct lab_key *key, const void *base, FILE *to);

struct lab_key {
	enum lab_section section;
	const char *name, *form; /* "bad NAME '...': give FORM" */
	lab_key_take *take;
	lab_key_write *write;
	size_t offset, size; /* of the field in struct lab, or struct lab_variant */
	double min, max;
	const char *const *words;
	bool repeats, script; /* script: '#' is sh's */
};

extern const struct lab_key lab_keys[]; /* name NULL behind the last */

const struct lab_key *lab_key_find(enum lab_section section, const char *name);
/* Takes a value; the sentence in *err has no file and line. 0 or -EINVAL. */
int lab_key_set(const struct lab_key *key, void *base, const char *value, int line, struct err *err);
/* "a, b and c": the keys of a section. Returns `text`. */
const char *lab_key_list(char text[LAB_TEXT], enum lab_section section);

/* value.c */
lab_key_take take_text, take_lines, take_nat, take_number, take_real, take_word, take_frame, take_address, take_mac,
	take_interface, take_sysctl, take_ethtool, take_queues, take_run;
lab_key_write write_text, write_lines, write_nat, write_number, write_real, write_word, write_frame, write_address,
	write_mac, write_interface, write_setting;

/* variant.c: reads ROUTER [+ SETTING]... into *v; checks one for what does not go together. 0 or -EINVAL, without file
 * and line. */
int lab_variant_parse(struct lab_variant *v, const char *text, int line, struct err *err);
int lab_variant_check(const struct lab *lab, const struct lab_variant *v, struct err *err);
/* Makes the paths in it absolute: they are relative to `directory`. 0 or -ENAMETOOLONG. */
int lab_variant_resolve(struct lab_variant *v, const char *directory, struct err *err);
/* The names of all, for messages. Returns `text`. */
const char *lab_variant_list(char text[LAB_TEXT], const struct lab *lab);
struct lab_variant *lab_variant_find(struct lab *lab, const char *name);

/* lab.c: what a load is where nothing is said. */
struct lab_load lab_load_default(enum lab_kind kind);

#endif
