#include "measure/turn_cost.h"

namespace parcast::measure {

std::optional<TurnCost> turn_cost(std::span<ChildRun const> usual, std::span<ChildRun const> longer) {
    std::vector<double> shares;
    std::vector<double> prices_ns;
    for (std::size_t pair = 0; pair < usual.size(); ++pair) {
        std::int64_t const turns = usual[pair].preemptions - longer[pair].preemptions;
        if (turns <= 0 || longer[pair].user.ns <= 0)
            return std::nullopt;
        double const cost_ns = to_real(usual[pair].user - longer[pair].user).ns;
        shares.push_back(cost_ns / to_real(usual[pair].processor_time()).ns);
        prices_ns.push_back(cost_ns / static_cast<double>(turns));
    }
    TurnCost cost{spread_of(std::move(shares)), spread_of(std::move(prices_ns)), false};
    cost.is_clear = cost.share.least >= least_turn_share;
    return cost;
}

}  // namespace parcast::measure
