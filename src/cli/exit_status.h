// Exit statuses, the same for every verb (docs/exit-codes.md). `record` adds those of the shell: it
// ends as the recorded program does, or with one of the last four.

#pragma once

#include "core/error.h"

namespace parcast::cli {

enum ExitStatus : int {
    exit_success = 0,
    exit_usage = 2,            // the command line
    exit_input = 3,            // an input is missing, unreadable, damaged or of an unknown kind
    exit_impossible = 4,       // the prediction does not exist: the replay deadlocks
    exit_output = 5,           // a result could not be written
    exit_program_failed = 6,   // scale: a run of the program failed, or exceeded its time limit
    exit_broken_contract = 7,  // check: an assertion fails
    exit_host_lacks = 8,       // doctor: something is missing
    exit_bug = 70,             // a bug in parcast (EX_SOFTWARE of sysexits.h)
    exit_time_limit = 124,     // record: the program was ended at its time limit, as by timeout(1)
    exit_not_recorded = 125,   // record: parcast could not record
    exit_not_executable = 126,
    exit_not_found = 127,
};

// Every error ends parcast with the status that this function returns.
constexpr ExitStatus exit_status_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::unasked: return exit_usage;
        case ErrorCode::impossible: return exit_impossible;
        case ErrorCode::not_written: return exit_output;
        case ErrorCode::program_failed: return exit_program_failed;
        case ErrorCode::bug: return exit_bug;
        case ErrorCode::not_recorded: return exit_not_recorded;
        case ErrorCode::not_executable: return exit_not_executable;
        case ErrorCode::no_program: return exit_not_found;
        default: return exit_input;
    }
}

}  // namespace parcast::cli
