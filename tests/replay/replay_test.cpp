// From a recording on one CPU to a completion time on another number: extraction and simulation together.

#include <gtest/gtest.h>

#include <random>

#include "simulate/simulate.h"
#include "support/operation_rows.h"

namespace parcast {
namespace {

using extract::extracted;
using extract::Recording;

std::int64_t completion_on(std::uint32_t cpus, ThreadProgram const& program) {
    auto const run = simulate::run(program, ideal_machine(cpus));
    EXPECT_TRUE(run.has_value()) << (run ? "" : run.error().message);
    EXPECT_FALSE(run->deadlock.has_value());
    return run->accounts.completion.ns;
}

TEST(Paper2, Figure5) {
    // Broberg 2002, paper II: 55 on one processor, 40 on two.
    Recording recording(2);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 45, .cpu = 15, .related = 1}).end(0, 55, 10);
    recording.begin(1, 20).end(1, 40, 20);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(completion_on(1, program), 55);
    EXPECT_EQ(completion_on(2, program), 40);
}

TEST(Paper2, Figure6WithoutTheKernelsLog) {
    // The log's wait of 5 is hidden behind thread 1 in the recording; it does not change the completion
    // of 40 on two processors, since the write ends at 20 instead of 25, before thread 1 at 30.
    Recording recording(2);
    auto const file = recording.object(ObjectKind::descriptor);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::output, .at = 10, .span = 30, .object = file, .cpu_inside = 10});
    recording.add(0, {.kind = EventKind::thread_join, .at = 40, .related = 1}).end(0, 50, 10);
    recording.begin(1, 15).end(1, 35, 20);
    EXPECT_EQ(completion_on(2, extracted(recording)), 40);
}

TEST(Paper2, Figure6WithTheKernelsLog) {
    // Write done at 25, join at 30, end at 40.
    Recording recording(2);
    auto const file = recording.object(ObjectKind::descriptor);
    recording.begin(0, 0).create(0, 10, 1, 10).end(0, 50, 10);
    recording.begin(1, 15).end(1, 35, 20);
    ThreadProgram program = extracted(recording);
    program.lists[0] = {make_operation(OperationKind::create, 10, 1),
                        make_operation(OperationKind::input_output, 10, file, 5),
                        make_operation(OperationKind::join, 0, 1), make_operation(OperationKind::end, 10)};
    auto const run = simulate::run(program, ideal_machine(2));
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->accounts.completion, Duration{40});
    EXPECT_EQ(run->accounts.threads[0][ThreadState::input_output], Duration{5}) << "the write ends at 25";
    EXPECT_EQ(run->accounts.threads[0][ThreadState::blocked], Duration{5}) << "the join takes from 25 to 30";
}

TEST(ConditionBarriers, ReleaseWhenTheLastOfTheReplayArrives) {
    // Two rounds, work 100 and 60 in thread 1, 10 and 80 in thread 2, which broadcast in the first round of
    // the recording, as thread 1 did in the second. Rounds end at 100 and 180. With tokens, thread 2 would
    // not wait in the first round, and all would end at 165.
    Recording recording(3);
    auto const mutex = recording.object(ObjectKind::mutex);
    auto const condition = recording.object(ObjectKind::condition);
    auto const site = recording.site();
    recording.begin(0, 0).create(0, 1, 1).create(0, 2, 2);
    recording.begin(1, 10).begin(2, 100);
    auto const arrive = [&](std::size_t thread, std::int64_t at, std::int64_t cpu, std::int64_t until) {
        recording.add(thread, {.kind = EventKind::lock, .at = at, .cpu = cpu, .object = mutex, .site = site});
        if (until > at) {
            recording.add(thread, {.kind = EventKind::condition_wait,
                                   .at = at,
                                   .span = until - at,
                                   .object = condition,
                                   .related = mutex});
        } else {
            recording.add(thread, {.kind = EventKind::condition_broadcast, .at = at, .object = condition});
        }
        recording.add(thread, {.kind = EventKind::unlock, .at = until, .object = mutex});
    };
    arrive(1, 110, 100, 130);
    arrive(2, 120, 10, 120);
    arrive(2, 200, 80, 300);
    arrive(1, 250, 60, 250);
    for (std::size_t thread = 1; thread < 3; ++thread)
        recording.end(thread, 400, 5);
    recording.end(0, 500);
    ThreadProgram const program = extracted(recording);
    ASSERT_EQ(program.barriers.size(), 1U);
    EXPECT_EQ(completion_on(3, program), 100 + 80 + 5);
}

TEST(BlockedForEver, AThreadThatWaitedWhenTheProcessEndedDoesNotDeadlockTheReplay) {
    Recording recording(2);
    auto const condition = recording.object(ObjectKind::condition);
    recording.begin(0, 0).create(0, 10, 1, 10).end(0, 50, 40);
    recording.begin(1, 10);
    recording.add(1, {.kind = EventKind::condition_wait,
                      .at = 20,
                      .cpu = 5,
                      .span = 30,
                      .object = condition,
                      .outcome = Outcome::cut_off});
    recording.end(1, 50, 0, Outcome::cut_off);
    EXPECT_EQ(completion_on(2, extracted(recording)), 50);
}

// A pipeline recorded in turns: thread 0 signals, thread t waits, works and signals the next one.
Recording relay(std::uint32_t seed, std::vector<std::uint32_t> const& name) {
    std::mt19937 random(seed);
    std::size_t const threads = name.size();
    Recording recording(threads);
    auto const mutex = recording.object(ObjectKind::mutex);
    std::vector<std::uint32_t> condition;
    for (std::size_t i = 0; i < threads; ++i)
        condition.push_back(recording.object(ObjectKind::condition));
    recording.begin(0, 0);
    std::int64_t now = 1;
    for (std::size_t i = 1; i < threads; ++i) {
        recording.create(0, now, name[i]);
        recording.begin(name[i], now++);
    }
    std::vector<std::int64_t> waits_since(threads, now);
    for (int turn = 0; turn < 20; ++turn) {
        recording.add(
            0, {.kind = EventKind::condition_signal, .at = now += 5, .cpu = 5, .object = condition[1]});
        for (std::size_t i = 1; i < threads; ++i) {
            std::int64_t const woken = now += 3;
            recording.add(name[i], {.kind = EventKind::condition_wait,
                                    .at = waits_since[i],
                                    .span = woken - waits_since[i],
                                    .object = condition[i],
                                    .related = mutex,
                                    .cpu_inside = 2});
            auto const cpu = static_cast<std::int64_t>(60'000 + random() % 1'000);
            now += cpu;
            recording.add(name[i], {.kind = EventKind::condition_signal,
                                    .at = now,
                                    .cpu = cpu,
                                    .object = condition[(i + 1) % threads]});
            waits_since[i] = ++now;
        }
    }
    for (std::size_t i = 0; i < threads; ++i)
        recording.end(name[i], now + 1, 7);
    return recording;
}

class Laws : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Laws, WorkIsTheEventsCpuTimeLessWhatWasDroppedAndTheRecordersCost) {
    Recording recording = relay(GetParam(), {0, 1, 2, 3, 4});
    recording.timeline().provenance.event_cost_ns = 1;
    std::int64_t cpu = 0;
    std::int64_t inside_waits = 0;
    for (auto const& events : recording.timeline().events) {
        for (Event const& event : events) {
            cpu += event.cpu_ns + event.cpu_inside_ns;
            inside_waits += event.cpu_inside_ns;
        }
    }
    EXPECT_EQ(work_ns(extracted(recording)), cpu - inside_waits - event_count(recording.timeline()));
}

TEST_P(Laws, ThereAreAsManyTokensAsWaits) {
    Recording recording = relay(GetParam(), {0, 1, 2, 3, 4});
    std::int64_t tokens = 0;
    std::int64_t waits = 0;
    for (auto const& list : extracted(recording).lists) {
        for (Operation const& operation : list) {
            tokens += operation.kind() == OperationKind::condition_signal
                          ? decode_grant(operation.value).tokens
                          : 0;
            waits += operation.kind() == OperationKind::condition_wait ? 1 : 0;
        }
    }
    EXPECT_EQ(waits, 4 * 20);
    EXPECT_EQ(tokens, waits);
}

TEST_P(Laws, RenamingThreadsChangesNoPrediction) {
    Recording original = relay(GetParam(), {0, 1, 2, 3, 4});
    Recording renamed = relay(GetParam(), {0, 3, 1, 4, 2});
    for (std::uint32_t const cpus : {1U, 2U, 5U})
        EXPECT_EQ(completion_on(cpus, extracted(original)), completion_on(cpus, extracted(renamed))) << cpus;
}

INSTANTIATE_TEST_SUITE_P(Seeds, Laws, testing::Range(1U, 6U));

}  // namespace
}  // namespace parcast
