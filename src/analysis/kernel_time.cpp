#include "analysis/kernel_time.h"

#include <algorithm>
#include <cstddef>

#include "core/counted.h"
#include "core/percent_text.h"

namespace parcast::analysis {

namespace {

// Errors of 6 % are what docs/accuracy.md explains one by one; the loss is a bound, mostly not reached.
constexpr double notable_loss = 0.1;
// The system tells its time in samples of some milliseconds, and starts and ends every process.
constexpr std::int64_t least_system_ns = 20'000'000;

std::size_t customers_of(Timeline const& recorded) {
    std::size_t const threads = recorded.catalogue.threads.size();
    auto const& pretended = recorded.provenance.pretended_cpus;
    return pretended ? std::min(threads, static_cast<std::size_t>(std::max<std::int64_t>(1, *pretended)))
                     : threads;
}

}  // namespace

double loss_behind_one_lock(double locked, std::uint32_t n) {
    double queue = 0;  // mean number of threads at the lock
    double throughput = 1;
    for (std::uint32_t threads = 1; threads <= n; ++threads) {
        double const at_lock = locked * (1 + queue);  // an arriving thread sees the network without itself
        throughput = threads / (1 - locked + at_lock);
        queue = throughput * at_lock;
    }
    return 1 - throughput / n;
}

std::optional<Finding> kernel_time(Timeline const& recorded) {
    auto const& work = recorded.provenance.system_work;
    auto const& charged = recorded.provenance.rusage_cpu_ns;
    if (!work || !charged || work->cpu_ns < least_system_ns) {
        return std::nullopt;
    }
    double const share = std::clamp(
        static_cast<double>(work->cpu_ns) / static_cast<double>(std::max<std::int64_t>(1, *charged)), 0.0,
        1.0);
    auto const threads = static_cast<std::uint32_t>(customers_of(recorded));
    double const loss = loss_behind_one_lock(share, std::max(1U, threads));
    if (loss < notable_loss) {
        return std::nullopt;
    }
    return Finding{
        FindingKind::kernel_time, Severity::warning,
        percent_text(share) + " of the CPU time was the system's (" +
            counted(work->page_faults, "page fault") +
            "). A prediction lets it serve all threads at once. Where they wait for each other in it "
            "(the map of the memory, a file, a folder), no recording shows that: " +
            counted(threads, "thread") + " on as many CPUs do up to " + percent_text(loss) +
            " less than predicted, if all of it is behind one lock.",
        ThreadId::none(), SiteId::none()};
}

}  // namespace parcast::analysis
