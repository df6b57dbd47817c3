#include "extract/passes/broadcasts.h"

#include <algorithm>
#include <set>

#include "extract/passes/timeouts.h"

namespace parcast::extract {

namespace {

struct Generation {
    ThreadId caller;
    std::size_t release = 0;
    std::set<ThreadId> waiters;
    std::vector<std::size_t> waits;
    std::vector<EventReference> yields;  // of those who had arrived, but did not wait yet
    bool has_repeated_waiter = false;
};

std::vector<Generation> generations_of(Exchange const& exchange, std::span<Chain const> chains) {
    std::vector<Generation> generations(exchange.releases.size());
    for (std::size_t i = 0; i < generations.size(); ++i) {
        generations[i].caller = exchange.releases[i].event.thread;
        generations[i].release = i;
    }
    for (Chain const& chain : chains) {
        if (!chain.release)
            continue;
        Generation& generation = generations[*chain.release];
        bool const is_new = generation.waiters.insert(exchange.waits[chain.last()].event.thread).second;
        generation.has_repeated_waiter = generation.has_repeated_waiter || !is_new;
        generation.waits.push_back(chain.last());
    }
    std::erase_if(generations, [](Generation const& each) { return each.waiters.empty(); });
    return generations;
}

std::set<ThreadId> users_of(Exchange const& exchange) {
    std::set<ThreadId> users;
    for (Wait const& wait : exchange.waits)
        users.insert(wait.event.thread);
    for (Release const& release : exchange.releases)
        users.insert(release.event.thread);
    return users;
}

bool uses(Event const& event, Exchange const& exchange) {
    return !event.object.is_none() && event.object.value == exchange.object;
}

// The first yield of a row by which the thread passed the barrier that `when_ns` belongs to: after its last
// use of the futex before that time, and not followed by a wait, which the row would belong to. The recorder
// may be switched out inside the yield's hook, so the yield may be recorded after the release.
std::optional<EventReference> passing_yield(Timeline const& recorded, Exchange const& exchange,
                                            ThreadId thread, std::int64_t when_ns,
                                            std::set<EventReference> const& used) {
    auto const& events = recorded.events[thread.index()];
    auto event = std::ranges::partition_point(events.begin(), events.end(),
                                              [&](Event const& each) { return each.wall_ns <= when_ns; });
    while (event != events.begin() && !uses(*(event - 1), exchange))
        --event;
    for (; event != events.end() && !uses(*event, exchange); ++event) {
        EventReference const first{thread, static_cast<std::uint32_t>(event - events.begin())};
        bool const begins_row = event->kind == EventKind::yield && !used.contains(first);
        if (!begins_row)
            continue;
        // A wait's own yields follow each other closely; work in between begins another row.
        auto after = event + 1;
        while (after != events.end() && after->kind == EventKind::yield && after->cpu_ns < predicate_ns)
            ++after;
        if (after == events.end() || !uses(*after, exchange) || after->cpu_ns >= predicate_ns)
            return first;
        event = after - 1;
    }
    return std::nullopt;
}

// Lets those who were yielding when they were released count as waiters.
void count_yields(Timeline const& recorded, Exchange const& exchange, std::set<ThreadId> const& users,
                  std::vector<Generation>& generations) {
    std::set<EventReference> used;
    for (Generation& generation : generations) {
        for (ThreadId const user : users) {
            if (user == generation.caller || generation.waiters.contains(user))
                continue;
            auto const yield =
                passing_yield(recorded, exchange, user, exchange.releases[generation.release].end_ns, used);
            if (yield) {
                used.insert(*yield);
                generation.waiters.insert(user);
                generation.yields.push_back(*yield);
            }
        }
    }
}

std::vector<EventReference> yields_of(std::span<Generation const> generations) {
    std::vector<EventReference> yields;
    for (Generation const& generation : generations)
        yields.insert(yields.end(), generation.yields.begin(), generation.yields.end());
    return yields;
}

bool releases_all_others(Generation const& generation, std::size_t users) {
    return !generation.has_repeated_waiter && !generation.waiters.contains(generation.caller) &&
           generation.waiters.size() + 1 == users;
}

bool run_the_same_code(Generation const& generation, std::span<HeldMutex const> caller_mutexes,
                       std::span<HeldMutex const> waiter_mutexes) {
    HeldMutex const& caller = caller_mutexes[generation.release];
    return caller.mutex != no_object && !caller.locked_at.is_none() &&
           std::all_of(generation.waits.begin(), generation.waits.end(), [&](std::size_t wait) {
               return waiter_mutexes[wait].mutex == caller.mutex &&
                      waiter_mutexes[wait].locked_at == caller.locked_at;
           });
}

std::set<ThreadId> callers_of(std::span<Generation const> generations) {
    std::set<ThreadId> callers;
    for (Generation const& generation : generations)
        callers.insert(generation.caller);
    return callers;
}

// With every release satisfying all others, more than one caller means that each was in both roles.
bool roles_fit(Timeline const& recorded, std::span<Generation const> generations, std::size_t users,
               bool is_futex) {
    std::size_t const callers = callers_of(generations).size();
    if (users == 2)
        return callers == 2;
    if (!is_futex || callers > 1)
        return true;
    Generation const& only = generations.front();
    return generations.size() == 1 &&
           !std::all_of(only.waiters.begin(), only.waiters.end(), [&](ThreadId waiter) {
               return recorded.catalogue.threads[waiter.index()].parent == only.caller;
           });
}

}  // namespace

std::optional<FoundBarrier> barrier_behind(Timeline const& recorded, Exchange const& exchange,
                                           std::span<Chain const> chains,
                                           std::span<HeldMutex const> caller_mutexes,
                                           std::span<HeldMutex const> waiter_mutexes) {
    std::vector<Generation> generations = generations_of(exchange, chains);
    std::set<ThreadId> const all_users = users_of(exchange);
    std::size_t const users = all_users.size();
    bool const is_futex = caller_mutexes.empty();
    if (is_futex)
        count_yields(recorded, exchange, all_users, generations);
    bool const all_released =
        std::all_of(generations.begin(), generations.end(),
                    [&](Generation const& each) { return releases_all_others(each, users); });
    if (generations.empty() || users < 2 || !all_released ||
        !roles_fit(recorded, generations, users, is_futex)) {
        return std::nullopt;
    }
    if (is_futex) {
        return FoundBarrier{{static_cast<std::uint32_t>(users), ObjectId(exchange.object), ObjectId::none()},
                            yields_of(generations)};
    }
    std::uint32_t const mutex = caller_mutexes[generations.front().release].mutex;
    bool const is_one_code = std::all_of(generations.begin(), generations.end(), [&](Generation const& each) {
        return caller_mutexes[each.release].mutex == mutex &&
               run_the_same_code(each, caller_mutexes, waiter_mutexes);
    });
    if (!is_one_code)
        return std::nullopt;
    return FoundBarrier{{static_cast<std::uint32_t>(users), ObjectId(exchange.object), ObjectId(mutex)}, {}};
}

}  // namespace parcast::extract
