/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - the life of the packet path: load, pin, adopt, look at, remove
 *
 * A fresh instance is pinned into a directory "+NAME-PID" first and renamed when it is whole, so that a directory with
 * the instance's name is always complete. Adoption keeps every pinned map and loads this build's program over them; the
 * links take the new program one by one in kernel_attach(), each in one atomic step.
 */
#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "internal.h"
#include "object.h"

const char *const kernel_map_names[MAP_COUNT] = {
	[MAP_FLOWS] = "flows",	       [MAP_CONFIG] = "config",		[MAP_RESERVED] = "reserved",
	[MAP_NEXTHOPS] = "nexthops",   [MAP_NEIGHBOURS] = "neighbours", [MAP_TX] = "tx",
	[MAP_COUNTERS] = "counters",   [MAP_EVENTS] = "events",		[MAP_TUNNEL] = "tunnel",
	[MAP_FRAGMENTS] = "fragments", [MAP_DESTS] = "dests",		[MAP_BLANK] = "blank",
	[MAP_SHARES] = "shares",       [MAP_PROGRAMS] = "programs",
};

/* The program of a mode, and those that it goes on to (bpf/portico_xdp.bpf.c). */
static const struct {
	const char *usual;
	const char *on[DP_PROGRAMS];
} programs[] = {
	[MODE_NAT44] = {"portico_nat44", {"portico_nat44_parse", "portico_nat44_forward", "portico_claim"}},
	[MODE_CE] = {"portico_ce", {"portico_ce_parse", "portico_ce_forward", "portico_claim"}},
	[MODE_BR] = {"portico_br", {"portico_br_parse", "portico_br_forward", "portico_claim"}},
};

/* The first thing libbpf complained of, for the error message. */
static char complaint[512];

static int keep_complaint(enum libbpf_print_level level, const char *format, va_list args)
{
	if (level == LIBBPF_WARN) {
		char line[sizeof(complaint)];

		vsnprintf(line, sizeof(line), format, args);
		line[strcspn(line, "\n")] = '\0';
		if (!complaint[0])
			memcpy(complaint, line, sizeof(complaint));
	}
	return 0;
}

void kernel_path(char *path, const char *dir, const char *item)
{
	snprintf(path, KERNEL_PATH_MAX, "%.150s/%.100s", dir, item);
}

static int load_error(struct err *err, int rc, const char *what)
{
	struct utsname host;

	uname(&host);
	if (rc == -EPERM)
		return err_set(err, rc, "%s: not permitted; run as root (CAP_BPF, CAP_NET_ADMIN, CAP_PERFMON)", what);
	return err_set(err, rc, "%s: %s on Linux %s%s%s; Portico needs Linux 5.15 or newer with CONFIG_BPF_SYSCALL",
		       what, strerror(-rc), host.release, complaint[0] ? ": " : "", complaint);
}

/* The same of a file: there EACCES is about permission as well; of the verifier it is a refusal. */
static int file_error(struct err *err, int rc, const char *path)
{
	return load_error(err, rc == -EACCES ? -EPERM : rc, path);
}

/* Removes a directory of pins. 0, -ENOENT or another -errno. */
static int unpin_all(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	int rc = 0;

	if (!d)
		return -errno;
	while ((entry = readdir(d))) {
		bool link = !strncmp(entry->d_name, KERNEL_LINK_PREFIX, strlen(KERNEL_LINK_PREFIX));
		char path[KERNEL_PATH_MAX + 256];
		int gone;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		gone = link ? kernel_link_remove(path) : unlink(path) ? -errno : 0;
		rc = rc ? rc : gone;
	}
	closedir(d);
	if (rmdir(dir) && !rc)
		rc = -errno;
	return rc;
}

/* Makes sure that there is a BPF file system where the field's tools mount it, and our directory in it. */
static int bpffs_ready(struct err *err)
{
	struct statfs fs;

	if (statfs(KERNEL_BPFFS, &fs))
		return err_set(err, -errno, KERNEL_BPFFS ": %s; mount sysfs on /sys", strerror(errno));
	if (fs.f_type != BPF_FS_MAGIC && mount("bpf", KERNEL_BPFFS, "bpf", 0, "mode=0700"))
		return load_error(err, -errno, "mounting the BPF file system on " KERNEL_BPFFS);
	if (mkdir(KERNEL_DIR, 0700) && errno != EEXIST)
		return load_error(err, -errno, "making " KERNEL_DIR);
	return 0;
}

static int prog_pin(struct kernel *k, const char *dir)
{
	char path[KERNEL_PATH_MAX], fresh[KERNEL_PATH_MAX];

	kernel_path(path, dir, "prog");
	kernel_path(fresh, dir, "prog-new");
	unlink(fresh);
	if (bpf_obj_pin(k->prog, fresh))
		return -errno;
	return rename(fresh, path) ? -errno : 0;
}

/* Makes a directory in ours, which another instance takes away with its last pin at any moment before that. */
static int dir_make(const char *dir)
{
	do {
		if (mkdir(KERNEL_DIR, 0700) && errno != EEXIST)
			return -errno;
		if (!mkdir(dir, 0700))
			return 0;
	} while (errno == ENOENT);
	return -errno;
}

/* Pins a fresh instance whole, or not at all. */
static int pin_fresh(struct kernel *k, const char *name, struct err *err)
{
	char hidden[KERNEL_DIR_SIZE], path[KERNEL_PATH_MAX];
	int rc;

	snprintf(hidden, sizeof(hidden), KERNEL_DIR "/+%s-%d", name, getpid());
	rc = dir_make(hidden);
	if (rc)
		return load_error(err, rc, hidden);
	for (int i = 0; i < MAP_COUNT && !rc; i++) {
		kernel_path(path, hidden, kernel_map_names[i]);
		if (bpf_obj_pin(k->map[i], path))
			rc = -errno;
	}
	if (!rc)
		rc = prog_pin(k, hidden);
	if (!rc && rename(hidden, k->dir))
		rc = -errno;
	if (rc) {
		unpin_all(hidden);
		return load_error(err, rc, "pinning the packet path");
	}
	return 0;
}

/* A map that is pinned must be what this build would have made, but for the number of flows. */
static int map_adopt(struct kernel *k, struct bpf_map *map, struct err *err)
{
	struct bpf_map_info info = {0};
	u32 size = sizeof(info);
	char path[KERNEL_PATH_MAX];
	int fd, rc;

	kernel_path(path, k->dir, bpf_map__name(map));
	fd = bpf_obj_get(path);
	if (fd < 0)
		return err_set(err, -errno, "%s: %s; remove the remains with 'portico down'", path, strerror(errno));
	rc = bpf_obj_get_info_by_fd(fd, &info, &size) ? -errno : 0;
	if (!rc && (info.type != bpf_map__type(map) || info.key_size != bpf_map__key_size(map) ||
		    info.value_size != bpf_map__value_size(map)))
		rc = err_set(err, -EPROTO, "%s is of another version of Portico; run 'portico down' first", path);
	else if (!rc)
		rc = bpf_map__reuse_fd(map, fd);
	close(fd);
	return rc;
}

static const char *mode_name(u32 mode)
{
	return mode == MODE_CE ? "a MAP-E customer edge" : mode == MODE_BR ? "a MAP-E border relay" : "a NAPT44";
}

/* `mode` -1: any will do. */
static int layout_check(struct kernel *k, int mode, struct err *err)
{
	struct dp_config config;
	char path[KERNEL_PATH_MAX];
	int fd, rc;
	u32 zero = 0, size;
	struct bpf_map_info info = {0};

	kernel_path(path, k->dir, kernel_map_names[MAP_CONFIG]);
	fd = bpf_obj_get(path);
	if (fd < 0)
		return err_set(err, -errno, "%s: %s; remove the remains with 'portico down'", path, strerror(errno));
	size = sizeof(info);
	rc = bpf_obj_get_info_by_fd(fd, &info, &size) ? -errno : 0;
	if (!rc && info.value_size != sizeof(config))
		rc = -EPROTO;
	if (!rc && bpf_map_lookup_elem(fd, &zero, &config))
		rc = -errno;
	close(fd);
	/* layout 0: pinned whole, but its daemon died before it wrote the configuration */
	if (!rc && config.layout != ABI_LAYOUT && config.layout != 0)
		rc = -EPROTO;
	if (rc == -EPROTO)
		return err_set(err, rc, "%s is of another version of Portico; run 'portico down' first", k->dir);
	if (!rc && mode >= 0 && config.layout && config.mode != mode)
		return err_set(err, -EPROTO, "%s is up as %s and is to become %s; run 'portico down' first", k->dir,
			       mode_name(config.mode), mode_name((u32)mode));
	return rc ? load_error(err, rc, path) : 0;
}

static bool program_wanted(const char *name, enum dp_mode mode)
{
	for (u32 i = 0; i < DP_PROGRAMS; i++)
		if (!strcmp(name, programs[mode].on[i]))
			return true;
	return !strcmp(name, programs[mode].usual);
}

/* Ties the programs together. Each is swapped in one atomic step, and any old one goes on to any new one. */
static int programs_tie(struct kernel *k, enum dp_mode mode)
{
	for (u32 i = 0; i < DP_PROGRAMS; i++) {
		struct bpf_program *prog = bpf_object__find_program_by_name(k->object, programs[mode].on[i]);
		int fd = bpf_program__fd(prog);

		if (bpf_map_update_elem(k->map[MAP_PROGRAMS], &i, &fd, BPF_ANY))
			return -errno;
	}
	return 0;
}

static int object_load(struct kernel *k, enum dp_mode mode, u32 entries, bool adopt, struct err *err)
{
	struct bpf_program *prog;
	struct bpf_map *map;
	int rc;

	complaint[0] = '\0';
	k->object =
		bpf_object__open_mem(portico_xdp_object, (size_t)(portico_xdp_object_end - portico_xdp_object), NULL);
	if (!k->object)
		return load_error(err, -errno, "opening the packet path");
	for (int i = 0; i < MAP_COUNT; i++) {
		map = bpf_object__find_map_by_name(k->object, kernel_map_names[i]);
		if (!map)
			return err_set(err, -EINVAL, "this build has no map '%s'", kernel_map_names[i]);
		if (adopt && (rc = map_adopt(k, map, err)))
			return rc;
		if (!adopt && i == MAP_FLOWS && (rc = bpf_map__set_max_entries(map, entries)))
			return load_error(err, rc, "sizing the flow table");
	}
	map = bpf_object__find_map_by_name(k->object, "ways"); /* only a relay remembers ways */
	if (map && mode != MODE_BR)
		bpf_map__set_max_entries(map, 1);
	for (prog = bpf_object__next_program(k->object, NULL); prog; prog = bpf_object__next_program(k->object, prog))
		bpf_program__set_autoload(prog, program_wanted(bpf_program__name(prog), mode));
	rc = bpf_object__load(k->object);
	if (rc)
		return load_error(err, rc, "loading the packet path");
	prog = bpf_object__find_program_by_name(k->object, programs[mode].usual);
	k->prog = bpf_program__fd(prog);
	for (int i = 0; i < MAP_COUNT; i++)
		k->map[i] = bpf_object__find_map_fd_by_name(k->object, kernel_map_names[i]);
	rc = programs_tie(k, mode);
	return rc ? load_error(err, rc, "tying the programs together") : 0;
}

static struct kernel *kernel_new(const char *name)
{
	struct kernel *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->prog = -1;
	for (int i = 0; i < MAP_COUNT; i++)
		k->map[i] = -1;
	snprintf(k->dir, sizeof(k->dir), KERNEL_DIR "/%.40s", name);
	libbpf_set_print(keep_complaint);
	return k;
}

struct kernel *kernel_open(const char *name, enum dp_mode mode, u32 entries, bool *adopted, struct err *err)
{
	struct kernel *k = kernel_new(name);
	int rc;

	if (!k) {
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	rc = bpffs_ready(err);
	if (rc)
		goto fail;
	*adopted = access(k->dir, F_OK) == 0;
	if (*adopted)
		rc = layout_check(k, (int)mode, err);
	if (!rc)
		rc = object_load(k, mode, entries, *adopted, err);
	if (rc)
		goto fail;
	if (!*adopted)
		rc = pin_fresh(k, name, err);
	else if ((rc = prog_pin(k, k->dir)))
		load_error(err, rc, "pinning the program");
	if (!rc)
		return k;
fail:
	kernel_close(k);
	rmdir(KERNEL_DIR); /* only if nothing else is in it */
	return NULL;
}

struct kernel *kernel_peek(const char *name, struct err *err)
{
	struct kernel *k = kernel_new(name);
	char path[KERNEL_PATH_MAX];
	int rc = 0;

	if (!k) {
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	if (access(k->dir, F_OK)) {
		rc = errno == ENOENT ? err_set(err, -ENOENT, "'%s' is not up; start it with 'portico up CONF'", name)
				     : file_error(err, -errno, k->dir);
	} else {
		rc = layout_check(k, -1, err);
	}
	for (int i = 0; i < MAP_COUNT && !rc; i++) {
		kernel_path(path, k->dir, kernel_map_names[i]);
		k->map[i] = bpf_obj_get(path);
		if (k->map[i] < 0)
			rc = load_error(err, -errno, path);
	}
	if (!rc)
		return k;
	kernel_close(k);
	return NULL;
}

void kernel_close(struct kernel *k)
{
	if (!k)
		return;
	perf_buffer__free(k->events);
	if (k->object)
		bpf_object__close(k->object);
	else
		for (int i = 0; i < MAP_COUNT; i++)
			if (k->map[i] >= 0)
				close(k->map[i]);
	free(k);
}

int kernel_remove(const char *name, struct err *err)
{
	char dir[KERNEL_PATH_MAX];
	int rc;

	kernel_path(dir, KERNEL_DIR, name);
	rc = unpin_all(dir);
	rmdir(KERNEL_DIR);
	if (rc == -ENOENT)
		return err_set(err, rc, "'%s' is not up", name);
	return rc ? file_error(err, rc, dir) : 0;
}

void kernel_instances(void (*visit)(void *arg, const char *name), void *arg)
{
	DIR *d = opendir(KERNEL_DIR);
	struct dirent *entry;

	if (!d)
		return;
	while ((entry = readdir(d)))
		if (entry->d_name[0] != '.' && entry->d_name[0] != '+')
			visit(arg, entry->d_name);
	closedir(d);
}
