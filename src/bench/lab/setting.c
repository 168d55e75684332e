/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setting.c - what a variant sets in its router's namespace before the router starts
 *
 * Some of net.* exists only once for the whole machine, and outside the namespaces: that is set there, and the keeper
 * puts it back.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"

int netns_shell(const char *ns, struct hook h, char **output, struct err *err)
{
	char *whole;
	int rc;

	if (asprintf(&whole, *ns ? "exec ip netns exec %s sh -c '%s'" : "%s%s", ns, h.line) < 0)
		return err_set(err, -ENOMEM, "out of memory");
	h.line = whole;
	rc = hook_run(&h, output, err);
	free(whole);
	return rc;
}

static int file_write(const char *path, const char *value)
{
	FILE *f = fopen(path, "we");
	int bad;

	if (!f)
		return -errno;
	bad = fprintf(f, "%s\n", value) < 0;
	bad |= fclose(f) != 0;
	return bad ? (errno ? -errno : -EIO) : 0;
}

/* "a.b.c" as the kernel has it; in names of interfaces a dot is written as '/', as sysctl(8) has it. */
static void sysctl_path(char path[PATH_SYSCTL], const char *name, int length)
{
	snprintf(path, PATH_SYSCTL, "/proc/sys/%.*s", length, name);
	for (char *at = path + strlen("/proc/sys/"); *at; at++)
		*at = *at == '.' ? '/' : *at == '/' ? '.' : *at;
}

/* Once it is noted how it was. */
static int machine_sysctl_set(struct path_undo *undo, const char *path, const char *value)
{
	char *old = undo->sysctl[undo->nsysctls].value;
	FILE *f = fopen(path, "re");

	if (!f)
		return -errno;
	if (!fgets(old, PATH_SYSCTL, f))
		*old = '\0';
	fclose(f);
	old[strcspn(old, "\n")] = '\0';
	strcpy(undo->sysctl[undo->nsysctls].path, path);
	undo->nsysctls++;
	return file_write(path, value);
}

void settings_undo(const struct path_undo *undo)
{
	for (u32 i = undo->nsysctls; i-- > 0;)
		file_write(undo->sysctl[i].path, undo->sysctl[i].value);
}

static int sysctl_apply(struct path *p, const char *text, const char *what, struct err *err)
{
	int length = (int)strcspn(text, "="), rc;
	const char *value = text + length + 1;
	char path[PATH_SYSCTL];
	struct err ignored;
	bool here;

	sysctl_path(path, text, length);
	rc = net_enter(&p->net, p->topology->place[PATH_GW], err);
	if (rc)
		return rc;
	here = !strncmp(text, "net.", 4) && !access(path, F_OK);
	rc = here ? file_write(path, value) : 0;
	net_enter(&p->net, NET_HERE, &ignored);
	if (!here)
		rc = machine_sysctl_set(p->undo, path, value);
	if (!rc)
		return 0;
	return err_set(err, rc, "%s: sysctl %s: %s", what, text,
		       rc == -ENOENT ? "this kernel has no such setting" : strerror(-rc));
}

/* Frames that never were socket buffers enter a veth without XDP program only by its GRO. */
static bool starves(const struct path *p, const char *text)
{
	return path_linux(p) && p->lab->load.kind != LAB_TCP && p->lab->load.kind != LAB_HOOK &&
	       strstr(text, " gro off");
}

static int ethtool_apply(struct path *p, const char *text, const char *what, struct err *err)
{
	struct err cause;
	int rc;

	if (starves(p, text))
		return err_set(err, -ENOTSUP,
			       "%s: ethtool %s: between namespaces frames of this load come in by GRO only; compare it "
			       "with kind = tcp, or on a wire",
			       what, text);
	rc = net_run(&p->net, p->topology->place[PATH_GW], &cause, "ethtool %s", text);
	return rc ? err_set(err, rc, "%s: %s", what, cause.text) : 0;
}

/* "INTERFACE MASK" into a file of each queue. */
static int queues_apply(struct path *p, const struct lab_setting *s, const char *what, struct err *err)
{
	int name = (int)strcspn(s->text, " ");
	char lines[LAB_TEXT], shown[LAB_TEXT];
	struct hook h = {.what = what, .line = lines, .shown = shown, .ns = -1, .limit = p->lab->load.hook_limit};

	snprintf(shown, sizeof(shown), "%s %s", lab_setting_names[s->kind], s->text);
	snprintf(lines, sizeof(lines), "for f in /sys/class/net/%.*s/queues/%s; do echo %s >$f || exit; done", name,
		 s->text, s->kind == LAB_RPS ? "rx-*/rps_cpus" : "tx-*/xps_cpus", s->text + name + 1);
	return netns_shell(p->net.name[p->topology->place[PATH_GW]], h, NULL, err);
}

static int setting_apply(struct path *p, const struct lab_setting *s, const char *what, struct err *err)
{
	struct hook run = {.what = what, .line = s->text, .ns = path_ns(p, PATH_GW), .limit = p->lab->load.hook_limit};

	switch (s->kind) {
	case LAB_SYSCTL:
		return sysctl_apply(p, s->text, what, err);
	case LAB_ETHTOOL:
		return ethtool_apply(p, s->text, what, err);
	case LAB_RPS:
	case LAB_XPS:
		return queues_apply(p, s, what, err);
	case LAB_RUN:
		return hook_run(&run, NULL, err);
	}
	return -EINVAL;
}

int settings_apply(struct path *p, struct err *err)
{
	char where[LAB_WHERE], what[LAB_WHERE + 2 * LAB_NAME];
	int rc = 0;

	for (u32 i = 0; i < p->v->nsettings && !rc; i++) {
		const struct lab_setting *s = &p->v->setting[i];

		snprintf(what, sizeof(what), "%s: variant '%s'", lab_where(where, p->lab, s->line), p->v->name);
		rc = setting_apply(p, s, what, err);
	}
	return rc;
}
