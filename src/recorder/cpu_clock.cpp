#include "recorder/cpu_clock.h"

#include <string.h>
#include <sys/syscall.h>

namespace parcast::recorder {
namespace {

bool begin(SwitchWatch& watch, wire::Clock clock) {
    switch (clock) {
        case wire::Clock::rseq: return begin_rseq_watch(watch);
        case wire::Clock::perf_page: return begin_perf_watch(watch);
        case wire::Clock::thread_clock: return true;
    }
    return false;
}

bool notices_sleep(SwitchWatch& watch, wire::Clock clock, long sleep_ns) {
    arm(watch, clock);
    timespec const sleep = {0, sleep_ns};
    system_call(SYS_nanosleep, as_word(&sleep));
    return was_switched(watch);
}

// The thread sleeps, and so is switched out: the method has to notice. The slack of timers (prctl(2)) makes
// 50 us of a nanosecond. Real-time threads have none: such a sleep is over before they would be switched out.
bool notices_a_switch(wire::Clock clock) {
    constexpr long shortest_ns = 1;
    constexpr long without_slack_ns = 100'000;
    SwitchWatch watch = {};
    forget_watch(watch);
    if (!begin(watch, clock))
        return false;
    bool const noticed =
        notices_sleep(watch, clock, shortest_ns) || notices_sleep(watch, clock, without_slack_ns);
    end_watch(watch);
    return noticed;
}

}  // namespace

void forget_watch(SwitchWatch& watch) {
    watch.page = nullptr;
    watch.never = 1;
    watch.armed = 0;
    watch.flag = &watch.never;
}

wire::ClockPair read_clock_pair() {
    constexpr int attempts = 5;
    wire::ClockPair pair = {};
    uint64_t least = UINT64_MAX;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        uint64_t const before = read_ticks();
        uint64_t const monotonic_ns = read_clock_ns(CLOCK_MONOTONIC);
        uint64_t const between = read_ticks() - before;
        if (monotonic_ns == 0)
            return {};
        if (between < least) {
            least = between;
            pair = {before + between / 2, monotonic_ns};
        }
    }
    return pair;
}

wire::Clock choose_clock(char const* forced) {
    if (forced && strcmp(forced, "thread") == 0)
        return wire::Clock::thread_clock;
    bool const perf_first = forced && strcmp(forced, "perf") == 0;
    wire::Clock const first = perf_first ? wire::Clock::perf_page : wire::Clock::rseq;
    wire::Clock const second = perf_first ? wire::Clock::rseq : wire::Clock::perf_page;
    if (notices_a_switch(first))
        return first;
    return notices_a_switch(second) ? second : wire::Clock::thread_clock;
}

void begin_watch(SwitchWatch& watch, wire::Clock clock) {
    forget_watch(watch);
    if (begin(watch, clock))
        arm(watch, clock);
}

void arm(SwitchWatch& watch, wire::Clock clock) {
    if (always_switched(watch))
        return;
    if (clock == wire::Clock::rseq)
        arm_rseq_watch(watch);
    else
        arm_perf_watch(watch);
}

void end_watch(SwitchWatch& watch) {
    if (watch.page)
        end_perf_watch(watch);
    forget_watch(watch);
}

}  // namespace parcast::recorder
