#include "record/sampler.h"

#include <algorithm>
#include <cstring>

#include <linux/perf_event.h>

namespace parcast::record {

namespace {

constexpr std::uint16_t deepest_stack = 48;
constexpr std::size_t most_ring_bytes = std::size_t{256} << 10;

perf_event_attr attributes_for(Duration period) {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    attributes.sample_period = static_cast<std::uint64_t>(period.ns);
    attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
    attributes.sample_max_stack = deepest_stack;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.exclude_callchain_kernel = 1;
    return attributes;
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

Result<void> Sampler::attach(pid_t process, unsigned cpu) {
    if (auto opened = ring_.open(attributes_for(period_), process, cpu, most_ring_bytes); !opened)
        return opened;
    samples_.period_ns = period_.ns;
    return {};
}

void Sampler::drain() {
    ring_.drain([this](std::span<std::byte const> record) { take(record); });
    samples_.lost = ring_.lost();
}

void Sampler::take(std::span<std::byte const> record) {
    auto const header = value_at<perf_event_header>(record, 0);
    auto const body = record.subspan(sizeof header);
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
