// What the recorder asks the system for: memory, files, clocks. Directly, by system calls of its own: the
// host may have a mmap, an open or a clock (libfaketime) in the place of libc's, none of these is a point of
// cancellation, and errno stays the host's. Each request may fail, and is tested with every failure
// (faults.h).

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

namespace parcast::recorder {

// The result, or the negative error.
long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0);

template <class T>
long as_word(T* pointer) {
    return reinterpret_cast<long>(pointer);
}

// Zeroed; nullptr if there is none.
void* map_memory(size_t bytes);
void* map_file(int descriptor, off_t offset, size_t bytes, int protection);
void unmap(void* memory, size_t bytes);
// One system call for all page faults, where the kernel has it (5.14); else they happen one by one later.
void make_present(void* memory, size_t bytes);

// A descriptor, or the negative error.
int open_file(char const* path, int flags);
void close_file(int descriptor);
void remove_file(char const* path);
// Space for the bytes, which then are zero.
bool reserve_space(int descriptor, off_t offset, size_t bytes);
// The host may limit the size of its files; one that grows beyond would cost it a SIGXFSZ.
bool may_grow_to(off_t bytes);
// The length of what `text` got, without a zero byte at its end; 0 if that cannot be told.
size_t read_link(char const* path, char* text, size_t capacity);
size_t read_working_directory(char* text, size_t capacity);

pid_t own_process();
pid_t parent_process();
bool on_signal_stack();

// How the kernel lets some clocks be read without a system call (vdso(7)). Until this is called, and where
// there is no such way, read_clock_ns() makes one.
void find_clock_in_vdso();
// ns that the calling thread has been ready to run without having a CPU, since it began, as the kernel counts
// it; negative if it does not tell. About 2 us.
int64_t read_run_delay_ns();

// 0 if the clock cannot be read.
uint64_t read_clock_ns(clockid_t clock);

}  // namespace parcast::recorder
