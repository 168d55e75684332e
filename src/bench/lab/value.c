/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value.c - each kind of value in a lab file, read and written */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "lib/addr.h"

static void *field(const struct lab_key *key, void *base)
{
	return (char *)base + key->offset;
}

static const void *field_of(const struct lab_key *key, const void *base)
{
	return (const char *)base + key->offset;
}

int take_text(const struct lab_key *key, void *base, const char *value, int line)
{
	(void)line;
	if (strlen(value) >= key->size)
		return -E2BIG;
	strcpy(field(key, base), value);
	return 0;
}

void write_text(const struct lab_key *key, const void *base, FILE *to)
{
	const char *text = field_of(key, base);

	if (*text)
		fprintf(to, "%s = %s\n", key->name, text);
}

/* Adds a piece behind others. */
static int piece_add(const struct lab_key *key, void *base, const char *separator, const char *value)
{
	char *text = field(key, base);
	size_t had = strlen(text);

	if (had + strlen(separator) + strlen(value) >= key->size)
		return -E2BIG;
	sprintf(text + had, "%s%s", had ? separator : "", value);
	return 0;
}

static void pieces_write(const struct lab_key *key, const void *base, const char *separator, FILE *to)
{
	for (const char *at = field_of(key, base); *at;) {
		int length = (int)strcspn(at, separator);

		fprintf(to, "%s = %.*s\n", key->name, length, at);
		at += length + (at[length] ? 1 : 0);
	}
}

/* A script of as many lines as are given. */
int take_lines(const struct lab_key *key, void *base, const char *value, int line)
{
	(void)line;
	return *value ? piece_add(key, base, "\n", value) : -EINVAL;
}

void write_lines(const struct lab_key *key, const void *base, FILE *to)
{
	pieces_write(key, base, "\n", to);
}

int take_nat(const struct lab_key *key, void *base, const char *value, int line)
{
	(void)line;
	return strchr(value, '=') && *value != '=' && !strchr(value, ';') ? piece_add(key, base, ";", value) : -EINVAL;
}

void write_nat(const struct lab_key *key, const void *base, FILE *to)
{
	pieces_write(key, base, ";", to);
}

/* "100k", "0.1%": a finite number of at least key->min and at most key->max. */
static int number(const struct lab_key *key, const char *value, double *n)
{
	static const struct {
		const char *suffix;
		double scale;
	} units[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}};
	char *end;

	*n = strtod(value, &end);
	if (end == value || !isdigit((unsigned char)*value))
		return -EINVAL;
	if (!strcmp(end, "%") && key->max < 1) {
		*n /= 100;
		end = "";
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(end, units[i].suffix)) {
			*n *= units[i].scale;
			return isfinite(*n) && *n >= key->min && *n <= key->max ? 0 : -EINVAL;
		}
	return -EINVAL;
}

int take_number(const struct lab_key *key, void *base, const char *value, int line)
{
	double n;

	(void)line;
	if (number(key, value, &n) || n != floor(n))
		return -EINVAL;
	*(u32 *)field(key, base) = (u32)n;
	return 0;
}

/* Of a variant, 0 is what was not said. */
void write_number(const struct lab_key *key, const void *base, FILE *to)
{
	u32 n = *(const u32 *)field_of(key, base);

	if (n || key->section != LAB_SECTION_VARIANT)
		fprintf(to, "%s = %u\n", key->name, n);
}

int take_real(const struct lab_key *key, void *base, const char *value, int line)
{
	(void)line;
	return number(key, value, field(key, base));
}

/* 0, where that is not allowed, is what was not said. */
void write_real(const struct lab_key *key, const void *base, FILE *to)
{
	double n = *(const double *)field_of(key, base);
	char text[40];

	if (n < key->min)
		return;
	snprintf(text, sizeof(text), "%.15g", n);
	if (strtod(text, NULL) < n || strtod(text, NULL) > n)
		snprintf(text, sizeof(text), "%.17g", n);
	fprintf(to, "%s = %s\n", key->name, text);
}

int take_frame(const struct lab_key *key, void *base, const char *value, int line)
{
	if (strcmp(value, "imix"))
		return take_number(key, base, value, line);
	*(u32 *)field(key, base) = LAB_IMIX;
	return 0;
}

void write_frame(const struct lab_key *key, const void *base, FILE *to)
{
	if (*(const u32 *)field_of(key, base) == LAB_IMIX)
		fprintf(to, "%s = imix\n", key->name);
	else
		write_number(key, base, to);
}

/* Enumerations, and a bool: of one byte. */
int take_word(const struct lab_key *key, void *base, const char *value, int line)
{
	(void)line;
	for (u32 i = 0; key->words[i]; i++) {
		if (!*value || strcmp(key->words[i], value))
			continue;
		if (key->size == sizeof(u32))
			*(u32 *)field(key, base) = i;
		else
			*(bool *)field(key, base) = i;
		return 0;
	}
	return -EINVAL;
}

void write_word(const struct lab_key *key, const void *base, FILE *to)
{
	const void *at = field_of(key, base);

	fprintf(to, "%s = %s\n", key->name,
		key->words[key->size == sizeof(u32) ? *(const u32 *)at : *(const bool *)at]);
}

int take_address(const struct lab_key *key, void *base, const char *value, int line)
{
	be32 *address = field(key, base);

	(void)line;
	return addr_parse(value, address) || !addr_is_host(*address) ? -EINVAL : 0;
}

void write_address(const struct lab_key *key, const void *base, FILE *to)
{
	be32 address = *(const be32 *)field_of(key, base);
	char text[ADDR_TEXT];

	if (address)
		fprintf(to, "%s = %s\n", key->name, addr_print(text, address));
}

int take_mac(const struct lab_key *key, void *base, const char *value, int line)
{
	(void)line;
	return mac_parse(value, field(key, base)) || !mac_is_station(field(key, base)) ? -EINVAL : 0;
}

void write_mac(const struct lab_key *key, const void *base, FILE *to)
{
	const u8 *mac = field_of(key, base);
	char text[MAC_TEXT];

	if (mac_is_station(mac))
		fprintf(to, "%s = %s\n", key->name, mac_print(text, mac));
}

/* Whether `n` bytes can be the name of an interface, or of a network namespace. */
static bool is_name(const char *text, size_t n, size_t room)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-_.@", text[i]))
			return false;
	return n && n < room && *text != '-' && *text != '.';
}

/* "IF" or "NETNS/IF"; the key's first letter says which end. */
int take_interface(const struct lab_key *key, void *base, const char *value, int line)
{
	struct lab_wire *w = field(key, base);
	bool near = *key->name == 'n';
	const char *slash = strchr(value, '/'), *name = slash ? slash + 1 : value;
	char *ns = near ? w->near_ns : w->far_ns;
	int length = slash ? (int)(slash - value) : 0;

	if (!is_name(name, strlen(name), IFNAMSIZ) || (slash && !is_name(value, (size_t)length, LAB_NAME)))
		return -EINVAL;
	snprintf(ns, LAB_NAME, "%.*s", length, value);
	strcpy(near ? w->near : w->far, name);
	*(near ? &w->near_line : &w->far_line) = line;
	return 0;
}

void write_interface(const struct lab_key *key, const void *base, FILE *to)
{
	const struct lab_wire *w = field_of(key, base);
	bool near = *key->name == 'n';
	const char *ns = near ? w->near_ns : w->far_ns;

	fprintf(to, "%s = %s%s%s\n", key->name, ns, *ns ? "/" : "", near ? w->near : w->far);
}

static int setting_add(const struct lab_key *key, struct lab_variant *v, const char *value, int line)
{
	struct lab_setting *s = &v->setting[v->nsettings];

	if (v->nsettings == LAB_SETTINGS || strlen(value) >= sizeof(s->text))
		return -E2BIG;
	*s = (struct lab_setting){.kind = (enum lab_setting_kind)key->offset, .line = line};
	strcpy(s->text, value);
	v->nsettings++;
	return 0;
}

int take_sysctl(const struct lab_key *key, void *base, const char *value, int line)
{
	const char *equals = strchr(value, '=');

	for (const char *at = value; equals && at < equals; at++)
		if (!isalnum((unsigned char)*at) && !strchr("._-/", *at))
			return -EINVAL;
	if (!equals || equals == value || !equals[1] || strstr(value, "..") || strchr("./", *value))
		return -EINVAL;
	return setting_add(key, base, value, line);
}

int take_ethtool(const struct lab_key *key, void *base, const char *value, int line)
{
	return *value == '-' && strchr(value, ' ') ? setting_add(key, base, value, line) : -EINVAL;
}

/* "INTERFACE MASK", as the kernel takes masks: hexadecimal, with commas between words. */
int take_queues(const struct lab_key *key, void *base, const char *value, int line)
{
	size_t name = strcspn(value, " "), mask = strlen(value) - name;

	if (!is_name(value, name, IFNAMSIZ) || mask < 2 ||
	    strspn(value + name + 1, "0123456789abcdefABCDEF,") != mask - 1)
		return -EINVAL;
	return setting_add(key, base, value, line);
}

int take_run(const struct lab_key *key, void *base, const char *value, int line)
{
	return *value ? setting_add(key, base, value, line) : -EINVAL;
}

/* The first of these keys writes all settings, in the order they are made. */
void write_setting(const struct lab_key *key, const void *base, FILE *to)
{
	const struct lab_variant *v = base;

	if (key->offset != LAB_SYSCTL)
		return;
	for (u32 i = 0; i < v->nsettings; i++)
		fprintf(to, "%s = %s\n", lab_setting_names[v->setting[i].kind], v->setting[i].text);
}
