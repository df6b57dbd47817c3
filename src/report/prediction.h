// A prediction as text and as JSON.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "answer/answer.h"
#include "report/json/prediction_rows_json.h"
#include "report/layout.h"

namespace parcast::report {

// `parcast predict` as text: warnings, what was replayed on what, a row a CPU count, what it means,
// and deadlocks.
std::string prediction_text(Answer const& prediction, Layout const& layout);

// For each CPU count a row a thread: when it begins and ends, and its time running, ready, blocked, in I/O,
// sleeping.
std::string threads_text(Answer const& prediction, Layout const& layout);

// What the prediction assumes, a paragraph each; in short form only their number and how to see them.
std::string assumptions_text(Answer const& prediction, Layout const& layout);

// What most of the lost processor time of a run went to: "mutex queue_lock (queue.h:41) 6 %, no thread 2 %".
// Causes are shortened, and the second is left out, so that they fit behind `columns_before` columns of
// the line.
Cell lost_to(Row const& run, Catalogue const& catalogue, Layout const& layout, std::size_t columns_before);

// `parcast predict GRAPH` as text: the graph, a table, what it means. One schedule gets a row a number of
// processors with what was lost; a few are compared side by side; many get a row each.
std::string task_graph_text(Answer const& prediction, Layout const& layout);

// What all speed-ups refer to: one baseline for all schedules, so that the one with the higher speed-up is
// the faster one. Empty where it is the first row of the only one.
std::string baseline_of(Answer const& prediction);

// `parcast predict STEPS` as text: what both algorithms say, where the time goes, and of which ranks. All
// ranks are listed with `every_rank`, else the slowest and the median.
std::string steps_text(Answer const& prediction, Layout const& layout, bool every_rank);

// `parcast predict MESSAGES` as text: the time, how efficient it is and why, and where ranks wait.
std::string messages_text(Answer const& prediction, Layout const& layout, bool every_rank);

// What `parcast predict MODEL` prints for people.
//
// With many points some are shown, at equal distances; the text says so. With Detail::all no assumption is
// left out.
std::string model_prediction_text(Answer const& prediction, Layout const& layout);

// The answer of `parcast predict --json`, for every form of program: docs/formats/predict.schema.json.

// Hands the text to `print` in pieces, as long as that returns true: the sweep of a model may have ten
// million points. A prediction per line.
void print_prediction_json(Answer const& answer, std::string_view version, ThreadRows threads,
                           std::function<bool(std::string const&)> const& print);

// The same as one document, for the page.
nlohmann::ordered_json prediction_document(Answer const& answer, std::string_view version);

// Parts that `scale` shares.
nlohmann::ordered_json machine_json(MachineBasis const& machine);
nlohmann::ordered_json predictions_json(Answer const& answer, ThreadRows threads);

}  // namespace parcast::report
