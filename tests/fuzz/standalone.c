/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standalone.c - runs a fuzz target over files and directories of files, where there is no fuzzer */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned int ran;

static void file_run(const char *path)
{
	static uint8_t data[1 << 20];
	FILE *file = fopen(path, "rbe");

	if (!file)
		return;
	LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof(data), file));
	fclose(file);
	ran++;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		DIR *dir = opendir(argv[i]);
		struct dirent *entry;

		if (!dir)
			file_run(argv[i]);
		while (dir && (entry = readdir(dir))) {
			char path[1024];

			snprintf(path, sizeof(path), "%s/%s", argv[i], entry->d_name);
			if (entry->d_name[0] != '.')
				file_run(path);
		}
		if (dir)
			closedir(dir);
	}
	printf("%u inputs\n", ran);
	return ran ? 0 : 1;
}
