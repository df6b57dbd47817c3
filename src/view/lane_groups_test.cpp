#include "view/lane_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::view {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Thread thread_of(std::string name, std::string function) {
    Thread thread;
    thread.name = std::move(name);
    thread.function = std::move(function);
    return thread;
}

// A thread is in a state from one instant to another, ns.
void add_interval(IntervalColumns& rows, std::uint32_t thread, ThreadState state, std::int64_t begin,
                  std::int64_t end) {
    rows.begin.push_back({begin});
    rows.end.push_back({end});
    rows.thread.push_back(ThreadId(thread));
    rows.cpu.push_back(CpuId::none());
    rows.state.push_back(state);
    rows.object.push_back(ObjectId::none());
    rows.releaser.push_back(ThreadId::none());
    rows.site.push_back(SiteId::none());
}

struct ReadGroups {
    Bytes bytes;
    SectionReader reader;

    template <class Number>
    std::vector<Number> column(std::string_view name) const {
        auto const found = reader.column<Number>(name);
        return found ? std::vector<Number>(found->begin(), found->end()) : std::vector<Number>();
    }
};

ReadGroups groups_of(AlikeLanes const& alike, IntervalColumns const& rows, std::size_t threads) {
    Accounts accounts;
    accounts.threads.resize(threads);
    SectionWriter writer(execution_magic, 0);
    add_lane_groups(writer, alike, rows, accounts);
    auto bytes = writer.finish();
    auto reader = *SectionReader::open(bytes, execution_magic);
    return {std::move(bytes), reader};
}

}  // namespace

TEST(LaneGroups, ThreadsOfOneFunctionAndNamesThatDifferInNumbersAreAlike) {
    Catalogue catalogue;
    catalogue.threads = {thread_of("", "main"),         thread_of("", "work"),
                         thread_of("worker 1", "run"),  thread_of("", "work"),
                         thread_of("worker 12", "run"), thread_of("worker 2", "other"),
                         thread_of("writer", "run")};
    EXPECT_THAT(alike_threads(catalogue), ElementsAre(0, 1, 2, 1, 2, 3, 4));
}

TEST(LaneGroups, TasksOfAGroupAreAlikeAndInAGraphOfManyGroupsThoseWithAlikeNames) {
    TaskGraph graph;
    graph.first_task = {0, 1, 3};
    graph.group_names = {"sum 1", "sum 2"};
    EXPECT_THAT(alike_tasks(graph), ElementsAre(0, 1, 1));
    for (std::uint32_t group = 2; group <= most_task_lanes; ++group) {
        graph.first_task.push_back(graph.first_task.back() + 1);
        graph.group_names.push_back(group % 2 == 0 ? "sum " + std::to_string(group) : "end");
    }
    auto const alike = alike_tasks(graph);
    EXPECT_EQ(alike.size(), graph.first_task.back());
    EXPECT_THAT((AlikeLanes{alike[0], alike[1], alike[3], alike[4], alike[5]}), ElementsAre(0, 0, 0, 1, 0));
}

TEST(LaneGroups, HaveStepsAtWhichTheNumbersOfTheirThreadsChange) {
    IntervalColumns rows;
    add_interval(rows, 0, ThreadState::running, 0, 100);
    add_interval(rows, 1, ThreadState::ready, 10, 20);
    add_interval(rows, 1, ThreadState::running, 20, 50);
    add_interval(rows, 2, ThreadState::spinning, 20, 40);
    add_interval(rows, 2, ThreadState::blocked, 40, 50);
    auto const groups = groups_of({0, 1, 1}, rows, 3);
    constexpr auto none = 0xffff'ffff;
    EXPECT_THAT(groups.column<std::uint32_t>("group.of"), ElementsAre(none, 0, 0));
    EXPECT_THAT(groups.column<std::uint32_t>("group.step.first"), ElementsAre(0, 4));
    EXPECT_THAT(groups.column<double>("group.time"), ElementsAre(10, 20, 40, 50));
    EXPECT_THAT(groups.column<float>("group.running"), ElementsAre(0, 2, 1, 0));
    EXPECT_THAT(groups.column<float>("group.ready"), ElementsAre(1, 0, 0, 0));
    EXPECT_THAT(groups.column<float>("group.waiting"), ElementsAre(0, 0, 1, 0));
}

TEST(LaneGroups, OfVeryManyIntervalsHaveCellsThatKeepTheTimeInEachState) {
    IntervalColumns rows;
    constexpr std::int64_t turns = 20'000;
    for (std::uint32_t thread = 0; thread < 2; ++thread)
        for (std::int64_t turn = 0; turn < turns; ++turn) {
            add_interval(rows, thread, ThreadState::running, turn * 10, turn * 10 + 3);
            add_interval(rows, thread, ThreadState::blocked, turn * 10 + 3, turn * 10 + 10);
        }
    auto const groups = groups_of({0, 0}, rows, 2);
    auto const time = groups.column<double>("group.time");
    auto const running = groups.column<float>("group.running");
    auto const waiting = groups.column<float>("group.waiting");
    ASSERT_EQ(time.size(), most_group_steps);
    EXPECT_EQ(time.back(), turns * 10.0);
    double works = 0;
    double waits = 0;
    for (std::size_t step = 0; step + 1 < time.size(); ++step) {
        works += running[step] * (time[step + 1] - time[step]);
        waits += waiting[step] * (time[step + 1] - time[step]);
        EXPECT_NEAR(running[step] + waiting[step], 2, 1e-4) << "there are two threads all the time";
    }
    // Numbers of threads are floats, of 24 bits.
    EXPECT_NEAR(works, 2.0 * turns * 3, 1e-6 * turns * 20);
    EXPECT_NEAR(waits, 2.0 * turns * 7, 1e-6 * turns * 20);
}

TEST(LaneGroups, OfAnExecutionWithoutLanesAreNone) {
    auto const groups = groups_of({}, {}, 2);
    EXPECT_THAT(groups.column<std::uint32_t>("group.step.first"), ElementsAre(0));
    EXPECT_THAT(groups.column<double>("group.time"), IsEmpty());
}

}  // namespace parcast::view
