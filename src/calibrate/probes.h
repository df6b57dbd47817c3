// What is measured of a machine: switches, threads, throughput.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/time.h"

namespace parcast::calibrate {

// What the kernel takes to stop one thread and to start another: hand-offs on one CPU, and wake-ups of a
// thread that sleeps on another, idle CPU.
//
// Times of single events are taken by reading the clock before and after, and include one reading of it
// (some 20 to 40 ns), which is small against them.

// Two threads on one CPU wake each other and sleep, in turn. Both are of the batch class, whose threads do
// not preempt who wakes them: so the call that wakes and the switch come one after the other. At most `count`
// samples; a hand-over in which they did not is none.
struct HandOffs {
    std::vector<double> wake_calls_ns;  // the system call, in the thread that wakes
    std::vector<double> switches_ns;    // from going to sleep to the other one's return from its sleep
};
HandOffs hand_offs(unsigned cpu, std::size_t count);

// Switches between two threads of one CPU that do nothing but yield, less what the call takes without
// anybody to yield to. At most `count` samples of many switches each.
std::vector<double> yield_switches(unsigned cpu, std::size_t count);

// A thread on `waker` wakes one that has slept on the CPU `sleeper`, then idle, for this long.
// REQUIRES: two CPUs.
struct WakeUps {
    std::vector<double> latencies_ns;   // from the release to the woken thread running
    std::vector<double> wake_calls_ns;  // the system call, in the thread that wakes
};
WakeUps wake_ups(unsigned waker, unsigned sleeper, Duration idle, std::size_t count);

// What waking all of `waiters` threads costs the one who does it, a sample a wake-up of all.
// They sleep on the CPUs of `sleepers` in turn.
std::vector<double> wake_all_calls(unsigned waker, std::vector<unsigned> const& sleepers, std::size_t waiters,
                                   std::size_t count);

// What locks and threads cost: an uncontended lock, one that blocks, creating a thread and joining it.

// Lock and unlock of a pthread mutex that nobody else uses. `count` samples of many pairs each.
std::vector<double> uncontended_locks(unsigned cpu, std::size_t count);

// Processor time of a lock that blocks and of the unlock that releases it, together, beyond an uncontended
// pair: the waiter goes to sleep and comes back, the releaser wakes it. REQUIRES: two CPUs.
std::vector<double> contended_locks(unsigned holder, unsigned waiter, std::size_t count);

// Locks that several CPUs want at the same moment: one of them, again and again, with so much work between
// (2 ns a step). The time of an operation with that work, mean of the CPUs, a sample of 1000 each.
enum class HotLock : std::uint8_t {
    mutex,      // lock and unlock of a pthread mutex
    read_lock,  // of a pthread reader-writer lock, for reading
    word,       // an atomic addition
};
std::vector<double> hot_operations(HotLock lock, std::span<unsigned const> cpus, int work_steps,
                                   std::size_t count);
// What an operation takes longer because the other CPUs do the same, with some 200 ns of work between: each
// finds the line of the lock at another CPU. REQUIRES: two CPUs.
std::vector<double> hot_hand_overs(HotLock lock, std::span<unsigned const> cpus, std::size_t count);

struct ThreadLives {
    std::vector<double> creations_ns;  // pthread_create, for the creator
    std::vector<double> joins_ns;      // pthread_join of a thread that has ended
    std::vector<double> lives_ns;      // creation, an empty body and the join, in wall time
};

// The thread is bound to the CPU `child`, which may be that of its creator.
ThreadLives thread_lives(unsigned creator, unsigned child, std::size_t count);

// What messages between two threads cost, through memory that both share: a message is copied in and out, in
// pieces of 4 KiB, and who waits looks at the memory again and again. As between two processes of a node, but
// without what a library for messages does beside it. REQUIRES: two CPUs.
struct MessageTimesOfNode {
    std::vector<double> one_way_ns;      // half of a round trip of a byte
    std::vector<double> send_ns;         // of a byte, for the sender
    std::vector<double> medium_send_ns;  // the same of 8 KiB
    std::vector<double> gap_ns;          // of a stream of messages of a byte, for each
    std::vector<double> large_gap_ns;    // the same of 64 KiB
};
MessageTimesOfNode messages_between(unsigned sender, unsigned receiver, std::size_t count);

// How fast k CPUs work when all k are busy, against one alone. Two hardware threads of a core share its
// units, all cores share the memory: so a loop that only computes and one that only moves memory are
// measured.

enum class LoopKind : std::uint8_t {
    compute,  // integer arithmetic in registers, several independent chains
    memory,   // reads and writes an array that is larger than the caches, from begin to end, again and again
};

// Counts of CPUs to measure, of `cpus`: all up to four, then powers of two, and the last.
std::vector<std::size_t> counts_to_measure(std::size_t cpus);

// Arrays for the memory loop, one a CPU, larger than the last-level cache where the memory allows it.
class Arrays {
public:
    // Nothing is allocated before an array is used. A cache of 0 bytes is one of unknown size.
    Arrays(std::size_t count, std::size_t last_level_cache_bytes);

    std::size_t bytes_each() const { return words_ * sizeof(std::uint64_t); }
    // The first call fills it, which places its pages near the calling CPU.
    std::span<std::uint64_t> array(std::size_t index);

private:
    std::size_t words_;
    std::vector<std::unique_ptr<std::uint64_t[]>> arrays_;
};

struct Throughput {
    double each_per_second = 0;  // loop rounds of one CPU, mean over the CPUs
    double least_cpu_share = 1;  // CPU time over wall time of the thread that had the least
};

// All of `cpus` run the loop at once for so long.
Throughput throughput(LoopKind kind, std::span<unsigned const> cpus, Duration window, Arrays& arrays);

}  // namespace parcast::calibrate
