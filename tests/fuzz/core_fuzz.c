/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core_fuzz.c - any frames through the packet core
 *
 * Input: a byte of HOME_* bits, then frames: a byte (bit 0: by the WAN, bit 1: make its IPv4 and ICMP checksums right,
 * the rest: seconds that pass before it), a byte of length, and so many bytes. Each frame lies in memory of exactly its
 * size.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct judge j;

	if (!size || judge_init(&j, data[0]))
		return 0;
	for (data++, size--; size >= 2;) {
		u32 how = data[0], length = data[1] < size - 2 ? data[1] : (u32)size - 2;
		u8 *memory = malloc(ENGINE_HEADROOM + length);

		if (!memory)
			break;
		memcpy(memory + ENGINE_HEADROOM, data + 2, length);
		judge_frame(&j, memory + ENGINE_HEADROOM, length, how);
		free(memory);
		data += 2 + length;
		size -= 2 + length;
	}
	judge_exit(&j);
	return 0;
}
