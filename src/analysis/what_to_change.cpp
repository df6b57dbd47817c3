#include "analysis/what_to_change.h"

#include <algorithm>
#include <functional>

namespace parcast::analysis {

namespace {

// Less of the larger piece brings hardly more than less of a smaller one within it: the smaller one is named.
constexpr double nearly_as_much = 0.8;

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
template <class Visit>
void WhatToChange::for_each_weight(std::span<std::int64_t const> weight_times_cpus, std::uint32_t cpus,
                                   Visit visit) const {
    for (std::size_t thread = 0; thread < program_.lists.size(); ++thread) {
        auto event = first_event_[thread];
        auto const end = first_event_[thread + 1];
        owners_.for_each_piece(ThreadId(thread),
                               [&](std::uint32_t number, Operation const& operation, auto of) {
                                   while (event < end && graph_.events()[events_[event]].operation < number)
                                       ++event;
                                   if (event != end)
                                       visit(thread, number, operation, of,
                                             static_cast<double>(weight_times_cpus[events_[event]]) / cpus);
                               });
    }
}

DecidedTime WhatToChange::on(std::uint32_t cpus) const {
    auto const weighted = path_.on(cpus);
    DecidedTime decided{static_cast<double>(weighted.completion_times_cpus) / cpus,
                        std::vector<double>(owners_.count(), 0)};
    for_each_weight(weighted.weight_times_cpus, cpus,
                    [&](std::size_t, std::uint32_t, Operation const& operation, auto of, double weight) {
                        for (auto const owner : of)
                            decided.decided_ns[owner] += weight * static_cast<double>(operation.work_ns);
                    });
    return decided;
}

std::vector<std::vector<float>> WhatToChange::weights_on(std::uint32_t cpus) const {
    std::vector<std::vector<float>> weights;
    for (auto const& list : program_.lists)
        weights.emplace_back(list.size());
    for_each_weight(path_.on(cpus).weight_times_cpus, cpus,
                    [&](std::size_t thread, std::uint32_t number, Operation const&, auto, double weight) {
                        weights[thread][number] = static_cast<float>(weight);
                    });
    return weights;
}

std::vector<ChangeableWork> changeable_work(WhatToChange const& what) {
    std::vector<ChangeableWork> work;
    auto const& owners = what.owners();
    for (std::size_t owner = 0; owner < owners.count(); ++owner)
        work.push_back({owners.kind(owner), owners.name(owner), owners.site(owner), owners.object(owner),
                        what.work()[owner].calls, what.work()[owner].work_ns});
    return work;
}

AdviceOnCpus advice_on(WhatToChange const& what, std::uint32_t cpus) {
    auto const decided = what.on(cpus);
    AdviceOnCpus at{cpus, std::nullopt, decided.completion_ns, {}, std::nullopt};
    for (std::size_t owner = 0; owner < what.owners().count(); ++owner)
        if (auto const work_ns = static_cast<double>(what.work()[owner].work_ns); work_ns > 0)
            at.rows.push_back({owner, decided.decided_ns[owner] / work_ns, decided.decided_ns[owner], {}});
    std::ranges::stable_sort(at.rows, std::greater(), &AdviceRow::decided_ns);
    double most = 0;
    for (std::size_t row = 0; row < at.rows.size(); ++row) {
        auto const& [owner, weight, decided_ns, tried] = at.rows[row];
        auto const kind = what.owners().kind(owner);
        if ((kind != OwnerKind::function && kind != OwnerKind::lock) || decided_ns <= 0)
            continue;
        most = std::max(most, decided_ns);
        bool const is_smaller =
            !at.first || what.work()[owner].work_ns < what.work()[at.rows[*at.first].work].work_ns;
        if (decided_ns >= nearly_as_much * most && is_smaller)
            at.first = row;
    }
    return at;
}

}  // namespace parcast::analysis
