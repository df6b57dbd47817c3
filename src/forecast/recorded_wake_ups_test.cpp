#include "forecast/recorded_wake_ups.h"

#include <gtest/gtest.h>

#include <array>

namespace parcast::forecast {
namespace {

// A queue of Perl's ithreads, whose condition pairs as recorded, and another one.
RecordingBasis two_conditions() {
    RecordingBasis basis;
    basis.provenance.emplace();
    for (char const* name : {"queue", "other"}) {
        auto& object = basis.catalogue.objects.emplace_back();
        object.kind = ObjectKind::condition;
        object.name = name;
    }
    basis.abandoned.emplace_back();
    basis.paired = {ObjectId(0)};
    return basis;
}

// Two CPUs, 1 ms, two threads that work as much as each other, and wait so long for the queue, the other one.
Row waiting_for(std::int64_t queue_ns, std::int64_t other_ns) {
    Row row;
    row.cpus = 2;
    row.time_ns = 1e6;
    row.speed_up = 1.27;
    auto& accounts = row.run.accounts;
    accounts.cpus = 2;
    accounts.completion = {1'000'000};
    accounts.busy = {1'270'000};
    accounts.threads.resize(3);
    for (std::size_t thread : {1U, 2U})
        accounts.threads[thread][ThreadState::running] = {635'000};
    accounts.objects.resize(2);
    accounts.objects[0].idle_processors = {queue_ns};
    accounts.objects[1].idle_processors = {other_ns};
    return row;
}

// Perl with two threads: predicted 1.27 times as fast on 2 CPUs without a word, measured 1.83.
TEST(RecordedWakeUps, AreWarnedOfWhereMuchIsLostToThem) {
    auto const found = recorded_wake_ups(std::array{waiting_for(340'000, 0)}, two_conditions());
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->severity, Severity::warning);
    EXPECT_TRUE(found->may_wait_less);
    for (char const* part : {"condition queue get", "deadlocks", "On 2 CPUs 17 %", "be faster"})
        EXPECT_NE(found->message.find(part), std::string::npos) << found->message;
}

// hnswlib, by the ordered model alone: predicted 1.00 on 2 CPUs without a word, measured 1.41.
TEST(RecordedWakeUps, AreWarnedOfWhereTheOrderedModelWasAskedFor) {
    auto basis = two_conditions();
    basis.abandoned.clear();
    EXPECT_FALSE(recorded_wake_ups(std::array{waiting_for(340'000, 0)}, basis)) << "the direct model";
    basis.model = "ordered";
    auto const found = recorded_wake_ups(std::array{waiting_for(340'000, 0)}, basis);
    ASSERT_TRUE(found.has_value());
    EXPECT_NE(found->message.find(", as the ordered model has it. On 2 CPUs"), std::string::npos)
        << found->message;
}

// A collection of mono with room for 64: idle helpers of the runtime wait at conditions of their own
// meanwhile, and have their parts of what is lost.
TEST(RecordedWakeUps, CountWhatIsLostAtOtherConditionsToo) {
    auto const found = recorded_wake_ups(std::array{waiting_for(100'000, 240'000)}, two_conditions());
    ASSERT_TRUE(found.has_value());
    EXPECT_NE(found->message.find("condition queue get"), std::string::npos) << found->message;
    EXPECT_FALSE(recorded_wake_ups(std::array{waiting_for(0, 340'000)}, two_conditions()))
        << "nothing is lost at the queue";
}

TEST(RecordedWakeUps, OfTheOtherModelsAreThoseOfEveryCondition) {
    auto basis = two_conditions();
    basis.model = "strict";
    basis.paired.clear();
    auto const found = recorded_wake_ups(std::array{waiting_for(100'000, 240'000)}, basis);
    ASSERT_TRUE(found.has_value());
    EXPECT_NE(found->message.find("condition other and others get"), std::string::npos) << found->message;
}

TEST(RecordedWakeUps, AreNothingToSayWhereTheyTakeLittleOrEachThreadHasACpu) {
    auto written = two_conditions();
    written.provenance.reset();
    auto direct = two_conditions();
    direct.abandoned.clear();
    auto at_work = waiting_for(340'000, 0);
    at_work.run.accounts.busy = {1'900'000};
    auto asleep = waiting_for(340'000, 0);
    asleep.run.accounts.threads[0][ThreadState::sleeping] = {950'000};
    std::array const much{waiting_for(340'000, 0)};
    EXPECT_FALSE(recorded_wake_ups(std::array{waiting_for(190'000, 0)}, two_conditions()));
    EXPECT_FALSE(recorded_wake_ups(std::array{at_work}, two_conditions()));
    EXPECT_FALSE(recorded_wake_ups(std::array{asleep}, two_conditions())) << "it sleeps as long anyway";
    EXPECT_FALSE(recorded_wake_ups(much, written)) << "a program that was written down does what it says";
    EXPECT_FALSE(recorded_wake_ups(much, direct)) << "nothing deadlocked";
}

}  // namespace
}  // namespace parcast::forecast
