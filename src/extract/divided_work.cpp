#include "extract/divided_work.h"

#include <algorithm>
#include <cmath>

namespace parcast::extract {

double DividedWork::add(std::uint32_t number, Event const& event, bool works_inside) {
    auto const last = std::ranges::upper_bound(left_, number, {}, &WorkShare::piece);
    auto const piece = left_.first(static_cast<std::size_t>(last - left_.begin()));
    left_ = left_.subspan(piece.size());
    if (piece.empty())
        return 0;
    auto const ns = without_recording_cost(piece, catalogue_, prices_);
    double cost_ns = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
        add(piece[i].stack, ns[i], piece[i].calls);
        cost_ns += recording_cost(piece[i], prices_);
    }
    if (works_inside && event.cpu_inside_ns > 0)
        add(piece.back().stack, static_cast<double>(event.cpu_inside_ns), 0);
    return cost_ns;
}

void DividedWork::add(StackId stack, double ns, std::uint32_t calls) {
    auto found = std::ranges::find(pending_, stack, &Pending::stack);
    if (found == pending_.end())
        found = pending_.insert(found, {stack, 0, 0});
    found->ns += ns;
    found->calls += calls;
}

// Shares that round to nothing and have no calls are left out.
void DividedWork::take(std::uint32_t operation, std::int64_t work_ns) {
    if (work_ns <= 0 || pending_.empty())
        return;
    double total_ns = 0;
    for (Pending const& each : pending_)
        total_ns += each.ns;
    for (Pending const& each : pending_) {
        auto const ns = total_ns > 0 ? std::llround(each.ns / total_ns * static_cast<double>(work_ns)) : 0;
        if (ns > 0 || each.calls > 0)
            shares_.push_back({operation, each.stack, ns, each.calls, 0});
    }
    pending_.clear();
}

}  // namespace parcast::extract
