/* SPDX-License-Identifier: GPL-2.0-or-later */
/* object.h - the compiled packet path, carried inside the program */
#ifndef PORTICO_KERNEL_OBJECT_H
#define PORTICO_KERNEL_OBJECT_H

/* An ELF object for libbpf; its size is the difference of the two addresses, in bytes. */
extern const unsigned char portico_xdp_object[], portico_xdp_object_end[];

#endif
