// Which objects the recorder made to tell what libgomp does: the barrier of a team, the semaphores that start
// its members, and the mutexes under which it hands out work. Their addresses lie in a stream of the
// recorder, which begins with a page (recorder/openmp/openmp_team.h): the barrier at its end, the semaphores
// inside, the mutexes behind it, where no mutex of a program lies.

#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include "core/catalogue.h"

namespace parcast {

class OpenmpObjects {
public:
    explicit OpenmpObjects(Catalogue const& catalogue) {
        for (Object const& object : catalogue.objects)
            if (object.kind == ObjectKind::barrier && object.address > 0 &&
                object.address % page_bytes == 0) {
                barriers_.insert(object.address);
                largest_ = std::max(largest_, object.initial_value.value_or(0));
            }
    }

    // There were teams, each of one thread, though the regions did not ask for one.
    bool are_of_lone_teams() const { return largest_ == 1; }

    bool contains_start(Object const& semaphore) const {
        return barriers_.contains((semaphore.address / page_bytes + 1) * page_bytes);
    }
    bool contains_hand_out(Object const& mutex) const {
        auto const behind = mutex.address % page_bytes;
        return (behind == 1 || behind == 2) && barriers_.contains(mutex.address - behind);
    }

private:
    static constexpr std::uint64_t page_bytes = 4096;
    std::set<std::uint64_t> barriers_;  // addresses
    std::int64_t largest_ = 0;          // team
};

}  // namespace parcast
