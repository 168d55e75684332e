/* SPDX-License-Identifier: GPL-2.0-or-later */
/* talk.c - real sockets at the ends of a test: echo servers, questions, numbered streams
 *
 * Servers answer each message with who asked and what: "203.0.113.2:4000 text". They print "ready" when bound.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define ANSWER_MS 3000
#define MANY_MAX 1024

static int fail(const char *what)
{
	fprintf(stderr, "talk: %s: %s\n", what, strerror(errno));
	return 1;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static struct sockaddr_in address(const char *ip, const char *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};

	inet_pton(AF_INET, ip, &a.sin_addr);
	return a;
}

/* A socket of "udp" or "tcp" bound to ADDRESS:PORT; either may be 0. */
static int bound(const char *kind, const char *ip, const char *port)
{
	int fd = socket(AF_INET, (strcmp(kind, "tcp") ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC, 0), one = 1;
	struct sockaddr_in a = address(ip, port);

	if (fd < 0)
		return -1;
	if (!strcmp(kind, "tcp")) /* two UDP sockets would share a port */
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&a, sizeof(a))) {
		close(fd);
		return -1;
	}
	return fd;
}

static int answer(const struct sockaddr_in *who, const char *text, char *to, size_t room)
{
	char ip[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, &who->sin_addr, ip, sizeof(ip));
	return snprintf(to, room, "%s:%u %s", ip, ntohs(who->sin_port), text);
}

static void serve_tcp(int fd)
{
	struct sockaddr_in who = {0};
	socklen_t size = sizeof(who);
	char text[256], reply[512];
	int client = accept(fd, (struct sockaddr *)&who, &size);
	ssize_t n;

	if (client < 0)
		return;
	while ((n = recv(client, text, sizeof(text) - 1, 0)) > 0) {
		text[n] = 0;
		send(client, reply, (size_t)answer(&who, text, reply, sizeof(reply)), MSG_NOSIGNAL);
	}
	close(client);
}

static void serve_udp(int fd)
{
	struct sockaddr_in who = {0};
	socklen_t size = sizeof(who);
	char text[256], reply[512];
	ssize_t n = recvfrom(fd, text, sizeof(text) - 1, 0, (struct sockaddr *)&who, &size);

	if (n < 0)
		return;
	text[n] = 0;
	sendto(fd, reply, (size_t)answer(&who, text, reply, sizeof(reply)), 0, (struct sockaddr *)&who, size);
}

/* serve udp|tcp IP PORT */
static int serve(char **arg)
{
	int fd = bound(arg[0], arg[1], arg[2]), tcp = !strcmp(arg[0], "tcp"), room = 1 << 24;

	if (fd < 0 || (tcp && listen(fd, 64)))
		return fail(arg[2]);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	printf("ready\n");
	fflush(stdout);
	for (;;)
		tcp ? serve_tcp(fd) : serve_udp(fd);
}

/* ask udp|tcp IP PORT LOCALPORT TEXT [COUNT]: prints the answers; 0 when each question has one */
static int ask(char **arg)
{
	struct sockaddr_in to = address(arg[1], arg[2]);
	int fd = bound(arg[0], "0.0.0.0", arg[3]), count = arg[5] ? atoi(arg[5]) : 1;
	struct timeval wait = {.tv_sec = ANSWER_MS / 1000};
	char text[512];
	ssize_t n;

	if (fd < 0)
		return fail(arg[3]);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait)); /* of connect as well */
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return fail("connect");
	while (count-- > 0) {
		if (send(fd, arg[4], strlen(arg[4]), MSG_NOSIGNAL) < 0)
			return fail("send");
		n = recv(fd, text, sizeof(text) - 1, 0);
		if (n <= 0)
			return n ? fail("answer") : 1;
		text[n] = 0;
		printf("%s\n", text);
	}
	return 0;
}

/* many IP PORT COUNT: so many sockets at once, one question each; prints how many have their own answer */
static int many(char **arg)
{
	struct sockaddr_in to = address(arg[0], arg[1]);
	int count = atoi(arg[2]), right = 0;
	static struct pollfd fds[MANY_MAX];
	char text[512];

	for (int i = 0; i < count && i < MANY_MAX; i++) {
		fds[i] = (struct pollfd){.fd = bound("udp", "0.0.0.0", "0"), .events = POLLIN};
		snprintf(text, sizeof(text), "question-%d", i);
		if (fds[i].fd < 0 || connect(fds[i].fd, (struct sockaddr *)&to, sizeof(to)) ||
		    send(fds[i].fd, text, strlen(text), 0) < 0)
			return fail("socket");
	}
	for (int i = 0; i < count && i < MANY_MAX; i++) {
		char own[32];
		ssize_t n = poll(&fds[i], 1, right == i ? ANSWER_MS : 100) == 1
				    ? recv(fds[i].fd, text, sizeof(text) - 1, 0)
				    : 0;

		text[n > 0 ? n : 0] = 0;
		snprintf(own, sizeof(own), " question-%d", i);
		right += strlen(text) > strlen(own) && !strcmp(text + strlen(text) - strlen(own), own);
	}
	printf("%d of %d\n", right, count);
	return right == count ? 0 : 1;
}

/* stream IP PORT LOCALPORT RATE SECONDS: numbered packets, RATE a second; prints how many */
static int stream(char **arg)
{
	struct sockaddr_in to = address(arg[0], arg[1]);
	int fd = bound("udp", "0.0.0.0", arg[2]), room = 1 << 21;
	uint64_t rate = strtoull(arg[3], NULL, 10), total = (uint64_t)(rate * strtod(arg[4], NULL)), sent = 0;
	uint64_t start = now_ns();

	if (fd < 0)
		return fail(arg[2]);
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
	while (sent < total) {
		uint64_t due = (now_ns() - start) * rate / 1000000000u;

		for (; sent < due && sent < total; sent++) {
			uint64_t number = sent;

			if (sendto(fd, &number, sizeof(number), 0, (struct sockaddr *)&to, sizeof(to)) < 0)
				return fail("send");
		}
		usleep(500);
	}
	printf("sent=%llu\n", (unsigned long long)sent);
	return 0;
}

/* count PORT QUIET_MS: counts a numbered stream until it has been quiet so long */
static int count(char **arg)
{
	int fd = bound("udp", "0.0.0.0", arg[0]), room = 1 << 25, quiet = atoi(arg[1]), started = 0;
	unsigned long long number, received = 0, next = 0, lost = 0, late = 0, sources = 0;
	struct sockaddr_in who = {0}, before = {0};
	socklen_t size = sizeof(who);

	if (fd < 0)
		return fail(arg[0]);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	printf("ready\n");
	fflush(stdout);
	for (struct pollfd p = {.fd = fd, .events = POLLIN}; poll(&p, 1, started ? quiet : 20000) == 1; started = 1) {
		if (recvfrom(fd, &number, sizeof(number), 0, (struct sockaddr *)&who, &size) != sizeof(number))
			continue;
		if (who.sin_addr.s_addr != before.sin_addr.s_addr || who.sin_port != before.sin_port)
			sources++;
		before = who;
		received++;
		lost += number > next ? number - next : 0;
		late += number < next;
		next = number + 1 > next ? number + 1 : next;
	}
	printf("received=%llu lost=%llu late=%llu sources=%llu\n", received, lost - (late < lost ? late : lost), late,
	       sources);
	return 0;
}

/* hear PATH SECONDS: prints what comes to a datagram socket of the file system, until something came */
static int hear(char **arg)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	struct pollfd p = {.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), .events = POLLIN};
	char text[256];
	ssize_t n;

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", arg[0]);
	if (p.fd < 0 || bind(p.fd, (struct sockaddr *)&a, sizeof(a)))
		return fail(arg[0]);
	printf("ready\n");
	fflush(stdout);
	if (poll(&p, 1, atoi(arg[1]) * 1000) != 1 || (n = recv(p.fd, text, sizeof(text) - 1, 0)) < 0)
		return 1;
	text[n] = 0;
	printf("%s\n", text);
	return 0;
}

static const struct {
	const char *name;
	int arguments;
	int (*run)(char **arg);
	const char *form;
} commands[] = {
	{"serve", 3, serve, "udp|tcp IP PORT"}, {"ask", 5, ask, "udp|tcp IP PORT LOCALPORT TEXT [COUNT]"},
	{"many", 3, many, "IP PORT COUNT"},	{"stream", 5, stream, "IP PORT LOCALPORT RATE SECONDS"},
	{"count", 2, count, "PORT QUIET_MS"},	{"hear", 2, hear, "PATH SECONDS"},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (argc - 2 >= commands[i].arguments && !strcmp(argv[1], commands[i].name))
			return commands[i].run(argv + 2);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		fprintf(stderr, "usage: talk %s %s\n", commands[i].name, commands[i].form);
	return 2;
}
