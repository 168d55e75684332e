/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nft_load.c - a ruleset loaded by libnftables into a scratch network namespace, and listed there
 *
 *      parent                          child
 *      fork ------------------------>  unshare: its own network namespace (and user namespace, without root)
 *                                      libnftables: run the file
 *      read all        <---- pipe ---  list as JSON, NUL, list as text; or: what is wrong
 *      waitpid         <-------------  exit status: which of these it was
 *
 * The namespace has no interfaces. "oif NAME" means an interface that is there, so nftables refuses it; a tap interface
 * of that name is made then, and the file is tried again.
 */
#include "nft_load.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#undef _GNU_SOURCE /* the header defines it again, to nothing */
#include <nftables/libnftables.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define INTERFACES_MAX 64 /* made for one file */

/* Exit statuses of the child. */
enum {
	LOADED,
	REFUSED,      /* by nftables, whose words are in the pipe */
	NO_NAMESPACE, /* the reason is in the pipe */
};

static int namespace_enter(FILE *to)
{
	int first;

	if (!unshare(CLONE_NEWNET))
		return 0;
	first = errno;
	if (first == EPERM && !unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return 0;
	fprintf(to, "%s", strerror(first));
	return -first;
}

/* The interface lives as long as the descriptor, which the child leaves open. */
static int interface_make(const char name[IFNAMSIZ])
{
	struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
	int tap = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	if (tap < 0)
		return -errno;
	memcpy(request.ifr_name, name, IFNAMSIZ);
	return ioctl(tap, TUNSETIFF, &request) ? -errno : 0;
}

/* The name that an error speaks of: "FILE:LINE:FROM-TO: Error: Interface does not exist", then the line of the file. */
static int interface_missing(const char *error, char name[IFNAMSIZ])
{
	const char *what = strstr(error, ": Error: Interface does not exist\n"), *columns = what, *line;
	unsigned int from, to;

	if (!what)
		return -ENOENT;
	while (columns > error && columns[-1] != ':')
		columns--;
	line = strchr(what, '\n') + 1;
	if (sscanf(columns, "%u-%u", &from, &to) != 2 || !from || to < from || to > strcspn(line, "\n"))
		return -EINVAL;
	if (line[from - 1] == '"' && to > from + 1)
		from++, to--;
	if (to - from + 1 >= IFNAMSIZ)
		return -EINVAL;
	memcpy(name, line + from - 1, to - from + 1);
	name[to - from + 1] = '\0';
	return 0;
}

static int ruleset_run(struct nft_ctx *nft, const char *file, FILE *to)
{
	char name[IFNAMSIZ] = "";

	for (int made = 0; nft_run_cmd_from_filename(nft, file); made++) {
		const char *error = nft_ctx_get_error_buffer(nft);

		if (made < INTERFACES_MAX && !interface_missing(error, name) && !interface_make(name))
			continue;
		fputs(error, to);
		return -EINVAL;
	}
	nft_ctx_get_output_buffer(nft); /* what the file itself listed */
	return 0;
}

static int list(struct nft_ctx *nft, unsigned int flags, FILE *to)
{
	nft_ctx_output_set_flags(nft, flags);
	if (nft_run_cmd_from_buffer(nft, "list ruleset")) {
		fputs(nft_ctx_get_error_buffer(nft), to);
		return -EIO;
	}
	fputs(nft_ctx_get_output_buffer(nft), to);
	return 0;
}

/* In the child. */
static int ruleset_show(const char *file, FILE *to)
{
	struct nft_ctx *nft;

	if (namespace_enter(to))
		return NO_NAMESPACE;
	nft = nft_ctx_new(NFT_CTX_DEFAULT);
	if (!nft || nft_ctx_buffer_output(nft) || nft_ctx_buffer_error(nft))
		return REFUSED;
	if (ruleset_run(nft, file, to) || list(nft, NFT_CTX_OUTPUT_HANDLE | NFT_CTX_OUTPUT_JSON, to))
		return REFUSED;
	fputc('\0', to);
	return list(nft, NFT_CTX_OUTPUT_HANDLE | NFT_CTX_OUTPUT_STATELESS, to) ? REFUSED : LOADED;
}

/* All that comes, NUL-terminated; NULL without memory. */
static char *read_all(int from)
{
	char block[4096], *text = NULL;
	size_t length;
	FILE *memory = open_memstream(&text, &length);
	ssize_t n;

	if (!memory)
		return NULL;
	while ((n = read(from, block, sizeof(block))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			fwrite(block, 1, (size_t)n, memory);
	return fclose(memory) ? (free(text), NULL) : text;
}

/* Runs the child; *said is all that it wrote. Its exit status, or -errno. */
static int child_run(const char *file, char **said)
{
	int channel[2], status;
	pid_t child;

	if (pipe2(channel, O_CLOEXEC))
		return -errno;
	child = fork();
	if (!child) {
		FILE *to = fdopen(channel[1], "w");
		int rc = to ? ruleset_show(file, to) : REFUSED;

		_exit(to && fclose(to) ? REFUSED : rc);
	}
	close(channel[1]);
	*said = child > 0 ? read_all(channel[0]) : NULL;
	close(channel[0]);
	if (child < 0)
		return -EAGAIN;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return *said && WIFEXITED(status) ? WEXITSTATUS(status) : -EIO;
}

/* nftables' words, as many whole lines of them as there is room for. */
static int refused(const char *file, char *said, struct err *err)
{
	size_t length = strlen(said);

	if (!length)
		return err_set(err, -EINVAL, "%s: libnftables failed and does not say why", file);
	while (length && (length >= sizeof(err->text) || said[length - 1] == '\n'))
		said[--length] = '\0';
	if (length + 1 == sizeof(err->text) && strrchr(said, '\n'))
		*strrchr(said, '\n') = '\0';
	return err_set(err, -EINVAL, "%s%s", said,
		       strstr(said, "Interface does not exist")
			       ? "\n(the ruleset is tried where no interfaces are: write oifname for oif, and iifname "
				 "for iif)"
			       : "");
}

int nft_load(const char *file, struct nft_listing *listing, struct err *err)
{
	char *said = NULL;
	int rc;

	if (access(file, R_OK))
		return err_set(err, -errno, "%s: cannot be read: %s", file, strerror(errno));
	rc = child_run(file, &said);
	if (rc < 0 || !said)
		rc = err_set(err, rc < 0 ? rc : -EIO, "%s: the process that loads it failed", file);
	else if (rc == REFUSED)
		rc = refused(file, said, err);
	else if (rc == NO_NAMESPACE)
		rc = err_set(err, -EPERM,
			     "no network namespace to try the ruleset in: %s; run as root, on a kernel with network "
			     "namespaces",
			     said);
	else
		*listing = (struct nft_listing){said, said, said + strlen(said) + 1};
	if (rc)
		free(said);
	return rc;
}
