#include "recorder/event_cost.h"

#include <pthread.h>

#include "recorder/real.h"
#include "recorder/recording.h"
#include "recorder/scratch_stream.h"

namespace parcast::recorder {

constinit ScratchStream scratch;

namespace {

PARCAST_REAL Real<decltype(pthread_mutex_lock)> real_lock{"pthread_mutex_lock"};
PARCAST_REAL Real<decltype(pthread_mutex_unlock)> real_unlock{"pthread_mutex_unlock"};

constexpr int pairs = 64;
constexpr int batches = 6;

constinit pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

template <class Lock, class Unlock>
uint64_t ticks_of_pairs(Lock&& lock, Unlock&& unlock) {
    uint64_t const begin = read_ticks();
    for (int i = 0; i < pairs; ++i) {
        lock(&mutex);
        unlock(&mutex);
    }
    return read_ticks() - begin;
}

template <class Number>
Number minimum(Number a, Number b) {
    return a < b ? a : b;
}

// Unlocks two objects in an order that no processor foresees.
uint64_t ticks_of_events(void const* const (&objects)[2]) {
    uint64_t random = 1;
    uint64_t const begin = read_ticks();
    for (int i = 0; i < 2 * pairs; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        current_stream->event<Kind::mutex_unlock>(objects[random >> 63], nullptr, no_flags);
    }
    return read_ticks() - begin;
}

// What it takes more if the two have one slot, so that each has to be defined anew after the other.
double ticks_of_definition() {
    void const* const other = reinterpret_cast<char const*>(&mutex) + 1;  // far off: Stream::slot_of
    uint64_t apart = UINT64_MAX;
    uint64_t together = UINT64_MAX;
    uint64_t words = UINT64_MAX;
    for (int batch = 0; batch < batches; ++batch) {
        scratch.rewind();
        apart = minimum(apart, ticks_of_events({&mutex, other}));
        scratch.rewind();
        together = minimum(together, ticks_of_events({&mutex, scratch.rival_of(&mutex)}));
        words = minimum(words, scratch.words());
    }
    if (together <= apart)
        return 0;
    return static_cast<double>(together - apart) / (static_cast<double>(words - 2 * pairs) / 2);
}

// A release that is not measured, among some that are; `event` ticks each event.
double ticks_of_unmeasured_release(double bare, double event) {
    double least = event;
    recording.brief_ticks = UINT32_MAX;
    for (int batch = 0; batch < batches; ++batch) {
        scratch.rewind();
        auto const all = static_cast<double>(ticks_of_pairs(pthread_mutex_lock, pthread_mutex_unlock));
        auto const events = static_cast<double>(scratch.words());
        if (events < 2 * pairs)
            least = minimum(least, (all - bare - events * event) / (2 * pairs - events));
    }
    recording.brief_ticks = 0;
    return least > 0 ? least : 0;
}

uint64_t ticks_of_clock_read() {
    uint64_t const begin = read_ticks();
    read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    return read_ticks() - begin;
}

}  // namespace

bool measure_event_cost(wire::Header& header) {
    uint64_t bare = UINT64_MAX;
    uint64_t recorded = UINT64_MAX;
    uint64_t clock_read = UINT64_MAX;
    wire::ClockPair const begin = read_clock_pair();
    scratch.begin();
    for (int batch = 0; batch < batches; ++batch) {
        bare = minimum(bare, ticks_of_pairs(real_lock, real_unlock));
        recorded = minimum(recorded, ticks_of_pairs(pthread_mutex_lock, pthread_mutex_unlock));
        clock_read = minimum(clock_read, ticks_of_clock_read());
        scratch.rewind();
    }
    bool const is_extra = header.clock != wire::Clock::thread_clock;
    double const definition = is_extra ? ticks_of_definition() : 0;
    double const extra_ticks = recorded > bare ? static_cast<double>(recorded - bare) : 0;
    double const event = extra_ticks / (2 * pairs);
    double const unmeasured = is_extra ? ticks_of_unmeasured_release(static_cast<double>(bare), event) : 0;
    scratch.end();
    wire::ClockPair const end = read_clock_pair();
    if (begin.ticks == 0 || end.monotonic_ns <= begin.monotonic_ns)
        return false;
    double const ticks_per_ns = static_cast<double>(end.ticks - begin.ticks) /
                                static_cast<double>(end.monotonic_ns - begin.monotonic_ns);
    header.event_cost_ns = event / ticks_per_ns;
    header.unmeasured_cost_ns = unmeasured / ticks_per_ns;
    header.clock_read_ns = is_extra ? static_cast<double>(clock_read) / ticks_per_ns : 0;
    header.definition_cost_ns = definition / ticks_per_ns;
    recording.ticks_per_millisecond = static_cast<uint64_t>(ticks_per_ns * 1e6);
    recording.brief_ticks = static_cast<uint32_t>(ticks_per_ns * wire::brief_ns);
    return true;
}

}  // namespace parcast::recorder
