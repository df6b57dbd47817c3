#include "trace/raw/raw_recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "support/raw_file_builder.h"
#include "timeline/run_delay.h"

namespace parcast::trace {
namespace {

using wire::flag_blocked;
using wire::flag_failed;
using wire::flag_switched;
using wire::flag_timed_out;
using wire::Kind;

Timeline read(RawFileBuilder const& file) {
    auto timeline = read_raw_recording(file.bytes());
    EXPECT_TRUE(timeline) << describe(timeline.error());
    return timeline ? *timeline : Timeline{};
}

std::vector<EventKind> kinds(EventList const& events) {
    std::vector<EventKind> result;
    for (Event const& event : events)
        result.push_back(event.kind);
    return result;
}

TEST(RawRecording, TimeBetweenEventsIsCpuTimeWhileTheThreadWasNotSwitched) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 100, 5'000).object(1, 0xabc).site(1, 0x401234);
    file.event(Kind::mutex_lock, 300, {}, 1, 1).event(Kind::mutex_unlock, 40, {}, 1, 1);
    file.sync(60, 5'400).event(Kind::thread_end, 0);
    auto const timeline = read(file);
    auto const& events = timeline.events.at(0);
    ASSERT_EQ(kinds(events), (std::vector{EventKind::thread_begin, EventKind::lock, EventKind::unlock,
                                          EventKind::thread_end}));
    EXPECT_EQ(events[1].wall_ns, 400);
    EXPECT_EQ(events[1].cpu_ns, 300);
    EXPECT_EQ(events[2].cpu_ns, 40);
    EXPECT_EQ(events[3].cpu_ns, 60);
    EXPECT_FALSE(events[1].blocked);
    EXPECT_EQ(timeline.catalogue.sites.at(events[1].site.index()).address, 0x401234u);
    EXPECT_EQ(timeline.catalogue.objects.at(events[1].object.index()).address, 0xabcu);
    EXPECT_EQ(timeline.catalogue.objects.at(0).first_site, events[1].site);
    EXPECT_EQ(timeline.length.ns, 1'000'000);
}

// A preemption at the end of a periodic reading, which is a system call, was none to the recorder. The mutex
// whose release was not measured was then held for as long as others ran: for 11 ms, once among 100,000
// locks.
TEST(RawRecording, AMutexIsNotHeldWhileOthersHadTheCpu) {
    RawFileBuilder file;
    file.header.end = {101'001'000, 101'050'000};
    file.stream(0).begin_thread(0, 0).object(1, 0xabc).site(1, 0x401234).site(2, 0x405678);
    std::uint64_t cpu_ns = 0;
    auto const take = [&](std::uint32_t hold) {
        file.event(Kind::mutex_lock, 300, {}, 1, 1).event(Kind::mutex_unlock, hold, {}, 1, 2);
        cpu_ns += 300 + hold;
    };
    for (int i = 0; i < 10; ++i)
        take(200);
    take(900);
    cpu_ns += 300 + 200;  // others had it in a hold that was measured, for 5 ms,
    file.event(Kind::mutex_lock, 300, {}, 1, 1).sync(5'000'200, cpu_ns);
    file.event(Kind::mutex_unlock, 0, {}, 1, 2).event(Kind::mutex_lock_unlock, 300, {}, 1, 1);
    cpu_ns += 300 + 700;  // and after a lock whose release was not, for 20 ms
    file.sync(20'000'700, cpu_ns).event(Kind::mutex_lock, 10, {}, 1, 1);
    cpu_ns += 10;
    file.event(Kind::mutex_unlock, 200, {}, 1, 2).sync(0, cpu_ns + 200).event(Kind::thread_end, 0);
    auto const timeline = read(file);
    std::int64_t longest_ns = 0;
    for (Event const& event : timeline.events.at(0))
        if (event.kind == EventKind::unlock)
            longest_ns = std::max(longest_ns, event.cpu_ns);
    EXPECT_EQ(longest_ns, 900) << "the longest hold that was measured";
    EXPECT_EQ(cpu_time_ns(timeline, ThreadId(0)), static_cast<std::int64_t>(cpu_ns + 200));
}

// What the kernel takes for a preemption, and cold caches, made a hold of 200 ns one of 150 us, for which all
// other threads waited in the replay.
TEST(RawRecording, TheCostOfAPreemptionIsNotInTheLockThatItMet) {
    RawFileBuilder file;
    file.header.end = {101'001'000, 101'050'000};
    file.stream(0).begin_thread(0, 0).object(1, 0xabc).site(1, 0x401234).site(2, 0x405678);
    std::uint64_t cpu_ns = 0;
    auto const take = [&](std::uint32_t hold) {
        file.event(Kind::mutex_lock, 300, {}, 1, 1).event(Kind::mutex_unlock, hold, {}, 1, 2);
        cpu_ns += 300 + hold;
    };
    auto const take_preempted = [&](std::uint64_t hold) {
        cpu_ns += 300 + hold;
        file.event(Kind::mutex_lock, 300, {}, 1, 1).sync(20'000'000, cpu_ns, flag_switched);
        file.event(Kind::mutex_unlock, 0, {}, 1, 2);
    };
    for (int i = 0; i < 10; ++i)
        take(200);
    take_preempted(150'000);
    take_preempted(5'000'000);
    file.event(Kind::thread_end, 100);
    auto const timeline = read(file);
    auto const& events = timeline.events.at(0);
    ASSERT_EQ(events.size(), 26u);
    EXPECT_EQ(events[22].cpu_ns, 200) << "as long as the others of the call site";
    EXPECT_EQ(events[23].cpu_ns, 300 + 149'800) << "the rest is the thread's, outside of the lock";
    EXPECT_EQ(events[24].cpu_ns, 5'000'000) << "no preemption costs that much: it was held for so long";
    EXPECT_EQ(cpu_time_ns(timeline, ThreadId(0)), static_cast<std::int64_t>(cpu_ns + 100));
}

// Writing to a file in memory while other programs had the CPU was waiting for a device.
TEST(RawRecording, AnInputOrOutputKnowsForHowLongOthersHadTheCpu) {
    RawFileBuilder file;
    file.header.end = {101'001'000, 101'050'000};
    file.stream(0).begin_thread(0, 0).object(1, 4).site(1, 0x401234);
    auto const write = [&](std::uint64_t delay_ns, std::uint64_t clock_ns) {
        file.event(Kind::output, 100, {}, 1, 1, flag_blocked);
        file.event(Kind::run_delay, 0, {delay_ns}, 0, 0, flag_blocked);
        file.sync(9'000'000, clock_ns, flag_switched).event(Kind::resumed, 0, {8});
    };
    write(7'000'000, 1'000'100);  // not known at arrival
    write(12'000'000, 2'000'200);
    file.event(Kind::output, 100, {}, 1, 1, flag_blocked).event(Kind::run_delay, 0, {20'000'000});
    file.event(Kind::resumed, 1'000, {8});
    write(20'003'000, 11'001'400);
    file.event(Kind::thread_end, 0);
    auto const timeline = read(file);
    auto const& events = timeline.events.at(0);
    ASSERT_EQ(events.size(), 6u);
    EXPECT_EQ(run_delay_ns(events[1]), std::nullopt);
    EXPECT_EQ(run_delay_ns(events[2]), 5'000'000);
    EXPECT_EQ(run_delay_ns(events[3]), std::nullopt) << "it was brief";
    EXPECT_EQ(run_delay_ns(events[4]), 3'000);
}

// "barrier (main, hand.c:20)" was said of a barrier at which the threads waited elsewhere.
TEST(RawRecording, AnObjectIsPlacedWhereItIsUsedNotWhereItIsInitialisedOrDestroyed) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).object(1, 0xabc).object(2, 0xdef);
    file.site(1, 0x100).site(2, 0x200).site(3, 0x300);
    file.event(Kind::barrier_init, 10, {2}, 1, 1).event(Kind::semaphore_init, 10, {0}, 2, 1);
    file.event(Kind::semaphore_destroy, 100, {}, 2, 3).event(Kind::barrier_destroy, 100, {}, 1, 3);
    file.event(Kind::thread_end, 10);
    file.stream(1).begin_thread(1, 50).object(1, 0xabc).site(1, 0x200);
    file.event(Kind::barrier_wait, 10, {}, 1, 1, flag_blocked).event(Kind::resumed, 5, {1});
    file.event(Kind::thread_end, 10);
    auto const timeline = read(file);
    ASSERT_EQ(timeline.catalogue.objects.size(), 2u);
    auto const place = [&](std::size_t object) {
        return timeline.catalogue.sites.at(timeline.catalogue.objects[object].first_site.index()).address;
    };
    EXPECT_EQ(place(0), 0x200u) << "the wait of the other thread";
    EXPECT_EQ(place(1), 0x100u) << "never used: its initialisation";
}

// Stacks 1 (a function at 0x500) and 2 (one at 0x600 that it calls).
RawFileBuilder& with_stacks(RawFileBuilder& file) {
    file.event(Kind::define_stack, 0, {0x500, 0}, 1).event(Kind::define_stack, 0, {0x600, 1}, 2);
    return file;
}

TEST(RawRecording, WorkIsDividedAmongTheFunctionsThatRanBeforeTheEvent) {
    RawFileBuilder file;
    file.header.has_call_costs = 1;
    file.stream(0).begin_thread(0, 100, 5'000).object(1, 0xabc);
    with_stacks(file).event(Kind::stack_time, 0, {40, 3 | std::uint64_t{7} << 32}, 2);
    file.event(Kind::stack_time, 0, {60, 1}, 1).event(Kind::mutex_lock, 100, {}, 1);
    file.event(Kind::stack_time, 0, {30, 0}, 1).event(Kind::thread_end, 30);
    auto const timeline = read(file);
    ASSERT_EQ(timeline.catalogue.stacks.size(), 2u);
    EXPECT_TRUE(timeline.catalogue.stacks[0].caller.is_none());
    EXPECT_EQ(timeline.catalogue.stacks[1].caller, StackId(std::size_t{0}));
    EXPECT_EQ(timeline.catalogue.sites[timeline.catalogue.stacks[1].function.index()].address, 0x600u);
    auto const stack = [](std::size_t number) { return StackId(number); };
    EXPECT_EQ(
        timeline.shares.at(0),
        (std::vector<WorkShare>{{1, stack(1), 40, 3, 7}, {1, stack(0), 60, 1, 0}, {2, stack(0), 30, 0, 0}}));
}

TEST(RawRecording, AFunctionThatWasSwitchedOutHasTheRestOfTheCpuClock) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0, 0).object(1, 0xabc);
    with_stacks(file).event(Kind::stack_time, 0, {40, 1}, 2).sync(9'000, 700, flag_switched);
    file.event(Kind::stack_time, 0, {0, 0}, 1, 0, flag_switched).event(Kind::stack_time, 0, {5, 1}, 2);
    file.event(Kind::mutex_lock, 5, {}, 1).event(Kind::thread_end, 0);
    auto const shares = read(file).shares.at(0);
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_EQ(shares[0].ns, 660) << "what 40 of 700 leave";
    EXPECT_EQ(shares[1].ns, 45);
    EXPECT_EQ(shares[1].stack, StackId(std::size_t{1})) << "it makes the call";
}

TEST(RawRecording, StacksThatWereNotDefinedAreRefused) {
    for (std::uint64_t const caller : {3u, 1u}) {
        RawFileBuilder file;
        file.stream(0).begin_thread(0, 0).event(Kind::define_stack, 0, {0x500, caller}, 1);
        EXPECT_FALSE(read_raw_recording(file.bytes())) << "called by " << caller;
    }
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).event(Kind::stack_time, 0, {40, 1}, 2);
    EXPECT_FALSE(read_raw_recording(file.bytes()));
}

TEST(RawRecording, ATickIsAsLongAsTheClockPairsSay) {
    RawFileBuilder file;
    file.header.begin = {1'000, 70};
    file.header.end = {1'000 + 2'596'148, 70 + 1'000'000};  // 2596.148 MHz
    file.stream(0).begin_thread(0, 0).event(Kind::yield, 1'298'074).event(Kind::thread_end, 0);
    EXPECT_EQ(read(file).events.at(0)[1].wall_ns, 499'999);  // half of the time, rounded down
}

TEST(RawRecording, AfterASwitchTheCpuClockTellsTheTimeUsed) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0, 0).sync(9'000, 700, flag_switched).event(Kind::yield, 5);
    file.sync(10, 715).event(Kind::thread_end, 0);
    auto const events = read(file).events.at(0);
    EXPECT_EQ(events[1].wall_ns, 9'005);
    EXPECT_EQ(events[1].cpu_ns, 705);
    EXPECT_TRUE(events[1].switched);
    EXPECT_EQ(events[2].cpu_ns, 10);
    EXPECT_FALSE(events[2].switched);
}

TEST(RawRecording, ABlockedCallIsOneEventWithItsWaitAndTheCpuTimeInsideIt) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0, 0).object(3, 0xabc);
    file.event(Kind::mutex_lock, 100, {}, 3, 0, flag_blocked).sync(4'000, 130, flag_switched);
    file.event(Kind::resumed, 2, {0}).event(Kind::mutex_unlock, 50, {}, 3).event(Kind::thread_end, 0);
    auto const events = read(file).events.at(0);
    ASSERT_EQ(events.size(), 4u);
    EXPECT_TRUE(events[1].blocked);
    EXPECT_EQ(events[1].cpu_ns, 100);
    EXPECT_EQ(events[1].cpu_inside_ns, 32);
    EXPECT_EQ(events[1].span_ns, 4'002);
    EXPECT_EQ(events[2].cpu_ns, 50);
    EXPECT_FALSE(events[2].switched) << "the switch belongs to the wait";
}

struct UnreadWaits {
    std::uint64_t clock_ns;     // at the reading after two unread waits and 50 ns of work after each
    std::uint64_t flags;        // of that reading
    std::int64_t inside_ns;     // what each of the two is found to have taken
    std::int64_t last_work_ns;  // and the work before the event with the reading
    char const* because;
};

class WaitsWithoutReading : public testing::TestWithParam<UnreadWaits> {};

TEST_P(WaitsWithoutReading, TookWhatTheSegmentsBetweenDidNot) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0, 0).object(1, 0xabc);
    auto const wait = [&] { file.event(Kind::semaphore_wait, 50, {}, 1, 0, flag_blocked); };
    wait();
    file.sync(9'000, 350, flag_switched).event(Kind::resumed, 0, {0});  // 300 ns inside
    for (int i = 0; i < 2; ++i) {
        wait();
        file.event(Kind::resumed, 9'000, {0}, 0, 0, flag_switched);
    }
    file.sync(50, GetParam().clock_ns, GetParam().flags).event(Kind::thread_end, 0);
    auto const timeline = read(file);
    auto const& events = timeline.events.at(0);
    ASSERT_EQ(events.size(), 5u);
    EXPECT_EQ(events[1].cpu_inside_ns, 300);
    EXPECT_EQ(events[2].cpu_ns, 50);
    EXPECT_EQ(events[2].cpu_inside_ns, GetParam().inside_ns) << GetParam().because;
    EXPECT_EQ(events[3].cpu_ns, 50);
    EXPECT_EQ(events[3].cpu_inside_ns, GetParam().inside_ns) << GetParam().because;
    EXPECT_EQ(events[3].span_ns, 9'000);
    EXPECT_TRUE(events[3].blocked);
    EXPECT_EQ(events[4].cpu_ns, GetParam().last_work_ns) << GetParam().because;
    EXPECT_EQ(cpu_time_ns(timeline, ThreadId(0)), static_cast<std::int64_t>(GetParam().clock_ns))
        << "the thread's CPU time is what its clock says";
}

// 350 at the first reading, and 3 x 50 of work after it: the rest is the waits'.
INSTANTIATE_TEST_SUITE_P(
    RawRecording, WaitsWithoutReading,
    testing::Values(UnreadWaits{1'300, 0, 400, 50, "both waits alike: (1300 - 350 - 150) / 2"},
                    UnreadWaits{3'050, flag_switched, 300, 2'000,
                                "as the one before: 3050 - 350 - 100 - 600"},
                    UnreadWaits{650, flag_switched, 100, 0, "no more than was used"},
                    UnreadWaits{500, 0, 0, 50, "nothing is left for them"},
                    UnreadWaits{480, 0, 0, 30, "less than the segments: the last one pays"}));

TEST(RawRecording, InputThatDidNotWaitCountsAsWorkInsideTheCall) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0, 0).object(1, 7 + 1);  // descriptor 7
    file.event(Kind::input, 100, {}, 1, 0, flag_blocked)
        .event(Kind::resumed, 900, {4'096})
        .event(Kind::thread_end, 0);
    auto const timeline = read(file);
    Event const& input = timeline.events.at(0)[1];
    EXPECT_FALSE(input.blocked);
    EXPECT_EQ(input.cpu_inside_ns, 900);
    EXPECT_EQ(input.span_ns, 900);
    EXPECT_EQ(input.value, 4'096);
    EXPECT_EQ(timeline.catalogue.objects.at(0).kind, ObjectKind::descriptor);
    EXPECT_EQ(timeline.catalogue.objects.at(0).address, 7u);
}

// It was once part of the segment after the yield: a replay then counted it as work, and its own switch too.
TEST(RawRecording, TheSwitchOfAYieldIsInsideTheYield) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0, 0);
    file.event(Kind::yield, 100, {}, 0, 0, flag_blocked).sync(9'000, 1'300, flag_switched);
    file.event(Kind::resumed, 20, {0});
    file.event(Kind::yield, 30, {}, 0, 0, flag_blocked).event(Kind::resumed, 200, {0});
    file.event(Kind::thread_end, 40);
    auto const events = read(file).events.at(0);
    ASSERT_EQ(kinds(events), (std::vector{EventKind::thread_begin, EventKind::yield, EventKind::yield,
                                          EventKind::thread_end}));
    EXPECT_EQ(events[1].cpu_ns, 100);
    EXPECT_EQ(events[1].cpu_inside_ns, 1'220);
    EXPECT_EQ(events[1].span_ns, 0) << "a thread that yields stays ready";
    EXPECT_FALSE(events[1].blocked);
    EXPECT_EQ(events[2].cpu_ns, 30);
    EXPECT_FALSE(events[2].switched) << "the switch belongs to the first yield";
    EXPECT_EQ(events[2].cpu_inside_ns, 200);
    EXPECT_EQ(events[3].cpu_ns, 40);
}

TEST(RawRecording, AThreadThatIsAlwaysYieldingIsNotWaitingWhenTheProcessEnds) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0, 0).event(Kind::yield, 100, {}, 0, 0, flag_blocked);
    auto const events = read(file).events.at(0);
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[1].outcome, Outcome::cut_off);
    EXPECT_FALSE(events[1].blocked);
}

// The counter and the CPU clock drift apart by a little; whatever they do, the thread's CPU time is the last
// reading minus the first, and no segment is negative.
TEST(RawRecording, CpuTimeOfAThreadIsTheLastReadingOfItsClockMinusTheFirst) {
    struct Case {
        std::vector<std::uint64_t> clocks;
        char const* because;
    };
    Case const cases[] = {
        {{1'000, 1'100, 1'200}, "clock and counter agree"},
        {{1'000, 1'090, 1'175}, "the clock is slower"},
        {{1'000, 1'130, 1'300}, "the clock is faster"},
        {{1'000, 1'010, 1'020}, "a correction larger than the open segment is carried on"},
        {{1'000, 1'000, 1'000}, "no CPU time at all"},
        {{1'000, 1'050, 1'020}, "a clock that goes backwards"},
        {{1'000, 1'900, 1'901}, "a debt at the end is taken from earlier segments"},
    };
    for (Case const& item : cases) {
        SCOPED_TRACE(item.because);
        RawFileBuilder file;
        file.stream(0).begin_thread(0, 0, item.clocks[0]);
        for (std::size_t i = 1; i < item.clocks.size(); ++i) {
            for (int k = 0; k < 4; ++k)
                file.event(Kind::yield, 20);
            file.sync(20, item.clocks[i]);
        }
        file.event(Kind::thread_end, 0);
        auto const timeline = read(file);
        EXPECT_EQ(cpu_time_ns(timeline, ThreadId(0)),
                  static_cast<std::int64_t>(item.clocks.back() - item.clocks.front()));
    }
}

// Events are handed over before the end of their thread is known, but none that the end takes from.
TEST(RawRecording, ADebtAtTheEndIsTakenFromEventsFarBeforeIt) {
    constexpr int chunks = 3;
    constexpr int yields = 8'000;  // in each
    RawFileBuilder file;
    file.header.end = {10'001'000, 10'050'000};
    for (int chunk = 0; chunk < chunks; ++chunk) {
        file.stream(0, static_cast<std::uint32_t>(chunk));
        if (chunk == 0)
            file.begin_thread(0, 0, 1'000);
        for (int i = 0; i < yields; ++i)
            file.event(Kind::yield, 20);
    }
    std::int64_t const elapsed = std::int64_t{chunks} * yields * 20;
    std::int64_t const used = elapsed - 15'000 * 20;
    file.sync(0, static_cast<std::uint64_t>(1'000 + used)).event(Kind::thread_end, 0);
    auto const timeline = read(file);
    auto const& events = timeline.events.at(0);
    EXPECT_EQ(cpu_time_ns(timeline, ThreadId(0)), used);
    EXPECT_EQ(events[chunks * yields - 15'000].cpu_ns, 20);
    EXPECT_EQ(events[chunks * yields - 15'000 + 1].cpu_ns, 0);
}

// It outlives the program, and its recorder goes on writing.
TEST(RawRecording, WhatAProcessAddsWhileItsFileIsReadIsLeftOut) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).object(1, 0xabc);
    file.event(Kind::mutex_lock, 100, {}, 1).event(Kind::mutex_unlock, 100, {}, 1);
    auto bytes = file.bytes();
    FileBytes lent(bytes);
    auto recording = RawRecording::open(lent);
    ASSERT_TRUE(recording) << describe(recording.error());
    file.event(Kind::mutex_lock, 100, {}, 1).event(Kind::thread_end, 10);
    auto const more = file.bytes();
    std::copy(more.begin(), more.end(), bytes.begin());
    Timeline const recorded = std::move(recording->recorded());
    std::vector<EventKind> seen;
    auto const read = recording->hand_over(lent, recorded, {[&](ThreadId, auto events) {
                                               for (Event const& event : events)
                                                   seen.push_back(event.kind);
                                           }});
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(seen, (std::vector{EventKind::thread_begin, EventKind::lock, EventKind::unlock,
                                 EventKind::thread_end}));
}

// The kernel's part of starting a thread was once nobody's: some microseconds a thread.
TEST(RawRecording, CpuTimeBeforeTheFirstReadingIsThatOfTheBeginUnlessItIsTheInitialThread) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0, 5'000).sync(100, 5'090).event(Kind::thread_end, 0);
    file.stream(1).begin_thread(1, 10, 7'000).sync(100, 7'090).event(Kind::thread_end, 0);
    auto const timeline = read(file);
    EXPECT_EQ(timeline.events.at(0)[0].cpu_ns, 0) << "its clock ran before the recording";
    EXPECT_EQ(cpu_time_ns(timeline, ThreadId(0)), 90);
    EXPECT_EQ(timeline.events.at(1)[0].cpu_ns, 7'000);
    EXPECT_EQ(timeline.events.at(1)[1].cpu_ns, 90);
}

TEST(RawRecording, ThreadsThatFollowEachOtherInAStreamKeepItsSlots) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).event(Kind::thread_end, 900'000);
    file.stream(1).begin_thread(1, 1'000, 50).object(2, 0xabc).event(Kind::mutex_lock, 10, {}, 2);
    file.sync(0, 60).event(Kind::thread_end, 0);
    file.begin_thread(2, 9'000, 800).event(Kind::mutex_lock, 10, {}, 2).event(Kind::thread_end, 0);
    auto const timeline = read(file);
    ASSERT_EQ(timeline.events.size(), 3u);
    EXPECT_EQ(timeline.events[1][1].object, timeline.events[2][1].object);
    EXPECT_EQ(timeline.events[1][1].cpu_ns, 10);
    EXPECT_EQ(timeline.events[2][1].cpu_ns, 10);
}

// Threads are handed over in the order of their numbers, wherever they lie.
TEST(RawRecording, AThreadThatTookItsTurnInAStreamEarlyIsReadInItsOrder) {
    RawFileBuilder file;
    file.stream(0).begin_thread(3, 10).object(1, 0xabc).event(Kind::mutex_lock, 1, {}, 1);
    file.event(Kind::thread_end, 5);
    file.begin_thread(1, 100).event(Kind::mutex_unlock, 1, {}, 1).event(Kind::thread_end, 6);
    file.begin_thread(2, 200).event(Kind::thread_end, 7);
    file.stream(1).begin_thread(0, 0).event(Kind::thread_end, 500);
    auto const timeline = read(file);
    ASSERT_EQ(timeline.events.size(), 4u);
    EXPECT_EQ(timeline.events[0].back().wall_ns, 500);
    EXPECT_EQ(timeline.events[1].back().wall_ns, 107);
    EXPECT_EQ(timeline.events[2].back().wall_ns, 207);
    EXPECT_EQ(kinds(timeline.events[1]),
              (std::vector{EventKind::thread_begin, EventKind::unlock, EventKind::thread_end}))
        << "with the objects that the thread before it defined";
    EXPECT_EQ(kinds(timeline.events[3]),
              (std::vector{EventKind::thread_begin, EventKind::lock, EventKind::thread_end}));
}

TEST(RawRecording, AStreamGoesOnInItsNextChunk) {
    RawFileBuilder file;
    file.stream(0, 0).begin_thread(0, 0).event(Kind::yield, 10);
    file.stream(0, 1).event(Kind::yield, 10).event(Kind::thread_end, 10);
    EXPECT_EQ(read(file).events.at(0).back().wall_ns, 30);
}

TEST(RawRecording, PagesBetweenChunksAreSkipped) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).event(Kind::yield, 10);
    file.text(wire::ChunkKind::unused, "");  // the process died before it wrote the header
    file.stream(0, 1).event(Kind::yield, 10).event(Kind::thread_end, 10);
    EXPECT_EQ(read(file).events.at(0).size(), 4u);
}

TEST(RawRecording, TheMemoryOfTheWordsIsPartOfWhatAnEventCosts) {
    RawFileBuilder file;
    file.header.event_cost_ns = 12;
    file.header.shared_cost_ns = 8;
    file.stream(0)
        .begin_thread(0, 0)
        .event(Kind::yield, 10)
        .event(Kind::yield, 10)
        .event(Kind::thread_end, 10);
    EXPECT_DOUBLE_EQ(read(file).provenance.event_cost_ns, 14) << "4 events share it";
}

TEST(RawRecording, EventsThatWereNotMeasuredTakeNoMemory) {
    RawFileBuilder file;
    file.header.event_cost_ns = 12;
    file.header.shared_cost_ns = 6;
    file.stream(0).begin_thread(0, 0).object(1, 0xabc);
    file.event(Kind::mutex_lock_unlock, 10, {}, 1).event(Kind::thread_end, 10);
    EXPECT_DOUBLE_EQ(read(file).provenance.event_cost_ns, 14) << "3 of 4 events share it";
}

// n_body with more locks in use than a stream has slots was predicted 5 % too slow on one CPU.
TEST(RawRecording, DefiningAnObjectAgainIsPartOfWhatAnEventCosts) {
    RawFileBuilder file;
    file.header.event_cost_ns = 12;
    file.header.definition_cost_ns = 20;
    file.stream(0).begin_thread(0, 0);
    file.object(7, 0x1000).event(Kind::mutex_lock, 10, {}, 7);
    file.object(7, 0x2000).event(Kind::mutex_lock, 10, {}, 7);
    file.event(Kind::thread_end, 10);
    EXPECT_DOUBLE_EQ(read(file).provenance.event_cost_ns, 22) << "4 events share two definitions";
}

// A lock at 0x100 is measured to be held for so many ns, until a release at 0x200.
RawFileBuilder& measure_hold(RawFileBuilder& file, std::uint32_t held_ns) {
    file.stream(0).begin_thread(0, 0).object(1, 0xabc).site(1, 0x100).site(2, 0x200);
    file.event(Kind::mutex_lock, 100, {}, 1, 1).event(Kind::mutex_unlock, 10, {}, 1, 2);
    return file.event(Kind::mutex_lock, 90, {}, 1, 1).event(Kind::mutex_unlock, held_ns, {}, 1, 2);
}

// The last release, which must be one that was not measured.
Event unmeasured_release_in(Timeline const& timeline) {
    EventList const& events = timeline.events.at(0);
    Event const release = events[events.size() - 2];
    EXPECT_EQ(release.kind, EventKind::unlock);
    EXPECT_TRUE(release.unmeasured);
    EXPECT_EQ(timeline.provenance.unmeasured_events, 1);
    EXPECT_EQ(cpu_time_ns(timeline, ThreadId(0)), events[events.size() - 1].wall_ns);
    return release;
}

TEST(RawRecording, AReleaseThatWasNotMeasuredCameAsSoonAsThoseThatWere) {
    RawFileBuilder file;
    measure_hold(file, 30).event(Kind::mutex_lock_unlock, 70, {}, 1, 1).event(Kind::thread_end, 100);
    auto const timeline = read(file);
    Event const release = unmeasured_release_in(timeline);
    EXPECT_EQ(release.wall_ns, 300 + 20) << "half of 10 + 30 after the lock";
    EXPECT_EQ(release.cpu_ns, 20);
    EXPECT_EQ(timeline.catalogue.sites.at(release.site.index()).address, 0x200u);
    EXPECT_EQ(timeline.catalogue.objects.at(release.object.index()).address, 0xabcu);
    EXPECT_EQ(timeline.events[0][7].cpu_ns, 80) << "the rest until the next event";
    EXPECT_FALSE(timeline.events[0][4].unmeasured);
}

TEST(RawRecording, AReleaseThatWasNotMeasuredComesEarlierByWhatMeasuringTakes) {
    RawFileBuilder file;
    file.header.event_cost_ns = 12;
    file.header.unmeasured_cost_ns = 4;
    measure_hold(file, 30).event(Kind::mutex_lock_unlock, 70, {}, 1, 1).event(Kind::thread_end, 100);
    auto const timeline = read(file);
    EXPECT_EQ(unmeasured_release_in(timeline).cpu_ns, 20 - (12 - 4));
    EXPECT_DOUBLE_EQ(timeline.provenance.unmeasured_cost_ns, 4);
}

TEST(RawRecording, AReleaseThatWasNotMeasuredCameBeforeTheNextEvent) {
    RawFileBuilder file;
    measure_hold(file, 30).event(Kind::mutex_lock_unlock, 70, {}, 1, 1).event(Kind::thread_end, 15);
    EXPECT_EQ(unmeasured_release_in(read(file)).cpu_ns, 15);
}

// A table that grows under its mutex now and then: seven times in eight nobody measures it.
TEST(RawRecording, OfALongTimeHoldingHasTheShareThatItHadInThoseThatWereMeasured) {
    RawFileBuilder file;
    measure_hold(file, 3'000).event(Kind::yield, 9'000);
    file.event(Kind::mutex_lock_unlock, 70, {}, 1, 1).event(Kind::thread_end, 2'000);
    EXPECT_EQ(unmeasured_release_in(read(file)).cpu_ns, 500);
}

// One hold of 3 us, and 20 ms of computing behind a brief one counted as held: the thread's clock is read in
// between, which hid that such times are work.
TEST(RawRecording, HoldingHasNoShareOfWorkBeyondTheLongestHold) {
    RawFileBuilder file;
    measure_hold(file, 3'000).event(Kind::mutex_lock_unlock, 70, {}, 1, 1);
    file.sync(1'000'000, 1'003'270).event(Kind::thread_end, 19'000'000);
    auto const timeline = read(file);
    EXPECT_EQ(timeline.events[0][6].cpu_ns, 3'000);
}

TEST(RawRecording, LongWorkBehindABriefHoldIsLearntAcrossReadingsOfTheClock) {
    RawFileBuilder file;
    measure_hold(file, 3'000).sync(1'000'000, 1'003'200).event(Kind::yield, 2'000'000);
    file.event(Kind::mutex_lock_unlock, 70, {}, 1, 1).event(Kind::thread_end, 2'000);
    EXPECT_EQ(unmeasured_release_in(read(file)).cpu_ns, 10) << "a thousandth of it, and less than the mean";
}

TEST(RawRecording, AHoldOfMillisecondsIsLearntAcrossReadingsOfTheClock) {
    RawFileBuilder file;
    measure_hold(file, 30).event(Kind::mutex_lock, 70, {}, 1, 1).sync(1'000'000, 1'000'300);
    file.event(Kind::mutex_unlock, 1'000'000, {}, 1, 2).event(Kind::yield, 100);
    file.event(Kind::mutex_lock_unlock, 70, {}, 1, 1).event(Kind::thread_end, 1'500'000);
    EXPECT_EQ(unmeasured_release_in(read(file)).cpu_ns, 1'500'000);
}

// More than 2^32 ticks later an absolute time stands before the reading that tells of the switch.
TEST(RawRecording, AThreadThatWasStoppedForSecondsHeldNoMutexMeanwhile) {
    RawFileBuilder file;
    measure_hold(file, 3'000).event(Kind::mutex_lock_unlock, 70, {}, 1, 1);
    file.event(Kind::time_base, 0, {file.header.begin.ticks + 900'000});
    file.sync(0, 3'400, flag_switched).event(Kind::thread_end, 0);
    auto const timeline = read(file);
    EXPECT_EQ(timeline.events[0][6].cpu_ns, 10);
    EXPECT_EQ(timeline.events[0][7].wall_ns, 900'000);
}

TEST(RawRecording, OfATimeInWhichTheThreadWasSwitchedOutHoldingHasNoShare) {
    RawFileBuilder file;
    measure_hold(file, 3'000).event(Kind::mutex_lock_unlock, 70, {}, 1, 1);
    file.sync(50'000, 3'400, flag_switched).event(Kind::thread_end, 0);
    auto const timeline = read(file);
    EXPECT_EQ(timeline.events[0][6].cpu_ns, 10) << "as the only brief one that was measured";
    EXPECT_EQ(cpu_time_ns(timeline, ThreadId(0)), 3'400);
}

TEST(RawRecording, ReleasesOfLocksAtAnotherCallSiteTellNothing) {
    RawFileBuilder file;
    measure_hold(file, 30).site(1, 0x300);
    file.event(Kind::mutex_lock_unlock, 70, {}, 1, 1).event(Kind::thread_end, 100);
    Event const release = unmeasured_release_in(read(file));
    EXPECT_EQ(release.cpu_ns, 0);
    EXPECT_TRUE(release.site.is_none());
}

TEST(RawRecording, OfAProcessThatWasKilledHasTheReleaseThatWasNotMeasured) {
    RawFileBuilder file;
    measure_hold(file, 30).event(Kind::mutex_lock_unlock, 70, {}, 1, 1);
    auto const timeline = read(file);
    EXPECT_EQ(kinds(timeline.events.at(0)).at(6), EventKind::unlock);
    EXPECT_EQ(timeline.events[0][6].cpu_ns, 20);
}

TEST(RawRecording, CreationNamesParentPlaceAndChild) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).site(1, 0x401000).event(Kind::thread_create, 10, {1, 0x400001}, 0, 1);
    file.event(Kind::thread_create, 10, {2, 0x400002}, 0, 1, flag_failed);
    file.event(Kind::thread_create, 10, {3, 0x400003}, 0, 1);
    file.event(Kind::thread_create, 10, {4, 0x400004}, 0, 1).event(Kind::thread_end, 1);
    file.stream(1).begin_thread(1, 15).event(Kind::thread_end, 1);
    file.stream(2).begin_thread(3, 35).event(Kind::thread_end, 1);
    auto const timeline = read(file);
    ASSERT_EQ(timeline.events.size(), 3u) << "a failed creation and a child that never ran are no threads";
    auto const& events = timeline.events[0];
    EXPECT_EQ(events[1].related, 1u);
    EXPECT_EQ(events[2].outcome, Outcome::failed);
    EXPECT_TRUE(ThreadId(events[2].related).is_none());
    EXPECT_EQ(events[3].related, 2u) << "numbers close up";
    EXPECT_EQ(events[4].outcome, Outcome::done);
    EXPECT_TRUE(ThreadId(events[4].related).is_none());
    Thread const& child = timeline.catalogue.threads[2];
    EXPECT_EQ(child.parent, ThreadId(0));
    EXPECT_EQ(timeline.catalogue.sites.at(child.created_at.index()).address, 0x401000u);
    EXPECT_EQ(timeline.catalogue.sites.at(child.start_site.index()).address, 0x400003u);
}

// A join that did not wait is written when it is done, and until then another thread may have the handle.
TEST(RawRecording, AJoinInterruptedBeforeItWasWrittenIsNotThatOfTheNextThreadWithTheHandle) {
    constexpr std::uint64_t handle = 0x7fff0000;
    for (std::uint32_t const end_of_next : {1'900u, 5'000u}) {
        RawFileBuilder file;
        file.stream(0)
            .begin_thread(0, 0)
            .event(Kind::thread_create, 100, {1, 0})
            .event(Kind::thread_create, 100, {3, 0});
        file.event(Kind::thread_join, 1'800, {handle}).event(Kind::thread_end, 8'000);
        file.stream(1).begin_thread(1, 300, 0, handle).event(Kind::thread_end, 100);
        file.stream(2).begin_thread(2, 1'600, 0, handle).event(Kind::thread_end, end_of_next - 1'600);
        file.stream(3).begin_thread(3, 400).event(Kind::thread_create, 1'100, {2, 0});
        file.event(Kind::thread_join, 4'500, {handle}).event(Kind::thread_end, 1);
        auto const timeline = read(file);
        EXPECT_EQ(timeline.events.at(0)[3].related, 1u) << end_of_next;
        EXPECT_EQ(timeline.events.at(3)[2].related, 2u) << end_of_next;
    }
}

TEST(RawRecording, AThreadHandleMeansTheThreadThatHadItThen) {
    constexpr std::uint64_t handle = 0x7fff0000;
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).event(Kind::thread_create, 100, {1, 0});
    // Arrives before the child has begun to run.
    file.event(Kind::thread_join, 10, {handle}, 0, 0, flag_blocked)
        .sync(1'000, 150)
        .event(Kind::resumed, 0, {0});
    file.event(Kind::thread_create, 100, {2, 0}).event(Kind::set_name, 1, {handle, 0x6f77747265626d75, 'r'});
    file.event(Kind::thread_detach, 10, {handle}).event(Kind::thread_join, 1, {0xdead}, 0, 0, flag_failed);
    file.event(Kind::thread_end, 1);
    file.stream(1).begin_thread(1, 500, 0, handle).event(Kind::thread_end, 1);
    file.begin_thread(2, 2'000, 0, handle)
        .event(Kind::set_affinity, 1, {0, 0b101})
        .event(Kind::thread_end, 1);
    auto const timeline = read(file);
    auto const& events = timeline.events.at(0);
    EXPECT_EQ(events[2].related, 1u);
    EXPECT_EQ(events[4].related, 2u);
    EXPECT_TRUE(ThreadId(events[5].related).is_none()) << "a handle of nobody";
    EXPECT_EQ(timeline.catalogue.threads.at(2).name, "umbertwor");
    EXPECT_EQ(timeline.events.at(2)[1].related, 2u) << "0 is the caller";
    EXPECT_EQ(timeline.events.at(2)[1].value, 0b101);
}

TEST(RawRecording, AnInitialisedAddressIsANewObject) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).object(1, 0xabc).event(Kind::semaphore_init, 10, {3}, 1);
    file.event(Kind::semaphore_post, 10, {}, 1).event(Kind::semaphore_destroy, 10, {}, 1);
    file.event(Kind::semaphore_init, 10, {5}, 1).event(Kind::semaphore_post, 10, {}, 1);
    file.event(Kind::mutex_lock, 10, {}, 1).event(Kind::thread_end, 1);
    auto const timeline = read(file);
    auto const& events = timeline.events.at(0);
    auto const& objects = timeline.catalogue.objects;
    ASSERT_EQ(objects.size(), 3u);
    EXPECT_EQ(events[1].object, ObjectId(0));
    EXPECT_EQ(events[3].object, ObjectId(0));
    EXPECT_EQ(events[4].object, ObjectId(1));
    EXPECT_EQ(events[5].object, ObjectId(1));
    EXPECT_EQ(objects[0].initial_value, 3);
    EXPECT_EQ(objects[1].initial_value, 5);
    EXPECT_EQ(objects[2].kind, ObjectKind::mutex) << "memory that became something else";
    EXPECT_FALSE(objects[2].initial_value);
}

// The first thread is read before it is known that the second one initialises the object in between.
TEST(RawRecording, AnAddressInitialisedByAThreadThatIsReadLaterIsANewObjectToo) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).object(1, 0xabc).site(1, 0x100).site(2, 0x200);
    file.event(Kind::mutex_lock, 100, {}, 1, 1).event(Kind::mutex_unlock, 100, {}, 1, 1);
    file.event(Kind::mutex_lock, 200, {}, 1, 2).event(Kind::mutex_unlock, 100, {}, 1, 2);
    file.event(Kind::thread_end, 10);
    file.stream(1).begin_thread(1, 50).object(1, 0xabc).site(1, 0x300);
    file.event(Kind::mutex_init, 250, {0}, 1, 1).event(Kind::thread_end, 10);
    auto const timeline = read(file);
    auto const& events = timeline.events.at(0);
    ASSERT_EQ(timeline.catalogue.objects.size(), 2u);
    EXPECT_EQ(events[1].object, ObjectId(0));
    EXPECT_EQ(events[2].object, ObjectId(0));
    EXPECT_EQ(events[3].object, ObjectId(1)) << "at 400, after the initialisation at 300";
    EXPECT_EQ(timeline.events.at(1)[1].object, ObjectId(1));
    auto const place = timeline.catalogue.objects[1].first_site;
    EXPECT_EQ(timeline.catalogue.sites.at(place.index()).address, 0x200u);
}

TEST(RawRecording, AConditionWaitNamesItsMutexAndItsTimeOut) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).object(1, 0xabc).object(2, 0xdef).event(Kind::mutex_lock, 1, {}, 1);
    file.event(Kind::condition_timed_wait, 1, {0xabc, 5'000}, 2, 0, flag_blocked).sync(6'000, 5);
    file.event(Kind::resumed, 1, {0}, 0, 0, flag_timed_out).event(Kind::thread_end, 1);
    auto const events = read(file).events.at(0);
    EXPECT_EQ(events[2].kind, EventKind::timed_condition_wait);
    EXPECT_EQ(ObjectId(events[2].related), events[1].object);
    EXPECT_EQ(events[2].value, 5'000);
    EXPECT_EQ(events[2].outcome, Outcome::timed_out);
}

TEST(RawRecording, AFileThatEndsInsideACallKeepsTheCall) {
    RawFileBuilder file;
    file.header.ending = wire::Ending::none;
    file.stream(0).begin_thread(0, 0).object(1, 0xabc).event(Kind::mutex_lock, 100, {}, 1, 0, flag_blocked);
    auto const timeline = read(file);
    auto const& events = timeline.events.at(0);
    ASSERT_EQ(kinds(events), (std::vector{EventKind::thread_begin, EventKind::lock, EventKind::thread_end}));
    EXPECT_EQ(events[1].outcome, Outcome::cut_off);
    EXPECT_EQ(events[1].span_ns, 1'000'000 - 100);
    EXPECT_EQ(events[2].outcome, Outcome::cut_off) << "the thread was alive";
    EXPECT_EQ(cpu_time_ns(timeline, ThreadId(0)), 100);
    EXPECT_FALSE(timeline.provenance.ended_regularly);
    EXPECT_FALSE(timeline.provenance.exit_status);
}

TEST(RawRecording, WithTheThreadClockOnlyItsReadingsAreCpuTime) {
    // A whole slice of another thread may lie between a reading and the event after it.
    RawFileBuilder file;
    file.header.clock = wire::Clock::thread_clock;
    file.stream(0).begin_thread(0, 0).sync(100, 90).event(Kind::yield, 300'000);
    file.sync(200, 140).event(Kind::thread_end, 1);
    auto const events = read(file).events.at(0);
    EXPECT_EQ(events[1].cpu_ns, 90);
    EXPECT_EQ(events[2].cpu_ns, 50);
}

TEST(RawRecording, AThreadThatComputesUntilTheProcessEndsHasAllItsCpuTime) {
    RawFileBuilder file;
    file.stream(0).begin_thread(0, 0).event(Kind::process_exit, 900'000, {0});
    file.stream(1).begin_thread(1, 5, 20).event(Kind::yield, 100);
    wire::FinalClock const clock{1, 600'120};
    file.text(wire::ChunkKind::final_clocks, {reinterpret_cast<char const*>(&clock), sizeof clock});
    auto const timeline = read(file);
    EXPECT_EQ(cpu_time_ns(timeline, ThreadId(1)), 600'120);
    EXPECT_EQ(timeline.events.at(1).back().cpu_ns, 600'000) << "after its last event";
}

TEST(RawRecording, TheThreadThatEndsTheProcessIsNotCountedAsAlive) {
    RawFileBuilder file;
    file.header.exit_status = 3;
    file.stream(0).begin_thread(0, 0).event(Kind::process_exit, 10, {3}).event(Kind::yield, 10);
    file.stream(1).begin_thread(1, 5);
    auto const timeline = read(file);
    EXPECT_EQ(timeline.events.at(0).back().outcome, Outcome::done)
        << "what its exit handlers did comes after";
    EXPECT_EQ(timeline.events.at(1).back().outcome, Outcome::cut_off);
    EXPECT_EQ(timeline.provenance.exit_status, 3);
}

TEST(RawRecording, AnExecThatReturnedFailed) {
    RawFileBuilder file;
    file.stream(0)
        .begin_thread(0, 0)
        .event(Kind::exec, 10)
        .event(Kind::exec_failed, 10)
        .event(Kind::thread_end, 0);
    EXPECT_EQ(read(file).events.at(0)[1].outcome, Outcome::failed);
}

TEST(RawRecording, TextsBecomeProvenance) {
    using namespace std::string_literals;
    RawFileBuilder file;
    file.header.ending = wire::Ending::exec;
    file.header.pretended_cpus = 8;
    file.header.lost_events = 12;
    file.text(wire::ChunkKind::command, "pigz\0-p\0008\0a file\0"s);
    file.text(wire::ChunkKind::working_directory, "/tmp");
    file.text(wire::ChunkKind::settings, "OMP_WAIT_POLICY=active\0broken\0OMP_PLACES={0}=\0"s);
    file.text(wire::ChunkKind::modules, "55550000 2000 /bin/pigz\nbroken\n7fff");
    file.text(wire::ChunkKind::modules, "0000 1000 /lib/with space.so\n");
    file.text(wire::ChunkKind::exec_target, "/bin/true");
    auto const provenance = read(file).provenance;
    EXPECT_EQ(provenance.command, (std::vector<std::string>{"pigz", "-p", "8", "a file"}));
    EXPECT_EQ(provenance.working_directory, "/tmp");
    EXPECT_EQ(provenance.settings,
              (std::vector<Setting>{{"OMP_WAIT_POLICY", "active"}, {"OMP_PLACES", "{0}="}}));
    ASSERT_EQ(provenance.modules.size(), 2u);
    EXPECT_EQ(provenance.modules[0].load_bias, 0x55550000u);
    EXPECT_EQ(provenance.modules[1].path, "/lib/with space.so");
    EXPECT_EQ(provenance.replaced_by, "/bin/true");
    EXPECT_EQ(provenance.pretended_cpus, 8);
    EXPECT_EQ(provenance.lost_events, 12);
    EXPECT_EQ(provenance.date, "2023-11-14T22:13:20Z");
}

TEST(RawRecording, AProcessWithoutAnyEventHasItsInitialThread) {
    auto const timeline = read(RawFileBuilder{});
    ASSERT_EQ(timeline.events.size(), 1u);
    EXPECT_EQ(kinds(timeline.events[0]), (std::vector{EventKind::thread_begin, EventKind::thread_end}));
}

TEST(RawRecording, EventsOutsideAThreadAreCountedAsLost) {
    RawFileBuilder file;
    file.stream(0)
        .event(Kind::yield, 10)
        .begin_thread(0, 100)
        .event(Kind::thread_end, 1)
        .event(Kind::yield, 10);
    EXPECT_EQ(read(file).provenance.lost_events, 2);
}

struct BadCase {
    std::function<void(RawFileBuilder&)> story;
    ErrorCode code;
    char const* because;
};

TEST(RawRecording, BadInputIsRefused) {
    BadCase const cases[] = {
        {[](auto& file) { file.header.magic ^= 1; }, ErrorCode::unsupported, "no raw recording"},
        {[](auto& file) { file.header.version = 99; }, ErrorCode::unsupported, "another version"},
        {[](auto& file) { file.header.end = {}; }, ErrorCode::truncated, "never completed"},
        {[](auto& file) { file.header.end = file.header.begin; }, ErrorCode::malformed, "no time passes"},
        {[](auto& file) { file.header.end.monotonic_ns = 1ull << 60; }, ErrorCode::malformed,
         "impossible rate"},
        {[](auto& file) { file.header.event_cost_ns = std::numeric_limits<double>::quiet_NaN(); },
         ErrorCode::malformed, "a cost that is no number"},
        {[](auto& file) { file.header.definition_cost_ns = -1; }, ErrorCode::malformed, "a cost below zero"},
        {[](auto& file) { file.header.clock = static_cast<wire::Clock>(9); }, ErrorCode::malformed,
         "unknown clock"},
        {[](auto& file) { file.stream(0).word(0xffull << 32); }, ErrorCode::malformed, "unknown kind"},
        {[](auto& file) { file.stream(0).word(1); }, ErrorCode::malformed, "no kind"},
        {[](auto& file) { file.stream(0, 1); }, ErrorCode::malformed,
         "the first chunk of a stream is missing"},
        {[](auto& file) { file.stream(0).stream(0); }, ErrorCode::malformed, "a chunk twice"},
        {[](auto& file) { file.stream(0).begin_thread(0, 0).begin_thread(1, 5); }, ErrorCode::malformed,
         "a thread inside a thread"},
        {[](auto& file) { file.stream(0).begin_thread(0, 0).stream(1).begin_thread(0, 0); },
         ErrorCode::malformed, "one thread twice"},
        {[](auto& file) { file.stream(0).begin_thread(0, 500).event(Kind::time_base, 0, {1'200}); },
         ErrorCode::malformed, "time runs backwards"},
        {[](auto& file) { file.stream(0).event(Kind::time_base, 0, {~0ull}); }, ErrorCode::malformed,
         "a time years away"},
        {[](auto& file) { file.stream(0).begin_thread(0, 0).sync(1, ~0ull); }, ErrorCode::malformed,
         "a CPU time of years"},
        {[](auto& file) { file.stream(0).begin_thread(0, 0).event(Kind::mutex_lock, 1, {}, 5); },
         ErrorCode::malformed, "an object never defined"},
        {[](auto& file) { file.stream(0).begin_thread(0, 0).event(Kind::yield, 1, {}, 0, 5); },
         ErrorCode::malformed, "a site never defined"},
        {[](auto& file) { file.text(static_cast<wire::ChunkKind>(77), "x"); }, ErrorCode::malformed,
         "unknown chunk"},
    };
    for (BadCase const& item : cases) {
        RawFileBuilder file;
        item.story(file);
        auto const timeline = read_raw_recording(file.bytes());
        ASSERT_FALSE(timeline) << item.because;
        EXPECT_EQ(timeline.error().code, item.code) << item.because << ": " << describe(timeline.error());
        EXPECT_FALSE(timeline.error().message.empty());
    }
}

TEST(RawRecording, AFileCutOffAnywhereAfterItsHeaderIsReadAsFarAsItGoes) {
    RawFileBuilder file;
    file.stream(0)
        .begin_thread(0, 100, 5'000)
        .object(1, 0xabc)
        .event(Kind::mutex_lock, 300, {}, 1, 0, flag_blocked);
    file.sync(60, 5'400).event(Kind::resumed, 0, {0}).event(Kind::thread_end, 0);
    auto const bytes = file.bytes();
    for (std::size_t size = 0; size < wire::header_bytes + 200; ++size) {
        auto const timeline = read_raw_recording(std::span(bytes).first(size));
        EXPECT_EQ(timeline.has_value(), size >= wire::header_bytes) << size;
    }
}

}  // namespace
}  // namespace parcast::trace
