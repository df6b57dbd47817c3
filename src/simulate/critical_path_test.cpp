// The critical path of a run, and when its operations were executed.

#include <gtest/gtest.h>

#include <algorithm>

#include "simulate/simulate.h"
#include "support/random_program.h"

namespace parcast::simulate {
namespace {

constexpr ReplayOptions everything{.with_timeline = true, .with_arrivals = true};

Run must_run(ThreadProgram const& program, Machine const& machine,
             ReplayOptions const& options = everything) {
    auto result = run(program, machine, options);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return *result;
}

Instant at(std::int64_t units) {
    return {units * ProgramBuilder::default_unit_ns};
}

// Thread 0 holds the mutex that thread 1 waits for, and then waits for thread 1 to end.
TEST(CriticalPath, GoesOverToWhoReleasedTheThreadAndBackAgain) {
    ProgramBuilder program(2);
    auto const mutex = program.object(ObjectKind::mutex);
    program.thread(0).lock(mutex).create(1).work(5).unlock(mutex).work(1).join(1).work(2);
    program.thread(1).work(1).lock(mutex).work(4).unlock(mutex);
    auto const run = must_run(program.finish(), ideal_machine(2));
    std::vector<PathSegment> const expected = {{ThreadId(0), at(0), at(5)},    // until the unlock
                                               {ThreadId(1), at(5), at(9)},    // until its end
                                               {ThreadId(0), at(9), at(11)}};  // after the join
    EXPECT_EQ(run.timeline->critical_path, expected);
    EXPECT_EQ(run.accounts.path_busy.ns, at(11).ns);
}

TEST(CriticalPath, AThreadThatSleepsIsItsOwnCause) {
    ProgramBuilder program(1);
    program.thread(0).work(1).sleep(3).work(2);
    auto const run = must_run(program.finish(), linux_machine(1));
    std::vector<PathSegment> const expected = {{ThreadId(0), at(0), at(6)}};
    EXPECT_EQ(run.timeline->critical_path, expected);
}

TEST(CriticalPath, IsEmptyAfterADeadlock) {
    ProgramBuilder program(1);
    program.thread(0).work(1).wait(program.object(ObjectKind::semaphore));
    auto const run = must_run(program.finish(), linux_machine(1));
    ASSERT_TRUE(run.deadlock);
    EXPECT_TRUE(run.timeline->critical_path.empty());
}

TEST(CriticalPath, IsNotTherePerDefault) {
    ProgramBuilder program(1);
    program.thread(0).work(1);
    EXPECT_FALSE(must_run(program.finish(), linux_machine(1), {}).timeline);
}

template <class Check>
void for_random_runs(Check const& check_run) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        auto const threads = static_cast<std::uint32_t>(1 + seed % 12);
        auto const program = RandomProgram(seed, {.threads = threads}).make();
        for (std::uint32_t cpus : {1U, 2U, 3U, 16U}) {
            auto spinning = linux_machine(cpus);
            spinning.waiting = {.barrier_spin = {5'001}, .lock_spin = {20'011}, .condition_spin = {50'021}};
            for (auto const& machine : {linux_machine(cpus), spinning, ideal_machine(16)}) {
                SCOPED_TRACE(testing::Message()
                             << "seed " << seed << ", " << machine.name << " on " << machine.cpus);
                check_run(program, machine, must_run(program, machine));
            }
        }
    }
}

// Running time of the path's threads while they are on it.
std::int64_t running_ns(Timeline const& timeline) {
    auto const& rows = *timeline.intervals;
    std::int64_t sum = 0;
    for (auto const& segment : timeline.critical_path) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows.thread[row] != segment.thread || rows.state[row] != ThreadState::running)
                continue;
            auto const overlap =
                std::min(rows.end[row], segment.end) - std::max(rows.begin[row], segment.begin);
            sum += std::max<std::int64_t>(overlap.ns, 0);
        }
    }
    return sum;
}

TEST(CriticalPath, HasNoGapEndsAtTheCompletionAndIsAsBusyAsTheAccountsSay) {
    for_random_runs([](ThreadProgram const&, Machine const&, parcast::Run const& run) {
        auto const& path = run.timeline->critical_path;
        ASSERT_FALSE(path.empty());
        EXPECT_EQ(path.front().begin.ns, 0);
        EXPECT_EQ(path.front().thread, ThreadId(0));
        EXPECT_EQ(path.back().end.ns, run.accounts.completion.ns);
        for (std::size_t i = 1; i < path.size(); ++i) {
            EXPECT_EQ(path[i].begin, path[i - 1].end);
            EXPECT_LT(path[i].begin, path[i].end);
            EXPECT_NE(path[i].thread, path[i - 1].thread);
        }
        EXPECT_EQ(running_ns(*run.timeline), run.accounts.path_busy.ns);
    });
}

TEST(Arrivals, AreThoseOfEveryOperationInOrder) {
    for_random_runs([](ThreadProgram const& program, Machine const&, parcast::Run const& run) {
        auto const& arrivals = run.timeline->arrivals;
        ASSERT_EQ(arrivals.size(), program.lists.size());
        for (std::size_t thread = 0; thread < arrivals.size(); ++thread) {
            EXPECT_EQ(arrivals[thread].size(), program.lists[thread].size());
            EXPECT_TRUE(std::is_sorted(arrivals[thread].begin(), arrivals[thread].end()));
            EXPECT_EQ(arrivals[thread].back(), run.accounts.threads[thread].ended);
        }
    });
}

TEST(Arrivals, AreNotThereUnlessAskedFor) {
    ProgramBuilder program(1);
    program.thread(0).work(1);
    auto const run = must_run(program.finish(), linux_machine(1), {.with_timeline = true});
    EXPECT_TRUE(run.timeline->arrivals.empty());
}

}  // namespace
}  // namespace parcast::simulate
