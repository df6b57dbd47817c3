// How long a program of steps takes under LogGP, by the two algorithms of the paper. Standard: a rank sends
// what it has to send as soon as it may, but receives first what is there when it would send. Overestimating:
// a rank receives all its messages before it sends the first one, and cycles are broken by a message sent out
// of turn. The first is what happens; the second is near the worst, when messages are later than L.
//
// Ties between ranks go to the lowest, or are drawn by chance as in the paper.
//
// Source: Rugina and Schauser 1998, sections 3 and 4. A send compares itself with the arrival of the message
// that is waiting, not with the earliest instant at which that could be received: only so does the paper's
// sample take its 67 us.
// Cost: O(messages * log(ranks + messages that wait)).

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/time.h"
#include "machine/network.h"
#include "program/step_program.h"

namespace parcast::simulate {

enum class StepMethod : std::uint8_t { standard, overestimate };

enum class StepClocks : std::uint8_t {
    barrier,  // a step begins when all have ended the one before: the times of steps add up
    carry,    // each rank goes on when it has ended its own part
};

struct StepOptions {
    StepMethod method = StepMethod::standard;
    StepClocks clocks = StepClocks::barrier;
    std::optional<std::uint64_t> tie_seed = std::nullopt;  // none: the lowest rank first
    bool with_log = false;
};

// A send or a receive, as it occupies a rank.
struct PortOperation {
    std::uint32_t rank = 0;
    bool is_send = false;
    std::size_t message = 0;  // into StepProgram::messages
    Instant begin;
    Instant end;

    friend bool operator==(PortOperation const&, PortOperation const&) = default;
};

struct StepsRun {
    Duration time;
    Duration computation;  // barrier: the longest of each step, summed up; carry: of the rank with most
    std::vector<Instant> finish;            // by rank: the end of the last that it does
    std::vector<Duration> communicating;    // by rank: in sends and receives
    std::uint64_t cycle_breaks = 0;         // of the overestimating algorithm
    std::vector<PortOperation> operations;  // of the log, as they were decided
    std::vector<Instant> step_begins;       // of the log, barrier

    Duration communication() const { return time - computation; }
};

// REQUIRES: the program passes its check.
StepsRun run_steps(StepProgram const& program, LogGp const& network, StepOptions const& options = {});

}  // namespace parcast::simulate
