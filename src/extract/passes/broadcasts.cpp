#include "extract/passes/broadcasts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace parcast::extract {

namespace {

struct Generation {
    ThreadId caller;
    std::uint32_t release = 0;
    std::set<ThreadId> waiters;
    std::vector<std::uint32_t> waits;
    std::vector<EventReference> arrivals;  // beside those waits, and the release that ended some
    bool has_repeated_waiter = false;
};

// The chains that each release satisfied.
class SatisfiedChains {
public:
    SatisfiedChains(Exchange const& exchange, std::span<Chain const> chains)
        : exchange_(exchange), chains_(chains), first_(exchange.releases.size() + 1) {
        for (Chain const& chain : chains)
            if (chain.is_released())
                ++first_[chain.release + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        by_release_.resize(first_.back());
        auto next = first_;
        for (std::uint32_t i = 0; i < chains.size(); ++i)
            if (chains[i].is_released())
                by_release_[next[chains[i].release]++] = i;
    }

    Generation generation(std::uint32_t release) const {
        Generation generation;
        generation.caller = exchange_.releases[release].event.thread;
        generation.release = release;
        for (std::uint32_t i = first_[release]; i < first_[release + 1]; ++i) {
            std::uint32_t const last = chains_[by_release_[i]].last;
            bool const is_new = generation.waiters.insert(exchange_.waits[last].event.thread).second;
            generation.has_repeated_waiter = generation.has_repeated_waiter || !is_new;
            generation.waits.push_back(last);
        }
        return generation;
    }

private:
    Exchange const& exchange_;
    std::span<Chain const> chains_;
    std::vector<std::uint32_t> first_;  // by release, into:
    std::vector<std::uint32_t> by_release_;
};

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
    UnwaitedArrivals(Timeline const& recorded, Yields const& yields, Exchange const& exchange,
                     std::set<ThreadId> const& users)
        : recorded_(recorded), exchange_(exchange), users_(users), yields_(yields, exchange) {}

    void add_to(Generation& generation) {
        auto const released_ns = event_at(recorded_, exchange_.releases[generation.release].event).wall_ns;
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

private:
    // The yields before waits that this generation ended. A thread that had yielded before it waited may have
    // arrived by its yields, and waited for the next generation already: it was woken late, and for nothing.
    std::map<ThreadId, EventReference> note_waits(Generation const& generation, std::int64_t released_ns) {
        std::map<ThreadId, EventReference> early;
        for (std::uint32_t const index : generation.waits) {
            Wait const& wait = exchange_.waits[index];
            if (auto const yield = yields_.next(wait.event.thread, released_ns))
                early.emplace(wait.event.thread, *yield);
            yields_.arrive(wait.event);
        }
        yields_.arrive(exchange_.releases[generation.release].event);
        return early;
    }

    Timeline const& recorded_;
    Exchange const& exchange_;
    std::set<ThreadId> const& users_;
    YieldedArrivals yields_;
    std::map<ThreadId, EventReference> early_;  // of the generation before
};

bool releases_all_others(Generation const& generation, std::size_t users) {
    return !generation.has_repeated_waiter && !generation.waiters.contains(generation.caller) &&
           generation.waiters.size() + 1 == users;
}

bool run_the_same_code(Generation const& generation, std::span<HeldMutex const> caller_mutexes,
                       std::span<HeldMutex const> waiter_mutexes) {
    HeldMutex const& caller = caller_mutexes[generation.release];
    return caller.mutex != no_object && !caller.locked_at.is_none() &&
           std::all_of(generation.waits.begin(), generation.waits.end(), [&](std::uint32_t wait) {
               return waiter_mutexes[wait].mutex == caller.mutex &&
                      waiter_mutexes[wait].locked_at == caller.locked_at;
           });
}

// What is known of all generations.
struct Roles {
    std::set<ThreadId> callers;
    std::size_t generations = 0;
    bool created_all_waiters = true;  // the caller did, in each
};

// With every release satisfying all others, more than one caller means that each was in both roles.
bool roles_fit(Roles const& roles, std::size_t users, bool is_futex) {
    if (users == 2)
        return roles.callers.size() == 2;
    if (!is_futex || roles.callers.size() > 1)
        return true;
    return roles.generations == 1 && !roles.created_all_waiters;
}

}  // namespace

std::optional<FoundBarrier> barrier_behind(Timeline const& recorded, Exchange const& exchange,
                                           std::span<Chain const> chains,
                                           std::span<HeldMutex const> caller_mutexes,
                                           std::span<HeldMutex const> waiter_mutexes, Yields const* yields) {
    std::set<ThreadId> const users = users_of(exchange);
    if (users.size() < 2)
        return std::nullopt;
    bool const is_futex = yields != nullptr;
    std::optional<UnwaitedArrivals> unwaited;
    if (is_futex)
        unwaited.emplace(recorded, *yields, exchange, users);
    SatisfiedChains const satisfied(exchange, chains);
    Roles roles;
    ObjectId mutex = ObjectId::none();
    std::vector<EventReference> arrivals;
    for (std::uint32_t release = 0; release < exchange.releases.size(); ++release) {
        auto generation = satisfied.generation(release);
        if (unwaited)
            unwaited->add_to(generation);
        if (generation.waiters.empty())
            continue;
        if (roles.generations++ == 0 && !is_futex)
            mutex.value = caller_mutexes[release].mutex;
        bool const fits = releases_all_others(generation, users.size()) &&
                          (is_futex || (caller_mutexes[release].mutex == mutex.value &&
                                        run_the_same_code(generation, caller_mutexes, waiter_mutexes)));
        if (!fits)
            return std::nullopt;
        roles.callers.insert(generation.caller);
        roles.created_all_waiters =
            roles.created_all_waiters && std::ranges::all_of(generation.waiters, [&](ThreadId waiter) {
                return recorded.catalogue.threads[waiter.index()].parent == generation.caller;
            });
        arrivals.insert(arrivals.end(), generation.arrivals.begin(), generation.arrivals.end());
    }
    if (roles.generations == 0 || !roles_fit(roles, users.size(), is_futex))
        return std::nullopt;
    return FoundBarrier{{static_cast<std::uint32_t>(users.size()), ObjectId(exchange.object), mutex},
                        std::move(arrivals)};
}

}  // namespace parcast::extract
