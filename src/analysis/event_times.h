// The times of the events of each thread in a run: how long it communicated, how long it was blocked, and by
// what; and how many threads were active, communicating and blocked over time.
//
// Blocking is algorithmic for as long as what the thread waits for was not issued: from a read until the
// write that it takes (Marinescu, Rice and Vavalis 1990, section 3.5). A replay's writes release at once, so
// that is all of a wait for a condition, a barrier, a semaphore or a thread. Waits for a lock that another
// thread holds, for a CPU, for a wake-up, and delays (input, output, sleeping) are the rest.
//
// Cost: O(1) an interval, and a bin for each width of bins that it covers; memory O(threads + bins).

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/catalogue.h"
#include "core/id.h"
#include "core/time.h"
#include "timeline/interval.h"
#include "timeline/interval_sink.h"

namespace parcast::analysis {

struct ThreadEventTimes {
    Duration running{0};      // active, and communicating where the recording says so
    Duration creating{0};     // CPU time that the machine charges for what does not wait
    Duration resuming{0};     // for waking up and switching, and CPU time spent spinning
    Duration algorithmic{0};  // blocked until the write is issued
    Duration contended{0};    // blocked by the holder of a lock
    Duration delayed{0};      // input, output, sleeping
    Duration ready{0};        // without a CPU

    Duration blocked() const { return algorithmic + contended + delayed + ready; }
};

// Mean numbers of threads from `begin` on until the next step.
struct EventProfileStep {
    std::int64_t begin_ns = 0;
    double running = 0;
    double communicating = 0;
    double blocked = 0;  // but for threads that have not begun or have ended
};

// How long a read is blocked algorithmically: from its issue until the write is initiated.
constexpr Duration algorithmic_blocking(Instant read_issued, Instant write_initiated) {
    return write_initiated > read_issued ? write_initiated - read_issued : Duration{0};
}

class EventTimes {
public:
    // `bin`: a first width of the steps of the profile, which doubles until the run takes at most `bins` of
    // them. The catalogue is the caller's. REQUIRES: bin > 0, bins > 1 and even.
    EventTimes(std::size_t threads, Catalogue const& catalogue, Duration bin, std::size_t bins = 128);

    // Those of one thread in their order.
    void add(Interval const& interval);

    std::vector<ThreadEventTimes> const& threads() const { return threads_; }
    // Until `length`, the end of the run. Sums of steps times their lengths are the totals of threads().
    std::vector<EventProfileStep> profile(Duration length) const;

private:
    enum class Part : std::uint8_t { running, communicating, blocked };
    struct Bin {
        std::int64_t ns[3] = {};
    };

    void count(ThreadEventTimes& times, ThreadState before, Interval const& interval);
    void add_to_profile(Part part, std::int64_t begin, std::int64_t end);
    void halve_bins();

    Catalogue const& catalogue_;
    std::vector<ThreadEventTimes> threads_;
    std::vector<ThreadState> last_;  // by thread: before
    std::vector<Bin> bins_;
    std::int64_t bin_ns_;
};

}  // namespace parcast::analysis
