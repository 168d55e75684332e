/* SPDX-License-Identifier: GPL-2.0-or-later */
/* labs.c - portico-bench labs: the labs that are ready, or one of them whole */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench/lab/lab.h"

struct labs_options {
	bool json;
};

_Static_assert(sizeof(struct labs_options) <= COMMAND_OPTIONS_SIZE, "fits");

static json_t *lab_json(const struct lab *lab)
{
	json_t *variants = json_object();
	char words[LAB_TEXT];

	for (u32 i = 0; i < lab->nvariants; i++)
		json_object_set_new(variants, lab->variant[i].name,
				    json_string(lab_variant_print(words, &lab->variant[i])));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "name", lab->name, "path", lab->path, "topology",
			 lab_topology_names[lab->topology], "load", lab_kind_names[lab->load.kind], "summary",
			 lab->summary, "variants", variants);
}

static void lab_print(const struct lab *lab)
{
	printf("%-16s  %-8s  %-10s  %s\n%-16s ", lab->name, lab_topology_names[lab->topology],
	       lab_kind_names[lab->load.kind], lab->summary, "");
	for (u32 i = 0; i < lab->nvariants; i++)
		printf("%s %s", i ? "," : "", lab->variant[i].name);
	puts("");
}

static int is_lab(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 4 && !strcmp(entry->d_name + length - 4, ".lab");
}

/* All of the directory, by name; the first that is bad ends it. */
static int labs_list(const char *directory, json_t *all)
{
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, is_lab, alphasort), status = COMMAND_DONE;
	struct lab *lab = malloc(sizeof(*lab));
	struct err err;

	if (count < 0 || !lab)
		status = command_fail(COMMAND_FAILED, "%s: cannot be read: %s", directory, strerror(errno));
	if (lab && count > 0 && !all)
		printf("%-16s  %-8s  %-10s  %s\n", "lab", "topology", "load", "summary, and variants");
	for (int i = 0; i < count; i++) {
		char path[LAB_TEXT + 256];

		snprintf(path, sizeof(path), "%s/%s", directory, entries[i]->d_name);
		free(entries[i]);
		if (status)
			continue;
		if (lab_read(lab, path, &err))
			status = command_fail(COMMAND_FAILED, "%s", err.text);
		else if (all)
			json_array_append_new(all, lab_json(lab));
		else
			lab_print(lab);
	}
	free(entries);
	free(lab);
	return status;
}

/* The file as it is, with its comments: to copy, and change. */
static int file_print(const char *path)
{
	FILE *f = fopen(path, "re");
	char block[4096];
	size_t n;

	if (!f)
		return command_fail(COMMAND_FAILED, "%s: cannot be read: %s", path, strerror(errno));
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		fwrite(block, 1, n, stdout);
	fclose(f);
	return COMMAND_DONE;
}

static int lab_show(const char *name, bool json)
{
	struct lab *lab = malloc(sizeof(*lab));
	json_t *whole = NULL;
	char *text = NULL;
	struct err err;
	int status;

	if (!lab)
		return command_fail(COMMAND_FAILED, "out of memory");
	if (lab_read(lab, name, &err)) {
		status = command_fail(COMMAND_FAILED, "%s", err.text);
	} else if (json) {
		whole = lab_json(lab);
		text = lab_text(lab);
		json_object_set_new(whole, "text", json_string(text ? text : ""));
		status = command_json(whole);
	} else {
		status = file_print(lab->path);
	}
	free(text);
	free(lab);
	return status;
}

static int run(const void *options, char **operands)
{
	const struct labs_options *o = options;
	json_t *all = o->json && !*operands ? json_array() : NULL;
	char directory[LAB_TEXT];
	int status;

	if (*operands)
		return lab_show(*operands, o->json);
	status = labs_list(lab_directory(directory), all);
	if (!status && all)
		return command_json(all);
	json_decref(all);
	return status;
}

static const struct opt options[] = {
	{0, "json", NULL, opt_flag, offsetof(struct labs_options, json), "print JSON", 0, 0},
	{0},
};

const struct command command_labs = {
	.name = "labs",
	.operands = "[LAB]",
	.min = 0,
	.max = 1,
	.summary = "list the labs that are ready, or show one whole",
	.text = "A lab says which path is built, what is sent through it, and which variants can be compared on it. "
		"Without\n"
		"LAB, the ready ones are listed, each with its variants. LAB is the name of one of them, or a file: it "
		"is\n"
		"checked and printed, to copy and change. portico-bench(1) has all keys.",
	.example = "  portico-bench labs\n"
		   "  portico-bench labs home >my.lab",
	.options = options,
	.run = run,
};
