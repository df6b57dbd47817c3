#include "record/perf_ring.h"

#include <algorithm>
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
constexpr std::size_t ring_bytes = 64 * page_bytes;  // what every user may lock has room for two of them

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

}  // namespace

PerfRing::~PerfRing() {
    if (ring_)
        munmap(ring_, page_bytes + ring_bytes);
    if (descriptor_ >= 0)
        close(descriptor_);
}

Result<void> PerfRing::open(perf_event_attr attributes, pid_t process, unsigned cpu) {
    attributes.size = sizeof attributes;
    attributes.disabled = 1;
    attributes.enable_on_exec = 1;
    attributes.inherit = 1;
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;
    descriptor_ = static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, process, static_cast<int>(cpu), -1, PERF_FLAG_FD_CLOEXEC));
    if (descriptor_ < 0)
        return fail(ErrorCode::not_recorded, reason_of_refusal(errno));
    void* const ring =
        mmap(nullptr, page_bytes + ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (ring == MAP_FAILED) {
        int const error = errno;
        close(descriptor_);
        descriptor_ = -1;
        return fail(ErrorCode::not_recorded,
                    std::string("there is no memory for samples: ") + std::strerror(error));
    }
    ring_ = static_cast<std::byte*>(ring);
    return {};
}

// Records may wrap around the end of the ring.
void PerfRing::drain(std::function<void(std::span<std::byte const>)> const& take) {
    if (!ring_)
        return;
    auto* const page = reinterpret_cast<perf_event_mmap_page*>(ring_);
    std::byte const* const data = ring_ + page_bytes;
    std::uint64_t const head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    std::uint64_t tail = page->data_tail;
    auto const copy = [&](std::size_t bytes) {
        record_.resize(bytes);
        for (std::size_t i = 0; i < bytes;) {
            std::size_t const at = (tail + i) % ring_bytes;
            std::size_t const part = std::min(bytes - i, ring_bytes - at);
            std::memcpy(record_.data() + i, data + at, part);
            i += part;
        }
    };
    while (tail + sizeof(perf_event_header) <= head) {
        copy(sizeof(perf_event_header));
        perf_event_header header{};
        std::memcpy(&header, record_.data(), sizeof header);
        if (header.size < sizeof header || header.size > head - tail)
            break;
        copy(header.size);
        take(record_);
        tail += header.size;
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

}  // namespace parcast::record
