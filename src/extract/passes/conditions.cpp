#include "extract/passes/conditions.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "core/chunked_list.h"
#include "extract/passes/broadcasts.h"
#include "extract/passes/condition_queues.h"
#include "extract/passes/locks.h"
#include "extract/passes/passes.h"
#include "extract/passes/timeouts.h"

namespace parcast::extract {

namespace {

bool continues(Timeline const& recorded, Wait const& earlier, Wait const& later) {
    Event const first = event_at(recorded, earlier.event);
    Event const second = event_at(recorded, later.event);
    return earlier.event.thread == later.event.thread && first.related == second.related &&
           first.outcome != Outcome::cut_off && only_looked(recorded, earlier.event, later.event);
}

// The last wait's release; if it has none, that of the last one before it that has one.
std::uint32_t satisfying_release(Exchange const& exchange, Chain const& chain) {
    std::uint32_t found = no_release;
    if (!exchange.waits[chain.last].was_satisfied)
        return found;
    for_each_wait(exchange, chain, [&](Wait const& wait) {
        if (wait.release != no_release)
            found = wait.release;
    });
    return found;
}

// For each event of some conditions, the mutex that its thread holds: that of a wait, or, for a signal,
// the one that the condition's waits name; if it has none, the only one that the thread holds.
class MutexesHeld {
public:
    MutexesHeld(Timeline const& recorded, ObjectRange conditions, std::span<Exchange const> exchanges)
        : held_(recorded.events.size()) {
        std::map<std::uint32_t, std::uint32_t> mutex_of;
        for (Exchange const& exchange : exchanges)
            for (Wait const& wait : exchange.waits | std::views::take(1))
                mutex_of.emplace(exchange.object, event_at(recorded, wait.event).related);
        std::vector<HeldLocks> held(recorded.events.size());
        for_each_event(recorded, [&](EventReference reference, Event const& event) {
            HeldLocks& locks = held[reference.thread.index()];
            locks.observe(event);
            std::uint32_t mutex = no_object;
            if (event.kind == EventKind::condition_wait || event.kind == EventKind::timed_condition_wait) {
                mutex = event.related;
            } else if (event.kind == EventKind::condition_signal ||
                       event.kind == EventKind::condition_broadcast) {
                auto const found = mutex_of.find(event.object.value);
                mutex = found == mutex_of.end() ? locks.only() : found->second;
            } else {
                return;
            }
            if (conditions.contains(event.object) && mutex != no_object && locks.holds(mutex))
                held_[reference.thread.index()].push_back({reference.index, {mutex, locks.site_of(mutex)}});
        });
    }

    HeldMutex at(EventReference reference) const {
        auto const& own = held_[reference.thread.index()];
        auto const places = std::views::iota(std::size_t{0}, own.size());
        auto const found = std::ranges::lower_bound(places, reference.index, {},
                                                    [&](std::size_t i) { return own[i].event; });
        return found == places.end() || own[*found].event != reference.index ? HeldMutex{}
                                                                             : own[*found].mutex;
    }

private:
    struct Held {
        std::uint32_t event;
        HeldMutex mutex;
    };
    std::vector<ChunkedList<Held>> held_;  // by thread, by event
};

// Rule 3: the time asked for, and for a wait of the chain that was released before, the time it took.
std::int64_t time_given_up(Timeline const& recorded, Exchange const& exchange, Chain const& chain) {
    std::int64_t total = 0;
    for_each_wait(exchange, chain, [&](Wait const& wait) {
        Event const event = event_at(recorded, wait.event);
        total += event.outcome == Outcome::timed_out ? event.value : std::min(event.value, event.span_ns);
    });
    return std::max<std::int64_t>(0, total);
}

Step unsatisfied_step(Timeline const& recorded, Exchange const& exchange, Chain const& chain) {
    EventReference const reference = exchange.waits[chain.last].event;
    Event const event = event_at(recorded, reference);
    if (event.outcome == Outcome::timed_out)
        return operation(OperationKind::delay, no_object, time_given_up(recorded, exchange, chain));
    return event.outcome == Outcome::cut_off ? interrupted_step(recorded, reference) : delay_step(event);
}

void plan_chains(Timeline const& recorded, Exchange const& exchange, std::span<Chain const> chains,
                 std::span<HeldMutex const> waiter_mutexes, std::optional<std::size_t> barrier, Plan& plan) {
    std::vector<std::uint32_t> const tokens = tokens_of(exchange, chains);
    for (std::size_t i = 0; i < chains.size(); ++i) {
        Chain const& chain = chains[i];
        for_each_wait(exchange, chain, [&](Wait const& wait) { plan.at(wait.event) = absorbed(); });
        std::uint32_t const mutex = waiter_mutexes[chain.last].mutex;
        auto step = plan.at(exchange.waits[chain.last].event);
        if (!chain.is_released()) {
            Step given_up = unsatisfied_step(recorded, exchange, chain);
            given_up.released_mutex = mutex;
            step = given_up;
            plan.doubts.unreleased_waits += exchange.waits[chain.last].was_satisfied ? 1 : 0;
        } else if (barrier) {
            step = operation(OperationKind::condition_barrier, exchange.object,
                             static_cast<std::int64_t>(*barrier));
        } else {
            ObjectId taken_again = ObjectId::none();
            taken_again.value = mutex;
            step = operation(OperationKind::condition_wait, exchange.object,
                             encode(TokenWait{taken_again, tokens[i]}));
        }
    }
}

// The lock that the section of a wait begins with; none if its thread did not lock.
std::optional<EventReference> lock_before(Timeline const& recorded, EventReference wait,
                                          std::uint32_t mutex) {
    auto const& events = recorded.events[wait.thread.index()];
    for (std::uint32_t i = wait.index; i-- > 0;) {
        if (events[i].object.value == mutex && acquires_lock(events[i].kind) &&
            events[i].outcome == Outcome::done) {
            return EventReference{wait.thread, i};
        }
    }
    return std::nullopt;
}

// Whether it is a barrier.
bool plan_exchange(Timeline const& recorded, Exchange const& exchange, std::span<Chain const> chains,
                   MutexesHeld const& held, Plan& plan) {
    std::vector<HeldMutex> callers;
    callers.reserve(exchange.releases.size());
    for (Release const& release : exchange.releases)
        callers.push_back(held.at(release.event));
    std::vector<HeldMutex> waiters;
    waiters.reserve(exchange.waits.size());
    for (Wait const& wait : exchange.waits)
        waiters.push_back(held.at(wait.event));
    std::optional<FoundBarrier> barrier;
    if (!callers.empty())
        barrier = barrier_behind(recorded, exchange, chains, callers, waiters);
    std::optional<std::size_t> const index = add_barrier(barrier, plan);
    plan_chains(recorded, exchange, chains, waiters, index, plan);
    plan_releases(exchange, chains, index, plan);
    return index.has_value();
}

// Without a mutex that its waits or, if it has none, its signals agree on: none.
std::optional<QueueCandidate> queue_candidate(Timeline const& recorded, Exchange const& exchange,
                                              std::vector<Chain> chains, MutexesHeld const& held) {
    QueueCandidate found{&exchange, std::move(chains), no_object, {}, {}};
    found.locks.reserve(found.chains.size());
    bool agree = true;
    auto const names = [&](std::uint32_t mutex) {
        agree = agree && mutex != no_object && (found.mutex == no_object || found.mutex == mutex);
        found.mutex = mutex;
    };
    for (Chain const& chain : found.chains) {
        EventReference const wait = exchange.waits[chain.first].event;
        names(event_at(recorded, wait).related);
        auto const lock = lock_before(recorded, wait, found.mutex);
        agree = agree && lock;
        found.locks.push_back(lock.value_or(EventReference{}));
    }
    if (found.chains.empty())
        for (Release const& release : exchange.releases)
            names(held.at(release.event).mutex);
    return agree && found.mutex != no_object ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace

std::vector<Chain> condition_chains(Timeline const& recorded, Exchange const& exchange) {
    std::vector<Chain> chains;
    std::map<ThreadId, std::uint32_t> open;  // the last chain of each thread
    for (std::uint32_t i = 0; i < exchange.waits.size(); ++i) {
        ThreadId const thread = exchange.waits[i].event.thread;
        auto const found = open.find(thread);
        if (found != open.end() &&
            continues(recorded, exchange.waits[chains[found->second].last], exchange.waits[i])) {
            chains[found->second].last = i;
        } else {
            open.insert_or_assign(thread, static_cast<std::uint32_t>(chains.size()));
            chains.push_back({i, i});
        }
    }
    for (Chain& chain : chains)
        chain.release = satisfying_release(exchange, chain);
    return chains;
}

void plan_conditions(Timeline const& recorded, Plan& plan) {
    ExchangeReader const reader(recorded, plan, ExchangeFamily::conditions);
    auto const ranges = reader.ranges();
    CountingConditions counting(recorded, plan);
    std::vector<bool> may_count(recorded.catalogue.objects.size());
    for (ObjectRange const range : ranges) {
        auto const exchanges = reader.read(range);
        MutexesHeld const held(recorded, range, exchanges);
        std::vector<QueueCandidate> candidates;
        for (Exchange const& exchange : exchanges) {
            std::vector<Chain> chains = condition_chains(recorded, exchange);
            if (plan_exchange(recorded, exchange, chains, held, plan))
                continue;
            if (auto found = queue_candidate(recorded, exchange, std::move(chains), held))
                candidates.push_back(std::move(*found));
        }
        counting.plan_by_evidence(candidates);
        for (QueueCandidate const& candidate : candidates)
            may_count[candidate.exchange->object] = true;
    }
    if (!counting.were_found())
        return;
    for (ObjectRange const range : ranges) {
        auto exchanges = reader.read(range);
        std::erase_if(exchanges, [&](Exchange const& exchange) { return !may_count[exchange.object]; });
        if (exchanges.empty())
            continue;
        MutexesHeld const held(recorded, range, exchanges);
        std::vector<QueueCandidate> candidates;
        for (Exchange const& exchange : exchanges)
            if (auto found = queue_candidate(recorded, exchange, condition_chains(recorded, exchange), held))
                candidates.push_back(std::move(*found));
        counting.plan_by_analogy(candidates);
    }
}

}  // namespace parcast::extract
