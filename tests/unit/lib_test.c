/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib_test.c - addresses as text, command lines as data, and the control socket */
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../check.h"
#include "lib/addr.h"
#include "lib/log.h"
#include "lib/opt.h"
#include "lib/sock.h"

static void test_addr(void)
{
	static const char *const bad[] = {"",	      "1.2.3",	  "1.2.3.4.5", "1.2.3.256",
					  "1.2.3.4 ", " 1.2.3.4", "01.2.3.4x", "::1"};
	static const char *const bad_prefix[] = {"1.2.3.4",	"1.2.3.4/",	 "1.2.3.4/33",
						 "1.2.3.4/-1",	"1.2.3.4/a",	 "/24",
						 "1.2.3.4/024", "1.2.3.4/24/24", "123.123.123.1234/24"};
	char text[ADDR_TEXT];
	uint8_t length = 0;
	be32 addr = 0;

	CHECK_EQ(addr_parse("192.168.1.72", &addr), 0);
	CHECK_EQ(addr_host(addr), 0xc0a80148);
	CHECK_STR(addr_print(text, addr), "192.168.1.72");
	CHECK_EQ(addr_parse_prefix("10.1.2.3/8", &addr, &length), 0);
	CHECK_EQ(addr_host(addr), 0x0a010203);
	CHECK_EQ(length, 8);
	CHECK_EQ(addr_parse_prefix("255.255.255.255/32", &addr, &length), 0);
	CHECK_EQ(addr_parse_prefix("0.0.0.0/0", &addr, &length), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK_EQ(addr_parse(bad[i], &addr), -EINVAL);
	for (size_t i = 0; i < sizeof(bad_prefix) / sizeof(*bad_prefix); i++)
		CHECK_EQ(addr_parse_prefix(bad_prefix[i], &addr, &length), -EINVAL);
}

static be32 addr_of(const char *text)
{
	be32 addr = 0;

	CHECK_EQ(addr_parse(text, &addr), 0);
	return addr;
}

static void test_addr_kinds(void)
{
	CHECK_EQ(addr_host(addr_mask(0)), 0);
	CHECK_EQ(addr_host(addr_mask(20)), 0xfffff000);
	CHECK_EQ(addr_host(addr_mask(32)), 0xffffffff);
	CHECK(addr_in(addr_of("10.1.255.255"), addr_of("10.1.0.9"), 16));
	CHECK(!addr_in(addr_of("10.2.0.0"), addr_of("10.1.0.0"), 16));
	CHECK(addr_in(addr_of("1.2.3.4"), addr_of("9.9.9.9"), 0));
	CHECK(addr_is_host(addr_of("1.0.0.0")) && addr_is_host(addr_of("223.255.255.255")));
	CHECK(!addr_is_host(addr_of("0.255.255.255")) && !addr_is_host(addr_of("127.0.0.1")));
	CHECK(!addr_is_host(addr_of("224.0.0.1")) && !addr_is_host(addr_of("255.255.255.255")));
}

static void test_mac(void)
{
	static const char *const bad[] = {"",
					  "02:00:00:00:01",
					  "02:00:00:00:01:4",
					  "02:00:00:00:01:48:",
					  "2:0:0:0:1:48",
					  "02-00-00-00-01-48",
					  "02:00:00:00:01:4g",
					  "0200.0000.0148"};
	static const uint8_t want[6] = {0x02, 0xab, 0xCD, 0, 1, 0x48}, zero[6], group[6] = {1};
	uint8_t mac[6] = {0};
	char text[MAC_TEXT];

	CHECK_EQ(mac_parse("02:ab:CD:00:01:48", mac), 0);
	CHECK_MEM(mac, want, 6);
	CHECK_STR(mac_print(text, mac), "02:ab:cd:00:01:48");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK_EQ(mac_parse(bad[i], mac), -EINVAL);
	CHECK_MEM(mac, want, 6);
	CHECK(mac_is_station(want) && !mac_is_station(zero) && !mac_is_station(group));
}

struct line {
	bool json;
	const char *name;
	unsigned int port;
	struct opt_list files;
};

static const struct opt options[] = {
	{'n', "name", "NAME", opt_text, offsetof(struct line, name), "", 0, 0},
	{'p', "port", "PORT", opt_number, offsetof(struct line, port), "", 1, 65535},
	{0, "file", "FILE", opt_list, offsetof(struct line, files), "", 0, 0},
	{0, "json", NULL, opt_flag, offsetof(struct line, json), "", 0, 0},
	{0},
};

/* Parses words split at blanks. */
static int parse(const char *text, struct line *line, struct err *err, char **first)
{
	static char copy[128];
	char *argv[16], *rest = copy;
	int argc = 0, rc;

	*line = (struct line){0};
	snprintf(copy, sizeof(copy), "%s", text);
	while (argc < 15 && (argv[argc] = strsep(&rest, " ")))
		argc++;
	argv[argc] = NULL;
	rc = opt_parse(options, line, argc, argv, err);
	*first = rc > 0 ? argv[rc] : NULL;
	return rc;
}

static void test_opt(void)
{
	static const struct {
		const char *text, *wrong;
	} bad[] = {
		{"c --port 0", "bad --port '0': give a number from 1 to 65535"},
		{"c --port=65536", "bad --port '65536': give a number from 1 to 65535"},
		{"c -p 1x", "bad --port '1x': give a number from 1 to 65535"},
		{"c -p +1", "bad --port '+1': give a number from 1 to 65535"},
		{"c --port 99999999999999999999", "bad --port '99999999999999999999': give a number from 1 to 65535"},
		{"c -p", "--port needs a value: --port PORT"},
		{"c --name", "--name needs a value: --name NAME"},
		{"c --name=", "--name is empty: give NAME"},
		{"c --nope", "unknown or ambiguous option --nope"},
		{"c --json=yes", "--json takes no value"},
		{"c -x", "unknown option -x"},
		{"c a --json -xn b", "unknown option -x"},
	};
	struct line line;
	struct err err = {""};
	char *first;

	CHECK_EQ(parse("c --json -n home -p80 x --file a --file=b y", &line, &err, &first), 8);
	CHECK_STR(first, "x"); /* operands are moved behind the options */
	CHECK(line.json);
	CHECK_STR(line.name, "home");
	CHECK_EQ(line.port, 80);
	CHECK_EQ(line.files.count, 2);
	CHECK_STR(line.files.value[1], "b");
	CHECK_EQ(parse("c -- --json", &line, &err, &first), 2);
	CHECK_STR(first, "--json");
	CHECK(!line.json);
	CHECK_EQ(parse("c x --help", &line, &err, &first), OPT_HELP);
	CHECK_EQ(parse("c -h", &line, &err, &first), OPT_HELP);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		CHECK_EQ(parse(bad[i].text, &line, &err, &first), -EINVAL);
		CHECK_STR(err.text, bad[i].wrong);
	}
}

/* A server that answers one question in a child process. */
static void serve(int fd, const char *answer)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char question[16] = "";
	int client;

	if (poll(&p, 1, 5000) != 1)
		_exit(1);
	client = accept(fd, NULL, NULL);
	if (recv(client, question, sizeof(question) - 1, 0) <= 0 || strcmp(question, "status"))
		_exit(1);
	if (answer)
		send(client, answer, strlen(answer), 0);
	_exit(0);
}

static int ask(const char *answer, char **got)
{
	int fd = sock_listen("lib_test.sock"), rc;

	CHECK(fd >= 0);
	if (!fork())
		serve(fd, answer);
	close(fd);
	rc = sock_ask("lib_test.sock", "status", got, 5000);
	CHECK_EQ(unlink("lib_test.sock"), 0);
	return rc;
}

static void test_sock(void)
{
	char *long_answer = calloc(1, 100001), *got = NULL;
	char far[200];

	memset(long_answer, 'x', 100000);
	CHECK_EQ(ask("{}", &got), 0);
	CHECK_STR(got, "{}");
	free(got);
	got = NULL;
	CHECK_EQ(ask(long_answer, &got), 0);
	CHECK_STR(got, long_answer);
	free(got);
	got = NULL;
	CHECK_EQ(ask(NULL, &got), -ECONNRESET);
	CHECK(!got);
	CHECK_EQ(sock_ask("lib_test.sock", "status", &got, 100), -ENOENT);
	memset(far, 'x', sizeof(far));
	far[sizeof(far) - 1] = 0;
	CHECK_EQ(sock_ask(far, "status", &got, 100), -ENAMETOOLONG);
	CHECK_EQ(sock_listen(far), -ENAMETOOLONG);
	free(long_answer);
}

static void test_notify(void)
{
	char name[SOCK_NOTIFY_MAX];
	int fd = sock_notify_listen(name);

	CHECK(fd >= 0);
	unsetenv("NOTIFY_SOCKET");
	CHECK_EQ(sock_notify("READY=1"), 0);
	CHECK(!sock_notify_received(fd, "READY=1"));
	setenv("NOTIFY_SOCKET", name, 1);
	CHECK_EQ(sock_notify("STATUS=starting"), 0);
	CHECK(!sock_notify_received(fd, "READY=1"));
	CHECK_EQ(sock_notify("STATUS=up\nREADY=1"), 0);
	CHECK(sock_notify_received(fd, "READY=1"));
	close(fd);
	CHECK_EQ(sock_notify("READY=1"), -ECONNREFUSED);
}

static void test_log_limit(void)
{
	struct log_limit limit = {0};
	unsigned int allowed = 0;

	for (int i = 0; i < 100; i++)
		allowed += log_allowed(&limit, LOG_LEVEL_DEBUG);
	CHECK_EQ(allowed, LOG_BURST);
	limit.since -= LOG_PERIOD;
	CHECK(log_allowed(&limit, LOG_LEVEL_DEBUG));
}

int main(void)
{
	char dir[] = "/tmp/portico-lib-XXXXXX";

	if (!mkdtemp(dir) || chdir(dir)) {
		perror(dir);
		return 1;
	}
	test_addr();
	test_addr_kinds();
	test_mac();
	test_opt();
	test_sock();
	test_notify();
	test_log_limit();
	rmdir(dir);
	return check_summary("lib");
}
