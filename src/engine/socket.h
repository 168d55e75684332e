/* SPDX-License-Identifier: GPL-2.0-or-later */
/* socket.h - inside sockets whose flows have all ended */
#ifndef PORTICO_ENGINE_SOCKET_H
#define PORTICO_ENGINE_SOCKET_H

#include "engine.h"

/* Ends the sockets that have no flow left; to be called when flows have been removed. 0, or -ENOMEM. */
int sockets_sweep(struct engine *g);

#endif
