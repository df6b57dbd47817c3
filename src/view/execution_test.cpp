// What the page is given, against counting by hand, over random programs.

#include "view/execution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "analysis/limits.h"
#include "answer/limit.h"
#include "support/random_program.h"
#include "view/totals.h"

namespace parcast::view {
namespace {

using simulate::Pairing;

// The columns of an execution, by name.
class Page {
public:
    explicit Page(Bytes bytes)
        : bytes_(std::move(bytes)), reader_(SectionReader::open(bytes_, execution_magic)) {
        EXPECT_TRUE(reader_);
    }

    template <class Number>
    std::vector<Number> column(std::string const& name) const {
        auto const found = reader_->column<Number>(name);
        EXPECT_TRUE(found) << name;
        return found ? std::vector<Number>(found->begin(), found->end()) : std::vector<Number>{};
    }
    std::vector<std::uint32_t> ids(std::string const& name) const { return column<std::uint32_t>(name); }
    std::vector<double> times(char const* name) const { return column<double>(name); }
    double total(std::string_view name) const {
        auto const names = totals({}, {}, {});
        auto const found = std::ranges::find(names, name, &Total::name) - names.begin();
        return times("totals").at(static_cast<std::size_t>(found));
    }
    std::string sentences() const {
        auto const letters = column<std::uint8_t>("sentences");
        return {letters.begin(), letters.end()};
    }

private:
    Bytes bytes_;
    Result<SectionReader> reader_;
};

struct Drawn {
    Run run;
    Page page;
};

Drawn draw(ThreadProgram const& program, Machine const& machine) {
    auto run = simulate::run(program, machine, options_for_view(program, Pairing::any));
    EXPECT_TRUE(run.has_value());
    auto bytes =
        execution_bytes(*run, program, machine, Pairing::any, meaning_of_replays(machine, Pairing::any, {}));
    return {std::move(*run), Page(std::move(bytes))};
}

template <class Check>
void for_random_executions(Check const& check_one) {
    for (std::uint64_t seed = 1; seed <= 15; ++seed) {
        auto const threads = static_cast<std::uint32_t>(1 + seed % 10);
        auto const program = RandomProgram(seed, {.threads = threads, .operations = 25}).make();
        for (auto const& machine :
             {linux_machine(1), linux_machine(3), ideal_machine(2), linux_machine(64)}) {
            SCOPED_TRACE(testing::Message()
                         << "seed " << seed << ", " << machine.name << " on " << machine.cpus);
            check_one(program, machine, draw(program, machine));
            if (testing::Test::HasFailure())
                return;
        }
    }
}

std::uint8_t share(std::int64_t part, std::int64_t whole) {
    if (part == 0 || part == whole)
        return part == 0 ? 0 : 255;
    auto const nearest =
        static_cast<int>(255.0 * static_cast<double>(part) / static_cast<double>(whole) + 0.5);
    return static_cast<std::uint8_t>(std::clamp(nearest, 1, 254));
}

TEST(Execution, ItsTotalsSumToItsProcessorsTimesItsCompletion) {
    for_random_executions([](ThreadProgram const&, Machine const& machine, Drawn const& drawn) {
        double sum = 0;
        for (auto const& cause : causes)
            sum += drawn.page.total(cause.name);
        EXPECT_EQ(drawn.page.total("cpus"), machine.cpus);
        EXPECT_EQ(sum, drawn.page.total("cpus") * drawn.page.total("completion"));
        EXPECT_EQ(drawn.page.total("path_busy"), static_cast<double>(drawn.run.accounts.path_busy.ns));
    });
}

TEST(Execution, ItsLanesHaveNoGapsAndEndWhereTheThreadDoes) {
    for_random_executions([](ThreadProgram const&, Machine const&, Drawn const& drawn) {
        auto const& rows = *drawn.run.timeline->intervals;
        auto const first = drawn.page.ids("lane.first");
        auto const begin = drawn.page.times("interval.begin");
        auto const lane_end = drawn.page.times("lane.end");
        ASSERT_EQ(begin.size(), rows.size());
        for (std::size_t thread = 0; thread + 1 < first.size(); ++thread) {
            for (auto row = first[thread]; row < first[thread + 1]; ++row) {
                EXPECT_EQ(rows.thread[row].index(), thread);
                EXPECT_EQ(begin[row], static_cast<double>(rows.begin[row].ns));
                auto const end = row + 1 < first[thread + 1] ? begin[row + 1] : lane_end[thread];
                EXPECT_EQ(end, static_cast<double>(rows.end[row].ns));
            }
        }
    });
}

TEST(Execution, APyramidsNodeSaysWhatItsIntervalsSay) {
    for_random_executions([](ThreadProgram const&, Machine const&, Drawn const& drawn) {
        auto const& rows = *drawn.run.timeline->intervals;
        auto const lane = drawn.page.ids("lane.first");
        auto const node_first = drawn.page.ids("pyramid.first");
        auto const state = drawn.page.column<std::uint8_t>("pyramid.state");
        auto const busy = drawn.page.column<std::uint8_t>("pyramid.busy");
        auto const longest = drawn.page.column<float>("pyramid.longest");
        auto const lanes = lane.size() - 1;
        for (std::size_t at = 0; at + 1 < node_first.size(); ++at) {
            auto const width = std::uint32_t{1} << (2 * (at / lanes + 1));
            auto const thread = at % lanes;
            for (auto node = node_first[at]; node < node_first[at + 1]; ++node) {
                auto const begin = lane[thread] + (node - node_first[at]) * width;
                auto const end = std::min(lane[thread + 1], begin + width);
                ASSERT_LT(begin, end);
                std::vector<std::int64_t> in_state(thread_state_count);
                std::int64_t most = 0;
                for (auto row = begin; row < end; ++row) {
                    auto const length = (rows.end[row] - rows.begin[row]).ns;
                    in_state[static_cast<std::size_t>(rows.state[row])] += length;
                    most = std::max(most, length);
                }
                auto const dominant = std::max_element(in_state.begin(), in_state.end()) - in_state.begin();
                EXPECT_EQ(state[node], dominant);
                EXPECT_EQ(busy[node], share(in_state[0], (rows.end[end - 1] - rows.begin[begin]).ns));
                EXPECT_EQ(longest[node], static_cast<float>(most));
            }
        }
    });
}

TEST(Execution, AProcessorsLaneHasItsIntervalsInTheOrderOfTime) {
    for_random_executions([](ThreadProgram const&, Machine const& machine, Drawn const& drawn) {
        auto const& rows = *drawn.run.timeline->intervals;
        auto const first = drawn.page.ids("cpu.first");
        auto const interval = drawn.page.ids("cpu.interval");
        ASSERT_EQ(first.size(), machine.cpus + 1);
        auto const on_processors =
            std::count_if(rows.cpu.begin(), rows.cpu.end(), [](CpuId cpu) { return !cpu.is_none(); });
        EXPECT_EQ(interval.size(), static_cast<std::size_t>(on_processors));
        for (std::size_t cpu = 0; cpu < machine.cpus; ++cpu) {
            for (auto i = first[cpu]; i < first[cpu + 1]; ++i) {
                EXPECT_EQ(rows.cpu[interval[i]].index(), cpu);
                EXPECT_TRUE(i == first[cpu] || rows.end[interval[i - 1]] <= rows.begin[interval[i]]);
            }
        }
    });
}

TEST(Execution, AProcessorsNodeNamesTheThreadWithMostTimeOfItsFourIntervals) {
    for_random_executions([](ThreadProgram const&, Machine const& machine, Drawn const& drawn) {
        auto const& rows = *drawn.run.timeline->intervals;
        auto const first = drawn.page.ids("cpu.first");
        auto const interval = drawn.page.ids("cpu.interval");
        auto const node_first = drawn.page.ids("cpu.pyramid.first");
        auto const leader = drawn.page.ids("cpu.pyramid.thread");
        auto const busy = drawn.page.column<std::uint8_t>("cpu.pyramid.busy");
        if (node_first.size() == 1)
            return;
        for (std::size_t cpu = 0; cpu < machine.cpus; ++cpu) {  // level 1
            for (auto node = node_first[cpu]; node < node_first[cpu + 1]; ++node) {
                auto const begin = first[cpu] + (node - node_first[cpu]) * 4;
                auto const end = std::min(first[cpu + 1], begin + 4);
                std::map<std::uint32_t, std::int64_t> time;
                std::int64_t running = 0;
                for (auto i = begin; i < end; ++i) {
                    auto const row = interval[i];
                    auto const length = (rows.end[row] - rows.begin[row]).ns;
                    time[rows.thread[row].value] += length;
                    running += rows.state[row] == ThreadState::running ? length : 0;
                }
                for (auto const& [thread, ns] : time)
                    EXPECT_LE(ns, time[leader[node]]);
                auto const whole = rows.end[interval[end - 1]] - rows.begin[interval[begin]];
                EXPECT_EQ(busy[node], share(running, whole.ns));
            }
        }
    });
}

struct CurveName {
    std::string steps;
    std::string nodes;
};

std::vector<double> numbers(Page const& page, std::string const& name) {
    if (name == "profile.running") {
        auto const values = page.column<float>(name);
        return {values.begin(), values.end()};
    }
    auto const values = page.ids(name);
    return {values.begin(), values.end()};
}

TEST(Execution, LevelsOfParallelismKeepItsLowestHighestAndMean) {
    for_random_executions([](ThreadProgram const&, Machine const&, Drawn const& drawn) {
        auto const time = drawn.page.times("profile.time");
        auto const node_first = drawn.page.ids("profile.pyramid.first");
        auto const completion = drawn.page.total("completion");
        for (auto const& curve :
             {CurveName{"profile.running", "profile."}, CurveName{"profile.ready", "profile.ready."},
              CurveName{"profile.waiting", "profile.waiting."}}) {
            auto const threads = numbers(drawn.page, curve.steps);
            auto const lowest = drawn.page.column<float>(curve.nodes + "min");
            auto const highest = drawn.page.column<float>(curve.nodes + "max");
            auto const mean = drawn.page.column<float>(curve.nodes + "mean");
            for (std::size_t level = 1; level < node_first.size(); ++level) {
                auto const width = std::size_t{1} << (2 * level);
                for (auto node = node_first[level - 1]; node < node_first[level]; ++node) {
                    auto const begin = (node - node_first[level - 1]) * width;
                    auto const end = std::min(time.size(), begin + width);
                    double sum = 0;
                    for (auto i = begin; i < end; ++i)
                        sum += threads[i] * ((i + 1 < time.size() ? time[i + 1] : completion) - time[i]);
                    auto const from = threads.begin() + static_cast<std::ptrdiff_t>(begin);
                    auto const to = threads.begin() + static_cast<std::ptrdiff_t>(end);
                    EXPECT_EQ(lowest[node], *std::min_element(from, to)) << curve.steps;
                    EXPECT_EQ(highest[node], *std::max_element(from, to)) << curve.steps;
                    auto const length = (end < time.size() ? time[end] : completion) - time[begin];
                    EXPECT_NEAR(mean[node], sum / length, 1e-4)
                        << "a float has 24 bits, and there are 64 CPUs at most";
                }
            }
        }
    });
}

TEST(Execution, ThreadsOnProcessorsSumToTheTimeOfProcessorsThatAreNotIdle) {
    for_random_executions([](ThreadProgram const&, Machine const& machine, Drawn const& drawn) {
        if (machine.name == "ideal")
            return;  // shares are rounded
        auto const time = drawn.page.times("profile.time");
        auto const running = drawn.page.column<float>("profile.running");
        auto const& page = drawn.page;
        double sum = 0;
        for (std::size_t i = 0; i < time.size(); ++i)
            sum += running[i] * ((i + 1 < time.size() ? time[i + 1] : page.total("completion")) - time[i]);
        EXPECT_EQ(
            sum, page.total("busy") + page.total("slowed") + page.total("spinning") + page.total("overhead"));
    });
}

TEST(Execution, EventsAreTheOperationsOfTheProgramAndStandInOrderOfTimeByObject) {
    for_random_executions([](ThreadProgram const& program, Machine const&, Drawn const& drawn) {
        auto const first = drawn.page.ids("event.first");
        auto const time = drawn.page.times("event.time");
        auto const kind = drawn.page.column<std::uint8_t>("event.kind");
        auto const object = drawn.page.ids("event.object");
        ASSERT_EQ(time.size(), static_cast<std::size_t>(operation_count(program)));
        for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
            for (std::size_t i = 0; i < program.lists[thread].size(); ++i)
                EXPECT_EQ(kind[first[thread] + i],
                          static_cast<std::uint8_t>(program.lists[thread][i].kind()));
        auto const by_object = drawn.page.ids("object.event.first");
        auto const event = drawn.page.ids("object.event");
        for (std::size_t which = 0; which < program.objects.size(); ++which) {
            for (auto i = by_object[which]; i < by_object[which + 1]; ++i) {
                EXPECT_EQ(object[event[i]], which);
                EXPECT_TRUE(i == by_object[which] || time[event[i - 1]] <= time[event[i]]);
            }
        }
    });
}

TEST(Execution, ItsLimitsAreThoseOfTheReport) {
    for_random_executions([](ThreadProgram const& program, Machine const&, Drawn const& drawn) {
        auto const limits = analysis::limits(drawn.run.accounts, program.catalogue);
        auto const cause = drawn.page.column<std::uint8_t>("limit.cause");
        auto const time = drawn.page.times("limit.time");
        ASSERT_EQ(cause.size(), limits.size());
        for (std::size_t i = 0; i < limits.size(); ++i) {
            EXPECT_EQ(cause[i], static_cast<std::uint8_t>(limits[i].cause));
            EXPECT_EQ(time[i], static_cast<double>(limits[i].processor_time.ns));
        }
    });
}

TEST(Execution, ItsPathHasNoGapAndEndsAtTheCompletion) {
    for_random_executions([](ThreadProgram const&, Machine const&, Drawn const& drawn) {
        auto const begin = drawn.page.times("path.begin");
        auto const end = drawn.page.times("path.end");
        ASSERT_FALSE(begin.empty());
        EXPECT_EQ(begin.front(), 0);
        EXPECT_EQ(end.back(), drawn.page.total("completion"));
        for (std::size_t i = 1; i < begin.size(); ++i)
            EXPECT_EQ(begin[i], end[i - 1]);
    });
}

TEST(Execution, ADeadlockNamesThreadsObjectsAndHolders) {
    ProgramBuilder program(2);
    auto const mutex = program.object(ObjectKind::mutex);
    program.thread(0).create(1).lock(mutex).work(1).join(1);
    program.thread(1).work(2).lock(mutex);
    auto const page = draw(program.finish(), ideal_machine(2)).page;
    EXPECT_EQ(page.total("deadlocked"), 1);
    EXPECT_EQ(page.ids("stuck.thread"), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(page.sentences(),
              "limits\t\tOn 2 CPUs the direct model deadlocks after 6.00 ms; 2 threads cannot go on.\t\n"
              "stuck\t\t{thread 0} waits for {thread 1}, at {site 2}\t\n"
              "stuck\t\t{thread 1} waits for {object 0}, held by {thread 0}, at {site 3}\t\n");
}

TEST(Execution, WithoutATimelineHasTotalsAndSaysThatLanesAndEventsAreLeftOut) {
    auto const program = RandomProgram(3, {}).make();
    auto const run = simulate::run(program, linux_machine(2));
    Page const page(execution_bytes(*run, program, linux_machine(2), Pairing::any));
    EXPECT_EQ(page.total("events_left_out"), 1);
    EXPECT_EQ(page.total("intervals_left_out"), 1);
    EXPECT_EQ(page.ids("lane.first"), std::vector<std::uint32_t>(7));
    EXPECT_EQ(page.ids("event.first"), std::vector<std::uint32_t>(7));
    EXPECT_EQ(page.times("thread.state").size(), 6 * thread_state_count);
}

}  // namespace
}  // namespace parcast::view
