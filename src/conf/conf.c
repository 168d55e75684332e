/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.c - the configuration file, read line by line
 *
 * libinih splits lines into keys and values. The lines are handed to it by next_line(), which knows where it is: it
 * counts lines, enters sections, refuses what libinih would cut or skip in silence (long lines, NUL bytes), and strips
 * indentation, so that libinih never takes an indented line for more of the value above.
 *
 * The first error ends the reading; the caller's configuration is written only when the whole file is good.
 */
#include "conf.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reader.h"

static void sentence(struct err *to, struct reader *r, int line, const char *format, va_list ap)
{
	char text[sizeof(to->text)];

	vsnprintf(text, sizeof(text), format, ap);
	if (line)
		err_set(to, 0, "%s:%d: %s", r->conf.path, line, text);
	else
		err_set(to, 0, "%s: %s", r->conf.path, text);
}

int reader_fail(struct reader *r, int line, const char *format, ...)
{
	va_list ap;

	if (r->rc)
		return r->rc;
	va_start(ap, format);
	sentence(r->err, r, line, format, ap);
	va_end(ap);
	r->rc = -EINVAL;
	return r->rc;
}

void reader_warn(struct reader *r, int line, const char *format, ...)
{
	va_list ap;

	if (r->conf.nwarnings == CONF_WARNINGS_MAX)
		return;
	va_start(ap, format);
	sentence(&r->conf.warnings[r->conf.nwarnings++], r, line, format, ap);
	va_end(ap);
}

int *reader_lines(struct reader *r, const struct conf_port *port)
{
	return r->lines[port ? 1 + (port - r->conf.ports) : 0];
}

int *reader_relay_lines(struct reader *r, unsigned int relay)
{
	return r->lines[1 + DP_PORTS_MAX + relay];
}

static const struct {
	const char *name;
	enum conf_section section;
} sections[] = {
	{"gateway", SECTION_GATEWAY},
	{"lan", SECTION_LAN},
	{"wan", SECTION_WAN},
	{"nat", SECTION_NAT},
	{"timers", SECTION_TIMERS},
	{"map-e", SECTION_MAP_E},
	{"border-relay", SECTION_RELAY},
};

static int name_too_long(struct reader *r, const char *name)
{
	return reader_fail(r, r->line, "the name of section [%s] is too long: at most %d characters", name,
			   CONF_NAME_MAX - 1);
}

/* A [lan] or [wan] section begins. */
static int port_begin(struct reader *r, const char *name)
{
	struct conf *c = &r->conf;

	if (strlen(name) >= CONF_NAME_MAX)
		return name_too_long(r, name);
	for (unsigned int i = 0; i < c->nports; i++)
		if (!strcmp(c->ports[i].name, name))
			return reader_fail(r, r->line, "section [%s] again%s", name,
					   r->section == SECTION_WAN
						   ? ": there is one WAN"
						   : ": give the other LAN a name, such as [lan guest]");
	if (c->nports == DP_PORTS_MAX)
		return reader_fail(r, r->line, "too many [lan] and [wan] sections: at most %d", DP_PORTS_MAX);
	r->port = &c->ports[c->nports++];
	r->port->role = r->section == SECTION_WAN ? ROLE_WAN : ROLE_LAN;
	r->port->line = r->line;
	strcpy(r->port->name, name);
	r->row = reader_lines(r, r->port);
	return 0;
}

/* A [map-e] or [border-relay] section begins, with its defaults. */
static void domain_begin(struct reader *r, unsigned int i, struct mape_domain *domain, struct conf_tunnel *tunnel)
{
	r->domain = &r->domains[i];
	r->domain->domain = domain;
	r->domain->tunnel = tunnel;
	for (const struct conf_key *key = conf_keys; key < conf_keys + KEY_COUNT; key++)
		if ((key->home == HOME_DOMAIN || key->home == HOME_TUNNEL) && !key->prose)
			key->parse(r, key, key->initial);
}

static int relay_begin(struct reader *r, const char *name)
{
	struct conf *c = &r->conf;
	unsigned int i = c->nrelays;

	if (strlen(name) >= CONF_NAME_MAX)
		return name_too_long(r, name);
	for (unsigned int j = 0; j < i; j++)
		if (!strcmp(c->relays[j].name, name))
			return reader_fail(r, r->line,
					   "section [%s] again: give the other domain a name, such as "
					   "[border-relay east]",
					   name);
	if (i == TUNNEL_RELAYS_MAX)
		return reader_fail(r, r->line, "too many [border-relay] sections: at most %d", TUNNEL_RELAYS_MAX);
	strcpy(c->relays[i].name, name);
	c->relays[i].line = r->line;
	domain_begin(r, 1 + i, &c->relays[i].domain, &r->tunnels[i]);
	r->row = reader_relay_lines(r, i);
	c->nrelays++;
	return 0;
}

/* `name` is what stands between the brackets. */
static int section_begin(struct reader *r, const char *name)
{
	size_t length = strcspn(name, " \t");

	r->section = SECTION_NONE;
	r->port = NULL;
	r->domain = &r->domains[0];
	r->row = reader_lines(r, NULL);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (strlen(sections[i].name) == length && !memcmp(name, sections[i].name, length))
			r->section = sections[i].section;
	if (!r->section)
		return reader_fail(r, r->line,
				   "unknown section [%s]: there are [gateway], [lan], [lan NAME], [wan], [nat], "
				   "[map-e], [border-relay], [border-relay NAME] and [timers]",
				   name);
	if (name[length] && r->section != SECTION_LAN && r->section != SECTION_RELAY)
		return reader_fail(r, r->line, "section [%s] takes no name: write [%.*s]", name, (int)length, name);
	if (r->section & SECTION_PORT)
		return port_begin(r, name);
	if (r->section == SECTION_RELAY)
		return relay_begin(r, name);
	if (r->seen & r->section)
		return reader_fail(r, r->line, "section [%s] again: put its keys in one", name);
	r->seen |= r->section;
	if (r->section == SECTION_MAP_E)
		r->conf.mape.line = r->line;
	return 0;
}

/* A line that begins with '['. Behind the ']' only a comment may stand. */
static int section_line(struct reader *r, const char *line)
{
	size_t length = strcspn(line, "]");
	const char *rest = line + length + 1;
	char name[64];

	if (!line[length] || length >= sizeof(name))
		return reader_fail(r, r->line, "bad section '%s': write it as [name]", line);
	rest += strspn(rest, " \t");
	if (*rest && *rest != ';' && *rest != '#')
		return reader_fail(r, r->line, "'%s' behind a section: write it on a line of its own", rest);
	memcpy(name, line + 1, length - 1);
	name[length - 1] = 0;
	return section_begin(r, name);
}

/* libinih's reader: the next line, bare of blanks around it, in `room` bytes at `line`; NULL at the end. */
static char *next_line(char *line, int room, void *arg)
{
	struct reader *r = arg;
	ssize_t length = r->rc ? -1 : getline(&r->text, &r->room, r->file);
	char *start = r->text, *end;

	if (length < 0)
		return NULL;
	r->line++;
	end = start + length;
	if (memchr(start, 0, (size_t)length)) {
		reader_fail(r, r->line, "NUL byte in the line: save the file as plain UTF-8 text");
		return NULL;
	}
	if (r->line == 1 && !strncmp(start, "\xef\xbb\xbf", 3))
		start += 3;
	while (isspace((unsigned char)*start))
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		*--end = 0;
	/* INI_MAX_LINE is libinih's own room, which may be less than what it passes here */
	if (end - start > room - 3 || end - start > INI_MAX_LINE - 3) {
		reader_fail(r, r->line,
			    "line longer than %d characters: break it up; reserve, neighbour and s46 may be given "
			    "again",
			    INI_MAX_LINE - 3);
		return NULL;
	}
	if (*start == '[' && section_line(r, start))
		return NULL;
	memcpy(line, start, (size_t)(end - start) + 1);
	return line;
}

static int unknown_key(struct reader *r, const char *name)
{
	const struct conf_key *meant = conf_key_meant(r->section, name);
	const char *here = conf_section_names(r->section);

	if (!r->section)
		return reader_fail(r, r->line, "key '%s' before the first section: put it below one, such as [gateway]",
				   name);
	if (!meant)
		return reader_fail(r, r->line, "unknown key '%s' in %s: 'portico check --keys' lists them", name, here);
	if (!(meant->sections & r->section))
		return reader_fail(r, r->line, "key '%s' does not belong in %s: put it below %s", name, here,
				   conf_section_names(meant->sections));
	return reader_fail(r, r->line, "unknown key '%s' in %s: did you mean '%s'?", name, here, meant->name);
}

/* Ends the value where a comment begins: at a '#' behind a blank. (libinih has seen to ';'.) */
static void cut_comment(char *value)
{
	char *end = value;

	for (char *at = value; *at; at++) {
		if (*at == '#' && (at == value || isspace((unsigned char)at[-1])))
			break;
		if (!isspace((unsigned char)*at))
			end = at + 1;
	}
	*end = 0;
}

/* libinih's handler; not 0: go on. */
static int key_line(void *arg, const char *section, const char *name, const char *text)
{
	struct reader *r = arg;
	const struct conf_key *key = conf_key_find(r->section, name);
	char value[INI_MAX_LINE];
	int *given;

	(void)section;
	if (!key)
		return !unknown_key(r, name);
	given = &r->row[key - conf_keys];
	if (*given && !key->repeats)
		return !reader_fail(r, r->line, "%s again: it stands in line %d already; keep one", name, *given);
	*given = r->line;
	snprintf(value, sizeof(value), "%s", text);
	cut_comment(value);
	if (!*value && (key->prose || !key->initial || *key->initial))
		return !reader_fail(r, r->line, "%s has no value: give %s, or take the line out", name, key->form);
	return !key->parse(r, key, value);
}

/* Every default is read like a line of the file. */
static void defaults(struct reader *r)
{
	struct conf *c = &r->conf;

	for (unsigned int i = 0; i < KEY_COUNT; i++)
		if (conf_keys[i].home == HOME_CONF && conf_keys[i].initial && !conf_keys[i].prose)
			conf_keys[i].parse(r, &conf_keys[i], conf_keys[i].initial);
	domain_begin(r, 0, &c->mape.domain, &c->mape.tunnel);
	c->relay_tunnel = c->mape.tunnel;
}

void conf_init(struct conf *c)
{
	struct err err;
	struct reader r = {.err = &err};

	defaults(&r);
	*c = r.conf;
}

static int file_open(struct reader *r)
{
	struct stat st;

	r->file = fopen(r->conf.path, "re");
	if (!r->file)
		return err_set(r->err, -errno, "%s: cannot be read: %s", r->conf.path, strerror(errno));
	if (!fstat(fileno(r->file), &st) && S_ISDIR(st.st_mode))
		return err_set(r->err, -EISDIR, "%s: is a directory: give the configuration file", r->conf.path);
	return 0;
}

static int file_read(struct reader *r)
{
	int bad = ini_parse_stream(next_line, r, key_line, r);

	if (!r->rc && ferror(r->file))
		return err_set(r->err, -EIO, "%s: cannot be read: %s", r->conf.path, strerror(EIO));
	/* libinih's own complaint, unless another stands for a line before it */
	if (bad > 0 && (!r->rc || bad < r->line)) {
		r->rc = 0;
		return reader_fail(r, bad, "neither [section] nor key = value: put a '#' before it if it is a comment");
	}
	return r->rc ? r->rc : reader_check(r);
}

int conf_read(struct conf *c, const char *path, struct err *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return err_set(err, -ENOMEM, "%s: cannot be read: %s", path, strerror(ENOMEM));
	r->err = err;
	if (strlen(path) >= sizeof(r->conf.path)) {
		free(r);
		return err_set(err, -ENAMETOOLONG, "%s: cannot be read: %s", path, strerror(ENAMETOOLONG));
	}
	strcpy(r->conf.path, path);
	defaults(r);
	rc = file_open(r);
	if (!rc)
		rc = file_read(r);
	if (!rc)
		*c = r->conf;
	if (r->file)
		fclose(r->file);
	free(r->text);
	free(r);
	return rc;
}
