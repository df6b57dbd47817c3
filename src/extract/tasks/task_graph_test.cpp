#include "extract/tasks/task_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <set>
#include <string>
#include <utility>

namespace parcast::extract {
namespace {

using Kind = OperationKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

struct Step {
    std::int64_t work_ns = 0;
    Kind kind = Kind::end;
    std::uint32_t object = 0xffffffff;
    std::int64_t value = 0;
};

ThreadProgram program_of(std::initializer_list<std::initializer_list<Step>> threads,
                         std::initializer_list<ObjectKind> objects = {}) {
    ThreadProgram program;
    program.catalogue.threads.resize(threads.size());
    program.parameters.resize(threads.size());
    for (auto const kind : objects) {
        program.catalogue.objects.emplace_back();
        program.catalogue.objects.back().kind = kind;
    }
    program.objects.resize(objects.size());
    for (auto const& steps : threads) {
        auto& list = program.lists.emplace_back();
        for (auto const& [work_ns, kind, object, value] : steps)
            list.push_back(make_operation(kind, work_ns, object, value));
    }
    return program;
}

TaskGraph graph_of(ThreadProgram const& program) {
    auto const checked = check(program);
    EXPECT_TRUE(checked) << checked.error().message;
    auto graph = task_graph_of(program);
    EXPECT_TRUE(graph) << graph.error().message;
    return graph ? *graph : TaskGraph();
}

// By the CPU times of the tasks, which the tests make different: "5 before 7".
std::set<std::pair<double, double>> precedences(TaskGraph const& graph) {
    std::set<std::pair<double, double>> pairs;
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        for (auto const successor : graph.successors_of(TaskGroupId(group))) {
            for (auto const before : graph.times_of(TaskGroupId(group)))
                for (auto const after : graph.times_of(successor))
                    pairs.emplace(before, after);
        }
    }
    return pairs;
}

TEST(ExtractedTaskGraph, CreationsAndJoinsArePrecedences) {
    auto const graph = graph_of(
        program_of({{{10, Kind::create, 1}, {20, Kind::join, 1}, {30, Kind::end}}, {{5, Kind::end}}}));
    EXPECT_THAT(precedences(graph), UnorderedElementsAre(std::pair(10.0, 5.0), std::pair(10.0, 20.0),
                                                         std::pair(20.0, 30.0), std::pair(5.0, 30.0)));
    EXPECT_EQ(work_ns(graph), 65);
    EXPECT_EQ(span_ns(graph), 60);
    EXPECT_THAT(graph.process, UnorderedElementsAre(0, 0, 0, 1)) << "each is pinned to its thread";
}

// Comparators refused all programs that create their threads in a loop: with 3 ns between two creations the
// graph was not series-parallel.
TEST(ExtractedTaskGraph, ALoopOfCreationsAndJoinsIsAForkAndAJoin) {
    auto const graph = graph_of(program_of({{{50, Kind::create, 1},
                                             {3, Kind::create, 2},
                                             {2, Kind::join, 1},
                                             {4, Kind::join, 2},
                                             {70, Kind::end}},
                                            {{1000, Kind::end}},
                                            {{1001, Kind::end}}}));
    EXPECT_THAT(precedences(graph),
                UnorderedElementsAre(std::pair(55.0, 1000.0), std::pair(55.0, 1001.0), std::pair(55.0, 74.0),
                                     std::pair(1000.0, 74.0), std::pair(1001.0, 74.0)));
    EXPECT_EQ(graph.groups(), 3U);
    EXPECT_THAT(graph.assumptions[1], HasSubstr("3 short segments between, 9 ns in all, are not apart"));
}

TEST(ExtractedTaskGraph, WorkBetweenCreationsThatIsMoreThanAHundredthOfTheTimeStaysATask) {
    auto const graph = graph_of(program_of({{{50, Kind::create, 1},
                                             {20, Kind::create, 2},
                                             {0, Kind::join, 1},
                                             {0, Kind::join, 2},
                                             {70, Kind::end}},
                                            {{1000, Kind::end}},
                                            {{1001, Kind::end}}}));
    EXPECT_TRUE(precedences(graph).contains(std::pair(50.0, 20.0)));
    EXPECT_EQ(span_ns(graph), 50 + 20 + 1001 + 70);
}

TEST(ExtractedTaskGraph, ThreadsBetweenTheSameBarriersAreAGroup) {
    auto const graph = graph_of(
        program_of({{{1, Kind::create, 1},
                     {0, Kind::create, 2},
                     {10, Kind::barrier_wait, 0, 3},
                     {20, Kind::barrier_wait, 0, 3},
                     {0, Kind::join, 1},
                     {0, Kind::join, 2},
                     {7, Kind::end}},
                    {{11, Kind::barrier_wait, 0, 3}, {21, Kind::barrier_wait, 0, 3}, {0, Kind::end}},
                    {{12, Kind::barrier_wait, 0, 3}, {22, Kind::barrier_wait, 0, 3}, {0, Kind::end}}},
                   {ObjectKind::barrier}));
    EXPECT_EQ(graph.groups(), 4U);
    EXPECT_THAT(graph.times_of(TaskGroupId(1)), UnorderedElementsAre(10, 11, 12));
    EXPECT_THAT(graph.times_of(TaskGroupId(2)), UnorderedElementsAre(20, 21, 22));
    EXPECT_THAT(graph.successors, ElementsAre(TaskGroupId(1), TaskGroupId(2), TaskGroupId(3)))
        << "what does nothing, here after the barrier, is no task";
}

TEST(ExtractedTaskGraph, AWaitForAConditionComesAfterTheSignalThatGaveItsToken) {
    auto const signal = encode(TokenGrant{.tokens = 1, .first = 0});
    auto const wait = encode(TokenWait{.mutex = ObjectId::none(), .token = 0});
    auto const graph =
        graph_of(program_of({{{10, Kind::create, 1}, {20, Kind::condition_wait, 0, wait}, {30, Kind::end}},
                             {{5, Kind::condition_signal, 0, signal}, {6, Kind::end}}},
                            {ObjectKind::condition}));
    EXPECT_THAT(precedences(graph),
                UnorderedElementsAre(std::pair(10.0, 5.0), std::pair(10.0, 20.0), std::pair(20.0, 30.0),
                                     std::pair(5.0, 30.0), std::pair(5.0, 6.0)));
}

TEST(ExtractedTaskGraph, ASemaphoreGivesTheUnitThatWasPostedFirst) {
    auto const graph = graph_of(program_of(
        {{{10, Kind::create, 1}, {0, Kind::create, 2}, {1, Kind::semaphore_wait, 0}, {30, Kind::end}},
         {{5, Kind::semaphore_post, 0, 1}, {6, Kind::end}},
         {{2, Kind::semaphore_post, 0, 1}, {3, Kind::end}}},
        {ObjectKind::semaphore}));
    EXPECT_TRUE(precedences(graph).contains(std::pair(2.0, 30.0)));
    EXPECT_FALSE(precedences(graph).contains(std::pair(5.0, 30.0)));
}

TEST(ExtractedTaskGraph, ThreadsThatMeetWaitForEachOther) {
    auto const graph = graph_of(program_of({{{10, Kind::create, 1}, {20, Kind::accept}, {30, Kind::end}},
                                            {{5, Kind::activate, 0}, {6, Kind::end}}}));
    EXPECT_TRUE(precedences(graph).contains(std::pair(5.0, 30.0)));
    EXPECT_TRUE(precedences(graph).contains(std::pair(20.0, 6.0)));
}

TEST(ExtractedTaskGraph, AJoinOfAnyThreadTakesTheOneThatEndsFirst) {
    auto const graph = graph_of(
        program_of({{{10, Kind::create, 1}, {0, Kind::create, 2}, {0, Kind::join_any}, {30, Kind::end}},
                    {{5, Kind::end}},
                    {{2, Kind::end}}}));
    EXPECT_TRUE(precedences(graph).contains(std::pair(2.0, 30.0)));
    EXPECT_FALSE(precedences(graph).contains(std::pair(5.0, 30.0)));
}

TEST(ExtractedTaskGraph, LocksAreNoPrecedencesButStayAsResources) {
    auto const graph = graph_of(
        program_of({{{10, Kind::create, 1}, {20, Kind::lock, 0}, {4, Kind::unlock, 0}, {16, Kind::end}},
                    {{5, Kind::lock, 0}, {1, Kind::unlock, 0}, {6, Kind::end}}},
                   {ObjectKind::mutex}));
    EXPECT_EQ(graph.tasks(), 3U);
    ASSERT_EQ(graph.resources.size(), 2U);
    EXPECT_EQ(graph.resources[0].name, "lock.rate");
    EXPECT_THAT(graph.resources[0].value, ElementsAre(0, 2.0 / (40 + 12)))
        << "the mean of both threads, whose tasks are a group";
    EXPECT_EQ(graph.resources[1].name, "lock.hold_ns");
    EXPECT_THAT(graph.resources[1].value, ElementsAre(0, 2.5));
    EXPECT_THAT(graph.assumptions[1], HasSubstr("Waiting for locks is left out: 1 lock, taken 2 times."));
}

// Only the lock that was held longest was kept, though the other one was waited for as well.
TEST(ExtractedTaskGraph, KeepsEveryLockThatSeveralThreadsTake) {
    auto const graph = graph_of(program_of({{{10, Kind::create, 1},
                                             {20, Kind::lock, 0},
                                             {4, Kind::unlock, 0},
                                             {1, Kind::lock, 1},
                                             {2, Kind::unlock, 1},
                                             {1, Kind::lock, 2},
                                             {9, Kind::unlock, 2},
                                             {13, Kind::end}},
                                            {{5, Kind::lock, 0},
                                             {1, Kind::unlock, 0},
                                             {0, Kind::lock, 1},
                                             {1, Kind::unlock, 1},
                                             {5, Kind::end}}},
                                           {ObjectKind::mutex, ObjectKind::mutex, ObjectKind::mutex}));
    ASSERT_EQ(graph.resources.size(), 4U) << "nobody waits for the third";
    EXPECT_EQ(graph.resources[2].name, "lock2.rate");
    EXPECT_THAT(graph.resources[2].value, ElementsAre(0, 2.0 / (50 + 12)));
    EXPECT_EQ(graph.resources[3].name, "lock2.hold_ns");
    EXPECT_THAT(graph.resources[3].value, ElementsAre(0, 1.5));
    EXPECT_THAT(graph.assumptions[1], HasSubstr("3 locks, taken 5 times. How often tasks take the 2 that"));
}

// The whole time was that of the task in which the lock was dropped, which then held it longer than it ran:
// --memory lock refused the graph.
TEST(ExtractedTaskGraph, ALockThatIsHeldFromOneTaskToTheNextIsHeldInEachForItsPart) {
    auto const graph = graph_of(program_of({{{10, Kind::lock, 0},
                                             {20, Kind::create, 1},
                                             {30, Kind::unlock, 0},
                                             {40, Kind::join, 1},
                                             {50, Kind::end}},
                                            {{5, Kind::lock, 0}, {1, Kind::unlock, 0}, {6, Kind::end}}},
                                           {ObjectKind::mutex}));
    ASSERT_EQ(graph.resources.size(), 2U);
    auto const held_in = [&](double work) {
        for (std::size_t group = 0; group < graph.groups(); ++group) {
            double sum = 0;
            for (auto const time : graph.times_of(TaskGroupId(group)))
                sum += time;
            if (sum == work)
                return graph.resources[0].value[group] * work * graph.resources[1].value[group];
        }
        return -1.0;
    };
    EXPECT_DOUBLE_EQ(held_in(10 + 20), 20);
    EXPECT_DOUBLE_EQ(held_in(30 + 40 + 12), 30 + 1) << "with the other thread, in one group";
    EXPECT_DOUBLE_EQ(held_in(50), 0);
    EXPECT_THAT(graph.assumptions[1], HasSubstr("1 lock, taken 2 times."));
}

// "The 16 that are held longest" did not say of how many, and what the others matter.
TEST(ExtractedTaskGraph, SaysHowManyLocksAreLeftOutAndHowLongTheyAreHeld) {
    auto program = program_of({{{10, Kind::create, 1}}, {}});
    for (std::uint32_t lock = 0; lock < 20; ++lock) {
        program.objects.emplace_back();
        program.catalogue.objects.emplace_back();
        program.catalogue.objects.back().kind = ObjectKind::mutex;
        for (auto& list : program.lists) {
            list.push_back(make_operation(Kind::lock, 1, lock, 0));
            list.push_back(make_operation(Kind::unlock, lock < 16 ? 6 : 1, lock, 0));
        }
    }
    for (auto& list : program.lists)
        list.push_back(make_operation(Kind::end, 1, 0xffffffff, 0));
    EXPECT_THAT(graph_of(program).assumptions[1],
                HasSubstr("Left out are the other 4 that several threads take, with 4 % of the time that "
                          "all these locks are held."));
}

TEST(ExtractedTaskGraph, TimeAsleepIsLeftOutAndSaid) {
    auto const graph = graph_of(program_of({{{10, Kind::delay, 0xffffffff, 5'000'000}, {20, Kind::end}}}));
    EXPECT_EQ(work_ns(graph), 30);
    EXPECT_THAT(graph.assumptions[1],
                HasSubstr("The program waits for 5.00 ms asleep or for input and output"));
}

TEST(ExtractedTaskGraph, AThreadThatWaitsForNobodyIsNoTaskGraph) {
    auto const graph = task_graph_of(
        program_of({{{10, Kind::semaphore_wait, 0}, {20, Kind::end}}}, {ObjectKind::semaphore}));
    ASSERT_FALSE(graph);
    EXPECT_THAT(graph.error().message, HasSubstr("1 thread waits for what nobody gives"));
}

TEST(ExtractedTaskGraph, AProgramWithoutWorkIsOneTaskOfNoTime) {
    auto const graph = graph_of(program_of({{{0, Kind::end}}}));
    EXPECT_EQ(graph.tasks(), 1U);
    EXPECT_EQ(work_ns(graph), 0);
}

}  // namespace
}  // namespace parcast::extract
