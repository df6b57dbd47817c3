#include "extract/passes/passes.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace parcast::extract {

std::optional<std::size_t> add_barrier(std::optional<FoundBarrier> const& found, Plan& plan) {
    if (!found)
        return std::nullopt;
    std::size_t const index = plan.barriers.size();
    plan.barriers.push_back(found->barrier);
    for (EventReference const arrival : found->arrivals) {
        plan.at(arrival) = operation(OperationKind::condition_barrier, found->barrier.condition.value,
                                     static_cast<std::int64_t>(index));
    }
    return index;
}

namespace {

// By release: how many chains it satisfied, and the number of its first token.
std::vector<TokenGrant> grants_of(Exchange const& exchange, std::span<Chain const> chains) {
    std::vector<TokenGrant> grants(exchange.releases.size());
    for (Chain const& chain : chains)
        if (chain.is_released())
            ++grants[chain.release].tokens;
    std::uint32_t next = 0;
    for (TokenGrant& grant : grants)
        grant.first = std::exchange(next, next + grant.tokens);
    return grants;
}

}  // namespace

std::vector<std::uint32_t> tokens_of(Exchange const& exchange, std::span<Chain const> chains) {
    std::vector<TokenGrant> next = grants_of(exchange, chains);
    std::vector<std::uint32_t> tokens;
    tokens.reserve(chains.size());
    for (Chain const& chain : chains)
        tokens.push_back(chain.is_released() ? next[chain.release].first++ : 0);
    return tokens;
}

void plan_releases(Exchange const& exchange, std::span<Chain const> chains,
                   std::optional<std::size_t> barrier, Plan& plan) {
    std::vector<TokenGrant> const grants = grants_of(exchange, chains);
    for (std::size_t i = 0; i < grants.size(); ++i) {
        if (grants[i].tokens == 0)
            continue;
        plan.at(exchange.releases[i].event) =
            barrier ? operation(OperationKind::condition_barrier, exchange.object,
                                static_cast<std::int64_t>(*barrier))
                    : operation(OperationKind::condition_signal, exchange.object, encode(grants[i]));
    }
}

}  // namespace parcast::extract
