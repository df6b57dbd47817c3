// Quicksort that makes threads as a tree: a call partitions its keys, gives the lower part to a new thread,
// sorts the upper part itself and joins. Parts below a limit are sorted by one thread.
// The first partition is done by one thread alone, the second by two: that bounds the speed-up.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "arguments.h"
#include "work.h"

namespace {

using Keys = std::span<std::uint32_t>;

std::uint32_t median_of_three(Keys keys) {
    std::uint32_t const a = keys.front();
    std::uint32_t const b = keys[keys.size() / 2];
    std::uint32_t const c = keys.back();
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// Rounds of work on each key, whenever it is partitioned: by the function that makes threads, and by the one
// that sorts alone.
struct Dearer {
    long parallel;
    long alone;
};

inline void examine(Keys keys, long rounds) {
    std::uint64_t state = 0;
    if (rounds > 0)
        for (std::uint32_t const key : keys)
            state = work(state + key, rounds);
    asm volatile("" : : "r"(state));
}

// Hoare's partition: the two parts are not empty, and no key of the first is above one of the second.
// REQUIRES: keys.size() >= 2.
std::size_t partition(Keys keys) {
    std::uint32_t const pivot = median_of_three(keys);
    std::size_t low = 0;
    std::size_t high = keys.size() - 1;
    for (;; ++low, --high) {
        while (keys[low] < pivot)
            ++low;
        while (pivot < keys[high])
            --high;
        if (low >= high)
            return std::clamp<std::size_t>(low, 1, keys.size() - 1);
        std::swap(keys[low], keys[high]);
    }
}

// A function of its own, so that a profile names it.
[[gnu::noinline]] void sort(Keys keys, long rounds) {
    while (keys.size() > 1) {
        examine(keys, rounds);
        std::size_t const middle = partition(keys);
        sort(keys.first(middle), rounds);
        keys = keys.subspan(middle);
    }
}

void parallel_sort(Keys keys, std::size_t alone, Dearer dearer) {
    if (keys.size() <= alone) {
        sort(keys, dearer.alone);
        return;
    }
    examine(keys, dearer.parallel);
    std::size_t const middle = partition(keys);
    std::thread lower(parallel_sort, keys.first(middle), alone, dearer);
    parallel_sort(keys.subspan(middle), alone, dearer);
    lower.join();
}

}  // namespace

int main(int argc, char** argv) {
    Argument arguments[] = {
        {"keys", "how many keys to sort", 5000000, 1, 1000000000},
        {"alone", "most keys that one thread sorts alone", 100000, 1, 1000000000},
        {"parallel", "rounds of work on each key partitioned by a thread that makes another", 0, 0, 100000},
        {"serial", "rounds of work on each key partitioned by a thread alone", 0, 0, 100000},
    };
    read_arguments(argc, argv, "Quicksort that makes threads as a tree.", arguments, 4);
    std::vector<std::uint32_t> keys(static_cast<std::size_t>(arguments[0].value));
    std::uint64_t state = 0;
    std::ranges::generate(keys, [&] { return static_cast<std::uint32_t>((state = work(state, 1)) >> 32); });
    auto const sum = std::accumulate(keys.begin(), keys.end(), std::uint64_t{0});

    parallel_sort(keys, static_cast<std::size_t>(arguments[1].value),
                  {arguments[2].value, arguments[3].value});

    bool const is_right =
        std::ranges::is_sorted(keys) && std::accumulate(keys.begin(), keys.end(), std::uint64_t{0}) == sum;
    std::printf("quicksort of %zu keys: %s\n", keys.size(), is_right ? "in order, none lost" : "WRONG");
    return is_right ? 0 : 1;
}
