// Radix sort by the least significant digit: each thread counts the digits of its share, one prefix sum per
// pass turns the counts into places, each thread moves its share. Phases are separated by a barrier that
// this program builds from a mutex and a condition, as many programs do.
// The method of SPLASH-2's Radix (Woo et al. 1995).

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "arguments.h"
#include "work.h"

namespace {

class ConditionBarrier {
public:
    explicit ConditionBarrier(std::size_t threads) : threads_(threads) {}

    void wait() {
        std::unique_lock lock(mutex_);
        std::size_t const round = round_;
        if (++arrived_ == threads_) {
            arrived_ = 0;
            ++round_;
            everybody_arrived_.notify_all();
            return;
        }
        everybody_arrived_.wait(lock, [&] { return round_ != round; });
    }

private:
    std::mutex mutex_;
    std::condition_variable everybody_arrived_;
    std::size_t const threads_;
    std::size_t arrived_ = 0;
    std::size_t round_ = 0;
};

constexpr int digit_bits = 11;
constexpr int passes = 3;  // 33 bits: every 32-bit key
constexpr std::size_t digits = std::size_t{1} << digit_bits;

// Keys are not cleared by one thread: the threads that fill them touch their memory first.
using Keys = std::unique_ptr<std::uint32_t[]>;

struct Share {
    std::uint64_t sum_before = 0;
    std::uint64_t sum_after = 0;
    bool is_sorted = false;
};

struct Sort {
    std::size_t key_count;
    Keys keys;
    Keys moved;
    std::vector<std::vector<std::size_t>> places;  // places[thread][digit]: counts, then places
    std::vector<Share> shares;                     // shares[thread]
    ConditionBarrier barrier;

    Sort(std::size_t count, std::size_t threads)
        : key_count(count),
          keys(std::make_unique_for_overwrite<std::uint32_t[]>(count)),
          moved(std::make_unique_for_overwrite<std::uint32_t[]>(count)),
          places(threads),
          shares(threads),
          barrier(threads) {}

    std::size_t first_key(std::size_t thread) const { return key_count * thread / places.size(); }
};

std::size_t digit_of(std::uint32_t key, int pass) {
    return static_cast<std::size_t>(std::uint64_t{key} >> (pass * digit_bits)) & (digits - 1);
}

void fill(Sort& sort, std::size_t self) {
    std::uint64_t state = self;
    for (std::size_t i = sort.first_key(self); i < sort.first_key(self + 1); ++i) {
        state = work(state, 1);
        sort.keys[i] = static_cast<std::uint32_t>(state >> 32);
        sort.shares[self].sum_before += sort.keys[i];
    }
}

void count(Sort& sort, std::size_t self, int pass) {
    auto& counts = sort.places[self];
    counts.assign(digits, 0);
    for (std::size_t i = sort.first_key(self); i < sort.first_key(self + 1); ++i)
        ++counts[digit_of(sort.keys[i], pass)];
}

// One thread, for all: the place of a digit of a thread is behind every smaller digit and behind the same
// digit of the threads before it.
void place(Sort& sort) {
    std::size_t next = 0;
    for (std::size_t digit = 0; digit < digits; ++digit) {
        for (auto& places : sort.places) {
            std::size_t const how_many = places[digit];
            places[digit] = next;
            next += how_many;
        }
    }
}

void move(Sort& sort, std::size_t self, int pass) {
    auto& places = sort.places[self];
    for (std::size_t i = sort.first_key(self); i < sort.first_key(self + 1); ++i)
        sort.moved[places[digit_of(sort.keys[i], pass)]++] = sort.keys[i];
}

// A share is in order if its keys are, and if the key before it is not above its first.
void check(Sort& sort, std::size_t self) {
    Share& share = sort.shares[self];
    share.is_sorted = true;
    for (std::size_t i = sort.first_key(self); i < sort.first_key(self + 1); ++i) {
        share.is_sorted = share.is_sorted && (i == 0 || sort.keys[i - 1] <= sort.keys[i]);
        share.sum_after += sort.keys[i];
    }
}

void sort_as(Sort& sort, std::size_t self) {
    fill(sort, self);
    for (int pass = 0; pass < passes; ++pass) {
        count(sort, self, pass);
        sort.barrier.wait();
        if (self == 0)
            place(sort);
        sort.barrier.wait();
        move(sort, self, pass);
        sort.barrier.wait();
        if (self == 0)
            sort.keys.swap(sort.moved);
        sort.barrier.wait();
    }
    check(sort, self);
}

bool is_right(Sort const& sort) {
    std::uint64_t lost = 0;
    for (Share const& share : sort.shares)
        lost += share.sum_before - share.sum_after;
    return lost == 0 && std::ranges::all_of(sort.shares, &Share::is_sorted);
}

}  // namespace

int main(int argc, char** argv) {
    Argument arguments[] = {
        {"threads", "threads", 8, 1, 1024},
        {"keys", "how many keys to sort", 25000000, 1, 1000000000},
    };
    read_arguments(argc, argv, "Radix sort with a barrier made of a mutex and a condition.", arguments, 2);
    auto const threads = static_cast<std::size_t>(arguments[0].value);
    Sort sort(static_cast<std::size_t>(arguments[1].value), threads);
    {
        std::vector<std::jthread> team;
        for (std::size_t self = 0; self < threads; ++self)
            team.emplace_back([&sort, self] { sort_as(sort, self); });
    }
    bool const all_is_right = is_right(sort);
    std::printf("radix sort of %zu keys, %zu threads: %s\n", sort.key_count, threads,
                all_is_right ? "in order, none lost" : "WRONG");
    return all_is_right ? 0 : 1;
}
