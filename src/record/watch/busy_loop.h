// Does a thread go round in a loop that changes nothing? Then it waits, and only another thread can end that.
//
// The threads are stopped together for a moment (ptrace, of one's own children without privileges), so that
// nobody ends the waiting meanwhile; each is led on by single steps. A loop is seen when the same registers,
// the same vector registers and the same part of the stack come again at the same instruction. A loop that
// only counts in memory outside its stack looks the same: none was met.
//
// The threads are let go when the tracing thread ends, but none in the middle of a step: the trap at its end,
// which nobody would wait for, kills the program. Stepping ends before a system call. A sleeping thread must
// not be given: some system calls (epoll_wait, sigtimedwait) fail when disturbed.
//
// Cost: about a millisecond of the program's time for a few threads.

#pragma once

#include <cstdint>
#include <vector>

#include <sys/types.h>

#include "core/time.h"

namespace parcast::record {

struct BusyLoop {
    pid_t thread = 0;
    std::uint64_t address = 0;  // of an instruction in it
};

// In these threads of one process, which must not hold the caller. Those that cannot be stopped are passed
// over: they are traced by another program, or the system forbids it, or it takes longer than the patience,
// as does leading one on.
std::vector<BusyLoop> busy_loops(std::vector<pid_t> const& threads, Duration patience = {100'000'000});

}  // namespace parcast::record
