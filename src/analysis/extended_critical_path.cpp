#include "analysis/extended_critical_path.h"

#include <algorithm>
#include <utility>

namespace parcast::analysis {

ExtendedCriticalPath::ExtendedCriticalPath(CauseGraph const& graph)
    : graph_(graph), ancestors_(graph.events().size()) {
    find_dominators();
    number_subtrees();
}

// Jumps as Myers 1983 has them ("An applicative random-access stack"): an ancestor is found in O(log depth).
EventNumber ExtendedCriticalPath::common_dominator(EventNumber a, EventNumber b) const {
    if (ancestors_[a].depth < ancestors_[b].depth)
        std::swap(a, b);
    while (ancestors_[a].depth > ancestors_[b].depth) {
        auto const& at = ancestors_[a];
        a = ancestors_[at.jump].depth >= ancestors_[b].depth ? at.jump : at.dominator;
    }
    while (a != b) {
        bool const jumps = ancestors_[a].jump != ancestors_[b].jump;
        a = jumps ? ancestors_[a].jump : ancestors_[a].dominator;
        b = jumps ? ancestors_[b].jump : ancestors_[b].dominator;
    }
    return a;
}

// An event comes earlier if and only if all of its causes do.
void ExtendedCriticalPath::find_dominators() {
    for (EventNumber event = 1; event < ancestors_.size(); ++event) {
        auto const causes = graph_.causes(event);
        auto dominator = causes.front();
        for (auto const cause : causes.subspan(1))
            dominator = common_dominator(dominator, cause);
        auto const& above = ancestors_[dominator];
        auto const& farther = ancestors_[above.jump];
        bool const are_equal_steps =
            above.depth - farther.depth == farther.depth - ancestors_[farther.jump].depth;
        ancestors_[event] = {dominator, are_equal_steps ? farther.jump : dominator, above.depth + 1};
    }
}

void ExtendedCriticalPath::number_subtrees() {
    auto const events = static_cast<EventNumber>(ancestors_.size());
    std::vector<EventNumber> size(events, 1);
    for (EventNumber event = events; event-- > 1;)
        size[ancestors_[event].dominator] += size[event];
    position_.assign(events, 0);
    std::vector<EventNumber> next(events, 1);  // by event: the position of its next dominated one
    for (EventNumber event = 1; event < events; ++event) {
        auto& free = next[ancestors_[event].dominator];
        position_[event] = free;
        free += size[event];
        next[event] = position_[event] + 1;
    }
}

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
    auto const events = graph_.events();
    auto const gain = [&](std::int64_t change, bool completes) {
        return phi(running) - (completes ? Number(0) : phi(running + change));
    };
    std::vector<EventNumber> changing;
    for (EventNumber event = first; event < end; ++event)
        if (events[event].running != 0 || event + 1 == events.size())
            changing.push_back(event);
    if (changing.empty())
        return;
    if (changing.size() == 1) {
        auto const event = changing.front();
        gains[event] += gain(events[event].running, event + 1 == events.size());
        return;
    }
    auto const by_position = [&](EventNumber a, EventNumber b) { return position_[a] < position_[b]; };
    std::sort(changing.begin(), changing.end(), by_position);
    for (std::size_t i = 0, all = changing.size(); i + 1 < all; ++i)
        changing.push_back(common_dominator(changing[i], changing[i + 1]));
    std::sort(changing.begin(), changing.end(), by_position);
    changing.erase(std::unique(changing.begin(), changing.end()), changing.end());

    std::vector<Moved> tree;  // an event after its dominator
    for (auto const event : changing) {
        Moved moved{event};
        if (event >= first) {
            moved.change = events[event].running;
            moved.completes = event + 1 == events.size();
        }
        if (!tree.empty()) {
            auto const above = common_dominator(tree.back().event, event);
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
    auto const events = graph_.events();
    WeightedEvents<Number> weighted{0, std::vector<Number>(events.size(), 0)};
    auto& gains = weighted.weight_times_cpus;
    std::int64_t running = 0;
    Instant before{0};
    for (EventNumber first = 0, end = 0; first < events.size(); first = end) {
        auto const now = events[first].when;
        std::int64_t change = 0;
        for (end = first; end < events.size() && events[end].when == now; ++end)
            change += events[end].running;
        weighted.completion_times_cpus += static_cast<Number>((now - before).ns) * phi(running);
        add_gains(first, end, running, phi, gains);
        running += change;
        before = now;
    }
    for (auto event = static_cast<EventNumber>(events.size()); event-- > 1;)
        gains[ancestors_[event].dominator] += gains[event];
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
