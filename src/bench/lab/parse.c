/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.c - a lab file, read line by line
 *
 * libinih splits lines into keys and values, as it does for portico.conf (conf/conf.c): the lines are handed to it by
 * next_line(), which knows where it is, enters sections, and refuses what libinih would cut in silence. A comment
 * begins with '#', or with ';' at the start of a line: in a command, ';' is sh's.
 *
 * The first error ends the reading; the caller's lab is written only when the whole text is good.
 */
#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"

#define SEMICOLON '\x1f' /* stands for ';' while libinih, which takes it for a comment, has the line */
#define KEYS_MAX 64

struct reader {
	struct lab lab;
	struct err *err;
	const char *next; /* of the text */
	int line;
	int rc; /* of the first error */
	enum lab_section section;
	struct lab_variant *variant; /* of [variant NAME] */
	int given[KEYS_MAX];	     /* where each key was given in its section, 0: not */
};

static int fail(struct reader *r, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

static int fail(struct reader *r, int line, const char *format, ...)
{
	char text[sizeof(r->err->text)];
	va_list ap;

	if (r->rc)
		return r->rc;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (line)
		r->rc = err_set(r->err, -EINVAL, "%s:%d: %s", r->lab.path, line, text);
	else
		r->rc = err_set(r->err, -EINVAL, "%s: %s", r->lab.path, text);
	return r->rc;
}

static struct lab_variant *variant_add(struct reader *r, const char *name)
{
	struct lab_variant *v = lab_variant_find(&r->lab, name);

	if (v) {
		fail(r, r->line, "variant '%s' again: it stands in line %d already; give it another name", name,
		     v->line);
		return NULL;
	}
	if (r->lab.nvariants == LAB_VARIANTS || strlen(name) >= LAB_NAME) {
		fail(r, r->line, "%s: at most %d",
		     strlen(name) >= LAB_NAME ? "the variant's name is too long" : "too many variants",
		     strlen(name) >= LAB_NAME ? LAB_NAME - 1 : LAB_VARIANTS);
		return NULL;
	}
	v = &r->lab.variant[r->lab.nvariants++];
	*v = (struct lab_variant){.line = r->line, .router = LAB_HOOKS};
	strcpy(v->name, name);
	return v;
}

/* `name` is what stands between the brackets. */
static int section_begin(struct reader *r, const char *name)
{
	static const char *const sections[] = {
		[LAB_SECTION_LAB] = "lab",
		[LAB_SECTION_LOAD] = "load",
		[LAB_SECTION_WIRE] = "wire",
		[LAB_SECTION_VARIANTS] = "variants",
	};

	r->section = LAB_SECTION_NONE;
	for (u32 i = LAB_SECTION_LAB; i <= LAB_SECTION_VARIANTS; i++)
		if (!strcmp(name, sections[i]))
			r->section = i;
	if (r->section)
		return 0;
	if (strncmp(name, "variant ", 8) || !name[8])
		return fail(r, r->line,
			    "unknown section [%s]: there are [lab], [load], [wire], [variants] and [variant NAME]",
			    name);
	for (const struct lab_key *key = lab_keys; key->name; key++)
		if (key->section == LAB_SECTION_VARIANT)
			r->given[key - lab_keys] = 0;
	r->section = LAB_SECTION_VARIANT;
	r->variant = variant_add(r, name + 8 + strspn(name + 8, " "));
	return r->rc;
}

/* A line that begins with '['. Behind the ']' only a comment may stand. */
static int section_line(struct reader *r, char *line)
{
	char *end = strchr(line, ']'), *rest = end ? end + 1 : line;

	rest += strspn(rest, " \t");
	if (!end || (*rest && *rest != '#' && *rest != ';'))
		return fail(r, r->line, "bad section '%s': write it as [name], on a line of its own", line);
	*end = '\0';
	return section_begin(r, line + 1);
}

/* libinih's reader: the next line, bare of blanks around it. A section's line is left empty for it. */
static char *next_line(char *to, int room, void *arg)
{
	struct reader *r = arg;
	size_t length = strcspn(r->next, "\n");
	const char *start = r->next, *end = start + length;

	if (r->rc || !*start)
		return NULL;
	r->line++;
	r->next = end + (*end == '\n');
	while (start < end && isspace((unsigned char)*start))
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	if (end - start > room - 3 || end - start > INI_MAX_LINE - 3) {
		fail(r, r->line, "line longer than %d characters: break it up; settings and hooks may be given again",
		     INI_MAX_LINE - 3);
		return NULL;
	}
	memcpy(to, start, (size_t)(end - start));
	to[end - start] = '\0';
	for (char *at = to; *at; at++) {
		if (iscntrl((unsigned char)*at) && *at != '\t') {
			fail(r, r->line, "control character in the line: save the file as plain UTF-8 text");
			return NULL;
		}
		if (*at == ';' && at > to)
			*at = SEMICOLON;
	}
	if (*to != '[')
		return to;
	if (section_line(r, to))
		return NULL;
	*to = '\0';
	return to;
}

/* The value as it was written; it ends where a comment begins, at a '#' behind a blank. */
static void value_copy(char *to, const char *text, bool script)
{
	char *end = to;

	for (; *text; text++, to++) {
		if (*text == '#' && !script && (to == end || isspace((unsigned char)text[-1])))
			break;
		*to = *text == SEMICOLON ? ';' : *text;
		if (!isspace((unsigned char)*text))
			end = to + 1;
	}
	*end = '\0';
}

/* NAME = ROUTER [+ SETTING]... */
static int variant_line(struct reader *r, const char *name, const char *value)
{
	struct lab_variant *v = variant_add(r, name);
	struct err cause;

	if (v && lab_variant_parse(v, value, r->line, &cause))
		return fail(r, r->line, "variant '%s': %s", name, cause.text);
	return r->rc;
}

/* libinih's handler; not 0: go on. */
static int key_line(void *arg, const char *section, const char *name, const char *text)
{
	struct reader *r = arg;
	const struct lab_key *key = lab_key_find(r->section, name);
	void *base = r->section == LAB_SECTION_VARIANT ? (void *)r->variant : (void *)&r->lab;
	char value[INI_MAX_LINE + 1], list[LAB_TEXT];
	struct err cause;
	int *given;

	(void)section;
	value_copy(value, text, key && key->script);
	if (r->section == LAB_SECTION_VARIANTS)
		return !variant_line(r, name, value);
	if (!r->section)
		return !fail(r, r->line, "key '%s' before the first section: put it below one, such as [lab]", name);
	if (!key)
		return !fail(r, r->line, "unknown key '%s' here: there are %s", name, lab_key_list(list, r->section));
	given = &r->given[key - lab_keys];
	if (*given && !key->repeats)
		return !fail(r, r->line, "%s again: it stands in line %d already; keep one", name, *given);
	*given = r->line;
	if (lab_key_set(key, base, value, r->line, &cause))
		return !fail(r, r->line, "%s", cause.text);
	return 1;
}

static int given(const struct reader *r, enum lab_section section, const char *name)
{
	return r->given[lab_key_find(section, name) - lab_keys];
}

/* What the kind makes of the load, where the text says nothing. */
static void load_complete(struct reader *r)
{
	struct lab whole = {.load = lab_load_default(r->lab.load.kind)};

	for (const struct lab_key *key = lab_keys; key->name; key++)
		if (key->section == LAB_SECTION_LOAD && !r->given[key - lab_keys])
			memcpy((char *)&r->lab + key->offset, (const char *)&whole + key->offset, key->size);
}

/* Where only hooks measure, a wire need have no ends here. */
static int wire_check(struct reader *r)
{
	static const char *const needed[] = {"near", "far", "near-hop", "far-hop", "hosts", "remotes"};

	if (r->lab.topology != LAB_WIRE || (r->lab.load.kind == LAB_HOOK && !*r->lab.wire.near))
		return 0;
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!given(r, LAB_SECTION_WIRE, needed[i]))
			return fail(r, 0, "topology wire needs %s in [wire]: give %s", needed[i],
				    lab_key_find(LAB_SECTION_WIRE, needed[i])->form);
	return 0;
}

static int check(struct reader *r)
{
	char directory[LAB_TEXT];
	struct err cause;

	load_complete(r);
	if (wire_check(r))
		return r->rc;
	if (!r->lab.nvariants)
		return fail(r, 0, "there are no variants: add [variants] with lines such as nftables = nftables");
	strcpy(directory, r->lab.path);
	for (u32 i = 0; i < r->lab.nvariants; i++) {
		struct lab_variant *v = &r->lab.variant[i];

		if (lab_variant_check(&r->lab, v, &cause) ||
		    lab_variant_resolve(v, i ? directory : dirname(directory), &cause))
			return fail(r, v->line, "%s", cause.text);
	}
	return 0;
}

static int names_set(struct lab *lab, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name);

	if (length > 4 && !strcmp(name + length - 4, ".lab"))
		length -= 4;
	if (strlen(path) >= sizeof(lab->path) || length >= sizeof(lab->name))
		return err_set(err, -ENAMETOOLONG, "%s: cannot be read: %s", path, strerror(ENAMETOOLONG));
	strcpy(lab->path, path);
	snprintf(lab->name, sizeof(lab->name), "%.*s", (int)length, name);
	return 0;
}

int lab_parse(struct lab *lab, const char *path, const char *text, struct err *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	int bad, rc;

	if (!r)
		return err_set(err, -ENOMEM, "%s: cannot be read: %s", path, strerror(ENOMEM));
	r->err = err;
	r->next = strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
	rc = names_set(&r->lab, path, err);
	if (!rc) {
		bad = ini_parse_stream(next_line, r, key_line, r);
		if (bad > 0 && (!r->rc || bad < r->line)) {
			r->rc = 0;
			fail(r, bad, "neither [section] nor key = value: put a '#' before it if it is a comment");
		}
		rc = r->rc ? r->rc : check(r);
	}
	if (!rc)
		*lab = r->lab;
	free(r);
	return rc;
}
