#include "view/parallelism.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulate/simulate.h"
#include "support/random_program.h"

namespace parcast::view {
namespace {

// One that takes each instant at a time.
ParallelismStep brute_force(IntervalColumns const& rows, std::uint32_t cpus, Instant now) {
    std::uint32_t on_processor = 0;
    std::uint32_t ready = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows.begin[row] > now || rows.end[row] <= now)
            continue;
        auto const state = rows.state[row];
        on_processor += state == ThreadState::running || state == ThreadState::switching ||
                        state == ThreadState::spinning;
        ready += state == ThreadState::ready;
    }
    auto const running = std::min(on_processor, cpus);
    return {now, running, ready + on_processor - running};
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
                                     expected.back().ready != step.ready;
                if (changes)
                    expected.push_back(step);
            }
            EXPECT_EQ(steps, expected) << "seed " << seed << " on " << machine.name;
        }
    }
}

}  // namespace
}  // namespace parcast::view
