// A task graph, steps or messages, and how their tasks are mapped to threads -> the static analysis.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "answer/signature_mapping.h"
#include "core/result.h"
#include "import/task_graph_format.h"
#include "machine/ready_policy.h"
#include "model/events_threads/load_imbalance.h"
#include "program/message_program.h"
#include "program/step_program.h"

namespace parcast::forecast {

struct MappingQuestion {
    std::optional<double> cv;           // of a task's work; none: as the tasks of the program have it
    double correlation = 0;             // of the works of two tasks
    std::optional<model::WorkLaw> law;  // of a thread's work; the CV of normal ones comes from those above
    bool matrices = false;
};

// "exponential", "uniform", "normal", "erlang:4". Errors: unasked, naming what may be written.
Result<model::WorkLaw> parse_work_law(std::string_view text);
std::string name_of(model::WorkLaw const& law);

// `policy`: one that decides before the program runs; tasks that it leaves to any process are on thread 0.
// Rows for each number of threads. Errors: unasked (another policy, or the graph says too little for it),
// out_of_range (a correlation that so many tasks cannot have), those of the graph's formulas. REQUIRES: the
// graph passes its check.
Result<SignatureMapping> mapped_graph(ImportedGraph const& imported, std::span<std::uint32_t const> threads,
                                      ReadyPolicy const& policy, MappingQuestion const& question);
// By rank. Errors: out_of_range, as above.
Result<SignatureMapping> mapped_steps(StepProgram const& program, MappingQuestion const& question);
Result<SignatureMapping> mapped_messages(MessageProgram const& program, MappingQuestion const& question);

}  // namespace parcast::forecast
