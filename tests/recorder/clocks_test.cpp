// CPU time by each of the three clocks: threads that are preempted all the time add up to what the
// process used.

#include <gtest/gtest.h>

#include <sched.h>
#include <unistd.h>
#include <algorithm>
#include <ctime>
#include <numeric>

#include "recorded_run.h"

namespace parcast::tests {
namespace {

double cpu_ns(EventList const& events) {
    return std::accumulate(events.begin(), events.end(), 0.0, [](double sum, Event const& event) {
        return sum + static_cast<double>(event.cpu_ns + event.cpu_inside_ns);
    });
}

double attributed_cpu_ns(Timeline const& timeline) {
    double sum = 0;
    for (auto const& events : timeline.events)
        sum += cpu_ns(events);
    return sum;
}

struct Case {
    char const* forced;
    wire::Clock clock;
};
void PrintTo(Case const& value, std::ostream* out) {
    *out << value.forced;
}

class Clocks : public testing::TestWithParam<Case> {};

TEST_P(Clocks, AttributeTheCpuTimeOfTheProcess) {
    // Its memory is given back after its last event, by a system call of the kernel's: slow where the
    // host is a virtual machine, and slower where it is busy.
    constexpr double end_of_process_ns = 2e6;
    constexpr int tries = 5;
    double least_unattributed_ns = 1e18;
    double least_missing_ns = 1e18;
    for (int i = 0; i < tries; ++i) {
        RecordedRun const run = record("cpu_time", {}, {{"PARCAST_RECORD_CLOCK", GetParam().forced}});
        wire::Header const& header = run.headers.at(0);
        if (GetParam().clock == wire::Clock::perf_page && header.clock != GetParam().clock)
            GTEST_SKIP() << "this machine does not allow perf_event_open";
        EXPECT_EQ(header.clock, GetParam().clock);
        auto const before = static_cast<double>(header.process_cpu_begin_ns);
        double const used = static_cast<double>(header.process_cpu_end_ns) - before;
        double const attributed = attributed_cpu_ns(run.only());
        EXPECT_LE(attributed, used + 0.005 * used + 4 * 0.05e6);
        // The kernel's part of ending a thread is nobody's: some 10 us, more on a busy machine.
        least_unattributed_ns =
            std::min(least_unattributed_ns, used - attributed - 0.005 * used - 4 * 0.05e6);
        EXPECT_GT(used, 50e6) << "too little to compare";
        EXPECT_LE(attributed, 1.01 * (run.process_cpu_ns - before));
        least_missing_ns =
            std::min(least_missing_ns, run.process_cpu_ns - before - 1.01 * attributed - end_of_process_ns);
    }
    EXPECT_LE(least_unattributed_ns, 0);
    EXPECT_LE(least_missing_ns, 0) << "getrusage: with what the process did after its last event";
}

TEST_P(Clocks, ThreadsThatWorkAlikeGetAlike) {
    RecordedRun const run = record("cpu_time", {}, {{"PARCAST_RECORD_CLOCK", GetParam().forced}});
    double least = 1e18;
    double most = 0;
    for (std::size_t thread = 1; thread < run.only().events.size(); ++thread) {
        least = std::min(least, cpu_ns(run.only().events[thread]));
        most = std::max(most, cpu_ns(run.only().events[thread]));
    }
    // By the wall clock, the last of four would have four times as much as the first segment suggests; a
    // noisy neighbour on the machine explains a third.
    EXPECT_LT(most, 1.33 * least);
}

INSTANTIATE_TEST_SUITE_P(All, Clocks,
                         testing::Values(Case{"rseq", wire::Clock::rseq},
                                         Case{"perf", wire::Clock::perf_page},
                                         Case{"thread", wire::Clock::thread_clock}),
                         [](auto const& test) { return std::string(test.param.forced); });

TEST(Clocks, FallBackWhereGlibcDoesNotRegisterRseq) {
    RecordedRun const run = record("cpu_time", {}, {{"GLIBC_TUNABLES", "glibc.pthread.rseq=0"}});
    EXPECT_NE(run.headers.at(0).clock, wire::Clock::rseq);
}

// A sleep of a nanosecond is over before such a thread is switched out; every event then cost 650 ns.
TEST(Clocks, AreTheSameForRealTimeThreads) {
    wire::Clock const usual = record("cpu_time").headers.at(0).clock;
    for (int const policy : {SCHED_FIFO, SCHED_RR}) {
        sched_param const lowest{1};
        sched_param const none{0};
        if (sched_setscheduler(0, policy, &lowest) != 0)
            GTEST_SKIP() << "real-time classes are not allowed here";
        RecordedRun const run = record("mutexes");
        sched_setscheduler(0, SCHED_OTHER, &none);
        EXPECT_EQ(run.headers.at(0).clock, usual) << "policy " << policy;
    }
}

// libfaketime's monotonic clock made recordings end before they began.
TEST(Clocks, AreTheKernelsWhateverLibraryReplacesLibcs) {
    auto const now_ns = [] {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
               static_cast<std::uint64_t>(now.tv_nsec);
    };
    std::uint64_t const before = now_ns();
    RecordedRun const run =
        record("mutexes", {}, {{"LD_PRELOAD", preloaded({PARCAST_FALSE_SYSTEM, PARCAST_RECORDER})}});
    std::uint64_t const after = now_ns();
    wire::Header const& header = run.headers.at(0);
    EXPECT_GE(header.begin.monotonic_ns, before);
    EXPECT_GE(header.end.monotonic_ns, header.begin.monotonic_ns);
    EXPECT_LE(header.end.monotonic_ns, after);
    EXPECT_NE(header.process, 1u);
    EXPECT_EQ(header.parent_process, static_cast<std::uint32_t>(getpid()));
    EXPECT_NE(header.recorded_cpu, 12345u);
}

TEST(Clocks, TheCostOfAnEventIsMeasured) {
    constexpr int tries = 5;  // on a busy machine a difference of two medians may come out as nothing
    double definition_cost_ns = 0;
    for (int i = 0; i < tries; ++i) {
        wire::Header const header = record("mutexes").headers.at(0);
        EXPECT_GT(header.event_cost_ns, 1);
        EXPECT_LT(header.event_cost_ns, 10'000);
        EXPECT_LT(header.definition_cost_ns, 10'000);
        definition_cost_ns = std::max(definition_cost_ns, header.definition_cost_ns);
    }
    EXPECT_GT(definition_cost_ns, 0) << "two words more, and a branch that nobody foresees";
}

TEST(EventCost, IsThatOfAnEventWithoutAReadingOfTheClockHoweverOftenTheMeasurementIsInterrupted) {
    for (int run = 0; run < 20; ++run) {
        Provenance const provenance = record("yields").only().provenance;
        if (provenance.clock != ClockMethod::rseq)
            GTEST_SKIP() << "the events of this machine read the clock";
        EXPECT_LT(provenance.event_cost_ns, provenance.clock_read_ns) << "run " << run;
    }
}

}  // namespace
}  // namespace parcast::tests
