#include "calibrate/probes.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include <unistd.h>

#include "calibrate/loops.h"
#include "measure/affinity.h"
#include "measure/clock.h"

namespace parcast::calibrate {

namespace {

// Twice the cache, so that nothing of one pass is left for the next, but all arrays together at most a
// sixteenth of the memory.
std::size_t array_words(std::size_t arrays, std::size_t cache_bytes) {
    constexpr std::size_t least_bytes = std::size_t{4} << 20;
    constexpr std::size_t usual_bytes = std::size_t{64} << 20;
    constexpr std::size_t most_bytes = std::size_t{512} << 20;
    auto const memory_bytes = static_cast<std::size_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                              static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t const wanted = std::clamp(2 * cache_bytes, usual_bytes, most_bytes);
    std::size_t const bytes = std::max(std::min(wanted, memory_bytes / 16 / arrays), least_bytes);
    return bytes / sizeof(std::uint64_t) / page_words * page_words;
}

struct Share {
    double rounds_per_second = 0;
    double cpu_share = 1;
    std::uint64_t result = 0;  // keeps the compiler from leaving the loop out
};

template <class Loop>
Share run(Loop loop, std::atomic<std::size_t>& arrived, std::size_t threads,
          std::atomic<std::int64_t>& end_ns, Duration window) {
    loop.round();
    if (arrived.fetch_add(1) + 1 == threads)
        end_ns = measure::wall_ns() + window.ns;
    while (end_ns == 0) {
    }
    std::int64_t const end = end_ns;
    std::int64_t const start_cpu = measure::thread_cpu_ns();
    std::int64_t const start = measure::wall_ns();
    std::int64_t now = start;
    double rounds = 0;
    for (; now < end; now = measure::wall_ns()) {
        loop.round();
        ++rounds;
    }
    if (rounds == 0)  // it came too late: others had the CPU all the time
        return {0, 0, loop.result()};
    auto const elapsed = static_cast<double>(now - start);
    auto const used = static_cast<double>(measure::thread_cpu_ns() - start_cpu);
    return {rounds / elapsed * 1e9, used / elapsed, loop.result()};
}

}  // namespace

std::vector<std::size_t> counts_to_measure(std::size_t cpus) {
    std::vector<std::size_t> counts;
    for (std::size_t count = 1; count <= cpus; count = count < 4 ? count + 1 : 2 * count)
        counts.push_back(count);
    if (!counts.empty() && counts.back() != cpus)
        counts.push_back(cpus);
    return counts;
}

Arrays::Arrays(std::size_t count, std::size_t last_level_cache_bytes)
    : words_(array_words(std::max<std::size_t>(count, 1), last_level_cache_bytes)), arrays_(count) {}

std::span<std::uint64_t> Arrays::array(std::size_t index) {
    auto& array = arrays_[index];
    if (!array) {
        array = std::make_unique_for_overwrite<std::uint64_t[]>(words_);
        std::fill_n(array.get(), words_, std::uint64_t{1});
    }
    return {array.get(), words_};
}

Throughput throughput(LoopKind kind, std::span<unsigned const> cpus, Duration window, Arrays& arrays) {
    std::atomic<std::size_t> arrived = 0;
    std::atomic<std::int64_t> end_ns = 0;
    std::vector<Share> shares(cpus.size());
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < cpus.size(); ++i) {
            threads.push_back(measure::thread_on(cpus[i], [&, i] {
                shares[i] = kind == LoopKind::compute
                                ? run(ComputeLoop(), arrived, cpus.size(), end_ns, window)
                                : run(MemoryLoop(arrays.array(i)), arrived, cpus.size(), end_ns, window);
            }));
        }
    }
    Throughput total;
    std::uint64_t results = 0;
    for (Share const& share : shares) {
        total.each_per_second += share.rounds_per_second / static_cast<double>(shares.size());
        total.least_cpu_share = std::min(total.least_cpu_share, share.cpu_share);
        results ^= share.result;
    }
    [[maybe_unused]] std::uint64_t const volatile kept = results;
    return total;
}

}  // namespace parcast::calibrate
