/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sentence.h - a finding in one sentence
 *
 * "B is 3.1 % slower than A (95 % CI -4.4 ... -1.9 %, 24 pairs, 8 layouts a side, A/A floor 0.4 %); not link-limited
 * (headroom 2.3)"
 */
#ifndef PORTICO_BENCH_MAIN_SENTENCE_H
#define PORTICO_BENCH_MAIN_SENTENCE_H

#include <stddef.h>

#include "finding.h"

#define SENTENCE_TEXT 1024

/* Without a full stop. Returns `text`. */
const char *sentence_write(char text[SENTENCE_TEXT], const struct finding *f);

#endif
