// What a node of a pyramid says about the intervals that it stands for.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/id.h"
#include "core/time.h"
#include "timeline/interval.h"
#include "view/pyramid.h"

namespace parcast::view {

// Of 255, to nearest; but 0 and 255 mean none and all of it. REQUIRES: 0 <= part <= whole, whole > 0.
inline std::uint8_t share_of_255(std::int64_t part, std::int64_t whole) {
    if (part == 0 || part == whole)
        return part == 0 ? 0 : 255;
    auto const share = 255.0 * static_cast<double>(part) / static_cast<double>(whole);
    return static_cast<std::uint8_t>(std::clamp(share + 0.5, 1.0, 254.0));
}

// Of a thread's lane, whose intervals leave no gap.
struct LaneSummary {
    std::array<std::int64_t, thread_state_count> in_state_ns{};
    std::int64_t whole_ns = 0;
    std::int64_t longest_ns = 0;

    static LaneSummary of(ThreadState state, Duration length) {
        LaneSummary interval;
        interval.in_state_ns[static_cast<std::size_t>(state)] = length.ns;
        interval.whole_ns = length.ns;
        interval.longest_ns = length.ns;
        return interval;
    }

    void add(LaneSummary const& part) {
        for (std::size_t state = 0; state < thread_state_count; ++state)
            in_state_ns[state] += part.in_state_ns[state];
        whole_ns += part.whole_ns;
        longest_ns = std::max(longest_ns, part.longest_ns);
    }

    // The state with most time, of equal ones the first.
    ThreadState dominant() const {
        auto const most = std::max_element(in_state_ns.begin(), in_state_ns.end());
        return static_cast<ThreadState>(most - in_state_ns.begin());
    }

    std::uint8_t busy() const {
        return share_of_255(in_state_ns[static_cast<std::size_t>(ThreadState::running)], whole_ns);
    }
};

// Of a processor's lane, which has gaps where it is idle.
struct CpuSummary {
    struct Leader {
        ThreadId thread;
        std::int64_t on_processor_ns = 0;
    };

    std::array<Leader, pyramid_factor> leaders{};  // those of its parts
    std::size_t leader_count = 0;
    std::int64_t running_ns = 0;
    Instant begin;
    Instant end;

    static CpuSummary of(ThreadId thread, ThreadState state, Instant begin, Instant end) {
        CpuSummary interval;
        interval.leaders[interval.leader_count++] = {thread, (end - begin).ns};
        interval.running_ns = state == ThreadState::running ? (end - begin).ns : 0;
        interval.begin = begin;
        interval.end = end;
        return interval;
    }

    void add(CpuSummary const& part) {
        if (leader_count == 0)
            begin = part.begin;
        end = part.end;
        running_ns += part.running_ns;
        auto const led = part.leader();
        for (std::size_t i = 0; i < leader_count; ++i) {
            if (leaders[i].thread == led.thread) {
                leaders[i].on_processor_ns += led.on_processor_ns;
                return;
            }
        }
        leaders[leader_count++] = led;
    }

    // Of the threads that lead its parts the one with most time as their leader, of equal ones the first:
    // counting every thread of a node would cost as much as the intervals themselves.
    Leader leader() const {
        auto best = leaders[0];
        for (std::size_t i = 1; i < leader_count; ++i)
            if (leaders[i].on_processor_ns > best.on_processor_ns)
                best = leaders[i];
        return best;
    }

    // Of the time from its first interval to the end of its last.
    std::uint8_t busy() const { return share_of_255(running_ns, (end - begin).ns); }
};

}  // namespace parcast::view
