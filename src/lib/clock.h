/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - CLOCK_MONOTONIC */
#ifndef PORTICO_LIB_CLOCK_H
#define PORTICO_LIB_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline time_t clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

#endif
