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
// The dearest that was seen: 2.6 us in a virtual machine (six_step_fft and radix_sort, 33,000 and 49,000
// faults).
constexpr std::int64_t fault_ns = 3'000;
constexpr std::size_t most_customers = 16;
constexpr double mostly_unseen = 0.4;  // of the CPU time

std::size_t customers_of(Timeline const& recorded) {
    std::size_t const threads = recorded.catalogue.threads.size();
    auto const& pretended = recorded.provenance.pretended_cpus;
    return std::min(threads, pretended ? static_cast<std::size_t>(std::max<std::int64_t>(1, *pretended))
                                       : most_customers);
}

double share_of(std::int64_t part_ns, std::int64_t whole_ns) {
    return std::clamp(static_cast<double>(part_ns) / static_cast<double>(std::max<std::int64_t>(1, whole_ns)),
                      0.0, 1.0);
}

// In calls that are not recorded, such as mmap and munmap, of which each waits for all CPUs of the process.
double unseen_share(Provenance const& provenance, std::int64_t inside_ns) {
    if (!provenance.system_work || !provenance.rusage_cpu_ns)
        return 0;
    auto const& work = *provenance.system_work;
    return work.cpu_ns < least_system_ns ? 0 : share_of(work.cpu_ns - inside_ns, *provenance.rusage_cpu_ns);
}

Finding mostly_in_kernel(double unseen) {
    Finding found{FindingKind::kernel_time, Severity::warning,
                  percent_text(unseen) +
                      " of the CPU time was spent in the kernel, outside of the calls that are recorded. A "
                      "prediction lets the kernel serve all threads at once; no recording shows where they "
                      "wait for each other in it (the map of the memory, which mmap and munmap change, a "
                      "folder, a socket).",
                  ThreadId::none(), SiteId::none()};
    found.hidden_serial_share = unseen;
    return found;
}

}  // namespace

bool is_work_on_files(EventKind kind) {
    return kind == EventKind::input || kind == EventKind::output || kind == EventKind::open_close ||
           kind == EventKind::sync;
}

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

double share_under_locks(Provenance const& provenance, std::int64_t file_ns) {
    auto const& work = *provenance.system_work;
    std::int64_t const known_ns = std::min(work.page_faults, work.cpu_ns / fault_ns) * fault_ns + file_ns;
    return share_of(std::min(work.cpu_ns, known_ns), provenance.rusage_cpu_ns.value_or(0));
}

double most_loss_in_kernel(Provenance const& provenance, std::int64_t file_ns, std::uint32_t cpus) {
    auto const& work = provenance.system_work;
    if (!work || !provenance.rusage_cpu_ns || work->cpu_ns < least_system_ns)
        return 0;
    return loss_behind_one_lock(share_under_locks(provenance, file_ns), cpus);
}

std::optional<Finding> kernel_time(Timeline const& recorded, std::int64_t file_ns, std::int64_t inside_ns) {
    auto const cpus = static_cast<std::uint32_t>(std::max<std::size_t>(1, customers_of(recorded)));
    if (double const unseen = unseen_share(recorded.provenance, inside_ns);
        cpus > 1 && unseen >= mostly_unseen)
        return mostly_in_kernel(unseen);
    double const loss = most_loss_in_kernel(recorded.provenance, file_ns, cpus);
    if (loss < notable_loss)
        return std::nullopt;
    auto const& work = recorded.provenance.system_work;
    auto const& charged = recorded.provenance.rusage_cpu_ns;
    double const share = share_under_locks(recorded.provenance, file_ns);
    return Finding{
        FindingKind::kernel_time, Severity::warning,
        percent_text(share_of(work->cpu_ns, *charged)) + " of the CPU time was spent in the kernel, up to " +
            percent_text(share) + " on page faults (" + count_text(work->page_faults) +
            ") and files. A prediction lets the kernel serve all threads at once; no recording shows where "
            "they wait for each other in it (the map of the memory, a file, a folder). If one lock guards "
            "all of that, " +
            counted(cpus, "CPU does", "CPUs do") + " " + percent_text(loss) + " less than predicted.",
        ThreadId::none(), SiteId::none()};
}

}  // namespace parcast::analysis
