/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tunnel_fuzz.c - any frames through a customer edge or a border relay
 *
 * Input: a byte of END_* bits, then frames: a byte of HOW_* bits, a byte of length, and so many bytes. The last byte of
 * each frame is the last of its memory.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tunnel_judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tunnel_judge j;

	if (!size || tunnel_judge_init(&j, data[0]))
		return 0;
	for (data++, size--; size >= 2;) {
		u32 how = data[0], length = data[1] < size - 2 ? data[1] : (u32)size - 2;
		u8 *memory = malloc(ENGINE_HEADROOM + JUDGE_HEAD + length);

		if (!memory)
			break;
		memcpy(memory + ENGINE_HEADROOM + JUDGE_HEAD, data + 2, length);
		tunnel_judge_frame(&j, memory + ENGINE_HEADROOM + JUDGE_HEAD, length, how);
		free(memory);
		data += 2 + length;
		size -= 2 + length;
	}
	tunnel_judge_exit(&j);
	return 0;
}
