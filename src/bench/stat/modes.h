/* SPDX-License-Identifier: GPL-2.0-or-later */
/* modes.h - does a path work at one level, or now at one and now at another?
 *
 * A mixture of two normal distributions is fitted by expectation and maximisation (Dempster, Laird, Rubin 1977;
 * McLachlan and Peel, Finite Mixture Models, 2000) and compared with one. There are two modes where all hold:
 *
 *      BIC(1) - BIC(2) > 10               two explain the values better, and are worth three more parameters (Kass and
 *                                         Raftery 1995: "very strong")
 *      D = sqrt(2) |mu_1 - mu_2| / sqrt(s_1^2 + s_2^2) > 2    they are apart (Ashman, Bird, Zepf 1994)
 *      each has more than 5 % of the values
 *
 * Then a mean says nothing about either. Each level is reported, with its share of the time and how long it lasts, and
 * no value is trimmed. A difference between two variants is in the levels, or in how long each is held:
 *
 *      E = sum p mu        dE = sum (p_mean * dmu)  +  sum (mu_mean * dp)      exactly
 *                               level                  occupancy
 */
#ifndef PORTICO_BENCH_STAT_MODES_H
#define PORTICO_BENCH_STAT_MODES_H

#include "sample.h"

#define STAT_MODES_BIC 10.0
#define STAT_MODES_ASHMAN 2.0
#define STAT_MODES_SHARE 0.05
#define STAT_MODES_LEAST 8 /* values; fewer are taken for one mode */

struct stat_mode {
	double mean, sd, weight; /* weights add up to 1 */
};

struct stat_modes {
	bool two;		  /* all three conditions hold */
	struct stat_mode one;	  /* the values as one mode, weight 1 */
	struct stat_mode mode[2]; /* the lower first; filled where there are STAT_MODES_LEAST values */
	double bic;		  /* BIC(1) - BIC(2) */
	double ashman;		  /* D */
	double likelihood;	  /* natural logarithm of, of the two */
};

/* `least_sd` is the smallest s.d. that a mode can have, such as the step of rounded values; 0: a hundredth of the
 * s.d. of all. Values that are all the same are one mode. 0; -EINVAL; -ENOMEM. */
int stat_modes_fit(struct stat_modes *modes, const struct stat_sample *s, double least_sd);

/* Which of the two modes a value more likely belongs to: 0 or 1. */
unsigned int stat_modes_of(const struct stat_modes *modes, double value);

/* One mode of a series, in order of time: what is observed, not what is fitted. */
struct stat_stay {
	unsigned int values; /* of the series */
	double level;	     /* their mean; 0 where there are none */
	double share;	     /* of the series */
	unsigned int visits; /* times it was entered */
	double dwell;	     /* values of a visit, mean; 0 where there are none */
};

/* Fills stay[0] (low) and stay[1] of a series by the modes fitted to it, or to both sides together. */
void stat_modes_stay(struct stat_stay stay[2], const struct stat_modes *modes, const struct stat_sample *series);

struct stat_split {
	double total;		 /* mean of b - mean of a */
	double level, occupancy; /* add up to total */
};

/* Of two variants whose stays were found with the same modes. A level that one side never had is taken to be that of
 * the other: then all of it is occupancy. */
struct stat_split stat_modes_split(const struct stat_stay a[2], const struct stat_stay b[2]);

#endif
