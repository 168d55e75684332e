/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lab.h - a lab: which path is built, what is sent through it, and the variants that are compared
 *
 * Read from a text file in the form of systemd's and Portico's own:
 *
 *      [lab]
 *      summary = NAT at home
 *      topology = home                  # home | map-e | trunk | wire
 *
 *      [load]
 *      kind = udp                       # udp | connect | table | latency | throughput | tcp | hook
 *      flows = 1000
 *
 *      [variants]                       # NAME = ROUTER [+ SETTING]...
 *      nftables = nftables
 *      rps      = nftables + rps lan 2
 *
 *      [variant far away]               # the long form, for what has commands in it
 *      setup = ssh root@192.0.2.1 ...
 *
 * The same one line, ROUTER [+ SETTING]..., is a variant on the command line.
 */
#ifndef PORTICO_BENCH_LAB_LAB_H
#define PORTICO_BENCH_LAB_LAB_H

#include <net/if.h>
#include <stdbool.h>

#include "abi/types.h"
#include "lib/err.h"

#define LAB_NAME 64
#define LAB_TEXT 512
#define LAB_VARIANTS 32
#define LAB_SETTINGS 24

enum lab_topology {
	LAB_HOME,  /* LAN - router - internet */
	LAB_MAP_E, /* LAN - edge - IPv6 - border relay - internet */
	LAB_TRUNK, /* the same as home, over one port of the router with two VLANs */
	LAB_WIRE,  /* between two interfaces of this machine, with whatever forwards between them */
};

enum lab_router {
	LAB_FORWARD,  /* Linux forwards, nothing is translated */
	LAB_REDIRECT, /* an XDP program that only writes Ethernet addresses and sends on: the floor */
	LAB_NFTABLES, /* masquerade, or of a MAP-E set's ranges */
	LAB_RULESET,  /* a file for nft -f */
	LAB_PORTICO,
	LAB_HOOKS, /* nothing here: hooks do it */
};

/* One thing that is set in the router before it starts. */
enum lab_setting_kind {
	LAB_SYSCTL,  /* NAME=VALUE */
	LAB_ETHTOOL, /* arguments of ethtool, one interface among them: "-K lan gro off", "-C wan rx-usecs 50" */
	LAB_RPS,     /* INTERFACE MASK: rps_cpus of all its receive queues */
	LAB_XPS,     /* INTERFACE MASK: xps_cpus of all its transmit queues */
	LAB_RUN,     /* a command line */
};

struct lab_setting {
	enum lab_setting_kind kind;
	int line; /* of the file; 0: from the command line */
	char text[LAB_TEXT / 2];
};

struct lab_variant {
	char name[LAB_NAME];
	int line; /* of the file; 0: from the command line */
	enum lab_router router;
	char ruleset[LAB_TEXT / 2]; /* path of LAB_RULESET's file */
	u32 work;		  /* LAB_REDIRECT: rounds of a hash for each packet, to make it slower by a known bit */
	char build[LAB_TEXT / 2]; /* LAB_PORTICO: a build directory of Portico; "": that of this program */
	char nat[LAB_TEXT / 2];	  /* LAB_PORTICO: lines for [nat], separated by ';' */
	struct lab_setting setting[LAB_SETTINGS];
	u32 nsettings;
	char setup[LAB_TEXT], measure[LAB_TEXT], teardown[LAB_TEXT]; /* for sh -c; "": none */
};

enum lab_kind {
	LAB_UDP,	/* packets a second through established flows */
	LAB_CONNECT,	/* new flows a second, and ended ones (RFC 9693) */
	LAB_TABLE,	/* flows that the router holds */
	LAB_LATENCY,	/* percentiles and variation of delay at a set rate */
	LAB_THROUGHPUT, /* the highest rate at which no more than a set part is lost (RFC 2544, RFC 9971) */
	LAB_TCP,	/* iperf3 */
	LAB_HOOK,	/* what the variant's `measure` prints */
};

enum lab_way {
	LAB_OUT = 1,
	LAB_IN = 2,
	LAB_EACH = 3, /* one after the other */
	LAB_BOTH = 4, /* at once */
};

#define LAB_IMIX 1 /* as a frame size: 7 of 64, 4 of 594, 1 of 1518 bytes */

struct lab_load {
	enum lab_kind kind;
	enum lab_way way;
	u32 frame;	    /* bytes on the wire with check sequence, 64 to 1518, or LAB_IMIX */
	u32 flows;	    /* 1 to LAB_FLOWS_MAX */
	u32 destinations;   /* distinct, that the flows are spread over: 1 to 250 */
	u32 packets;	    /* of a measurement, each way; UDP */
	double rate;	    /* packets/s, of latency; where a throughput search ends at most */
	double loss;	    /* the goal of a throughput search: 0 is none lost */
	double resolution;  /* of a throughput search: 0.01 is 1 % */
	bool search_binary; /* RFC 2544: each rate once; else RFC 9971: short trials, several at the end */
	double seconds;	    /* of TCP, latency, each step of a search */
	u32 omit;	    /* TCP: seconds at the start that do not count */
	u32 streams;	    /* TCP: parallel connections */
	double hook_limit;  /* s that a hook may take */
};

#define LAB_FLOWS_MAX 2000000

/* LAB_WIRE: the two interfaces, and what is behind them. */
struct lab_wire {
	char near[IFNAMSIZ], far[IFNAMSIZ];
	char near_ns[LAB_NAME], far_ns[LAB_NAME]; /* network namespaces they are in (ip netns); "": here */
	u8 near_hop[6], far_hop[6];		  /* Ethernet address of the router on each side */
	int near_line, far_line;		  /* of the file */
	be32 hosts, remotes;			  /* the first address of each side, of a network of at least /24 */
	be32 outside; /* the source address that packets come out with; 0: they keep theirs */
};

struct lab {
	char name[LAB_NAME]; /* the file's, without directory and ".lab" */
	char path[LAB_TEXT];
	char summary[LAB_TEXT / 2];
	enum lab_topology topology;
	double link; /* bit/s that the path carries at most; 0: not known */
	struct lab_load load;
	struct lab_wire wire;
	struct lab_variant variant[LAB_VARIANTS];
	u32 nvariants;
};

extern const char *const lab_topology_names[], *const lab_router_names[], *const lab_setting_names[];
extern const char *const lab_kind_names[], *const lab_way_names[]; /* lab_way_names[0] is "" */

/* Reads a lab: a path (with a slash, or ending in ".lab"), or the name of a ready one (lab_directory()). 0; -ENOENT,
 * -EINVAL, ... with file, line and what to do in *err. */
int lab_read(struct lab *lab, const char *name, struct err *err);

/* The same from a text, whose name in messages is `path`: what the store keeps of a lab. */
int lab_parse(struct lab *lab, const char *path, const char *text, struct err *err);

/* One more line of the [load] section, from the command line: "flows=50000". 0 or -EINVAL. */
int lab_load_set(struct lab *lab, const char *line, struct err *err);

/* A variant by its name, or of one line (see above), in the latter case added to the lab. NULL with *err filled, which
 * lists those there are. */
const struct lab_variant *lab_variant_get(struct lab *lab, const char *name, struct err *err);

/* The whole lab as a text that lab_parse() reads back, for free(); NULL where memory ends. Defaults are written out. */
char *lab_text(const struct lab *lab);
/* One variant in words: "nftables + rps lan 2". Returns `text`. */
const char *lab_variant_print(char text[LAB_TEXT], const struct lab_variant *v);

/* Where ready labs are: $PORTICO_LABS, beside the program's source in a build tree, or as installed. Returns `path`. */
const char *lab_directory(char path[LAB_TEXT]);

#endif
