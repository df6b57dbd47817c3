#include "timeline/parallelism.h"

#include <algorithm>

namespace parcast {

namespace {

struct ParallelismChange {
    std::int64_t when_ns = 0;
    std::int32_t running = 0;
    std::int32_t ready = 0;
    std::int32_t waiting = 0;
};

struct Contribution {
    std::int32_t running = 0;
    std::int32_t ready = 0;
    std::int32_t waiting = 0;
    friend bool operator==(Contribution const&, Contribution const&) = default;
};

Contribution contribution(ThreadState state) {
    if (is_on_processor(state))
        return {.running = 1};
    if (state == ThreadState::ready)
        return {.ready = 1};
    return {.waiting = 1};
}

// One change a boundary of a lane, and none where the kind of state stays.
std::vector<ParallelismChange> changes(IntervalColumns const& rows) {
    std::vector<ParallelismChange> all;
    all.reserve(rows.size() + 1);
    Contribution before;
    auto const change_to = [&](Contribution after, Instant when) {
        if (after != before)
            all.push_back({when.ns, after.running - before.running, after.ready - before.ready,
                           after.waiting - before.waiting});
        before = after;
    };
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (row > 0 && rows.thread[row] != rows.thread[row - 1])
            change_to({}, rows.end[row - 1]);
        change_to(contribution(rows.state[row]), rows.begin[row]);
    }
    if (rows.size() > 0)
        change_to({}, rows.end.back());
    std::sort(all.begin(), all.end(),
              [](ParallelismChange const& a, ParallelismChange const& b) { return a.when_ns < b.when_ns; });
    return all;
}

bool are_as_many(ParallelismStep const& a, ParallelismStep const& b) {
    return a.running == b.running && a.ready == b.ready && a.waiting == b.waiting;
}

}  // namespace

std::vector<ParallelismStep> parallelism(IntervalColumns const& rows, std::uint32_t cpus, Duration length) {
    std::vector<ParallelismStep> steps = {ParallelismStep{}};
    std::int64_t on_processor = 0;
    std::int64_t ready = 0;
    std::int64_t waiting = 0;
    auto const all = changes(rows);
    for (std::size_t next = 0; next < all.size() && all[next].when_ns < length.ns;) {
        auto const when = all[next].when_ns;
        for (; next < all.size() && all[next].when_ns == when; ++next) {
            on_processor += all[next].running;
            ready += all[next].ready;
            waiting += all[next].waiting;
        }
        auto const running = std::min<std::int64_t>(on_processor, cpus);
        ParallelismStep const step{.begin = {when},
                                   .running = static_cast<std::uint32_t>(running),
                                   .ready = static_cast<std::uint32_t>(ready + on_processor - running),
                                   .waiting = static_cast<std::uint32_t>(waiting)};
        if (steps.back().begin.ns == when)
            steps.back() = step;
        else if (!are_as_many(steps.back(), step))
            steps.push_back(step);
    }
    return steps;
}

}  // namespace parcast
