#include "extract/passes/broadcasts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace parcast::extract {

namespace {

struct Generation {
    ThreadId caller;
    std::size_t release = 0;
    std::set<ThreadId> waiters;
    std::vector<std::size_t> waits;
    std::vector<EventReference> arrivals;  // beside those waits, and the release that ended some
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

// Goes through the generations of a futex in their order, and counts threads that had arrived without waiting
// as waiters.
class UnwaitedArrivals {
public:
    UnwaitedArrivals(Yields const& yields, Exchange const& exchange, std::set<ThreadId> const& users)
        : exchange_(exchange), users_(users), yields_(yields, exchange) {}

    void add_to(std::vector<Generation>& generations) {
        for (Generation& generation : generations)
            add_to(generation);
    }

private:
    void add_to(Generation& generation) {
        auto const released_ns = exchange_.releases[generation.release].end_ns;
        auto early = note_waits(generation, released_ns);
        std::vector<EventReference> found;
        for (ThreadId const user : users_) {
            if (user == generation.caller || generation.waiters.contains(user))
                continue;
            if (auto const yield = yields_.next(user, released_ns))
                found.push_back(*yield);
            else if (auto const before = early_.find(user); before != early_.end())
                found.push_back(before->second);
        }
        // A release that finds nobody waiting is a generation if all others are on their way to wait.
        if (generation.waiters.empty() && found.size() + 1 < users_.size())
            return;
        early_ = std::move(early);
        for (EventReference const arrival : found) {
            yields_.arrive(arrival);
            generation.waiters.insert(arrival.thread);
        }
        generation.arrivals = std::move(found);
        if (generation.waits.empty())
            generation.arrivals.push_back(exchange_.releases[generation.release].event);
    }

    // The yields before waits that this generation ended. A thread that had yielded before it waited may have
    // arrived by its yields, and waited for the next generation already: it was woken late, and for nothing.
    std::map<ThreadId, EventReference> note_waits(Generation const& generation, std::int64_t released_ns) {
        std::map<ThreadId, EventReference> early;
        for (std::size_t const index : generation.waits) {
            Wait const& wait = exchange_.waits[index];
            if (auto const yield = yields_.next(wait.event.thread, released_ns))
                early.emplace(wait.event.thread, *yield);
            yields_.arrive(wait.event);
        }
        yields_.arrive(exchange_.releases[generation.release].event);
        return early;
    }

    Exchange const& exchange_;
    std::set<ThreadId> const& users_;
    YieldedArrivals yields_;
    std::map<ThreadId, EventReference> early_;  // of the generation before
};

std::vector<EventReference> arrivals_of(std::span<Generation const> generations) {
    std::vector<EventReference> arrivals;
    for (Generation const& generation : generations)
        arrivals.insert(arrivals.end(), generation.arrivals.begin(), generation.arrivals.end());
    return arrivals;
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
                                           std::span<HeldMutex const> waiter_mutexes, Yields const* yields) {
    std::vector<Generation> generations = generations_of(exchange, chains);
    std::set<ThreadId> const all_users = users_of(exchange);
    std::size_t const users = all_users.size();
    bool const is_futex = yields != nullptr;
    if (is_futex)
        UnwaitedArrivals(*yields, exchange, all_users).add_to(generations);
    std::erase_if(generations, [](Generation const& each) { return each.waiters.empty(); });
    bool const all_released =
        std::all_of(generations.begin(), generations.end(),
                    [&](Generation const& each) { return releases_all_others(each, users); });
    if (generations.empty() || users < 2 || !all_released ||
        !roles_fit(recorded, generations, users, is_futex)) {
        return std::nullopt;
    }
    if (is_futex) {
        return FoundBarrier{{static_cast<std::uint32_t>(users), ObjectId(exchange.object), ObjectId::none()},
                            arrivals_of(generations)};
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
