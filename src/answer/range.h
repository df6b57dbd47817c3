// How sure a predicted number is, and what makes it unsure.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parcast {

// What is not known of a replay. docs/trust.md tells how each is found out.
enum class Uncertainty : std::uint8_t {
    recording,  // another run of the program takes another time, on one CPU, too
    events,     // what recording an event costs, which is taken off
    costs,      // of scheduling on the target
    order,      // in which threads come to locks and CPUs
    memory,     // busy CPUs slow each other down
    speed,      // of the target's CPUs, which other work on the host and their clocks change
    kernel,     // the system's work is replayed as if CPUs did not disturb each other in it
    model,      // of the replay, which leaves the rest out
    findings,   // a warning makes everything doubtful, or threads may wait unseen
};

struct UncertaintyName {
    char const* word;    // in JSON
    char const* phrase;  // "how busy CPUs share the memory"
};

inline constexpr std::array uncertainty_names = {
    UncertaintyName{"recording", "how much one run differs from another"},
    UncertaintyName{"events", "what recording cost the program"},
    UncertaintyName{"costs", "what scheduling costs there"},
    UncertaintyName{"order", "the order in which threads come to locks and CPUs"},
    UncertaintyName{"memory", "how busy CPUs share the memory"},
    UncertaintyName{"speed", "how the speed of the CPUs varies"},
    UncertaintyName{"kernel", "how CPUs disturb each other in the kernel"},
    UncertaintyName{"model", "what a replay leaves out"},
    UncertaintyName{"findings", "what the findings say"},
};
inline constexpr std::size_t uncertainties = uncertainty_names.size();
static_assert(uncertainties == static_cast<std::size_t>(Uncertainty::findings) + 1);

constexpr UncertaintyName name_of(Uncertainty uncertainty) {
    return uncertainty_names[static_cast<std::size_t>(uncertainty)];
}

struct Range {
    double low = 0;
    double high = 0;
    friend bool operator==(Range const&, Range const&) = default;
};

// Of a row: nine of ten measurements should lie within.
struct RowRange {
    Range time_ns;
    Range speed_up;
    std::array<double, uncertainties> shares{};  // of the speed-up's variance; of the time's on one CPU
    friend bool operator==(RowRange const&, RowRange const&) = default;
};

// What the ranges of an answer rest on.
struct RangeBasis {
    std::uint32_t replays = 0;    // of each row, each of a program that is a little different
    std::uint32_t deadlocks = 0;  // of all these
    std::uint32_t paired = 0;     // that would deadlock, but for their recorded wake-ups
    friend bool operator==(RangeBasis const&, RangeBasis const&) = default;
};

inline constexpr double range_level = 0.9;

}  // namespace parcast
