/* SPDX-License-Identifier: GPL-2.0-or-later */
/* variant.c - variants of a lab: ROUTER [+ SETTING]... */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"
#include "key.h"

const char *lab_where(char text[LAB_WHERE], const struct lab *lab, int line)
{
	if (line)
		snprintf(text, LAB_WHERE, "%s:%d", lab->path, line);
	else
		snprintf(text, LAB_WHERE, "command line");
	return text;
}

/* "KEY VALUE" of a variant: one of its settings. */
static int setting_parse(struct lab_variant *v, const char *text, int line, struct err *err)
{
	int length = (int)strcspn(text, " ");
	const struct lab_key *key;
	char name[LAB_NAME];

	snprintf(name, sizeof(name), "%.*s", length, text);
	key = lab_key_find(LAB_SECTION_VARIANT, name);
	if (!key || key->take == take_lines || !strcmp(name, "router") || !strcmp(name, "ruleset"))
		return err_set(err, -EINVAL,
			       "unknown setting '%s': there are sysctl, ethtool, rps, xps, run, work, build and nat; "
			       "hooks go into [variant NAME]",
			       name);
	return lab_key_set(key, v, text + length + strspn(text + length, " "), line, err);
}

/* ROUTER, or ROUTER SETTING, or ruleset FILE. */
static int router_parse(struct lab_variant *v, const char *text, int line, struct err *err)
{
	int length = (int)strcspn(text, " ");
	const char *rest = text + length + strspn(text + length, " ");
	char name[LAB_NAME];
	int rc;

	snprintf(name, sizeof(name), "%.*s", length, text);
	rc = lab_key_set(lab_key_find(LAB_SECTION_VARIANT, "router"), v, name, line, err);
	if (rc || !*rest)
		return rc;
	if (v->router == LAB_RULESET)
		return lab_key_set(lab_key_find(LAB_SECTION_VARIANT, "ruleset"), v, rest, line, err);
	return setting_parse(v, rest, line, err);
}

int lab_variant_parse(struct lab_variant *v, const char *text, int line, struct err *err)
{
	bool first = true;
	int rc = 0;

	for (const char *at = text; at && !rc; first = false) {
		const char *plus = strstr(at, " + "), *start = at + strspn(at, " ");
		const char *end = plus ? plus : at + strlen(at);
		char part[LAB_TEXT];

		snprintf(part, sizeof(part), "%.*s", end > start ? (int)(end - start) : 0, start);
		rc = first ? router_parse(v, part, line, err) : setting_parse(v, part, line, err);
		at = plus ? plus + 3 : NULL;
	}
	return rc;
}

static const char *stray(const struct lab_variant *v)
{
	if (*v->ruleset && v->router != LAB_RULESET)
		return "ruleset";
	if (v->work && v->router != LAB_REDIRECT)
		return "work";
	if (*v->build && v->router != LAB_PORTICO)
		return "build";
	return *v->nat && v->router != LAB_PORTICO ? "nat" : NULL;
}

int lab_variant_check(const struct lab *lab, const struct lab_variant *v, struct err *err)
{
	static const struct {
		const char *key, *router;
	} owners[] = {{"ruleset", "ruleset"}, {"work", "bare-redirect"}, {"build", "portico"}, {"nat", "portico"}};
	const char *key = stray(v);

	for (size_t i = 0; key && i < sizeof(owners) / sizeof(*owners); i++)
		if (!strcmp(owners[i].key, key))
			return err_set(err, -EINVAL, "variant '%s': %s is of router %s, and this one is %s", v->name,
				       key, owners[i].router, lab_router_names[v->router]);
	if (v->router == LAB_RULESET && !*v->ruleset)
		return err_set(err, -EINVAL, "variant '%s': router ruleset needs a file: ruleset FILE", v->name);
	if (lab->load.kind == LAB_HOOK && !*v->measure)
		return err_set(err, -EINVAL,
			       "variant '%s': the load is a hook, and this one has none: give measure in [variant %s]",
			       v->name, v->name);
	return 0;
}

static int path_resolve(char *path, size_t room, const char *directory, struct err *err)
{
	char whole[2 * PATH_MAX], real[PATH_MAX];

	if (!*path || *path == '/')
		return 0;
	snprintf(whole, sizeof(whole), "%s/%s", realpath(directory, real) ? real : directory, path);
	if (strlen(whole) > LAB_VALUE || strlen(whole) >= room)
		return err_set(err, -ENAMETOOLONG, "path '%.100s...' is longer than %d characters", whole, LAB_VALUE);
	strcpy(path, whole);
	return 0;
}

int lab_variant_resolve(struct lab_variant *v, const char *directory, struct err *err)
{
	int rc = path_resolve(v->ruleset, sizeof(v->ruleset), directory, err);

	return rc ? rc : path_resolve(v->build, sizeof(v->build), directory, err);
}

const char *lab_variant_list(char text[LAB_TEXT], const struct lab *lab)
{
	size_t at = 0;

	*text = '\0';
	for (u32 i = 0; i < lab->nvariants && at < LAB_TEXT; i++)
		at += (size_t)snprintf(text + at, LAB_TEXT - at, "%s'%s'", i ? ", " : "", lab->variant[i].name);
	return text;
}

struct lab_variant *lab_variant_find(struct lab *lab, const char *name)
{
	for (u32 i = 0; i < lab->nvariants; i++)
		if (!strcmp(lab->variant[i].name, name))
			return &lab->variant[i];
	return NULL;
}

/* A line as the name of its variant, where brackets would end a section's. */
static void name_make(char name[LAB_NAME], const char *line)
{
	size_t n = strlen(line);

	snprintf(name, LAB_NAME, "%.*s%s", n < LAB_NAME ? (int)n : LAB_NAME - 4, line, n < LAB_NAME ? "" : "...");
	for (char *at = name; *at; at++)
		*at = *at == '[' ? '(' : *at == ']' ? ')' : *at;
}

const struct lab_variant *lab_variant_get(struct lab *lab, const char *name, struct err *err)
{
	struct lab_variant *v = lab_variant_find(lab, name), *slot = &lab->variant[lab->nvariants], new = {.line = 0};
	char list[LAB_TEXT];
	struct err cause;

	if (v)
		return v;
	if (lab_variant_parse(&new, name, 0, &cause) || lab_variant_resolve(&new, ".", &cause)) {
		err_set(err, -EINVAL,
			"%s: there is no variant '%s' (there are %.300s), and as ROUTER [+ SETTING]...: %s", lab->path,
			name, lab_variant_list(list, lab), cause.text);
		return NULL;
	}
	name_make(new.name, name);
	if (lab_variant_check(lab, &new, &cause)) {
		err_set(err, -EINVAL, "%s: %s", lab->path, cause.text);
		return NULL;
	}
	if (lab->nvariants == LAB_VARIANTS || lab_variant_find(lab, new.name)) {
		err_set(err, -E2BIG, "%s: variant '%s': %s: put it into a lab file", lab->path, new.name,
			lab->nvariants == LAB_VARIANTS ? "there are too many" : "another begins with the same words");
		return NULL;
	}
	lab->nvariants++;
	*slot = new;
	return slot;
}

/* Adds " + WORD TEXT", or " WORD TEXT" of what belongs to the router. */
static size_t part_add(char text[LAB_TEXT], size_t at, const char *before, const char *word, const char *value)
{
	if (at < LAB_TEXT)
		at += (size_t)snprintf(text + at, LAB_TEXT - at, "%s%s %s", before, word, value);
	return at;
}

const char *lab_variant_print(char text[LAB_TEXT], const struct lab_variant *v)
{
	size_t at = (size_t)snprintf(text, LAB_TEXT, "%s", lab_router_names[v->router]);
	char number[16], line[LAB_TEXT];

	if (*v->ruleset)
		at = part_add(text, at, "", "", v->ruleset);
	snprintf(number, sizeof(number), "%u", v->work);
	if (v->work)
		at = part_add(text, at, " ", "work", number);
	if (*v->build)
		at = part_add(text, at, " ", "build", v->build);
	for (const char *nat = v->nat; *nat; nat += strcspn(nat, ";"), nat += *nat == ';') {
		snprintf(line, sizeof(line), "%s", nat);
		line[strcspn(line, ";")] = '\0';
		at = part_add(text, at, " + ", "nat", line);
	}
	for (u32 i = 0; i < v->nsettings; i++)
		at = part_add(text, at, " + ", lab_setting_names[v->setting[i].kind], v->setting[i].text);
	return text;
}
