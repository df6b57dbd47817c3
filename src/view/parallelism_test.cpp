#include "view/parallelism.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "simulate/simulate.h"
#include "support/random_program.h"

namespace parcast::view {
namespace {

// One that takes each instant at a time.
ParallelismStep brute_force(IntervalColumns const& rows, std::uint32_t cpus, Instant now) {
    std::uint32_t on_processor = 0;
    std::uint32_t ready = 0;
    std::uint32_t waiting = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows.begin[row] > now || rows.end[row] <= now)
            continue;
        auto const state = rows.state[row];
        on_processor += state == ThreadState::running || state == ThreadState::switching ||
                        state == ThreadState::spinning;
        ready += state == ThreadState::ready;
        waiting += state == ThreadState::blocked || state == ThreadState::sleeping ||
                   state == ThreadState::input_output;
    }
    auto const running = std::min(on_processor, cpus);
    return {now, running, ready + on_processor - running, waiting};
}

TEST(Parallelism, IsWhatCountingTheThreadsAtEachInstantGives) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        auto const program = RandomProgram(seed, {.threads = 9, .operations = 10}).make();
        for (auto const& machine : {linux_machine(3), ideal_machine(3), ideal_machine(20)}) {
            auto const run = simulate::run(program, machine, {.with_timeline = true});
            ASSERT_TRUE(run);
            auto const& rows = *run->timeline->intervals;
            auto const steps = parallelism(rows, machine.cpus, run->accounts.completion);
            std::vector<Instant> instants = rows.begin;
            instants.insert(instants.end(), rows.end.begin(), rows.end.end());
            std::sort(instants.begin(), instants.end());
            instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
            instants.pop_back();  // the completion
            std::vector<ParallelismStep> expected;
            for (auto const now : instants) {
                auto const step = brute_force(rows, machine.cpus, now);
                bool const changes = expected.empty() || expected.back().running != step.running ||
                                     expected.back().ready != step.ready ||
                                     expected.back().waiting != step.waiting;
                if (changes)
                    expected.push_back(step);
            }
            EXPECT_EQ(steps, expected) << "seed " << seed << " on " << machine.name;
        }
    }
}

struct Row {
    std::uint32_t thread;
    std::int64_t begin;
    std::int64_t end;
    ThreadState state;
};

IntervalColumns rows_of(std::vector<Row> const& list) {
    IntervalColumns rows;
    for (auto const& row : list) {
        rows.thread.emplace_back(row.thread);
        rows.begin.push_back({row.begin});
        rows.end.push_back({row.end});
        rows.state.push_back(row.state);
    }
    return rows;
}

struct AloneCase {
    std::vector<Row> rows;
    std::optional<double> share;
    char const* because;
};

class RunningAlone : public testing::TestWithParam<AloneCase> {};

// The critical path is thread 0, from 0 to 10. A thread that slept while nobody ran was said to run alone.
TEST_P(RunningAlone, IsOfAThreadThatRunsAndOfNoOtherOne) {
    auto const rows = rows_of(GetParam().rows);
    Duration const length{10};
    std::vector<PathSegment> const path = {{ThreadId(0), Instant{0}, Instant{10}}};
    auto const found = concurrency(rows, parallelism(rows, 4, length), path, 4, length);
    ASSERT_EQ(found.longest_alone.has_value(), GetParam().share.has_value()) << GetParam().because;
    if (GetParam().share) {
        EXPECT_EQ(found.longest_alone->thread, ThreadId(0));
        EXPECT_DOUBLE_EQ(found.longest_alone->share, *GetParam().share) << GetParam().because;
    }
}

using enum ThreadState;

INSTANTIATE_TEST_SUITE_P(
    Parallelism, RunningAlone,
    testing::Values(
        AloneCase{{{0, 0, 10, sleeping}}, std::nullopt, "nobody running is not one running"},
        AloneCase{{{0, 0, 4, running}, {0, 4, 10, sleeping}}, 0.4, "and then it sleeps"},
        AloneCase{{{0, 0, 10, input_output}, {1, 0, 10, running}}, std::nullopt, "the other one runs"},
        AloneCase{{{0, 0, 10, running}, {1, 2, 5, ready}, {1, 5, 7, sleeping}}, 0.7, "one is ready"},
        AloneCase{{{0, 0, 3, ready}, {0, 3, 10, running}, {1, 0, 9, blocked}},
                  1.0,
                  "it has no CPU yet, and no other thread could run"}));

}  // namespace
}  // namespace parcast::view
