// How long a mutex was held whose release was not measured (wire/record.h, mutex_lock_unlock): what releases
// tell that were measured, of locks at the same call site. In ticks, with what recording a measured event
// takes.
//
// Between two events of a thread most such times are brief, and their mean is taken. Those that are not are
// rare, and the mean says nothing of them: a brief one before much work, or a long one. There the share
// counts that holding had in all long times that were measured, up to the longest hold that was.
//
// A hold in which the thread was preempted has CPU time that is not its own: the kernel's for the switch, and
// cold caches, some 100 us for a hold of 200 ns. A moment of preemption falls into a hold of length L as
// often as L is long, so the mean of such holds is that of all, weighted by their lengths.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/id.h"

namespace parcast::trace {

class HoldTimes {
public:
    // Of a hold during which the thread ran.
    void add_whole_hold(std::uint64_t ticks) {
        auto const length = static_cast<double>(ticks);
        whole_ += length;
        squares_ += length * length;
        ++wholes_;
    }
    // Mean length of those that a preemption meets; none if too few were measured.
    std::optional<std::uint64_t> preempted_hold() const {
        constexpr std::int64_t fewest = 8;
        if (wholes_ < fewest || whole_ <= 0)
            return std::nullopt;
        return static_cast<std::uint64_t>(squares_ / whole_);
    }

    // A hold that ended at `release_site`, up to `brief` or longer.
    void add_hold(std::uint64_t ticks, std::uint64_t brief, SiteId release_site) {
        release_site_ = release_site;
        if (ticks > brief)
            return add_long_hold(ticks);
        brief_holds_ += static_cast<double>(ticks);
        ++briefs_;
    }
    void add_long_hold(std::uint64_t ticks) {
        long_holds_ += static_cast<double>(ticks);
        longest_hold_ = std::max(longest_hold_, ticks);
    }
    // What came between a release and the next event, longer than brief.
    void add_long_work(std::uint64_t ticks) { long_works_ += static_cast<double>(ticks); }

    // Of the `ticks` between a lock and the next event of the thread.
    std::uint64_t hold_in(std::uint64_t ticks, std::uint64_t brief, bool was_switched) const {
        double hold = briefs_ == 0 ? 0 : brief_holds_ / static_cast<double>(briefs_);
        if (ticks > brief && !was_switched && longest_hold_ > 0) {
            double const share = long_holds_ / (long_holds_ + long_works_);
            hold = std::max(hold, share * static_cast<double>(std::min(ticks, longest_hold_)));
        }
        return hold >= static_cast<double>(ticks) ? ticks : static_cast<std::uint64_t>(hold);
    }
    // Of the last measured release; none if there was none.
    SiteId release_site() const { return release_site_; }

private:
    SiteId release_site_ = SiteId::none();
    double brief_holds_ = 0;
    std::int64_t briefs_ = 0;
    double long_holds_ = 0;
    double long_works_ = 0;
    std::uint64_t longest_hold_ = 0;
    double whole_ = 0;
    double squares_ = 0;
    std::int64_t wholes_ = 0;
};

}  // namespace parcast::trace
