// How much faster a program ran on several CPUs than on one, measured beside its recording (record
// --measure), and whether its prediction holds there.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/comparison.h"
#include "answer/range.h"
#include "timeline/provenance.h"

namespace parcast {

// Of the fastest runs. Ranges: between the extremes of the runs, and what they may have been if nobody else
// had used the CPUs meanwhile; at least `least_apart` to both sides.
struct MeasuredSpeedUp {
    std::uint32_t cpus = 2;
    RunTimes one;
    RunTimes many;
    double speed_up = 1;
    Range range;
    Range time_on_one_ns;
    Sensed own_growth;     // the program's own code (user CPU time) on these CPUs over that on one
    Sensed system_growth;  // the kernel's work for it; 1 where there is hardly any
    double others = 0;     // share of the CPUs' time that other programs had, in the median of the runs
};

inline constexpr double measured_least_apart = 0.02;

// For each number of CPUs but one, rising. Empty: nobody measured.
std::vector<MeasuredSpeedUp> measured_speed_ups(Provenance const& provenance);

RunTimes run_times(BareRun const& run);
std::vector<RunTimes> run_times(std::vector<BareRun> const& runs);

// A unit of the program's own work takes so many times as long while so many CPUs are busy.
struct MemoryGrowth {
    std::uint32_t cpus = 2;
    Sensed growth{1, 1, 1};
};

// What becomes of a prediction for as many CPUs as were measured.
enum class MeasuredVerdict : std::uint8_t {
    holds,         // both ranges meet
    adopted,       // they meet, and what shared memory takes is what these runs measured
    differs,       // they do not: what is concluded from predictions may be wrong
    far_off,       // by more than a quarter: nothing is concluded
    not_compared,  // they are not about the host that was measured, or the replay there deadlocks
};

inline constexpr std::array measured_verdict_names = {"holds", "adopted", "differs", "far_off",
                                                      "not_compared"};

// As in JSON.
constexpr char const* name_of(MeasuredVerdict verdict) {
    return measured_verdict_names[static_cast<std::size_t>(verdict)];
}

// The note of a prediction of several threads that no run checked: no recording on one CPU knows these.
inline constexpr char const* not_measured_note =
    "no run on several CPUs checked this: memory that CPUs share, deadlines, and who takes which work there "
    "may "
    "make it slower or faster (parcast record --measure)";

struct MeasuredCheck {
    MeasuredSpeedUp measured;
    MeasuredVerdict verdict = MeasuredVerdict::not_compared;
    bool gives_memory = false;           // these runs say what shared memory takes from the prediction
    double predicted = 0;                // speed-up; the following three only if it is compared
    Range predicted_range;               // as wide as is known
    std::vector<Deviation> causes = {};  // where the difference comes from: largest first
    std::string reason = {};             // why it is not compared: "the replay there deadlocks"
};

}  // namespace parcast
