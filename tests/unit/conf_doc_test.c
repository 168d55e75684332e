/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_doc_test.c - the manual page and the example of the configuration file say what the table of keys says
 *
 *      conf_doc_test DOC      checks DOC/man/portico.conf.5 and DOC/portico.conf.example
 *      conf_doc_test          prints the manual page's section on keys, as it has to be
 */
#include <stdlib.h>

#include "../check.h"
#include "conf/conf.h"
#include "conf/keys.h"

#define BEGIN ".\\\" keys begin\n"
#define END ".\\\" keys end\n"

/* Text for roff: a hyphen that is to stay one. */
static void roff(FILE *to, const char *text)
{
	for (; *text; text++)
		fprintf(to, *text == '-' ? "\\-" : "%c", *text);
}

static void key_print(FILE *to, const struct conf_key *key)
{
	fputs(".TP\n.BI \"", to);
	roff(to, key->name);
	fputs(" = \" \"", to);
	roff(to, key->form);
	fputs("\"\n", to);
	roff(to, key->text);
	if (!key->initial) {
		fputs("\nMust be given.\n", to);
	} else if (*key->initial) {
		fputs("\nDefault: ", to);
		roff(to, key->initial);
		fputs(".\n", to);
	} else {
		fputs("\nDefault: none.\n", to);
	}
}

static void keys_print(FILE *to)
{
	static const struct {
		unsigned int sections;
		const char *only; /* behind a heading that names it with another */
	} order[] = {{SECTION_GATEWAY, ""}, {SECTION_PORT, ""},	      {SECTION_WAN, " only"},	{SECTION_NAT, ""},
		     {SECTION_TUNNEL, ""},  {SECTION_MAP_E, " only"}, {SECTION_RELAY, " only"}, {SECTION_TIMERS, ""}};

	for (size_t s = 0; s < sizeof(order) / sizeof(*order); s++) {
		fputs(".SS ", to);
		roff(to, conf_section_names(order[s].sections));
		fprintf(to, "%s\n", order[s].only);
		for (unsigned int i = 0; i < KEY_COUNT; i++)
			if (conf_keys[i].sections == order[s].sections)
				key_print(to, &conf_keys[i]);
	}
}

static char *file_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!f || getdelim(&text, &size, 0, f) < 0) {
		perror(path);
		exit(1);
	}
	fclose(f);
	return text;
}

static void test_manual(const char *doc)
{
	char path[512], *text, *keys, *end, *want = NULL;
	size_t size;
	FILE *to = open_memstream(&want, &size);

	keys_print(to);
	fclose(to);
	snprintf(path, sizeof(path), "%s/man/portico.conf.5", doc);
	text = file_text(path);
	keys = strstr(text, BEGIN);
	end = strstr(text, END);
	if (CHECK(keys && end && keys < end)) {
		*end = 0;
		CHECK_STR(keys + strlen(BEGIN), want); /* on failure: run without arguments, and put that in */
	}
	free(text);
	free(want);
}

/* Every key is in the example, and what stands behind it there is its default. */
static void test_example(const char *doc)
{
	char path[512], *text;
	struct conf conf;
	struct err err = {""};

	snprintf(path, sizeof(path), "%s/portico.conf.example", doc);
	CHECK_EQ(conf_read(&conf, path, &err), 0);
	CHECK_STR(err.text, "");
	text = file_text(path);
	for (unsigned int i = 0; i < KEY_COUNT; i++) {
		const struct conf_key *key = &conf_keys[i];
		bool is_default = key->initial && *key->initial && !key->prose;
		bool comment = key->initial || key->sections & SECTION_TUNNEL;
		char line[128];

		check_context("%s", key->name);
		snprintf(line, sizeof(line), "\n%s%s = %s%s", comment ? "# " : "", key->name,
			 is_default ? key->initial : "", is_default ? "\n" : "");
		CHECK(strstr(text, line));
	}
	check_context("%s", "");
	free(text);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		keys_print(stdout);
		return 0;
	}
	test_manual(argv[1]);
	test_example(argv[1]);
	return check_summary("conf-doc");
}
