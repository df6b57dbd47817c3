// Numbers of events and moments of works of a mapping, by hand and against equations 3.7 to 3.13.

#include "model/events_threads/static_analysis.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "program/message_program_builder.h"
#include "program/task_graph_builder.h"

namespace parcast::model {
namespace {

// A fork, eight tasks for three threads, and a join on the first.
TaskGraph fork_and_join() {
    TaskGraphBuilder builder;
    auto const fork = builder.add_task(1);
    auto const loop = builder.add_group(std::array{9.0, 8.0, 7.0, 1.0, 1.0, 1.0, 2.0, 2.0});
    auto const join = builder.add_task(3);
    builder.precede(fork, loop);
    builder.precede(loop, join);
    return std::move(builder).finish();
}

TEST(MappedGraph, HasAnEventWhereASynchronisationIsLeft) {
    std::vector<std::uint32_t> const process{0, 0, 0, 0, 1, 1, 1, 2, 2, 0};
    auto const threads = mapped_threads(fork_and_join(), process, 3);
    // The first thread forks, does its part and joins: three active periods between four events.
    EXPECT_EQ(threads[0], (MappedThread{.tasks = 5, .work_ns = 28, .events = 4}));
    EXPECT_EQ(threads[1], (MappedThread{.tasks = 3, .work_ns = 3, .events = 2}));
    EXPECT_EQ(threads[2], (MappedThread{.tasks = 2, .work_ns = 4, .events = 2}));
}

TEST(MappedGraph, OfOneThreadHasAStartAndAnEnd) {
    std::vector<std::uint32_t> const process(10);
    EXPECT_EQ(mapped_threads(fork_and_join(), process, 1)[0].events, 2U);
}

TEST(MappedGraph, AThreadWithoutTasksIsOneEvent) {
    std::vector<std::uint32_t> const process(10);
    EXPECT_EQ(mapped_threads(fork_and_join(), process, 2)[1], MappedThread{});
}

// Rank 0 computes and sends to 1, which computes; rank 2 does nothing but receive at the end.
StepProgram three_ranks() {
    StepProgram program;
    program.ranks = 3;
    program.compute_ns = {5, 0, 0, 0, 7, 0};
    program.messages = {{0, 1, 100}, {1, 2, 40}};
    program.first_message = {0, 1, 2};
    return program;
}

TEST(MappedSteps, AMessageIsAnEventOfItsReceiver) {
    auto const threads = mapped_threads(three_ranks());
    EXPECT_EQ(threads[0], (MappedThread{.tasks = 1, .work_ns = 5, .events = 2}));
    EXPECT_EQ(threads[1],
              (MappedThread{.tasks = 1, .work_ns = 7, .events = 3, .transfers = 1, .data_bytes = 100}));
    // It ends with the event in which it receives.
    EXPECT_EQ(threads[2],
              (MappedThread{.tasks = 0, .work_ns = 0, .events = 2, .transfers = 1, .data_bytes = 40}));
}

TEST(MappedSteps, TheMatricesSayWhoDoesWhatAndHasWhoseData) {
    EXPECT_EQ(computation_mapping(three_ranks()), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(data_mapping(three_ranks()), (DataMapping{{0}, {0, 1}, {1, 2}}));
}

// The same as operations of ranks, where sends and receives are apart.
TEST(MappedMessages, AreWhatTheStepsAre) {
    auto const steps = three_ranks();
    auto const messages = overlapped(steps);
    EXPECT_EQ(data_mapping(messages), data_mapping(steps));
    auto const of_messages = mapped_threads(messages);
    auto const of_steps = mapped_threads(steps);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(of_messages[rank].work_ns, of_steps[rank].work_ns);
        EXPECT_EQ(of_messages[rank].data_bytes, of_steps[rank].data_bytes);
        EXPECT_EQ(of_messages[rank].transfers, of_steps[rank].transfers);
    }
}

// (3.11) with the sum over j != k: of two tasks with deviation s and correlation r, 2 s^2 (1 + r).
TEST(TaskWorks, MomentsOfThreadsAreThoseOfTheirTasks) {
    TaskWork const task{10, 2, 0.5};
    EXPECT_DOUBLE_EQ(task.mean_of(3), 30);
    EXPECT_DOUBLE_EQ(task.variance_of(1), 4);
    EXPECT_DOUBLE_EQ(task.variance_of(2), 4 * 2 * 1.5);
    EXPECT_DOUBLE_EQ(task.covariance_of(2, 3), 4 * 6 * 0.5);
    // All tasks of two threads together are one thread of all tasks.
    EXPECT_DOUBLE_EQ(task.variance_of(2) + task.variance_of(3) + 2 * task.covariance_of(2, 3),
                     task.variance_of(5));
    TaskWork const independent{10, 2, 0};
    EXPECT_DOUBLE_EQ(independent.variance_of(9), 36);
    EXPECT_DOUBLE_EQ(independent.covariance_of(2, 3), 0);
}

}  // namespace
}  // namespace parcast::model
