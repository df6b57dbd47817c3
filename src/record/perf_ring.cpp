#include "record/perf_ring.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parcast::record {

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t least_bytes = 8 * page_bytes;

std::string reason_of_refusal(int error) {
    std::string level;
    std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
    if (error == ENOSYS || error == ENOENT)
        return "this kernel has no perf_event_open";
    if (error == EACCES || error == EPERM)
        return "the system forbids perf_event_open (kernel.perf_event_paranoid is " +
               (level.empty() ? "unknown" : level) + "; containers often forbid it altogether)";
    return std::string("perf_event_open: ") + std::strerror(error);
}

int perf_event_open(perf_event_attr attributes, pid_t process, int cpu) {
    return static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, process, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

PerfRing::~PerfRing() {
    if (pages_)
        munmap(pages_, page_bytes + ring_bytes_);
    if (descriptor_ >= 0)
        close(descriptor_);
}

Result<void> PerfRing::open(perf_event_attr attributes, pid_t process, unsigned cpu, std::size_t most_bytes) {
    attributes.disabled = 1;
    attributes.enable_on_exec = 1;
    attributes.inherit = 1;
    return open_event(attributes, process, static_cast<int>(cpu), most_bytes);
}

Result<void> PerfRing::open_here(perf_event_attr attributes, std::size_t most_bytes) {
    constexpr int any_cpu = -1;
    return open_event(attributes, 0, any_cpu, most_bytes);
}

Result<void> PerfRing::open_event(perf_event_attr attributes, pid_t process, int cpu,
                                  std::size_t most_bytes) {
    attributes.size = sizeof attributes;
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;
    attributes.read_format = PERF_FORMAT_LOST;
    descriptor_ = perf_event_open(attributes, process, cpu);
    if (descriptor_ < 0 && errno == EINVAL) {
        attributes.read_format = 0;  // before Linux 6.0
        descriptor_ = perf_event_open(attributes, process, cpu);
    }
    if (descriptor_ < 0)
        return fail(ErrorCode::not_recorded, reason_of_refusal(errno));
    void* pages = MAP_FAILED;
    for (ring_bytes_ = most_bytes; ring_bytes_ >= least_bytes; ring_bytes_ /= 2) {
        pages = mmap(nullptr, page_bytes + ring_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
        if (pages != MAP_FAILED)
            break;
    }
    if (pages == MAP_FAILED) {
        int const error = errno;
        close(descriptor_);
        descriptor_ = -1;
        return fail(ErrorCode::not_recorded,
                    std::string("there is no memory for samples: ") + std::strerror(error));
    }
    pages_ = static_cast<std::byte*>(pages);
    return {};
}

void PerfRing::drain(std::function<void(std::span<std::byte const>)> const& take) {
    if (!pages_)
        return;
    auto* const page = reinterpret_cast<perf_event_mmap_page*>(pages_);
    std::uint64_t const written = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    records_.hand_over({pages_ + page_bytes, ring_bytes_}, page->data_tail, written, take);
    __atomic_store_n(&page->data_tail, written, __ATOMIC_RELEASE);
}

// What records do not say, the event counts, and tells it behind its own count (PERF_FORMAT_LOST).
std::int64_t PerfRing::lost() const {
    std::array<std::int64_t, 2> counts{};
    bool const has_both = descriptor_ >= 0 && read(descriptor_, counts.data(), sizeof counts) ==
                                                  static_cast<ssize_t>(sizeof counts);
    return has_both ? counts[1] : records_.lost();
}

}  // namespace parcast::record
