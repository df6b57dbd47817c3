#include "extract/polling/polling.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "extract/passes/locks.h"
#include "extract/polling/course_of_others.h"
#include "extract/polling/evidence.h"
#include "extract/polling/nap_rows.h"

namespace parcast::extract {

namespace {

// A few naps more or less make no difference to a run.
constexpr std::int64_t negligible_part = 100;

struct Cause {
    EventReference event;
    std::int64_t left_ns = 0;
};

// Rule 2.
class CauseSearch {
public:
    // All of it is the caller's.
    CauseSearch(Timeline const& recorded, CourseOfOthers const& others, NapGroup const& group,
                std::set<Deed> const& rare)
        : recorded_(recorded), others_(others), group_(group), rare_(rare) {}

    std::vector<Cause> causes_of(NapRow const& row) const {
        LookInterval interval = last_interval(recorded_, row);
        if (row.is_cancelled)
            interval.to_ns = recorded_.events[row.thread.index()].back().wall_ns;
        std::optional<Cause> joins;
        std::optional<Cause> rare;
        std::optional<Cause> latest;
        others_.visit_events(row.thread, interval, [&](EventReference reference, Event const& event) {
            Deed const deed = deed_of(row.thread, event);
            keep_latest(reference, event, latest);
            if (deed == joins_the_napper)
                keep_latest(reference, event, joins);
            if (rare_.contains(deed))
                keep_latest(reference, event, rare);
        });
        if (joins)
            return {*joins};
        if (row.is_cancelled)
            return whoever_runs_at(row.thread, interval.to_ns);
        if (others_.came_to_rest(interval, least_rest_ns(group_.nap_ns)))
            return latest_of_all(row, interval.to_ns);
        if (rare || latest)
            return {rare ? *rare : *latest};
        return whoever_runs_at(row.thread, interval.to_ns);
    }

private:
    std::vector<Cause> whoever_runs_at(ThreadId napper, std::int64_t when_ns) const {
        auto const running = others_.running_at(napper, when_ns);
        return running ? std::vector{Cause{running->next, running->left_ns}} : std::vector<Cause>{};
    }

    void keep_latest(EventReference reference, Event const& event, std::optional<Cause>& found) const {
        auto const wall_ns = [&](Cause const& cause) {
            return recorded_.events[cause.event.thread.index()][cause.event.index].wall_ns;
        };
        if (!found || wall_ns(*found) <= event.wall_ns)
            found = Cause{reference};
    }

    // What each of the others did last before it came to rest, if that was after the row began.
    std::vector<Cause> latest_of_all(NapRow const& row, std::int64_t until_ns) const {
        std::int64_t const from_ns = recorded_.events[row.thread.index()][row.first()].wall_ns;
        std::vector<Cause> causes;
        for (std::size_t thread = 0; thread < recorded_.events.size(); ++thread) {
            if (ThreadId(thread) == row.thread)
                continue;
            auto const call = others_.latest_call(ThreadId(thread), until_ns);
            if (call && recorded_.events[thread][call->index].wall_ns > from_ns)
                causes.push_back({*call});
        }
        return causes;
    }

    Timeline const& recorded_;
    CourseOfOthers const& others_;
    NapGroup const& group_;
    std::set<Deed> const& rare_;
};

// Rows of a thread in which it holds a lock but the mutex of its wait: by their first event.
std::set<std::uint32_t> rows_under_locks(Timeline const& recorded, ThreadId thread,
                                         std::set<std::uint32_t> const& firsts) {
    std::set<std::uint32_t> found;
    HeldLocks held;
    auto const& events = recorded.events[thread.index()];
    for (std::uint32_t i = 0; i < events.size() && !firsts.empty() && i <= *firsts.rbegin(); ++i) {
        Event const event = events[i];
        held.observe(event);
        bool const is_free = held.empty() || (held.only() != no_object && held.only() == event.related);
        if (firsts.contains(i) && !is_free)
            found.insert(i);
    }
    return found;
}

struct WaitingRow {
    NapRow const* row;
    std::int64_t nap_ns;  // none if it looks no more
    std::vector<Cause> causes;
};

class PollingPlanner {
public:
    PollingPlanner(Timeline& recorded, Plan& plan) : recorded_(recorded), plan_(plan) {}

    // The rows of one thread, in their order.
    void plan_thread(ThreadId thread, std::vector<WaitingRow>& rows) {
        std::ranges::sort(rows, {}, [](WaitingRow const& each) { return each.row->first(); });
        std::set<std::uint32_t> firsts;
        for (WaitingRow const& each : rows)
            firsts.insert(each.row->first());
        auto const locked = rows_under_locks(recorded_, thread, firsts);
        std::uint32_t const object = add_semaphore(rows.front());
        std::uint32_t unit = 0;
        for (WaitingRow const& each : rows)
            if (!locked.contains(each.row->first()))
                plan_row(each, object, unit);
    }

private:
    std::uint32_t add_semaphore(WaitingRow const& first) {
        Object object;
        object.kind = ObjectKind::semaphore;
        object.name = "of naps";
        object.first_site = recorded_.events[first.row->thread.index()][first.row->first()].site;
        object.initial_value = 0;
        recorded_.catalogue.objects.push_back(object);
        plan_.objects.emplace_back();
        return static_cast<std::uint32_t>(plan_.objects.size() - 1);
    }

    void plan_row(WaitingRow const& waiting, std::uint32_t object, std::uint32_t& unit) {
        EventReference const last{waiting.row->thread, waiting.row->last()};
        std::uint32_t const mutex = plan_.step(last).released_mutex;
        for (std::uint32_t i = waiting.row->first(); i < waiting.row->last(); ++i)
            plan_.at({last.thread, i}) = absorbed();
        if (mutex != no_object)
            insert(last, AddedOperation::Where::before, OperationKind::unlock, mutex);
        for (std::size_t i = 0; i < waiting.causes.size(); ++i) {
            Cause const& cause = waiting.causes[i];
            plan_.added.push_back({cause.event, AddedOperation::Where::before, cause.left_ns,
                                   OperationKind::semaphore_post, object, encode(TokenGrant{1, unit})});
            std::int64_t const number = encode_number(unit++);
            if (i + 1 < waiting.causes.size())
                insert(last, AddedOperation::Where::before, OperationKind::semaphore_wait, object, number);
            else
                plan_.at(last) = operation(OperationKind::semaphore_wait, object, number);
        }
        insert(last, AddedOperation::Where::after, OperationKind::delay, no_object, waiting.nap_ns / 2);
        if (mutex != no_object)
            insert(last, AddedOperation::Where::after, OperationKind::lock, mutex);
    }

    void insert(EventReference at, AddedOperation::Where where, OperationKind kind, std::uint32_t object,
                std::int64_t value = 0) {
        plan_.added.push_back({at, where, 0, kind, object, value});
    }

    Timeline& recorded_;
    Plan& plan_;
};

Polling polling_of(NapGroup const& group, NapMeaning meaning) {
    Polling polling{group.site,   group.rows.front().thread, 0,
                    group.naps(), Duration{group.nap_ns},    meaning == NapMeaning::waiting};
    std::set<ThreadId> threads;
    for (NapRow const& row : group.rows)
        threads.insert(row.thread);
    polling.thread = *threads.begin();
    polling.threads = std::ssize(threads);
    return polling;
}

}  // namespace

void plan_polling(Timeline& recorded, Plan& plan) {
    auto const [groups, satisfied] = find_naps(recorded, plan);
    for (NapRow const& row : satisfied)
        for (std::uint32_t const nap : row.naps)
            take_no_time({row.thread, nap}, plan);
    if (groups.empty() || recorded.events.size() < 2)
        return;
    CourseOfOthers const others(recorded, groups);
    std::map<ThreadId, std::vector<WaitingRow>> waiting;
    for (NapGroup const& group : groups) {
        NapEvidence const evidence = evidence_of(recorded, others, group);
        if (evidence.meaning == NapMeaning::time)
            continue;
        Polling& polling = plan.polling.emplace_back(polling_of(group, evidence.meaning));
        if (evidence.meaning == NapMeaning::either)
            continue;
        CauseSearch const search(recorded, others, group, evidence.rare);
        std::int64_t open_ns = 0;  // of naps that stay as they are
        for (NapRow const& row : group.rows) {
            if (row.is_unfinished)
                continue;
            if (auto causes = search.causes_of(row); !causes.empty())
                waiting[row.thread].push_back({&row, row.is_cancelled ? 0 : group.nap_ns, std::move(causes)});
            else
                open_ns += group.nap_ns * std::ssize(row.naps);
        }
        polling.is_understood = open_ns <= recorded.length.ns / negligible_part;
    }
    PollingPlanner planner(recorded, plan);
    for (auto& [thread, rows] : waiting)
        planner.plan_thread(thread, rows);
    // At its own naps a thread has done what others wait for.
    std::ranges::stable_sort(plan.added, {}, [](AddedOperation const& each) {
        return std::tuple(each.event, each.where, -each.left_ns, each.kind != OperationKind::semaphore_post);
    });
}

}  // namespace parcast::extract
