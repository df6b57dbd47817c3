// Where the virtual CPUs wait for each other at the end of a round.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace oracle {

class RoundBarrier {
public:
    // Returns when `cpus` have arrived. The last one calls `at_end` before the others go on. A CPU that
    // waited for a fifth of a second goes on alone: QEMU may need it elsewhere before another one can arrive.
    // Such a round is counted as broken.
    template <typename AtEnd>
    void arrive(uint32_t cpus, AtEnd at_end) {
        uint32_t round = 0;
        {
            std::lock_guard const lock(mutex_);
            round = round_;
            if (++arrived_ >= cpus) {
                at_end();
                end_round();
                return;
            }
        }
        wait_for_end_of(round);
    }

    void release() {  // all that wait go on: lock-step ends
        std::lock_guard const lock(mutex_);
        end_round();
    }

    uint64_t broken_rounds() const { return broken_; }

private:
    void wait_for_end_of(uint32_t round);
    void end_round();

    std::mutex mutex_;
    std::atomic<uint32_t> round_ = 0;  // also the futex
    uint32_t arrived_ = 0;
    std::atomic<uint64_t> broken_ = 0;
};

}  // namespace oracle
