#include "record/other_processes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace parcast::record {

namespace {

// Where the CPU time that all processes use begins or ceases to grow by the rate of one of them.
struct Change {
    std::int64_t at_ns = 0;
    double rate = 0;
    std::size_t span = 0;
    bool is_begin = false;
};

std::vector<Change> changes_of(std::span<ProcessSpan const> spans) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        std::int64_t const end_ns = std::max(spans[i].end_ns, spans[i].begin_ns + 1);
        double const rate =
            static_cast<double>(spans[i].cpu_ns) / static_cast<double>(end_ns - spans[i].begin_ns);
        changes.push_back({spans[i].begin_ns, rate, i, true});
        changes.push_back({end_ns, -rate, i, false});
    }
    std::ranges::sort(changes, {}, &Change::at_ns);
    return changes;
}

}  // namespace

std::vector<std::int64_t> cpu_of_others(std::span<ProcessSpan const> spans) {
    std::vector<double> before(spans.size(), 0);  // CPU time of all until the span began
    std::vector<std::int64_t> others(spans.size(), 0);
    double used = 0;
    double rate = 0;
    std::int64_t now_ns = 0;
    for (Change const& change : changes_of(spans)) {
        used += rate * static_cast<double>(change.at_ns - now_ns);
        now_ns = change.at_ns;
        rate += change.rate;
        if (change.is_begin) {
            before[change.span] = used;
            continue;
        }
        double const all = used - before[change.span];
        others[change.span] =
            std::max<std::int64_t>(0, std::llround(all - static_cast<double>(spans[change.span].cpu_ns)));
    }
    return others;
}

}  // namespace parcast::record
