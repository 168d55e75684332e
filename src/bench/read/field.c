/* SPDX-License-Identifier: GPL-2.0-or-later */
/* field.c - fields of a JSON document, with messages that name the file and the field */
#include "field.h"

#include <errno.h>
#include <stdio.h>

#include "text.h"

struct spot spot_root(const json_t *root, const char *path)
{
	struct spot spot = {.object = root, .path = path};

	snprintf(spot.text, sizeof(spot.text), "%.300s: ", path);
	return spot;
}

struct spot spot_in(const struct spot *spot, const char *key)
{
	struct spot in = {.object = json_object_get(spot->object, key), .path = spot->path};

	snprintf(in.text, sizeof(in.text), "%.350s%.40s.", spot->text, key);
	return in;
}

struct spot spot_of(const struct spot *spot, const char *key, size_t i)
{
	const json_t *element = json_array_get(json_object_get(spot->object, key), i);
	struct spot of = {.object = json_is_object(element) ? element : NULL, .path = spot->path};

	snprintf(of.text, sizeof(of.text), "%.340s%.30s[%zu].", spot->text, key, i);
	return of;
}

int field_check(const json_t *value, double *number, const char *where, struct err *err)
{
	if (!value)
		return err_set(err, -EINVAL, "%s is missing", where);
	if (!json_is_number(value))
		return err_set(err, -EINVAL, "%s is no number", where);
	*number = json_number_value(value);
	return number_check(*number, where, err);
}

int field_number(const struct spot *spot, const char *key, double *value, struct err *err)
{
	char where[FIELD_TEXT + 64];

	snprintf(where, sizeof(where), "%s%.60s", spot->text, key);
	return field_check(json_object_get(spot->object, key), value, where, err);
}

int field_positive(const struct spot *spot, const char *key, double *value, struct err *err)
{
	if (field_number(spot, key, value, err))
		return -EINVAL;
	if (*value > 0)
		return 0;
	return err_set(err, -EINVAL, "%s%s is 0: an interval of no length", spot->text, key);
}

const json_t *field_array(const struct spot *spot, const char *key, struct err *err)
{
	const json_t *array = json_object_get(spot->object, key);

	if (!json_is_array(array))
		return err_write(err, "%s%s is %s", spot->text, key, array ? "no array" : "missing"), NULL;
	if (!json_array_size(array))
		return err_write(err, "%s%s is empty", spot->text, key), NULL;
	return array;
}

const char *field_text(const struct spot *spot, const char *key)
{
	return json_string_value(json_object_get(spot->object, key));
}

double field_or_zero(const struct spot *spot, const char *key)
{
	return json_number_value(json_object_get(spot->object, key));
}

bool field_flag(const struct spot *spot, const char *key)
{
	const json_t *value = json_object_get(spot->object, key);

	return json_is_true(value) || json_number_value(value) != 0;
}
