/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout.c - everything that crosses a boundary; compiled for ten targets, big-endian ones among them (house.py abi) */
#include "abi/config.h"
#include "abi/flow.h"
#include "abi/mape.h"
#include "abi/tunnel.h"
#include "abi/types.h"
