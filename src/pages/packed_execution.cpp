#include "pages/packed_execution.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "core/counted.h"
#include "page/content.h"
#include "pages/executions.h"
#include "view/execution.h"

namespace parcast::pages {

namespace {

// "execution-batch-4-8": an element's id has letters, digits and hyphens only.
std::string element_id(std::string scheduler, std::uint32_t cpus) {
    std::ranges::replace(scheduler, ':', '-');
    return "execution-" + scheduler + "-" + std::to_string(cpus);
}

// "8 CPUs", "1, 2 and 4 CPUs"
std::string counts_text(std::set<std::uint32_t> const& counts) {
    std::string text;
    for (auto const cpus : counts)
        text += (text.empty() ? "" : cpus == *counts.rbegin() ? " and " : ", ") + std::to_string(cpus);
    return text + (counts == std::set<std::uint32_t>{1} ? " CPU" : " CPUs");
}

// Under several schedules there are counts with a timeline of one and none of another.
std::string sentence_of_what_is_missing(std::set<std::uint32_t> const& counts, std::size_t left_out,
                                        std::vector<PackedExecution> const& executions) {
    bool const is_one_schedule = std::ranges::adjacent_find(executions, std::not_equal_to(),
                                                            &PackedExecution::scheduler) == executions.end();
    return is_one_schedule ? "The timeline on " + counts_text(counts) +
                                 " is left out because it is too large: only its sums are here."
                           : count_text(static_cast<std::int64_t>(left_out)) + " of " +
                                 counted(static_cast<std::int64_t>(executions.size()), "timeline") +
                                 " are left out because they are too large: only their sums are here.";
}

}  // namespace

PackedExecution packed_execution(forecast::Forecast const& forecast, Row& row) {
    auto& timeline = row.run.timeline;
    PackedExecution execution{scheduler_of(row, forecast.answer),
                              row.schedule,
                              forecast.answer.has_messages() ? row.run.accounts.cpus : row.cpus,
                              timeline.has_value(),
                              {},
                              {}};
    if (timeline) {
        bool const is_replayed = forecast.answer.is_replayed();
        // Arrivals of too many operations would make the page too large.
        if (is_replayed && operation_count(forecast.threads()) > view::most_events)
            timeline->arrivals.clear();
        execution.packed = page::packed(execution_bytes(forecast, row));
        timeline.reset();
        if (forecast.answer.form() == Form::task_graph)
            row.run.accounts.threads.clear();
    }
    execution.without_timeline = page::packed(execution_bytes(forecast, row));
    return execution;
}

void add_executions(ReportElements& report, std::vector<PackedExecution> executions, bool has_simulator) {
    std::size_t left = most_packed_bytes;
    std::set<std::uint32_t> without;
    std::size_t left_out = 0;
    for (auto& execution : executions) {
        bool const fits = execution.has_timeline && execution.packed.size() <= left;
        auto& text = fits ? execution.packed : execution.without_timeline;
        // Accounts alone would keep the page from asking the simulator for more.
        bool const is_wanted = fits || !has_simulator;
        if (is_wanted) {
            left -= std::min(left, text.size());
            report.elements.push_back({element_id(execution.scheduler, execution.cpus), std::move(text)});
        }
        if (!fits) {
            without.insert(execution.cpus);
            ++left_out;
        }
    }
    if (!without.empty() && !has_simulator) {
        report.notes.push_back(sentence_of_what_is_missing(without, left_out, executions) +
                               " See it with: parcast view FILE");
    } else if (!without.empty()) {
        report.notes.push_back(
            "The timeline on " + counts_text(without) +
            " is too large to lie in this report: the page computes it when it is asked for, "
            "where the browser runs WebAssembly.");
    }
}

}  // namespace parcast::pages
