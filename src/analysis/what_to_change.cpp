#include "analysis/what_to_change.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parcast::analysis {

namespace {

// Less of all that a function does brings hardly more than less of what it does under a lock: the lock is
// named.
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
    for (EventNumber number = 0; number < graph.size(); ++number)
        if (auto const event = graph[number]; ends_work(event))
            ++first_event_[event.thread.index() + 1];
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        first_event_[thread + 1] += first_event_[thread];
    events_.resize(first_event_.back());
    auto next = first_event_;
    for (EventNumber number = 0; number < graph.size(); ++number)
        if (auto const event = graph[number]; ends_work(event))
            events_[next[event.thread.index()]++] = number;
    // In the order of the list, in which the client-server model does not execute it.
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        std::span const own =
            std::span(events_).subspan(first_event_[thread], first_event_[thread + 1] - first_event_[thread]);
        auto const place = [&](EventNumber event) { return graph[event].operation; };
        if (!std::ranges::is_sorted(own, {}, place))
            std::ranges::stable_sort(own, {}, place);
    }
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        owners_.for_each_piece(ThreadId(thread), [&](std::uint32_t, Operation const& operation, auto of) {
            for (auto const& [owner, share, calls] : of) {
                work_[owner].calls += calls;
                work_[owner].work_ns += share * static_cast<double>(operation.work_ns);
            }
        });
    for (OwnedWork& each : work_)
        each.work_ns = std::round(each.work_ns);
}

// Operations that concern nobody else have no event: their work is weighed as what comes after it.
template <class Visit>
void WhatToChange::for_each_weighed_piece(Visit visit) const {
    for (std::size_t thread = 0; thread < program_.lists.size(); ++thread) {
        auto event = first_event_[thread];
        auto const end = first_event_[thread + 1];
        owners_.for_each_piece(ThreadId(thread),
                               [&](std::uint32_t number, Operation const& operation, auto of) {
                                   while (event < end && graph_[events_[event]].operation < number)
                                       ++event;
                                   if (event < end)
                                       visit(ThreadId(thread), number, operation, of, events_[event]);
                               });
    }
}

template <class Use>
void WhatToChange::weigh(std::uint32_t cpus, std::span<double const> speeds, Use use) const {
    if (speeds.empty())
        use(path_.on(cpus));
    else
        use(path_.on(cpus, speeds));
}

DecidedTime WhatToChange::on(std::uint32_t cpus, std::span<double const> speeds) const {
    DecidedTime decided{0, std::vector<double>(owners_.count(), 0)};
    weigh(cpus, speeds, [&](auto const& weighted) {
        decided.completion_ns = static_cast<double>(weighted.completion_times_cpus) / cpus;
        for_each_weighed_piece(
            [&](ThreadId, std::uint32_t, Operation const& operation, auto of, EventNumber event) {
                double const weight = static_cast<double>(weighted.weight_times_cpus[event]) / cpus;
                for (auto const& [owner, share, calls] : of)
                    decided.decided_ns[owner] += weight * share * static_cast<double>(operation.work_ns);
            });
    });
    return decided;
}

// If several pieces precede one event, each ends where the next one begins.
std::vector<WorkSegment> WhatToChange::segments() const {
    std::vector<WorkSegment> segments;
    std::vector<EventNumber> ended_by;
    for_each_weighed_piece(
        [&](ThreadId thread, std::uint32_t, Operation const& operation, auto, EventNumber event) {
            if (operation.work_ns == 0)
                return;
            segments.push_back({thread, operation.site(), Instant{-operation.work_ns}, Instant{0}});
            ended_by.push_back(event);
        });
    for (std::size_t i = segments.size(); i-- > 0;) {
        bool const is_last = i + 1 == segments.size() || ended_by[i + 1] != ended_by[i];
        segments[i].end = is_last ? graph_.when(ended_by[i]) : segments[i + 1].begin;
        segments[i].begin.ns += segments[i].end.ns;
    }
    return segments;
}

std::vector<double> WhatToChange::weights_times_cpus(std::uint32_t cpus,
                                                     std::span<double const> speeds) const {
    std::vector<double> weights;
    weigh(cpus, speeds, [&](auto const& weighted) {
        for_each_weighed_piece(
            [&](ThreadId, std::uint32_t, Operation const& operation, auto, EventNumber event) {
                if (operation.work_ns > 0)
                    weights.push_back(static_cast<double>(weighted.weight_times_cpus[event]));
            });
    });
    return weights;
}

std::vector<std::vector<float>> WhatToChange::weights_on(std::uint32_t cpus,
                                                         std::span<double const> speeds) const {
    std::vector<std::vector<float>> weights;
    for (auto const& list : program_.lists)
        weights.emplace_back(list.size());
    weigh(cpus, speeds, [&](auto const& weighted) {
        for_each_weighed_piece(
            [&](ThreadId thread, std::uint32_t number, Operation const&, auto, EventNumber event) {
                weights[thread.index()][number] =
                    static_cast<float>(weighted.weight_times_cpus[event]) / static_cast<float>(cpus);
            });
    });
    return weights;
}

std::vector<ChangeableWork> changeable_work(WhatToChange const& what) {
    std::vector<ChangeableWork> work;
    auto const& owners = what.owners();
    for (std::size_t owner = 0; owner < owners.count(); ++owner) {
        work.push_back({owners.kind(owner), owners.name(owner), owners.site(owner), owners.locks(owner),
                        what.work()[owner].calls, what.work()[owner].work_ns});
        if (owners.kind(owner) == OwnerKind::function && owners.has_shares())
            work.back().total_ns = what.work()[owners.with_callees(owner)].work_ns;
    }
    return work;
}

std::vector<AdviceRow> rows_of(DecidedTime const& decided, std::vector<ChangeableWork> const& work) {
    std::vector<AdviceRow> rows;
    for (std::size_t owner = 0; owner < work.size(); ++owner)
        if (work[owner].self_ns > 0)
            rows.push_back(
                {owner, decided.decided_ns[owner] / work[owner].self_ns, decided.decided_ns[owner], {}});
    std::ranges::stable_sort(rows, std::greater(), &AdviceRow::decided_ns);
    return rows;
}

bool is_changeable(OwnerKind kind) {
    return kind == OwnerKind::function || kind == OwnerKind::lock || kind == OwnerKind::group;
}

std::optional<std::size_t> first_to_change(std::vector<AdviceRow> const& rows,
                                           std::vector<ChangeableWork> const& work,
                                           std::function<double(AdviceRow const&)> const& brings) {
    auto const own = [&](std::size_t row) -> ChangeableWork const& { return work[rows[row].work]; };
    std::optional<std::size_t> first;
    double most = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (is_changeable(own(row).kind) && brings(rows[row]) > most) {
            first = row;
            most = brings(rows[row]);
        }
    for (std::size_t row = 0; first && row < rows.size(); ++row)
        if (own(row).kind == OwnerKind::lock && own(row).self_ns < own(*first).self_ns &&
            brings(rows[row]) >= nearly_as_much * most)
            first = row;
    return first;
}

std::optional<std::size_t> first_to_change(std::vector<AdviceRow> const& rows,
                                           std::vector<ChangeableWork> const& work) {
    return first_to_change(rows, work, [](AdviceRow const& row) { return row.decided_ns; });
}

std::optional<std::size_t> first_by_trial(AdviceOnCpus const& at, std::vector<ChangeableWork> const& work) {
    bool was_tried = false;
    auto const first = first_to_change(at.rows, work, [&](AdviceRow const& row) {
        auto const tried = std::ranges::find(row.tried, 0.5, &TriedChange::factor);
        if (tried == row.tried.end())
            return 0.0;
        was_tried = true;
        return tried->time_ns ? *at.time_ns - *tried->time_ns : 0.0;
    });
    return was_tried ? first : at.first;
}

AdviceOnCpus advice_on(WhatToChange const& what, std::vector<ChangeableWork> const& work, std::uint32_t cpus,
                       std::span<double const> speeds) {
    auto const decided = what.on(cpus, speeds);
    AdviceOnCpus at;
    at.cpus = cpus;
    at.completion_ns = decided.completion_ns;
    at.rows = rows_of(decided, work);
    at.first = first_to_change(at.rows, work);
    return at;
}

}  // namespace parcast::analysis
