#include "extract/passes/passes.h"

#include <vector>

#include "extract/passes/broadcasts.h"
#include "extract/passes/conditions.h"
#include "extract/passes/releases.h"

namespace parcast::extract {

namespace {

Step wait_step(Timeline const& recorded, Exchange const& exchange, Wait const& wait, std::uint32_t token,
               std::optional<std::size_t> barrier, Doubts& doubts) {
    if (!wait.was_satisfied)
        return interrupted_step(recorded, wait.event);
    if (wait.release == no_release) {
        ++doubts.unreleased_waits;
        return delay_step(recorded.events[wait.event.thread.index()][wait.event.index]);
    }
    return barrier ? operation(OperationKind::condition_barrier, exchange.object,
                               static_cast<std::int64_t>(*barrier))
                   : operation(OperationKind::condition_wait, exchange.object,
                               encode(TokenWait{ObjectId::none(), token}));
}

void plan_exchange(Timeline const& recorded, Exchange const& exchange, Yields& yields, Plan& plan) {
    std::vector<Chain> chains;
    chains.reserve(exchange.waits.size());
    for (std::uint32_t i = 0; i < exchange.waits.size(); ++i)
        chains.push_back({i, i, exchange.waits[i].release});
    auto const found = barrier_behind(recorded, exchange, chains, {}, {}, &yields);
    if (found)
        take(found->arrivals, yields);
    auto const barrier = add_barrier(found, plan);
    std::vector<std::uint32_t> const tokens = tokens_of(exchange, chains);
    for (std::size_t i = 0; i < exchange.waits.size(); ++i) {
        Wait const& wait = exchange.waits[i];
        plan.at(wait.event) = wait_step(recorded, exchange, wait, tokens[i], barrier, plan.doubts);
    }
    plan_releases(exchange, chains, barrier, plan);
}

}  // namespace

void plan_futexes(Timeline const& recorded, Plan& plan) {
    ExchangeReader const reader(recorded, plan, ExchangeFamily::futexes);
    auto const ranges = reader.ranges();
    if (ranges.empty())
        return;
    auto yields = yields_of(recorded);
    for (ObjectRange const range : ranges)
        for (Exchange const& exchange : reader.read(range))
            plan_exchange(recorded, exchange, yields, plan);
}

}  // namespace parcast::extract
