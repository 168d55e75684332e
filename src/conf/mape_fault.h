/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mape_fault.h - what mape_check.c asks of mape_fault.c */
#ifndef PORTICO_CONF_MAPE_FAULT_H
#define PORTICO_CONF_MAPE_FAULT_H

#include "mape.h"

/* Adds the parameter of rule `r` that cannot be right, if there is one; the delegated prefix of *d helps to guess. */
void mape_fault_find(struct mape_domain *d, const struct mape_rule *r);

#endif
