// A program whose invariants were checked, once for all of its replays: a loan of it, which must not change
// meanwhile.

#pragma once

#include "core/result.h"
#include "core/time.h"
#include "program/thread_program.h"

namespace parcast {

class CheckedProgram {
public:
    // Errors: those of check(program).
    static Result<CheckedProgram> of(ThreadProgram const& program);
    static Result<CheckedProgram> of(ThreadProgram&&) = delete;

    ThreadProgram const& operator*() const { return *program_; }
    ThreadProgram const* operator->() const { return program_; }

    // Of all threads: CPU time, and time in calls that wait for a device or sleep.
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
