#include "record/memory_map_watch.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/utsname.h>

namespace parcast::record {

namespace {

// A change takes a microsecond and 64 bytes: half of it is full after 16 ms at the earliest.
constexpr std::size_t most_ring_bytes = std::size_t{2} << 20;
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t own_ring_bytes = 16 * page_bytes;  // for the notes of 300 uses
constexpr std::size_t heap_pages = 200;
constexpr std::size_t pages_at_once = 2;

std::int64_t now_ns() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::int64_t median(std::span<std::int64_t> values) {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// How a record of a change ends, and how that of a fault begins, with an address behind it.
struct WhoAndWhen {
    std::uint32_t process;
    std::uint32_t thread;
    std::uint64_t time;
};

struct HeapTimes {
    std::int64_t change_ns;
    std::int64_t fault_ns;
};

std::optional<HeapTimes> use_a_heap() {
    std::array<std::int64_t, heap_pages / pages_at_once> changes{};
    std::array<std::int64_t, heap_pages> faults{};
    void* const heap =
        mmap(nullptr, heap_pages * page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (heap == MAP_FAILED)
        return std::nullopt;
    auto* const bytes = static_cast<std::byte*>(heap);
    for (std::size_t step = 0; step < changes.size(); ++step) {
        std::size_t const page = step * pages_at_once;
        auto const before = now_ns();
        // Writable memory may be limited (ulimit -d, vm.overcommit_memory) where a reservation is not.
        if (mprotect(bytes + page * page_bytes, pages_at_once * page_bytes, PROT_READ | PROT_WRITE) != 0) {
            munmap(heap, heap_pages * page_bytes);
            return std::nullopt;
        }
        changes[step] = now_ns() - before;
        for (std::size_t next = page; next < page + pages_at_once; ++next) {
            auto const untouched = now_ns();
            *static_cast<std::byte volatile*>(bytes + next * page_bytes) = std::byte{1};
            faults[next] = now_ns() - untouched;
        }
    }
    munmap(heap, heap_pages * page_bytes);
    return HeapTimes{median(changes), median(faults)};
}

perf_event_attr notes_of_map() {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
    attributes.sample_period = 1;
    attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
    attributes.sample_id_all = 1;
    attributes.mmap = 1;
    attributes.mmap_data = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    return attributes;
}

}  // namespace

bool faults_share_lock(std::string_view kernel) {
    unsigned major = 0;
    unsigned minor = 0;
    auto const* const end = kernel.data() + kernel.size();
    auto const [point, problem] = std::from_chars(kernel.data(), end, major);
    if (problem != std::errc() || point == end || *point != '.')
        return true;
    std::from_chars(point + 1, end, minor);
    return std::pair(major, minor) < std::pair(6U, 4U);
}

MemoryMapCosts memory_map_costs() {
    auto const alone = use_a_heap();
    if (!alone)
        return {};
    MemoryMapCosts costs{alone->change_ns, alone->fault_ns, 0, 0};
    PerfRing ring;
    auto attributes = notes_of_map();
    auto const opened = ring.open_here(attributes, own_ring_bytes);
    if (auto const noted = opened ? use_a_heap() : std::nullopt; noted) {
        costs.change_note_ns = std::max<std::int64_t>(0, noted->change_ns - costs.change_ns);
        costs.fault_note_ns = std::max<std::int64_t>(0, noted->fault_ns - costs.fault_ns);
    }
    return costs;
}

Result<void> MemoryMapWatch::attach(pid_t process, unsigned cpu) {
    utsname system{};
    uses_.faults_share_lock = uname(&system) != 0 || faults_share_lock(system.release);
    uses_.costs = memory_map_costs();  // while memory may still be locked for a ring
    return ring_.open(notes_of_map(), process, cpu, most_ring_bytes);
}

void MemoryMapWatch::drain() {
    ring_.drain([this](std::span<std::byte const> record) { add_use(record, uses_); });
    uses_.lost = ring_.lost();
}

void add_use(std::span<std::byte const> record, MemoryMapUses& uses) {
    perf_event_header header{};
    WhoAndWhen who{};
    std::uint64_t address = 0;
    if (record.size() < sizeof header + sizeof who)
        return;
    std::memcpy(&header, record.data(), sizeof header);
    bool const is_change = header.type == PERF_RECORD_MMAP;
    if (!is_change && header.type != PERF_RECORD_SAMPLE)
        return;
    if (!is_change && record.size() < sizeof header + sizeof who + sizeof address)
        return;
    std::memcpy(&who, record.data() + (is_change ? record.size() - sizeof who : sizeof header), sizeof who);
    if (!is_change)
        std::memcpy(&address, record.data() + sizeof header + sizeof who, sizeof address);
    uses.uses.push_back({static_cast<std::int64_t>(who.time), who.process, who.thread, !is_change, address});
}

}  // namespace parcast::record
