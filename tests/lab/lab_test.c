/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lab_test.c - lab files: what is read from them, what is said of bad ones, and that what is written is read back */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "../check.h"
#include "bench/lab/lab.h"

static struct lab lab;
static struct err err;

#define VARIANT "[variants]\na = nftables\n"
#define WIRE                                                                                                           \
	"[lab]\ntopology = wire\n[wire]\nnear = left/eth1\nfar = eth2\nnear-hop = 02:00:00:00:00:01\n"                 \
	"far-hop = 02:00:00:00:00:02\nhosts = 10.0.0.1\nremotes = 198.51.100.1\n"

static void test_full(void)
{
	static const char text[] = "\xef\xbb\xbf# a comment\n"
				   "[lab] # another\n"
				   "  summary = two; words   # and one more\n"
				   "topology=trunk\n"
				   "link = 2.5G\n"
				   "; and one of the other kind\n"
				   "[load]\n"
				   "kind = latency\nway = both\nframe = imix\nflows = 5k\nrate = 1.5M\nloss = 0.1%\n"
				   "search = binary\n"
				   "[variants]\n"
				   "plain = nftables\n"
				   "more here = nftables + rps lan 2 + sysctl net.ipv4.x=1 2 +  run echo a; echo b\n"
				   "slow = bare-redirect work 40\n"
				   "p = portico + nat mapping=shared + nat per-host = 3\r\n"
				   "[variant far away]\n"
				   "setup = cd x ; make # yes\n"
				   "setup = true\n";
	const struct lab_variant *v = lab.variant;
	char words[LAB_TEXT];

	CHECK_EQ(lab_parse(&lab, "some/where/full.lab", text, &err), 0);
	CHECK_STR(lab.name, "full");
	CHECK_STR(lab.summary, "two; words");
	CHECK_EQ(lab.topology, LAB_TRUNK);
	CHECK(lab.link > 2.4999e9 && lab.link < 2.5001e9);
	CHECK_EQ(lab.load.kind, LAB_LATENCY);
	CHECK_EQ(lab.load.way, LAB_BOTH);
	CHECK_EQ(lab.load.frame, LAB_IMIX);
	CHECK_EQ(lab.load.flows, 5000);
	CHECK_EQ((long)lab.load.rate, 1500000);
	CHECK(lab.load.loss > 0.00099 && lab.load.loss < 0.00101);
	CHECK(lab.load.search_binary);
	CHECK_EQ((long)lab.load.seconds, 2);
	CHECK_EQ(lab.nvariants, 5);
	CHECK_STR(lab_variant_print(words, &v[0]), "nftables");
	CHECK_STR(lab_variant_print(words, &v[1]), "nftables + rps lan 2 + sysctl net.ipv4.x=1 2 + run echo a; echo b");
	CHECK_EQ(v[1].line, 17);
	CHECK_EQ(v[1].setting[2].kind, LAB_RUN);
	CHECK_STR(lab_variant_print(words, &v[2]), "bare-redirect work 40");
	CHECK_STR(v[3].nat, "mapping=shared;per-host = 3");
	CHECK_STR(v[4].name, "far away");
	CHECK_EQ(v[4].router, LAB_HOOKS);
	CHECK_STR(v[4].setup, "cd x ; make # yes\ntrue");
}

static void test_wire(void)
{
	CHECK_EQ(lab_parse(&lab, "w.lab", WIRE "[variant x]\nsetup = true\n", &err), 0);
	CHECK_STR(lab.wire.near_ns, "left");
	CHECK_STR(lab.wire.near, "eth1");
	CHECK_EQ(lab.wire.near_line, 4);
	CHECK_STR(lab.wire.far_ns, "");
	CHECK_STR(lab.wire.far, "eth2");
	CHECK_EQ(lab.wire.near_hop[5], 1);
	CHECK_EQ(lab.wire.outside, 0);
}

static void test_defaults(void)
{
	CHECK_EQ(lab_parse(&lab, "d.lab", "[load]\nflows = 7\nkind = tcp\n" VARIANT, &err), 0);
	CHECK_EQ(lab.load.flows, 7);
	CHECK_EQ((long)lab.load.seconds, 3);
	CHECK_EQ(lab.load.omit, 1);
	CHECK_EQ(lab_parse(&lab, "d.lab", "[load]\nkind = connect\n" VARIANT, &err), 0);
	CHECK_EQ(lab.load.flows, 100000);
	CHECK_EQ(lab_parse(&lab, "d.lab", VARIANT, &err), 0);
	CHECK_EQ(lab.load.kind, LAB_UDP);
	CHECK_EQ(lab.load.packets, 1000000);
	CHECK_EQ(lab.load.destinations, 64);
}

#define LONG "1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"

static const struct {
	const char *text, *said;
} bad[] = {
	{"", "x.lab: there are no variants: add [variants] with lines such as nftables = nftables"},
	{"a = 1\n", "x.lab:1: key 'a' before the first section: put it below one, such as [lab]"},
	{"[lab]\nhello\n", "x.lab:2: neither [section] nor key = value: put a '#' before it if it is a comment"},
	{"[labs]\n", "x.lab:1: unknown section [labs]: there are [lab], [load], [wire], [variants] and [variant NAME]"},
	{"[variant ]\n",
	 "x.lab:1: unknown section [variant ]: there are [lab], [load], [wire], [variants] and [variant NAME]"},
	{"[lab\n", "x.lab:1: bad section '[lab': write it as [name], on a line of its own"},
	{"[lab] x\n", "x.lab:1: bad section '[lab] x': write it as [name], on a line of its own"},
	{"[lab]\nname = x\n", "x.lab:2: unknown key 'name' here: there are summary, topology, link"},
	{"[lab]\ntopology = house\n", "x.lab:2: bad topology 'house': give one of home, map-e, trunk, wire"},
	{"[lab]\nlink = fast\n", "x.lab:2: bad link 'fast': give bit/s of the link, such as 1G"},
	{"[lab]\nsummary = a\nsummary = b\n", "x.lab:3: summary again: it stands in line 2 already; keep one"},
	{"[load]\nway = up\n", "x.lab:2: bad way 'up': give one of out, in, each, both"},
	{"[load]\nway =\n", "x.lab:2: bad way '': give one of out, in, each, both"},
	{"[load]\nkind = icmp\n",
	 "x.lab:2: bad kind 'icmp': give one of udp, connect, table, latency, throughput, tcp, hook"},
	{"[load]\nframe = 63\n", "x.lab:2: bad frame '63': give bytes from 64 to 1518, or imix"},
	{"[load]\nframe = 100.5\n", "x.lab:2: bad frame '100.5': give bytes from 64 to 1518, or imix"},
	{"[load]\nflows = 3M\n", "x.lab:2: bad flows '3M': give a number from 1 to 2M"},
	{"[load]\nflows = -1\n", "x.lab:2: bad flows '-1': give a number from 1 to 2M"},
	{"[load]\nflows = 5 k\n", "x.lab:2: bad flows '5 k': give a number from 1 to 2M"},
	{"[load]\ndestinations = 251\n", "x.lab:2: bad destinations '251': give a number from 1 to 250"},
	{"[load]\nrate = nan\n", "x.lab:2: bad rate 'nan': give packets a second from 10 to 1G, such as 100k"},
	{"[load]\nloss = 51%\n", "x.lab:2: bad loss '51%': give a part from 0 to 0.5, such as 0.001 or 0.1%"},
	{"[load]\nresolution = 0\n", "x.lab:2: bad resolution '0': give a part from 0.001 to 0.5, such as 0.02 or 2%"},
	{"[load]\nsearch = long\n", "x.lab:2: bad search 'long': give one of short, binary"},
	{"[load]\nseconds = 0\n", "x.lab:2: bad seconds '0': give seconds from 0.05 to 3600"},
	{"[load]\nomit = 61\n", "x.lab:2: bad omit '61': give seconds from 0 to 60"},
	{"[load]\nstreams = 0\n", "x.lab:2: bad streams '0': give a number from 1 to 128"},
	{"[load]\nhook-limit = x\n", "x.lab:2: bad hook-limit 'x': give seconds from 0.1 to 86400"},
	{"[wire]\nnear = a/b/c\n", "x.lab:2: bad near 'a/b/c': give an interface, such as eth1 or NETNS/eth1"},
	{"[wire]\nfar = /eth1\n", "x.lab:2: bad far '/eth1': give an interface, such as eth2 or NETNS/eth2"},
	{"[wire]\nnear-hop = 1:2\n", "x.lab:2: bad near-hop '1:2': give the MAC address of the router on that side, "
				     "such as 02:00:00:00:00:01"},
	{"[wire]\nhosts = 300.0.0.1\n", "x.lab:2: bad hosts '300.0.0.1': give the first IPv4 address of the near side, "
					"such as 192.168.1.10"},
	{"[lab]\ntopology = wire\n" VARIANT,
	 "x.lab: topology wire needs near in [wire]: give an interface, such as eth1 or NETNS/eth1"},
	{"[variants]\na = nft\n", "x.lab:2: variant 'a': bad router 'nft': give one of forward, bare-redirect, "
				  "nftables, ruleset, portico, hooks"},
	{"[variants]\na = nftables\na = portico\n",
	 "x.lab:3: variant 'a' again: it stands in line 2 already; give it another name"},
	{"[variants]\na = nftables\n[variant a]\n",
	 "x.lab:3: variant 'a' again: it stands in line 2 already; give it another name"},
	{"[variants]\na = nftables + mtu 9000\n",
	 "x.lab:2: variant 'a': unknown setting 'mtu': there are sysctl, ethtool, rps, xps, run, work, build and nat; "
	 "hooks go into [variant NAME]"},
	{"[variants]\na = nftables + setup true\n",
	 "x.lab:2: variant 'a': unknown setting 'setup': there are sysctl, ethtool, rps, xps, run, work, build "
	 "and nat; hooks go into [variant NAME]"},
	{"[variants]\na = nftables + sysctl net.x\n",
	 "x.lab:2: variant 'a': bad sysctl 'net.x': give NAME=VALUE, such as net.core.netdev_budget=600"},
	{"[variants]\na = nftables + sysctl ../x=1\n",
	 "x.lab:2: variant 'a': bad sysctl '../x=1': give NAME=VALUE, such as net.core.netdev_budget=600"},
	{"[variants]\na = nftables + ethtool gro off\n",
	 "x.lab:2: variant 'a': bad ethtool 'gro off': give arguments of ethtool, such as -K lan gro off"},
	{"[variants]\na = nftables + rps lan two\n",
	 "x.lab:2: variant 'a': bad rps 'lan two': give INTERFACE MASK, such as lan 2"},
	{"[variants]\na = nftables + xps $(x) 2\n",
	 "x.lab:2: variant 'a': bad xps '$(x) 2': give INTERFACE MASK, such as wan 1"},
	{"[variants]\na = nftables + run\n", "x.lab:2: variant 'a': bad run '': give a command line"},
	{"[variants]\na = nftables work 3\n",
	 "x.lab:2: variant 'a': work is of router bare-redirect, and this one is nftables"},
	{"[variants]\na = bare-redirect + build x\n",
	 "x.lab:2: variant 'a': build is of router portico, and this one is bare-redirect"},
	{"[variants]\na = ruleset\n", "x.lab:2: variant 'a': router ruleset needs a file: ruleset FILE"},
	{"[variants]\na = portico + nat mapping\n", "x.lab:2: variant 'a': bad nat 'mapping': give a line of "
						    "portico.conf's [nat], such as mapping=shared"},
	{"[load]\nkind = hook\n" VARIANT,
	 "x.lab:4: variant 'a': the load is a hook, and this one has none: give measure in [variant a]"},
	{"[variant a]\ncolor = red\n",
	 "x.lab:2: unknown key 'color' here: there are router, ruleset, work, build, nat, sysctl, ethtool, "
	 "rps, xps, run, setup, measure, teardown"},
	{"[variant a]\nsetup =\n", "x.lab:2: bad setup '': give a line for sh"},
	{"[variant a]\nsetup = a\001b\n", "x.lab:2: control character in the line: save the file as plain UTF-8 text"},
	{"[lab]\nsummary = " LONG LONG "\n",
	 "x.lab:2: line longer than 197 characters: break it up; settings and hooks may be given again"},
	{"[variants]\na" LONG " = nftables\n", "x.lab:2: the variant's name is too long: at most 63"},
};

static void test_bad(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct lab before;

		check_context("%s", bad[i].text);
		memset(&lab, 0x55, sizeof(lab));
		before = lab;
		CHECK_EQ(lab_parse(&lab, "x.lab", bad[i].text, &err), -EINVAL);
		CHECK_STR(err.text, bad[i].said);
		CHECK_MEM(&lab, &before, sizeof(lab));
	}
	check_context("%s", "");
}

static void test_too_many(void)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "[variants]\n");
	for (int i = 0; i <= LAB_VARIANTS; i++)
		fprintf(f, "v%d = forward\n", i);
	fclose(f);
	CHECK_EQ(lab_parse(&lab, "x.lab", text, &err), -EINVAL);
	CHECK_STR(err.text, "x.lab:34: too many variants: at most 32");
	free(text);
	f = open_memstream(&text, &size);
	fprintf(f, "[variant a]\n");
	for (int i = 0; i <= LAB_SETTINGS; i++)
		fprintf(f, "run = true\n");
	fclose(f);
	CHECK_EQ(lab_parse(&lab, "x.lab", text, &err), -EINVAL);
	CHECK_STR(err.text, "x.lab:26: too much for run: a value has at most 180 characters, and there is no room for "
			    "more of them");
	free(text);
}

/* What differs between a lab and what was read back: nothing but where it was said. */
static void lines_clear(struct lab *l)
{
	l->wire.near_line = l->wire.far_line = 0;
	for (u32 i = 0; i < l->nvariants; i++) {
		l->variant[i].line = 0;
		for (u32 k = 0; k < l->variant[i].nsettings; k++)
			l->variant[i].setting[k].line = 0;
	}
}

static void round_trip(void)
{
	static struct lab again;
	char *text = lab_text(&lab), *second;

	CHECK(text != NULL);
	memset(&again, 0x55, sizeof(again));
	if (!CHECK_EQ(lab_parse(&again, lab.path, text, &err), 0))
		fprintf(stderr, "%s\n%s\n", err.text, text);
	second = lab_text(&again);
	CHECK_STR(second, text);
	lines_clear(&lab);
	lines_clear(&again);
	CHECK_MEM(&again, &lab, sizeof(lab));
	free(text);
	free(second);
}

static void test_round_trips(const char *directory)
{
	DIR *all = opendir(directory);
	struct dirent *entry;
	u32 labs = 0;
	char path[512];

	while (all && (entry = readdir(all))) {
		if (!strstr(entry->d_name, ".lab"))
			continue;
		labs++;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		check_context("%s", entry->d_name);
		if (CHECK_EQ(lab_read(&lab, path, &err), 0))
			round_trip();
		else
			fprintf(stderr, "%s\n", err.text);
	}
	if (all)
		closedir(all);
	check_context("%s", "");
	CHECK(labs >= 10);
	test_full();
	CHECK(lab_variant_get(&lab, "nftables + run echo [x] # y + rps lan 1", &err) != NULL);
	CHECK(lab_variant_get(&lab, "portico build /tmp + nat mapping = shared", &err) != NULL);
	CHECK(lab_variant_get(&lab, "ruleset home.nft", &err) != NULL);
	CHECK_EQ(*lab.variant[lab.nvariants - 1].ruleset, '/');
	lab.load.resolution = 1.0 / 3;
	round_trip();
	test_wire();
	round_trip();
}

static void test_variant_get(void)
{
	const struct lab_variant *v;

	CHECK_EQ(lab_parse(&lab, "v.lab", "[variants]\na = nftables\nb = forward\n", &err), 0);
	CHECK(lab_variant_get(&lab, "b", &err) == &lab.variant[1]);
	v = lab_variant_get(&lab, "nftables + rps lan 2", &err);
	CHECK(v == &lab.variant[2]);
	CHECK_EQ(v ? v->line : -1, 0);
	CHECK_STR(v ? v->name : NULL, "nftables + rps lan 2");
	CHECK(lab_variant_get(&lab, "nftables + rps lan 2", &err) == v);
	CHECK(!lab_variant_get(&lab, "c", &err));
	CHECK_STR(err.text,
		  "v.lab: there is no variant 'c' (there are 'a', 'b', 'nftables + rps lan 2'), and as ROUTER [+ "
		  "SETTING]...: bad router 'c': give one of forward, bare-redirect, nftables, ruleset, portico, hooks");
	CHECK(!lab_variant_get(&lab, "portico work 2", &err));
	CHECK_STR(err.text,
		  "v.lab: variant 'portico work 2': work is of router bare-redirect, and this one is portico");
	v = lab_variant_get(&lab, "nftables + sysctl net.core.netdev_budget=600 + ethtool -K lan gro off", &err);
	CHECK_STR(v ? v->name : NULL, "nftables + sysctl net.core.netdev_budget=600 + ethtool -K la...");
	CHECK(!lab_variant_get(&lab, "nftables + sysctl net.core.netdev_budget=600 + ethtool -K lan gro on", &err));
	CHECK_STR(err.text, "v.lab: variant 'nftables + sysctl net.core.netdev_budget=600 + ethtool -K la...': another "
			    "begins with the same words: put it into a lab file");
	CHECK_EQ(lab.nvariants, 4);
}

static void test_load_set(void)
{
	CHECK_EQ(lab_parse(&lab, "l.lab", "[load]\nflows = 77\n" VARIANT, &err), 0);
	CHECK_EQ(lab_load_set(&lab, "frame=imix", &err), 0);
	CHECK_EQ(lab_load_set(&lab, "kind = tcp", &err), 0);
	CHECK_EQ(lab.load.frame, LAB_IMIX);
	CHECK_EQ(lab.load.flows, 77);
	CHECK_EQ((long)lab.load.seconds, 3);
	CHECK_EQ(lab_load_set(&lab, "flows=0", &err), -EINVAL);
	CHECK_STR(err.text, "bad flows '0': give a number from 1 to 2M");
	CHECK_EQ(lab_load_set(&lab, "flows", &err), -EINVAL);
	CHECK_STR(err.text, "bad load 'flows': give KEY=VALUE, such as flows=50000");
	CHECK_EQ(lab_load_set(&lab, "speed=1", &err), -EINVAL);
	CHECK_STR(err.text, "unknown key 'speed' of a load: there are kind, way, frame, flows, destinations, packets, "
			    "rate, loss, resolution, search, seconds, omit, streams, hook-limit");
	CHECK_EQ(lab.load.flows, 77);
}

static void test_files(const char *directory)
{
	char path[LAB_TEXT], said[2 * LAB_TEXT];

	setenv("PORTICO_LABS", directory, 1);
	CHECK_STR(lab_directory(path), directory);
	CHECK_EQ(lab_read(&lab, "home", &err), 0);
	CHECK_STR(lab.name, "home");
	CHECK_EQ(lab_read(&lab, "no-such", &err), -ENOENT);
	snprintf(said, sizeof(said),
		 "%s/no-such.lab: cannot be read: No such file or directory; 'portico-bench labs' lists the ready ones",
		 directory);
	CHECK_STR(err.text, said);
	CHECK_EQ(lab_read(&lab, "/tmp/", &err), -EISDIR);
	CHECK_STR(err.text, "/tmp/: is a directory: give a lab file");
	CHECK_EQ(lab_read(&lab, "/proc/self/environ", &err), -EFBIG);
}

int main(int argc, char **argv)
{
	const char *directory = argc > 1 ? argv[1] : "labs";

	test_full();
	test_wire();
	test_defaults();
	test_bad();
	test_too_many();
	test_round_trips(directory);
	test_variant_get();
	test_load_set();
	test_files(directory);
	return check_summary("lab");
}
