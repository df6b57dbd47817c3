// A process model at given values, as steps that a machine of the simplest kind executes (engine.h): no
// expressions and no indices are left, jumps are relative, so that equal branches have equal steps and are
// kept once.
//
//     fork                 branches follow; goes on behind them when the last has ended
//       branch  copies     its steps, executed by `copies` strands of their own
//         loop  turns      until its `next`
//           wait  time         a known time
//           draw  sampler      a random time
//           use   resource     arrives at a resource, is served for a drawn time
//         next
//       end
//     choose  probability  the steps up to `jump` with this probability, else those behind it

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "ensemble/sampler.h"
#include "program/process_model.h"

namespace parcast::ensemble {

enum class StepKind : std::uint8_t { wait, draw, greatest, use, loop, next, fork, branch, choose, jump, end };

inline constexpr auto no_sampler = std::numeric_limits<std::uint32_t>::max();

struct Step {
    StepKind kind = StepKind::end;
    std::uint16_t level = 0;             // of a loop and its next: which counter of the strand
    std::uint32_t sampler = no_sampler;  // of a time; of a random number of turns or copies
    std::uint32_t target = 0;            // how far to jump (next: back); of a use the resource
    double value = 0;                    // time, turns, copies, probability

    friend bool operator==(Step const&, Step const&) = default;
};
static_assert(sizeof(Step) == 24);

struct Plan {
    std::vector<Step> steps;
    std::vector<Sampler> samplers;
    std::vector<std::uint32_t> servers;  // by resource; only those that are contended for
    std::size_t levels = 0;              // counters that a strand needs
    double operations = 0;               // times and uses in a run, expected
    bool random = false;                 // whether runs differ
    std::vector<std::string> notes;      // what is not as the model says
    std::string longest_loop;            // "N": the name to set smaller for a shorter run, or empty
    double longest_turns = 0;
};

// A part without contention is one draw from the law of its composed moments where no single random time has
// more than 1 / most_dominant of its variance, so that the sum has little but its moments to tell; else it is
// drawn in parts.
inline constexpr double most_dominant = 32;

// Errors: those of resource_needs; out_of_range (a condition that is no probability, a plan of more than
// most_plan_steps), unsupported (a random number of turns that differ).
inline constexpr std::size_t most_plan_steps = 2'000'000;
Result<Plan> plan_of(ProcessModel const& model, ProcessId root, std::span<double const> parameters);

}  // namespace parcast::ensemble
