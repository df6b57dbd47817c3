// Which parallel regions did one thread work off nearly alone, though others were woken for them?
//
// A pool's `parallel_for` wakes its threads by conditions or semaphores, hands out pieces by an atomic
// counter or a queue without locks, and waits for all. Where a region is shorter than a time slice, the first
// thread that runs takes all pieces, and a replay leaves them there. A region is what follows when a thread
// (its master) signals conditions or posts semaphores: its own work up to its next call, and the work of all
// others whose waits for conditions or semaphores end until then, or who release others: they came. If the
// master waits there for what one of them releases, the region lasts until that wait is over.
//
// The regions of a master are suspect if
// 1. 20 or more, and a tenth of all, have 50 us of work or more, and others came, who did no I/O and did not
//    sleep;
// 2. the sums over the regions of the largest share of work are four fifths of all work or more;
// 3. two or more were to share half of the work or more (helpers, and the master if it works along), and they
//    took turns, so that none did 1.5 times the mean in all; or in regions of four fifths of the work another
//    helper that runs the same function as the busy one came for nothing, or two such helpers did after the
//    master had done the work, and it waited for them.
//
// It stays a suspicion: a master that works on while two helpers have next to nothing to do, and then waits
// for them, looks the same.
// Cost: O(events log events) time; 48 bytes for each of up to 2^18 regions, and 2^18 waits and releases, of
// which 2^22 are looked at in all regions together.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "answer/finding.h"
#include "core/catalogue.h"
#include "core/id.h"
#include "core/time.h"
#include "timeline/event.h"

namespace parcast::analysis {

struct Survey;

struct UnevenRegions {
    ThreadId master;
    SiteId site;  // where it wakes the others
    std::int64_t regions = 0;
    Duration work;     // CPU time of all in them
    Duration longest;  // of the one that worked most in each
    Duration saved;    // if all who came, and the master if it works along, share it evenly
};

// Looks at one thread after the other, its events in their order.
class UnevenRegionSearch {
public:
    void add(ThreadId thread, Event const& event);
    void end_thread();
    // Those of the master whose regions would save most.
    std::optional<UnevenRegions> finish(Catalogue const& catalogue);

private:
    struct Region {
        std::int64_t begin_ns = 0;
        std::int64_t end_ns = 0;
        std::int64_t own_ns = 0;  // of its master
        ThreadId master;
        SiteId site;
        ObjectId awaited = ObjectId::none();  // by the master at its end
    };
    // A wait begins or ends, or others are released.
    struct Mark {
        std::int64_t at_ns = 0;
        std::int64_t before_ns = 0;  // the thread's mark before it
        std::int64_t work_ns = 0;    // between them
        ThreadId thread;
        ObjectId released = ObjectId::none();
        bool is_return = false;  // from a wait
        bool is_pure = true;     // neither I/O nor sleeping between them
    };
    enum class Phase : std::uint8_t { outside, released, arrived };
    struct Shares;
    struct Sums;

    void add_to_region(ThreadId thread, Event const& event);
    void add_to_released(Event const& event);
    void add_to_arrived(Event const& event);
    void begin_region(ThreadId thread, Event const& event);
    void close_region(std::int64_t end_ns, ObjectId awaited = ObjectId::none());
    void set_mark(ThreadId thread, std::int64_t at_ns);
    std::optional<Shares> shares_of(Region const& region, Catalogue const& catalogue);
    std::optional<UnevenRegions> suspect(std::span<Region const> of_master, Catalogue const& catalogue);

    std::vector<Region> regions_;  // of one master after the other
    std::vector<Mark> marks_;
    std::size_t regions_before_ = 0;  // of other threads than the one that is looked at
    std::size_t marks_before_ = 0;
    Region region_;
    Phase phase_ = Phase::outside;
    Mark next_;  // since the last mark of the thread
    std::int64_t complete_until_ns_ = std::numeric_limits<std::int64_t>::max();  // no mark before is missing
    std::int64_t budget_ = std::int64_t{1} << 22;                                // of marks to look at
};

// One finding: analysis/unshared_work.h.
void add_uneven_regions(Catalogue const& catalogue, Survey const& survey, std::vector<Finding>& result);

}  // namespace parcast::analysis
