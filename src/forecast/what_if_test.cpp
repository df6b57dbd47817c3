#include "forecast/what_if.h"

#include <gtest/gtest.h>

#include "forecast/recording.h"
#include "support/program_builder.h"

namespace parcast::forecast {
namespace {

using Times = std::vector<std::optional<double>>;

// Two threads that take turns, 20 us each, a hundred times.
ThreadProgram ping_pong() {
    ProgramBuilder builder(2, 1'000);
    auto const there = builder.object(ObjectKind::semaphore);
    auto const back = builder.object(ObjectKind::semaphore);
    builder.thread(0).create(1);
    for (int turn = 0; turn < 100; ++turn) {
        builder.thread(0).work(20).post(there).wait(back);
        builder.thread(1).wait(there).work(20).post(back);
    }
    builder.thread(0).join(1);
    return builder.finish();
}

Answer prediction_on(Machine const& machine, std::vector<char const*> const& changes) {
    Question question;
    question.cpus = {1, 2};
    for (auto const* text : changes)
        question.what_if.push_back(*parse_scenario(text));
    auto forecast = forecast_threads("p.json", ping_pong(), {machine}, question);
    EXPECT_TRUE(forecast) << (forecast ? "" : forecast.error().message);
    return std::move(forecast->answer);
}

Times times_of(Answer const& answer) {
    Times times;
    for (Row const& row : answer.rows)
        times.emplace_back(row.time_ns);
    return times;
}

Times times_with(Answer const& answer, std::size_t change) {
    Times times;
    for (Row const& row : answer.rows)
        times.push_back(row.what_if_ns[change]);
    return times;
}

Machine costly_machine() {
    auto machine = linux_machine(2);
    machine.costs.wake_waiter = {3'000};
    machine.costs.wake_up_same_cpu = {500};
    return machine;
}

TEST(FreeWakeUps, GiveTheTimesOfAMachineWithoutTheirCosts) {
    auto free = costly_machine();
    free.costs.wake_up = free.costs.wake_waiter = free.costs.wake_up_same_cpu = {0};
    auto const answer = prediction_on(costly_machine(), {"wake-ups=free", "thread:1*0.5,wake-ups=free"});
    EXPECT_EQ(times_with(answer, 0), times_of(prediction_on(free, {})));
    EXPECT_EQ(times_with(answer, 1), times_with(prediction_on(free, {"thread:1*0.5"}), 0));
    auto const gained = times_of(answer)[1].value() - times_with(answer, 0)[1].value();
    EXPECT_GE(gained, 199 * 10'000) << "each turn but the first waits for a wake-up";
}

TEST(FreeWakeUps, ChangeNothingWhereNobodyPaysForThem) {
    for (auto const* word : {"ideal", "round-robin"}) {
        auto const answer = prediction_on(machine_under(*scheduler_named(word), 2), {"wake-ups=free"});
        EXPECT_EQ(times_with(answer, 0), times_of(answer)) << word;
    }
}

// Wake-ups that were dear when they were recorded: what the replay takes off is no cost.
TEST(FreeWakeUps, NeverMakeAProgramSlower) {
    auto machine = linux_machine(2);
    machine.costs.wake_up = {0};
    machine.costs.wake_waiter = {-1'000};
    auto const answer = prediction_on(machine, {"wake-ups=free"});
    EXPECT_EQ(times_with(answer, 0), times_of(answer));
}

}  // namespace
}  // namespace parcast::forecast
