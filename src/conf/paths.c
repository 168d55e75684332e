/* SPDX-License-Identifier: GPL-2.0-or-later */
/* paths.c - where an instance keeps its files */
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "conf.h"

static char *path_of(char path[PATHS_MAX], const char *name, const char *suffix)
{
	snprintf(path, PATHS_MAX, PATHS_RUN_DIR "/%.*s%s", CONF_NAME_MAX - 1, name, suffix);
	return path;
}

char *paths_socket(char path[PATHS_MAX], const char *name)
{
	return path_of(path, name, ".sock");
}

char *paths_lock(char path[PATHS_MAX], const char *name)
{
	return path_of(path, name, ".lock");
}

char *paths_log(char path[PATHS_MAX], const char *name)
{
	return path_of(path, name, ".log");
}

int paths_make(void)
{
	return mkdir(PATHS_RUN_DIR, 0755) && errno != EEXIST ? -errno : 0;
}

void paths_instances(void (*visit)(void *arg, const char *name), void *arg)
{
	DIR *dir = opendir(PATHS_RUN_DIR);
	char name[CONF_NAME_MAX];
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		size_t length = strlen(entry->d_name);

		if (length <= 5 || length - 5 >= sizeof(name) || strcmp(entry->d_name + length - 5, ".sock"))
			continue;
		memcpy(name, entry->d_name, length - 5);
		name[length - 5] = 0;
		if (paths_name_valid(name))
			visit(arg, name);
	}
	closedir(dir);
}

bool paths_name_valid(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

	return length >= 1 && length < CONF_NAME_MAX && !name[length] && name[0] != '-';
}
