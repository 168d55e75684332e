/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fingerprint.c - what a path is on: kernel, CPU, interfaces, router, load
 *
 * Two paths whose fingerprints are equal differ in nothing that is known to matter. What is long is there as a hash
 * (FNV-1a, 64 bits), which says whether it is the same.
 */
#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "inside.h"

#define HASH_TEXT 17
#define VALUE 4096

static void tell(json_t *to, const char *key, const char *value)
{
	json_object_set_new(to, key, json_string(*value ? value : "none"));
}

static u64 hash_add(u64 hash, const void *data, size_t n)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3ULL;
	return hash;
}

static const char *hash_print(char text[HASH_TEXT], u64 hash)
{
	snprintf(text, HASH_TEXT, "%016llx", (unsigned long long)hash);
	return text;
}

#define HASH_START 0xcbf29ce484222325ULL

/* Returns `text`, empty where there is no such file. */
static const char *hash_file(char text[HASH_TEXT], const char *path)
{
	FILE *f = fopen(path, "re");
	char block[65536];
	u64 hash = HASH_START;
	size_t n;

	*text = '\0';
	if (!f)
		return text;
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		hash = hash_add(hash, block, n);
	fclose(f);
	return hash_print(text, hash);
}

/* The first line of a file; "" where there is none. */
static const char *file_line(char text[VALUE], const char *path)
{
	FILE *f = fopen(path, "re");

	if (!f || !fgets(text, VALUE, f))
		*text = '\0';
	if (f)
		fclose(f);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static void modules_tell(json_t *to)
{
	FILE *f = fopen("/proc/modules", "re");
	char line[512], name[64], address[32], *all = NULL;
	size_t size;
	FILE *out = open_memstream(&all, &size);

	while (f && out && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %*s %*s %*s %*s %31s", name, address) == 2)
			fprintf(out, "%s%s@%s", ftell(out) ? " " : "", name, address);
	if (f)
		fclose(f);
	if (!out || fclose(out))
		return;
	tell(to, "kernel.modules", all);
	free(all);
}

static void kernel_tell(json_t *to)
{
	char text[VALUE], hash[HASH_TEXT];
	struct utsname name;

	uname(&name);
	tell(to, "kernel.release", name.release);
	tell(to, "kernel.version", name.version);
	tell(to, "kernel.cmdline", file_line(text, "/proc/cmdline"));
	if (!*hash_file(hash, "/proc/config.gz")) {
		snprintf(text, sizeof(text), "/boot/config-%s", name.release);
		hash_file(hash, text);
	}
	tell(to, "kernel.config", hash);
	modules_tell(to);
	tell(to, "irq.affinity", file_line(text, "/proc/irq/default_smp_affinity"));
}

/* "meltdown: Mitigation: PTI; ..." of all files in the directory. */
static void mitigations_tell(json_t *to)
{
	static const char directory[] = "/sys/devices/system/cpu/vulnerabilities";
	char path[512], text[VALUE], all[VALUE] = "";
	struct dirent **names = NULL;
	int count = scandir(directory, &names, NULL, alphasort);
	size_t at = 0;

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]->d_name);
		if (*names[i]->d_name != '.' && *file_line(text, path) && at < sizeof(all))
			at += (size_t)snprintf(all + at, sizeof(all) - at, "%s%s: %.200s", at ? "; " : "",
					       names[i]->d_name, text);
		free(names[i]);
	}
	free(names);
	tell(to, "cpu.mitigations", all);
}

static void cpu_tell(json_t *to)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char text[VALUE];
	const char *model = "";

	while (f && !*model && fgets(text, sizeof(text), f))
		if (!strncmp(text, "model name", 10) && strchr(text, ':'))
			model = strchr(text, ':') + 2;
	if (f)
		fclose(f);
	text[strcspn(text, "\n")] = '\0';
	tell(to, "cpu.model", model);
	snprintf(text, sizeof(text), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	tell(to, "cpu.count", text);
	tell(to, "cpu.governor", file_line(text, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
	mitigations_tell(to);
}

/* What there is only once for the whole machine. */
static void sysctls_tell(json_t *to)
{
	static const char *const names[] = {
		"bpf_jit_enable", "bpf_jit_harden",    "busy_poll",	"busy_read",	       "default_qdisc",
		"dev_weight",	  "gro_normal_batch",  "netdev_budget", "netdev_budget_usecs", "netdev_max_backlog",
		"rmem_max",	  "tstamp_allow_data", "wmem_max",
	};
	char path[128], key[64], text[VALUE];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "/proc/sys/net/core/%s", names[i]);
		snprintf(key, sizeof(key), "sysctl.net.core.%s", names[i]);
		tell(to, key, file_line(text, path));
	}
}

/* Lines "KEY=VALUE" under the word before the dot. */
static void lines_tell(json_t *to, const char *group, char *lines)
{
	char key[64], *save = NULL;

	for (char *line = strtok_r(lines, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *equals = strchr(line, '=');

		if (!equals)
			continue;
		*equals = '\0';
		snprintf(key, sizeof(key), "%s.%.32s", group, line);
		tell(to, key, equals + 1);
	}
}

static void interface_tell(const struct path *p, int side, json_t *to)
{
	static const char script[] =
		"i=%s; q=/sys/class/net/$i/queues; export LC_ALL=C\n"
		"echo driver=$(ethtool -i $i | sed -n \"s/^driver: //p\")\n"
		"echo offload=$(ethtool -k $i | sed -n \"s/^[[:space:]]*\\([^:]*\\): on.*/\\1/p\")\n"
		"echo coalesce=$(ethtool -c $i 2>/dev/null | sed \"1d; /n\\/a/d\")\n"
		"echo qdisc=$(tc qdisc show dev $i | sed \"s/^qdisc \\([^ ]*\\) [^ ]*/\\1/\")\n"
		"echo rps=$(cat $q/rx-*/rps_cpus)\n"
		"echo xps=$(cat $q/tx-*/xps_cpus 2>/dev/null)\n"
		"echo xdp=$(ip -o link show dev $i | sed -n \"s/.* \\(xdp[a-z]*\\).*/\\1/p\")";
	const struct lab_wire *w = &p->lab->wire;
	bool wire = p->topology == &topology_wire;
	const char *name = wire ? (side ? w->far : w->near) : p->topology->interface[side];
	const char *ns = wire ? (side ? w->far_ns : w->near_ns) : p->net.name[p->topology->place[PATH_GW]];
	char line[sizeof(script) + IFNAMSIZ], *output = NULL;
	struct err ignored;

	if (!*name)
		return;
	snprintf(line, sizeof(line), script, name);
	netns_shell(ns, (struct hook){.what = name, .line = line, .ns = -1, .limit = 20}, &output, &ignored);
	if (output)
		lines_tell(to, side ? "wan" : "lan", output);
	free(output);
}

/* The hash of what a line prints in the router's namespace. */
static void output_hash_tell(const struct path *p, const char *line, const char *key, json_t *to)
{
	struct hook hook = {.what = key, .line = line, .ns = path_ns(p, PATH_GW), .limit = 20};
	char hash[HASH_TEXT], *output = NULL;
	struct err ignored;

	if (!hook_run(&hook, &output, &ignored) && output)
		tell(to, key, *output ? hash_print(hash, hash_add(HASH_START, output, strlen(output))) : "");
	free(output);
}

static void output_tell(const char *line, const char *key, json_t *to)
{
	struct hook hook = {.what = key, .line = line, .ns = -1, .limit = 20};
	char *output = NULL;
	struct err ignored;

	if (!hook_run(&hook, &output, &ignored) && output) {
		output[strcspn(output, "\n")] = '\0';
		tell(to, key, output);
	}
	free(output);
}

static void portico_tell(const struct path *p, json_t *to)
{
	char portico[PATH_PROGRAM], porticod[PATH_PROGRAM + 32], line[PATH_PROGRAM + 16], hash[2][HASH_TEXT];
	char both[2 * HASH_TEXT];

	strcpy(portico, p->undo->portico);
	snprintf(line, sizeof(line), "%s --version", portico);
	output_tell(line, "router.version", to);
	hash_file(hash[0], portico);
	snprintf(porticod, sizeof(porticod), "%s/../gateway/porticod", dirname(portico));
	if (access(porticod, R_OK))
		snprintf(porticod, sizeof(porticod), "%s/porticod", portico);
	hash_file(hash[1], porticod);
	snprintf(both, sizeof(both), "%s %s", hash[0], hash[1]);
	tell(to, "router.build", both);
}

static void router_tell(const struct path *p, json_t *to)
{
	char words[LAB_TEXT];

	tell(to, "router.kind", lab_router_names[p->v->router]);
	tell(to, "router.variant", lab_variant_print(words, p->v));
	if (p->v->router == LAB_PORTICO) {
		portico_tell(p, to);
	} else if (p->v->router == LAB_NFTABLES || p->v->router == LAB_RULESET) {
		output_tell("nft --version", "router.version", to);
		output_hash_tell(p, "nft -s list ruleset", "router.ruleset", to);
	}
}

json_t *path_fingerprint(const struct path *p)
{
	json_t *to = json_object();

	if (!to)
		return NULL;
	kernel_tell(to);
	cpu_tell(to);
	sysctls_tell(to);
	interface_tell(p, 0, to);
	interface_tell(p, 1, to);
	router_tell(p, to);
	tell(to, "load.version", PORTICO_VERSION);
	tell(to, "load.compiler", LAB_COMPILER);
	return to;
}
