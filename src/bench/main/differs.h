/* SPDX-License-Identifier: GPL-2.0-or-later */
/* differs.h - what the two paths of a comparison were on, as far as it is not the same
 *
 * A fingerprint is a flat object of texts ("kernel.release": "6.18.5"). What is of the router itself ("router. ...") is
 * the difference that was meant; whatever else differs may be the cause of what is found, and is said first.
 */
#ifndef PORTICO_BENCH_MAIN_DIFFERS_H
#define PORTICO_BENCH_MAIN_DIFFERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* {"besides": [{"key", "a", "b"} ...], "meant": [...]}, where a text is null on the side that has none; null where a
 * fingerprint is not known. A new reference; NULL where memory ends. */
json_t *differs_find(const json_t *a, const json_t *b);

/* What differs_find() found, to stdout. */
void differs_print(const json_t *differs);

/* All that differs, meant or not, in one line: "kernel.release: 6.17 -> 6.18; ...", cut where there is no room. Whether
 * there is anything. */
bool differs_write(char *text, size_t room, const json_t *a, const json_t *b);

#endif
