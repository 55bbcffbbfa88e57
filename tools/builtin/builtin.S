// ARMATURE_BUILTIN_FILE, bytes for bytes, as read-only data; builtin.cpp names it in C++.
    .section .rodata
    .balign 64
    .globl armature_builtin_begin
    .globl armature_builtin_end
armature_builtin_begin:
    .incbin ARMATURE_BUILTIN_FILE
armature_builtin_end:
    .byte 0

    .section .note.GNU-stack, "", %progbits
