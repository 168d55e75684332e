/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iperf_json.c - reads what iperf3 -J prints: one run, in one direction or both
 *
 *      start      timestamp; test_start: reverse (the server sends), omit; accepted_connection: the server's own log
 *      intervals  one for each second: streams[], each of one direction ("sender": the log's owner sends)
 *      end        sum_sent, sum_received, and with --bidir sum_..._bidir_reverse for what the server sends;
 *                 UDP before iperf3 3.8 has only sum, with packets and lost_packets
 *
 * The run's number is the receiver's, over all streams, without the seconds of -O: iperf3 has left them out of its
 * sums.
 */
#include <errno.h>
#include <string.h>

#include "field.h"
#include "forms.h"

/* One direction of a run. */
struct way {
	const char *cell;
	bool alone;	 /* the only direction: all streams are of it */
	bool sender;	 /* else those whose "sender" is this */
	const char *end; /* behind "sum_sent" and "sum_received" */
};

bool iperf_json_is(const json_t *root)
{
	return json_object_get(root, "intervals") || (json_object_get(root, "start") && json_object_get(root, "end")) ||
	       json_object_get(root, "error");
}

static bool of_way(const struct way *way, const struct spot *stream)
{
	return way->alone || field_flag(stream, "sender") == way->sender;
}

/* The bits of all streams of a direction in interval `at`, and how long it was. */
static int streams_add(const struct spot *at, const struct way *way, struct series *series, struct err *err)
{
	const json_t *streams = field_array(at, "streams", err);
	double bits = 0, length = 0, bytes;
	bool omitted = false;

	if (!streams)
		return -EINVAL;
	for (size_t i = 0; i < json_array_size(streams); i++) {
		struct spot stream = spot_of(at, "streams", i);

		if (!of_way(way, &stream))
			continue;
		omitted = field_flag(&stream, "omitted");
		if (field_positive(&stream, "seconds", &length, err) || field_number(&stream, "bytes", &bytes, err))
			return -EINVAL;
		bits += 8 * bytes / length;
	}
	if (!(length > 0))
		return err_set(err, -EINVAL, "%sstreams has none that %s", at->text,
			       way->sender ? "sends" : "receives");
	series->omitted += omitted;
	if (!omitted && series_add(series, bits, length))
		return err_set(err, -ENOMEM, "%sout of memory", at->text);
	return 0;
}

static int intervals_read(const struct spot *root, const struct way *way, struct series *series, struct err *err)
{
	const json_t *intervals = json_object_get(root->object, "intervals");

	for (size_t i = 0; i < json_array_size(intervals); i++) {
		struct spot at = spot_of(root, "intervals", i);
		int rc = streams_add(&at, way, series, err);

		if (rc)
			return rc;
	}
	series_close(series);
	return 0;
}

/* UDP's one sum of old: what was sent, and how many of its packets were lost. */
static int old_sum(const struct spot *sum, struct sample *sample, struct err *err)
{
	double packets = field_or_zero(sum, "packets"), lost = 0, rate;

	if (field_number(sum, "bits_per_second", &rate, err))
		return -EINVAL;
	if (packets > 0 && field_number(sum, "lost_packets", &lost, err))
		return -EINVAL;
	if (lost > packets)
		return err_set(err, -EINVAL, "%slost_packets is more than were sent: a measurement error", sum->text);
	sample->value = packets > 0 ? rate * (1 - lost / packets) : rate;
	sample->of_sender = packets <= 0;
	return 0;
}

/* A receiver cannot have more than was sent, except for what was under way when the seconds of -O ended. */
static int sums_check(const struct spot *sent, const struct spot *received, bool omits, struct err *err)
{
	double out, in;

	if (field_number(received, "bytes", &in, err))
		return -EINVAL;
	if (json_object_get(received->object, "lost_packets") && field_number(received, "lost_packets", &out, err))
		return -EINVAL;
	if (!sent->object || omits)
		return 0;
	if (field_number(sent, "bytes", &out, err))
		return -EINVAL;
	if (in <= out || !(out > 0))
		return 0;
	return err_set(err, -EINVAL, "%sbytes is %.0f, but only %.0f were sent: a measurement error", received->text,
		       in, out);
}

/* The run's number, from the sums at the end. */
static int end_read(const struct spot *root, const struct way *way, struct sample *sample, struct err *err)
{
	struct spot end = spot_in(root, "end"), start = spot_in(root, "start"), test = spot_in(&start, "test_start");
	char name[40];
	struct spot sent, received, sum;

	strcat(strcpy(name, "sum_sent"), way->end);
	sent = spot_in(&end, name);
	strcat(strcpy(name, "sum_received"), way->end);
	received = spot_in(&end, name);
	sum = spot_in(&end, "sum");
	if (received.object) {
		if (sums_check(&sent, &received, field_or_zero(&test, "omit") > 0, err))
			return -EINVAL;
		return field_number(&received, "bits_per_second", &sample->value, err);
	}
	if (!sent.object && sum.object && way->alone)
		return old_sum(&sum, sample, err);
	sample->of_sender = true;
	if (sent.object)
		return field_number(&sent, "bits_per_second", &sample->value, err);
	if (!sample->series.count)
		return err_set(err, -EINVAL, "%sno sums and no intervals: the run did not end well", end.text);
	sample->of_intervals = true;
	sample->value = series_mean(&sample->series);
	return 0;
}

static int way_read(struct samples *s, const struct spot *root, const struct way *way, struct err *err)
{
	struct spot start = spot_in(root, "start"), stamp = spot_in(&start, "timestamp");
	struct sample *sample = samples_add(s, "", way->cell);
	int rc;

	if (!sample)
		return err_set(err, -ENOMEM, "%sout of memory", root->text);
	if (json_object_get(stamp.object, "timesecs"))
		sample->began = field_or_zero(&stamp, "timesecs");
	rc = intervals_read(root, way, &sample->series, err);
	if (!rc)
		rc = end_read(root, way, sample, err);
	return rc ? rc : samples_unit(s, sample->cell, UNIT_BITS, root->path, err);
}

int iperf_json_read(struct samples *s, const json_t *root, const char *path, struct err *err)
{
	struct spot at = spot_root(root, path), start = spot_in(&at, "start"), test = spot_in(&start, "test_start");
	struct spot end = spot_in(&at, "end");
	bool is_server = json_object_get(start.object, "accepted_connection"), reverse = field_flag(&test, "reverse");
	struct way up = {.cell = "upload", .sender = !is_server, .end = ""};
	struct way down = {.cell = "download", .sender = is_server, .end = ""};
	int rc;

	if (field_text(&at, "error"))
		return err_set(err, -EINVAL, "%siperf3 says: %s", at.text, field_text(&at, "error"));
	if (json_object_get(end.object, "sum_sent_bidir_reverse")) {
		down.end = "_bidir_reverse";
		rc = way_read(s, &at, &up, err);
		return rc ? rc : way_read(s, &at, &down, err);
	}
	up.alone = down.alone = true;
	return way_read(s, &at, reverse ? &down : &up, err);
}
