// Which kinds of events each thread of a recording has, so that a pass for a family of calls goes through the
// threads that made such calls: most threads of most programs do little but lock.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "timeline/timeline.h"

namespace parcast::extract {

class KindSet {
public:
    constexpr KindSet() = default;
    constexpr KindSet(std::initializer_list<EventKind> kinds) {
        for (EventKind const kind : kinds)
            add(kind);
    }

    constexpr void add(EventKind kind) { bits_ |= std::uint64_t{1} << static_cast<unsigned>(kind); }
    constexpr bool contains(EventKind kind) const { return (bits_ >> static_cast<unsigned>(kind) & 1) != 0; }
    constexpr bool intersects(KindSet other) const { return (bits_ & other.bits_) != 0; }

private:
    std::uint64_t bits_ = 0;
};
static_assert(event_kind_count <= 64);

// By thread. Cost: O(events).
inline std::vector<KindSet> kinds_by_thread(Timeline const& recorded) {
    std::vector<KindSet> kinds(recorded.events.size());
    for (std::size_t thread = 0; thread < kinds.size(); ++thread)
        for (std::size_t i = 0; i < recorded.events[thread].size(); ++i)
            kinds[thread].add(recorded.events[thread][i].kind);
    return kinds;
}

}  // namespace parcast::extract
