#include "record/sampler.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parcast::record {

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t ring_bytes = 64 * page_bytes;  // what every user may lock has room for two of them
constexpr std::uint16_t deepest_stack = 48;

perf_event_attr attributes_for(Duration period) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    attributes.sample_period = static_cast<std::uint64_t>(period.ns);
    attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
    attributes.sample_max_stack = deepest_stack;
    attributes.disabled = 1;
    attributes.enable_on_exec = 1;
    attributes.inherit = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.exclude_callchain_kernel = 1;
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;
    return attributes;
}

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

// The layout that attributes_for() asks for.
struct RecordOfSample {
    std::uint32_t process;
    std::uint32_t thread;
    std::uint64_t time;
    std::uint64_t addresses;  // so many follow, markers of the kernel's among them
};

template <class Value>
Value value_at(std::span<std::byte const> bytes, std::size_t offset) {
    Value value{};
    if (offset + sizeof value <= bytes.size())
        std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

}  // namespace

Sampler::~Sampler() {
    if (ring_)
        munmap(ring_, page_bytes + ring_bytes);
    if (descriptor_ >= 0)
        close(descriptor_);
}

Result<void> Sampler::attach(pid_t process, unsigned cpu) {
    perf_event_attr attributes = attributes_for(period_);
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
    samples_.period_ns = period_.ns;
    return {};
}

// Records may wrap around the end of the ring.
void Sampler::drain() {
    if (!ring_)
        return;
    auto* const page = reinterpret_cast<perf_event_mmap_page*>(ring_);
    std::byte const* const data = ring_ + page_bytes;
    std::uint64_t const head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    std::uint64_t tail = page->data_tail;
    while (tail + sizeof(perf_event_header) <= head) {
        auto const copy = [&](std::size_t bytes) {
            record_.resize(bytes);
            for (std::size_t i = 0; i < bytes;) {
                std::size_t const at = (tail + i) % ring_bytes;
                std::size_t const part = std::min(bytes - i, ring_bytes - at);
                std::memcpy(record_.data() + i, data + at, part);
                i += part;
            }
        };
        copy(sizeof(perf_event_header));
        std::size_t const size = value_at<perf_event_header>(record_, 0).size;
        if (size < sizeof(perf_event_header) || size > head - tail)
            break;
        copy(size);
        take(record_);
        tail += size;
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

void Sampler::take(std::span<std::byte const> record) {
    auto const header = value_at<perf_event_header>(record, 0);
    auto const body = record.subspan(sizeof header);
    if (header.type == PERF_RECORD_LOST)
        samples_.lost += value_at<std::int64_t>(body, sizeof(std::uint64_t));
    if (header.type != PERF_RECORD_SAMPLE)
        return;
    auto const sample = value_at<RecordOfSample>(body, 0);
    std::uint64_t const most = (body.size() - std::min(body.size(), sizeof sample)) / sizeof(std::uint64_t);
    std::uint32_t stack = 0xffffffff;
    // Innermost first; numbers are given from the outermost on.
    for (std::uint64_t left = std::min(sample.addresses, most); left > 0; --left) {
        auto const address =
            value_at<std::uint64_t>(body, sizeof sample + (left - 1) * sizeof(std::uint64_t));
        if (address < static_cast<std::uint64_t>(PERF_CONTEXT_MAX) && address != 0)
            stack = number_of(stack, address);
    }
    if (stack != 0xffffffff)
        samples_.samples.push_back(
            {static_cast<std::int64_t>(sample.time), sample.process, sample.thread, stack});
}

std::uint32_t Sampler::number_of(std::uint32_t caller, std::uint64_t address) {
    SampledStack const stack{caller, address};
    auto const [found, is_new] =
        numbers_.try_emplace(stack, static_cast<std::uint32_t>(samples_.stacks.size()));
    if (is_new)
        samples_.stacks.push_back(stack);
    return found->second;
}

}  // namespace parcast::record
