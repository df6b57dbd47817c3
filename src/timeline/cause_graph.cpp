#include "timeline/cause_graph.h"

#include <utility>

namespace parcast {

CausedEvent CauseGraph::Row::event() const {
    CausedEvent event;
    event.when = when;
    auto const thread = thread_and_kind >> 4;
    event.thread.value = thread == no_thread ? ThreadId::none().value : thread;
    event.operation = operation;
    event.running = running();
    event.what = static_cast<CausedEvent::What>(thread_and_kind & 3);
    return event;
}

EventNumber CauseGraph::add(CausedEvent const& event, std::span<EventNumber const> causes) {
    Row row{.when = event.when, .operation = event.operation};
    row.thread_and_kind = event.thread.value << 4 | static_cast<std::uint32_t>(event.what);
    row.set_running(event.running);
    std::uint32_t depth = 0;
    if (!causes.empty()) {
        row.dominator = causes.front();
        for (auto const cause : causes.subspan(1))
            row.dominator = common_dominator(row.dominator, cause);
        auto const above = row.dominator;
        auto const farther = rows_[above].jump;
        auto const farthest = rows_[farther].jump;
        bool const are_equal_steps =
            depths_[above] - depths_[farther] == depths_[farther] - depths_[farthest];
        row.jump = are_equal_steps ? farthest : above;
        depth = depths_[above] + 1;
    }
    rows_.push_back(row);
    depths_.push_back(depth);
    return size() - 1;
}

// Jumps as Myers 1983 has them ("An applicative random-access stack"): an ancestor is found in O(log depth).
EventNumber CauseGraph::ancestor_at(EventNumber event, std::uint32_t depth) const {
    while (depths_[event] > depth) {
        auto const& at = rows_[event];
        event = depths_[at.jump] >= depth ? at.jump : at.dominator;
    }
    return event;
}

EventNumber CauseGraph::common_dominator(EventNumber a, EventNumber b) const {
    a = ancestor_at(a, depths_[b]);
    b = ancestor_at(b, depths_[a]);
    while (a != b) {
        bool const jumps = rows_[a].jump != rows_[b].jump;
        a = jumps ? rows_[a].jump : rows_[a].dominator;
        b = jumps ? rows_[b].jump : rows_[b].dominator;
    }
    return a;
}

bool CauseGraph::comes_before(EventNumber a, EventNumber b) const {
    if (a == b)
        return false;
    auto above_a = ancestor_at(a, depths_[b]);
    auto above_b = ancestor_at(b, depths_[a]);
    if (above_a == above_b)
        return depths_[a] < depths_[b];
    while (rows_[above_a].dominator != rows_[above_b].dominator) {
        bool const jumps = rows_[above_a].jump != rows_[above_b].jump;
        above_a = jumps ? rows_[above_a].jump : rows_[above_a].dominator;
        above_b = jumps ? rows_[above_b].jump : rows_[above_b].dominator;
    }
    return above_a < above_b;
}

}  // namespace parcast
