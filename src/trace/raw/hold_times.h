// How long a mutex was held whose release was not measured (wire/record.h, mutex_lock_unlock): what releases
// tell that were measured, of locks at the same call site. In ticks, with what recording a measured event
// takes.
//
// Between two events of a thread most such times are brief, and their mean is taken. Those that are not are
// rare, and the mean says nothing of them: a brief one before much work, or a long one. There the share counts
// that holding had in what was long and measured.

#pragma once

#include <algorithm>
#include <cstdint>

#include "core/id.h"

namespace parcast::trace {

class HoldTimes {
public:
    // `brief`: up to there.
    void add_hold(std::uint64_t ticks, std::uint64_t brief, SiteId release_site) {
        release_site_ = release_site;
        if (ticks > brief) {
            long_holds_ += static_cast<double>(ticks);
        } else {
            brief_holds_ += static_cast<double>(ticks);
            ++briefs_;
        }
    }
    // What came between that release and the next event, in which the thread was not switched out.
    void add_work_after(std::uint64_t ticks, std::uint64_t brief) {
        if (ticks > brief)
            long_works_ += static_cast<double>(ticks);
    }

    // Of the `ticks` between a lock and the next event of the thread.
    std::uint64_t hold_in(std::uint64_t ticks, std::uint64_t brief, bool was_switched) const {
        double const mean = briefs_ == 0 ? 0 : brief_holds_ / static_cast<double>(briefs_);
        double const all_long = long_holds_ + long_works_;
        bool const by_share = ticks > brief && !was_switched && all_long > 0;
        double const share = by_share ? long_holds_ / all_long : 0;
        double const hold = std::max(mean, share * static_cast<double>(ticks));
        return std::min(ticks, static_cast<std::uint64_t>(hold));
    }
    // Of the last measured release; none if there was none.
    SiteId release_site() const { return release_site_; }

private:
    SiteId release_site_ = SiteId::none();
    double brief_holds_ = 0;
    std::int64_t briefs_ = 0;
    double long_holds_ = 0;
    double long_works_ = 0;
};

}  // namespace parcast::trace
