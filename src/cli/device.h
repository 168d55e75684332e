/* SPDX-License-Identifier: GPL-2.0-or-later */
/* device.h - what a gateway with a tunnel leaves in the system beside the packet path: an interface, addresses */
#ifndef PORTICO_CLI_DEVICE_H
#define PORTICO_CLI_DEVICE_H

/* Removes what the daemon of instance `name` made (gateway/device.c, gateway/tunnel.c), while its packet path is still
 * pinned. What is not there is no error. */
void device_remove(const char *name);

#endif
