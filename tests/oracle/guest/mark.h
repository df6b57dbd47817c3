// Marks that the lock-step plugin knows (lockstep/lockstep.cpp): 8-byte no-operations with a number in them.
// Without the plugin they do nothing.

#pragma once

static inline void mark_begin(void) {
    __asm__ volatile(".byte 0x0f,0x1f,0x84,0x00,0x78,0x56,0x34,0x12" ::: "memory");
}

static inline void mark_end(void) {
    __asm__ volatile(".byte 0x0f,0x1f,0x84,0x00,0x79,0x56,0x34,0x12" ::: "memory");
}
