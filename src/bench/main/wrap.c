/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wrap.c - sentences on a terminal */
#include "wrap.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 100

void wrap_print(const char *text, int indent)
{
	size_t room = (size_t)(WIDTH - indent);

	while (*text) {
		size_t n = strlen(text);

		if (n > room) {
			n = room;
			while (n > 1 && text[n] != ' ')
				n--;
			if (n == 1)
				n = strcspn(text, " ");
		}
		printf("%*s%.*s\n", indent, "", (int)n, text);
		text += n;
		text += strspn(text, " ");
	}
}
