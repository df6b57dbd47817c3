// Parts of the text of predictions.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "answer/answer.h"
#include "answer/binding.h"
#include "answer/theories.h"
#include "report/layout.h"

namespace parcast::report {

// Where a replayed program comes from: its command and its recording, or the file that it is written down in.
std::string origin_text(Answer const& prediction, Layout const& layout);

// "measured on 2 CPUs: 1.92 times as fast as on one (1.88 - 1.95)".
std::string measured_speed_up_text(MeasuredSpeedUp const& measured);

// For each number of CPUs that was measured, whether the prediction holds there. Empty: none was.
std::string measured_checks_text(Answer const& prediction, Layout const& layout);

// A row for each number of CPUs that was measured. Empty: none was.
std::string measured_table(Provenance const& from, Layout const& layout);

// A task graph's name, its size, and by what it is executed.
std::string graph_origin_text(Answer const& prediction, Layout const& layout);

// What each change brings, on the counts of the rows; of a task graph under its first schedule. Empty:
// nothing was changed.
std::string what_if_text(Answer const& prediction, Layout const& layout);

// Ranks that send messages: a row for each point of a sweep over values of the network, and which of these
// values each depends on most. REQUIRES: something is swept.
std::string network_points_text(Answer const& prediction, Layout const& layout);

// "Half the gap of a byte (G) would bring 31 %, half the latency (L) 3 %." Empty where nobody asked.
std::string network_effects_sentence(Row const& row);

// A program of messages or steps: its size, the network; of messages where its ranks are, and by which
// messages collective operations are done; of steps how clocks go on.
std::string messages_origin_text(Answer const& prediction, Layout const& layout);

// "parcast advise app.goal --network loggopsim": another question about the program on the same network.
std::string message_command(std::string const& verb, Answer const& prediction);

// Collective operations with other algorithms, the fastest first. Empty where nobody asked.
std::string compared_collectives_text(Answer const& prediction, Layout const& layout);

// Programs side by side: how long each takes, and what they share. Empty: it is one.
std::string message_jobs_text(Answer const& prediction, Layout const& layout);

// What to change first on the first counts, and how to see the rest; empty where nothing is to be said.
std::string first_advice_text(Answer const& prediction, Layout const& layout);

// The bounds beside a speed-up, with a mark where a prediction lies outside them.

// As printed: differences that the shown digits do not show are none. REQUIRES: no deadlock.
bool is_outside_bounds(Row const& run);

// Why a prediction can lie there.
inline constexpr std::string_view outside_bounds_note =
    "outside the ideal range, in which scheduling costs nothing and locks are taken in one order";

// With a place for the mark in every row, if one row needs it.
std::string bounds_head(bool has_marks);
std::string bounds_cell(Row const& run, bool has_marks);

// What the mark means, a line below the table; empty without marks.
std::string bounds_key(bool has_marks, Layout const& layout);

// Ranges of a row: "1.02 - 1.11 ms", "949 µs - 1.02 ms"; "1.85 - 1.97".
std::string time_range_text(Range const& range);
std::string speed_up_range_text(Range const& range);

// What a change takes off, as people read a time that grows or shrinks: "-41 %", "+2 %"; with its range
// "-41 % (-43 to -39)".
std::string change_of_time_text(double gain, std::optional<Range> const& range);

// What the ranges of a table mean, and what makes that on most CPUs wide; empty without ranges.
std::string ranges_key(Answer const& prediction, Layout const& layout);

// Several schedules of a task graph beside each other: what each takes on each number of CPUs, and which is
// the best there.

// No other schedule takes less on that number of CPUs; several can be.
bool is_best(std::vector<ScheduledRows> const& schedules, std::size_t schedule, std::size_t row);

// "1.50 - 2.00"; empty where there are none.
std::string range_text(std::optional<SpeedUpBounds> const& bounds);

// REQUIRES: more than one schedule. Few stand side by side, a row a number of CPUs. More get a row each,
// in two tables: times, and speed-ups with efficiencies. The best of each number of CPUs is marked '*'.
std::string schedule_table(std::vector<ScheduledRows> const& schedules, Layout const& layout);

// Where another schedule gains most over the first one; and what lpt gains over fifo, if that is not the
// same.
std::vector<std::string> gains(std::vector<ScheduledRows> const& schedules);

// Other theories beside a prediction of the deterministic model: `parcast predict GRAPH --compare`.

// Two tables, times of theories and bounds of the speed-up; and a sentence for each theory that does not
// apply.
std::string theories_text(Theories const& theories, Layout const& layout);

// "comparison" of docs/formats/predict.schema.json.
nlohmann::ordered_json theories_json(Theories const& theories);

// For how much of the time were how many processors busy? The profile of an execution as bars of text.

// A sign for each share of the processors, from none to all: its height is the share of the time. With many
// processors, neighbours share a sign. Empty if there is no time.
std::string busy_signs(std::vector<double> const& busy_for_ns);

// A line for each number of busy processors, or for a range of them, the most first.
std::string busy_histogram(std::vector<double> const& busy_for_ns);

// What to do with a binding, and what came of it.

// Lines of shell that bind the threads of a running process by their names; those of one name take their CPUs
// in the order in which they were created. $PID is the process. Empty: none has a name.
std::string taskset_lines(Catalogue const& catalogue, std::vector<std::uint32_t> const& cpu_of_thread);

// What to type, or to add to the program. `plan`: the file that was written, if there is one.
std::string how_to_bind(Answer const& basis, std::optional<std::string> const& plan, BindingOnCpus const& at,
                        Layout const& layout);

// Bound and unbound as measured, beside what was predicted; or why it was not. Empty: nobody asked.
std::string measured_binding_text(BindingOnCpus const& at, Layout const& layout);

}  // namespace parcast::report
