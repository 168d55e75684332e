/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lab.c - labs: found, changed by a line, and written as the text they are read from */
#include "lab.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "key.h"

#define FILE_MAX (1 << 20)

struct lab_load lab_load_default(enum lab_kind kind)
{
	struct lab_load load = {
		.kind = kind,
		.way = LAB_OUT,
		.frame = 64,
		.flows = 1000,
		.destinations = 64,
		.packets = 1000000,
		.rate = 100000,
		.loss = 0,
		.resolution = 0.02,
		.seconds = 2,
		.omit = 1,
		.streams = 1,
		.hook_limit = 60,
	};

	if (kind == LAB_CONNECT || kind == LAB_TABLE)
		load.flows = 100000;
	if (kind == LAB_TCP)
		load.seconds = 3;
	if (kind == LAB_THROUGHPUT) {
		load.seconds = 0.5;
		load.rate = 10000000;
	}
	return load;
}

/* A build finds the labs of its source. */
const char *lab_directory(char path[LAB_TEXT])
{
	const char *given = getenv("PORTICO_LABS");
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	if (!given)
		given = strncmp(self, LAB_BUILD "/", strlen(LAB_BUILD "/")) ? LAB_INSTALLED : LAB_SOURCE;
	snprintf(path, LAB_TEXT, "%s", given);
	return path;
}

static int file_read(const char *path, char **text, struct err *err)
{
	FILE *f = fopen(path, "re");
	size_t size = 0;
	struct stat st;

	if (!f)
		return err_set(err, -errno, "%s: cannot be read: %s; 'portico-bench labs' lists the ready ones", path,
			       strerror(errno));
	if (!fstat(fileno(f), &st) && S_ISDIR(st.st_mode)) {
		fclose(f);
		return err_set(err, -EISDIR, "%s: is a directory: give a lab file", path);
	}
	*text = malloc(FILE_MAX + 1);
	if (*text)
		size = fread(*text, 1, FILE_MAX + 1, f);
	fclose(f);
	if (!*text || size > FILE_MAX || memchr(*text, 0, size)) {
		free(*text);
		return err_set(err, -EFBIG, "%s: is no lab: a lab is plain text of at most 1 MiB", path);
	}
	(*text)[size] = '\0';
	return 0;
}

int lab_read(struct lab *lab, const char *name, struct err *err)
{
	size_t length = strlen(name);
	char directory[LAB_TEXT], path[2 * LAB_TEXT], *text = NULL;
	int rc;

	if (length >= LAB_TEXT)
		return err_set(err, -ENAMETOOLONG, "%.60s...: %s", name, strerror(ENAMETOOLONG));
	if (strchr(name, '/') || (length > 4 && !strcmp(name + length - 4, ".lab")))
		strcpy(path, name);
	else
		snprintf(path, sizeof(path), "%s/%s.lab", lab_directory(directory), name);
	rc = file_read(path, &text, err);
	if (rc)
		return rc;
	rc = lab_parse(lab, path, text, err);
	free(text);
	return rc;
}

/* Another kind: what is as it was by default becomes the default of the new one. */
static void kind_change(struct lab *lab, enum lab_kind was)
{
	struct lab before = {.load = lab_load_default(was)}, after = {.load = lab_load_default(lab->load.kind)};

	for (const struct lab_key *key = lab_keys; key->name; key++) {
		char *field = (char *)lab + key->offset;

		if (key->section == LAB_SECTION_LOAD && !memcmp(field, (char *)&before + key->offset, key->size))
			memcpy(field, (char *)&after + key->offset, key->size);
	}
}

int lab_load_set(struct lab *lab, const char *line, struct err *err)
{
	size_t length = strcspn(line, "= ");
	const char *value = line + length;
	const struct lab_key *key;
	char name[LAB_NAME], list[LAB_TEXT];
	enum lab_kind was = lab->load.kind;
	int rc;

	value += strspn(value, " ");
	if (*value != '=')
		return err_set(err, -EINVAL, "bad load '%s': give KEY=VALUE, such as flows=50000", line);
	value++;
	snprintf(name, sizeof(name), "%.*s", (int)length, line);
	key = lab_key_find(LAB_SECTION_LOAD, name);
	if (!key)
		return err_set(err, -EINVAL, "unknown key '%s' of a load: there are %s", name,
			       lab_key_list(list, LAB_SECTION_LOAD));
	rc = lab_key_set(key, lab, value + strspn(value, " "), 0, err);
	if (!rc && lab->load.kind != was)
		kind_change(lab, was);
	return rc;
}

static void keys_write(FILE *to, enum lab_section section, const void *base)
{
	for (const struct lab_key *key = lab_keys; key->name; key++)
		if (key->section == section)
			key->write(key, base, to);
}

char *lab_text(const struct lab *lab)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	fprintf(to, "[lab]\n");
	keys_write(to, LAB_SECTION_LAB, lab);
	fprintf(to, "\n[load]\n");
	keys_write(to, LAB_SECTION_LOAD, lab);
	if (*lab->wire.near) {
		fprintf(to, "\n[wire]\n");
		keys_write(to, LAB_SECTION_WIRE, lab);
	}
	for (u32 i = 0; i < lab->nvariants; i++) {
		fprintf(to, "\n[variant %s]\n", lab->variant[i].name);
		keys_write(to, LAB_SECTION_VARIANT, &lab->variant[i]);
	}
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}
