// A program whose invariants were checked, once for all of its replays: a loan of it, which must not change
// meanwhile.

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/result.h"
#include "core/time.h"
#include "program/thread_program.h"

namespace parcast {

// How large a program may be, so that no clock or account of a replay overflows (simulate/virtual_clock.h).
inline constexpr std::size_t most_threads = std::size_t{1} << 24;
// CPU time of all threads, and time that they wait for devices and sleep: 13 days, and 36 years.
inline constexpr std::int64_t most_work_ns = std::int64_t{1} << 50;
inline constexpr std::int64_t most_waiting_ns = std::int64_t{1} << 60;

class CheckedProgram {
public:
    // Errors: those of check(program).
    static Result<CheckedProgram> of(ThreadProgram const& program);
    static Result<CheckedProgram> of(ThreadProgram&&) = delete;

    ThreadProgram const& operator*() const { return *program_; }
    ThreadProgram const* operator->() const { return program_; }

    // Over all threads: CPU time, where each arrival at a barrier is woken by another one, and time in calls
    // that wait for a device or sleep.
    Duration work() const { return work_; }
    Duration waiting() const { return waiting_; }

private:
    CheckedProgram(ThreadProgram const& program, Duration work, Duration waiting)
        : program_(&program), work_(work), waiting_(waiting) {}

    ThreadProgram const* program_;
    Duration work_;
    Duration waiting_;
};

}  // namespace parcast
