#include "analysis/extended_critical_path.h"

#include <algorithm>
#include <utility>

namespace parcast::analysis {

// What it brings that events of one instant, or some of them, come earlier. Which of them do depends on what
// gets shorter: each of their common dominators moves its own subset.
template <class Number, class Phi>
void ExtendedCriticalPath::add_gains(EventNumber first, EventNumber end, std::int64_t running, Phi phi,
                                     std::vector<Number>& gains) const {
    struct Moved {
        EventNumber event;
        std::int64_t change = 0;  // in the number of running threads
        bool completes = false;
        std::size_t above = 0;
    };
    auto const completion = graph_.size() - 1;
    auto const gain = [&](std::int64_t change, bool completes) {
        return phi(running) - (completes ? Number(0) : phi(running + change));
    };
    std::vector<EventNumber> changing;
    for (EventNumber event = first; event < end; ++event)
        if (graph_.running(event) != 0 || event == completion)
            changing.push_back(event);
    if (changing.empty())
        return;
    if (changing.size() == 1) {
        auto const event = changing.front();
        gains[event] += gain(graph_.running(event), event == completion);
        return;
    }
    auto const by_position = [&](EventNumber a, EventNumber b) { return graph_.comes_before(a, b); };
    std::sort(changing.begin(), changing.end(), by_position);
    for (std::size_t i = 0, all = changing.size(); i + 1 < all; ++i)
        changing.push_back(graph_.common_dominator(changing[i], changing[i + 1]));
    std::sort(changing.begin(), changing.end(), by_position);
    changing.erase(std::unique(changing.begin(), changing.end()), changing.end());

    std::vector<Moved> tree;  // an event after its dominator
    for (auto const event : changing) {
        Moved moved{event};
        if (event >= first) {
            moved.change = graph_.running(event);
            moved.completes = event == completion;
        }
        if (!tree.empty()) {
            auto const above = graph_.common_dominator(tree.back().event, event);
            moved.above = tree.size() - 1;
            while (tree[moved.above].event != above)
                moved.above = tree[moved.above].above;
        }
        tree.push_back(moved);
    }
    for (std::size_t i = tree.size(); i-- > 0;) {
        auto const& moved = tree[i];
        auto const brings = gain(moved.change, moved.completes);
        gains[moved.event] += brings;
        if (i == 0)
            break;
        auto& above = tree[moved.above];
        gains[above.event] -= brings;
        above.change += moved.change;
        above.completes |= moved.completes;
    }
}

// `phi` is given multiplied by the number of CPUs.
template <class Number, class Phi>
WeightedEvents<Number> ExtendedCriticalPath::weighted_by(Phi phi) const {
    auto const events = graph_.size();
    WeightedEvents<Number> weighted{0, std::vector<Number>(events, 0)};
    auto& gains = weighted.weight_times_cpus;
    std::int64_t running = 0;
    Instant before{0};
    for (EventNumber first = 0, end = 0; first < events; first = end) {
        auto const now = graph_.when(first);
        std::int64_t change = 0;
        for (end = first; end < events && graph_.when(end) == now; ++end)
            change += graph_.running(end);
        weighted.completion_times_cpus += static_cast<Number>((now - before).ns) * phi(running);
        add_gains(first, end, running, phi, gains);
        running += change;
        before = now;
    }
    for (EventNumber event = events; event-- > 1;)
        gains[graph_.dominator(event)] += gains[event];
    return weighted;
}

WeightedEvents<std::int64_t> ExtendedCriticalPath::on(std::uint32_t cpus) const {
    return weighted_by<std::int64_t>(
        [cpus](std::int64_t running) { return std::max(running, std::int64_t{cpus}); });
}

WeightedEvents<double> ExtendedCriticalPath::on(std::uint32_t cpus, std::span<double const> speeds) const {
    return weighted_by<double>([=](std::int64_t running) {
        auto const busy = static_cast<std::size_t>(std::clamp<std::int64_t>(running, 1, cpus));
        auto const all = static_cast<double>(std::max(running, std::int64_t{cpus}));
        return running == 0 ? all : all / speeds[std::min(busy, speeds.size()) - 1];
    });
}

}  // namespace parcast::analysis
