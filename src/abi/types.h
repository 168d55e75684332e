/* SPDX-License-Identifier: GPL-2.0-or-later */
/* types.h - fixed-width integers and byte-order types of every struct that crosses a boundary */
#ifndef PORTICO_ABI_TYPES_H
#define PORTICO_ABI_TYPES_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

/* Big-endian values are types of their own; sparse refuses to mix them with host order. */
#ifdef __CHECKER__
#define PORTICO_BITWISE __attribute__((bitwise))
#define PORTICO_FORCE __attribute__((force))
#else
#define PORTICO_BITWISE
#define PORTICO_FORCE
#endif

typedef u16 PORTICO_BITWISE be16;
typedef u32 PORTICO_BITWISE be32;

#define ABI_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " is not " #size " bytes")
#define ABI_AT(type, field, offset)                                                                                    \
	_Static_assert(__builtin_offsetof(type, field) == (offset), #type "." #field " is not at " #offset)

#endif
