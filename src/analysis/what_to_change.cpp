#include "analysis/what_to_change.h"

namespace parcast::analysis {

namespace {

bool ends_work(CausedEvent const& event) {
    return event.what == CausedEvent::What::work_ends && !event.thread.is_none();
}

}  // namespace

WhatToChange::WhatToChange(ThreadProgram const& program, CauseGraph const& graph)
    : program_(program),
      owners_(program),
      path_(graph),
      first_event_(program.lists.size() + 1, 0),
      graph_(graph),
      work_(owners_.count()) {
    for (auto const& event : graph.events())
        if (ends_work(event))
            ++first_event_[event.thread.index() + 1];
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        first_event_[thread + 1] += first_event_[thread];
    events_.resize(first_event_.back());
    auto next = first_event_;
    for (EventNumber number = 0; number < graph.events().size(); ++number)
        if (auto const& event = graph.events()[number]; ends_work(event))
            events_[next[event.thread.index()]++] = number;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        owners_.for_each_piece(ThreadId(thread), [&](std::uint32_t, Operation const& operation, auto of) {
            for (auto const owner : of) {
                ++work_[owner].calls;
                work_[owner].work_ns += operation.work_ns;
            }
        });
}

// Operations that concern nobody else have no event: their work is weighed as what comes after it.
DecidedTime WhatToChange::on(std::uint32_t cpus) const {
    auto const weighted = path_.on(cpus);
    DecidedTime decided{static_cast<double>(weighted.completion_times_cpus) / cpus,
                        std::vector<double>(owners_.count(), 0)};
    for (std::size_t thread = 0; thread < program_.lists.size(); ++thread) {
        auto event = first_event_[thread];
        auto const end = first_event_[thread + 1];
        owners_.for_each_piece(
            ThreadId(thread), [&](std::uint32_t number, Operation const& operation, auto of) {
                while (event < end && graph_.events()[events_[event]].operation < number)
                    ++event;
                if (event == end || operation.work_ns == 0)
                    return;
                double const weight = static_cast<double>(weighted.weight_times_cpus[events_[event]]) / cpus;
                for (auto const owner : of)
                    decided.decided_ns[owner] += weight * static_cast<double>(operation.work_ns);
            });
    }
    return decided;
}

}  // namespace parcast::analysis
