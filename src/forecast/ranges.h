// How sure are the times and speed-ups of a replayed program? An ensemble of replays of programs and machines
// that are a little different, and what is known of errors that no replay shows. docs/trust.md.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "answer/question.h"
#include "answer/range.h"
#include "answer/run_listener.h"
#include "core/result.h"
#include "forecast/forecast.h"
#include "machine/thread_plan.h"

namespace parcast::forecast {

inline constexpr std::uint32_t fewest_range_replays = 6;  // fewer hardly tell a straight line from chance
inline constexpr std::uint32_t fewest_ended_replays =
    5;  // if others deadlock: below, nothing is left to tell
inline constexpr std::uint32_t usual_range_replays = 20;
inline constexpr std::uint32_t most_range_replays = 1000;

// Sets Row::range of the rows, Answer::ranges and Forecast::varied. Rows that deadlock, or of which most
// replays do, have no range. Errors: those of the replays. REQUIRES: answer.is_replayed(), workers >= 1;
// replays, if given, in fewest_range_replays to most_range_replays.
Result<void> add_ranges(Forecast& forecast, RangeQuestion const& question, unsigned workers,
                        RunListener const& listener = {});

// What a change came to in its replay on as many CPUs as a row of the answer has.
struct TriedTime {
    Row const& row;
    double after_ns = 0;
};

// The program and the machine after a change, or with its threads bound by a plan.
struct ChangedReplay {
    ThreadProgram const& program;
    Machine const& machine;
    std::span<PlannedThread const> plan = {};
};

// What each of these saves, as a share of the row's time; below 0 it costs. None: too few replays came to
// their end. Errors: those of the replays. REQUIRES: forecast.varied, workers >= 1.
Result<std::vector<std::optional<Range>>> gain_ranges(Forecast const& forecast, ChangedReplay const& after,
                                                      std::span<TriedTime const> times, unsigned workers);

}  // namespace parcast::forecast
