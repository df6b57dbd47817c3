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
    if (!wait.release) {
        ++doubts.unreleased_waits;
        return delay_step(recorded.events[wait.event.thread.index()][wait.event.index]);
    }
    return barrier ? operation(OperationKind::condition_barrier, exchange.object,
                               static_cast<std::int64_t>(*barrier))
                   : operation(OperationKind::condition_wait, exchange.object,
                               encode(TokenWait{ObjectId::none(), token}));
}

}  // namespace

void plan_futexes(Timeline const& recorded, Plan& plan) {
    auto const exchanges = match_releases(recorded, plan, ExchangeFamily::futexes);
    if (exchanges.empty())
        return;
    auto yields = yields_of(recorded);
    for (Exchange const& exchange : exchanges) {
        std::vector<Chain> chains;
        for (std::size_t i = 0; i < exchange.waits.size(); ++i)
            chains.push_back({{i}, exchange.waits[i].release});
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
}

}  // namespace parcast::extract
