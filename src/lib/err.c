/* SPDX-License-Identifier: GPL-2.0-or-later */
/* err.c - an error on its way to the person */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>

void err_write(struct err *e, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(e->text, sizeof(e->text), format, ap);
	va_end(ap);
}
