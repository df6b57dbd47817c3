// `parcast predict` as text: warnings, what was replayed on what, a row a CPU count, what it means,
// deadlocks, and what was taken for granted.

#pragma once

#include <string>
#include <string_view>

#include "answer/answer.h"
#include "report/layout.h"

namespace parcast::report {

std::string prediction_text(Answer const& prediction, Layout const& layout);

// For each CPU count a row a thread: when it begins and ends, and its time running, ready, blocked, in I/O,
// sleeping.
std::string threads_text(Answer const& prediction, Layout const& layout);

// What the extraction assumed, a paragraph each; in short form only their number and how to see them.
std::string assumptions_text(Answer const& prediction, Layout const& layout);

// The same for a task graph or a model, which `subject` names.
std::string taken_for_granted(Answer const& prediction, std::string_view subject, Layout const& layout);

// What most of the lost processor time of a run went to: "mutex queue_lock (queue.h:41) 6 %, no thread to run
// 2 %". Causes are shortened, and the second is left out, so that they fit behind `columns_before` columns of
// the line.
std::string lost_to(Row const& run, Catalogue const& catalogue, Layout const& layout,
                    std::size_t columns_before);

}  // namespace parcast::report
