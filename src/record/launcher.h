// Runs a program with one of our libraries in it: bound to its CPUs, with the environment that puts the
// library in, and waits for its end.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/result.h"
#include "core/time.h"
#include "wire/record.h"

namespace parcast::record {

// What the program gets as its standard streams; absent: those of parcast.
struct StandardStreams {
    std::optional<int> input;
    std::optional<int> output;
    std::optional<int> error;
};

// Who gets the signals that are sent to parcast while the program runs.
enum class SignalsAreFor : std::uint8_t {
    program,  // those of the terminal (INT, QUIT) reach it anyway; TERM and HUP are passed on
    parcast,  // an EndingSignals of the caller holds them back
};

struct Launch {
    std::string program;                   // a path
    std::vector<std::string> command;      // argv
    std::vector<std::string> environment;  // "NAME=value"
    std::vector<unsigned> cpus;
    StandardStreams streams;
    SignalsAreFor signals = SignalsAreFor::program;
    std::function<void(pid_t)> before_start = {};  // called with its process, before that becomes the program
};

struct ProgramEnd {
    std::int64_t process = 0;
    std::optional<int> exit_status;  // exactly one of the two
    std::optional<int> death_signal;
    std::int64_t cpu_ns = 0;                 // user + system, by wait4, with the children that it waited for
    std::int64_t system_ns = 0;              // of these, the system's
    std::int64_t page_faults = 0;            // served without a disk, likewise
    wire::ClockPair clock{};                 // read when the end was noticed
    std::optional<wire::ClockPair> stopped;  // when its time limit was reached
    // Of the time of its CPU, meanwhile: what others had, other programs or the host of a virtual machine.
    std::optional<double> others_share;
};

struct Pause {
    Duration at_most;
    std::vector<int> until_readable = {};  // or until one of these descriptors is; -1: none
};

// What is done while the program's process runs: called now and then, says when it wants to be called again.
using Attend = std::function<Pause()>;

// As a shell reports it: the exit status, or 128 + signal.
int shell_status(ProgramEnd const& end);

// Refuses if the program cannot be started.
Result<ProgramEnd> run_to_end(Launch const& launch, Attend const& attend);

}  // namespace parcast::record
