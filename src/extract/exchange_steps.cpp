#include "extract/exchange_steps.h"

#include <cstdint>
#include <vector>

namespace parcast::extract {

std::optional<std::size_t> add_barrier(std::optional<ConditionBarrier> const& barrier, Plan& plan) {
    if (!barrier) {
        return std::nullopt;
    }
    plan.barriers.push_back(*barrier);
    return plan.barriers.size() - 1;
}

void plan_releases(Exchange const& exchange, std::span<Chain const> chains,
                   std::optional<std::size_t> barrier, Plan& plan) {
    std::vector<std::int64_t> tokens(exchange.releases.size());
    for (Chain const& chain : chains) {
        if (chain.release) {
            ++tokens[*chain.release];
        }
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i] == 0) {
            continue;
        }
        plan.at(exchange.releases[i].event) =
            barrier ? operation(OperationKind::condition_barrier, exchange.object,
                                static_cast<std::int64_t>(*barrier))
                    : operation(OperationKind::condition_signal, exchange.object, tokens[i]);
    }
}

}  // namespace parcast::extract
