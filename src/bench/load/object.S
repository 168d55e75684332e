/* SPDX-License-Identifier: GPL-2.0-or-later */
/* object.S - the compiled programs of the load, carried inside the bench; the build names the files */
	.macro object name, file
	.balign 16
	.globl load_\name\()_object
	.globl load_\name\()_object_end
load_\name\()_object:
	.incbin "\file"
load_\name\()_object_end:
	.byte 0
	.endm

	.section .rodata.portico, "a", %progbits
	object gen, LOAD_GEN_OBJECT
	object sink, LOAD_SINK_OBJECT
	object redirect, LOAD_REDIRECT_OBJECT
	.section .note.GNU-stack, "", %progbits
