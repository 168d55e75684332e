/* SPDX-License-Identifier: GPL-2.0-or-later */
/* object.S - the compiled packet path, carried inside the program; the build names the file */
	.section .rodata.portico, "a", %progbits
	.balign 16
	.globl portico_xdp_object
	.globl portico_xdp_object_end
portico_xdp_object:
	.incbin PORTICO_XDP_OBJECT
portico_xdp_object_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits
