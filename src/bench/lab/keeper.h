/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keeper.h - the process that takes a net down, whatever ends the program */
#ifndef PORTICO_BENCH_LAB_KEEPER_H
#define PORTICO_BENCH_LAB_KEEPER_H

#include "net.h"

/* Forks the keeper of the namespaces in n->name; fills n->leash and n->keeper. 0 or -errno. */
int keeper_start(struct net *n, void (*undo)(void *arg), void *arg, struct err *err);

/* Lets go, and waits until everything is gone. */
void keeper_stop(struct net *n);

#endif
