#include "simulate/cause_log.h"

#include <algorithm>

namespace parcast::simulate {

std::vector<PathSegment> CauseLog::path(ThreadId thread, Instant end) const {
    std::vector<PathSegment> segments;  // latest first
    auto const add = [&](ThreadId who, Instant from, Instant to) {
        if (from == to)
            return;
        if (!segments.empty() && segments.back().thread == who)
            segments.back().begin = from;
        else
            segments.push_back({who, from, to});
    };
    for (auto last = latest_[thread.index()]; last != none; last = hand_overs_[last].before) {
        auto const& hand_over = hand_overs_[last];
        add(thread, {hand_over.when_ns}, end);
        thread = hand_over.from;
        end = {hand_over.when_ns};
    }
    add(thread, {0}, end);
    std::reverse(segments.begin(), segments.end());
    return segments;
}

}  // namespace parcast::simulate
