// Functions that are built with -finstrument-functions: what of the work before each event was theirs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "recorded_run.h"
#include "trace/symbols/symbolize.h"

namespace parcast::tests {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Calls = std::map<std::string, std::uint32_t>;

std::string stack_text(Timeline const& timeline, StackId stack) {
    if (stack.is_none())
        return "-";
    CallStack const& top = timeline.catalogue.stacks[stack.index()];
    auto name = function_name(timeline.catalogue, top.function);
    name = name.substr(0, name.find('('));
    return top.caller.is_none() ? name : stack_text(timeline, top.caller) + ">" + name;
}

class Functions : public testing::Test {
protected:
    static RecordedRun run(std::string const& depth, std::string const& clock = "rseq") {
        RecordedRun run =
            record("functions", {}, {{"PARCAST_CALL_DEPTH", depth}, {"PARCAST_RECORD_CLOCK", clock}});
        EXPECT_EQ(run.exit_status(), 0);
        EXPECT_EQ(run.timelines.size(), 1u);
        trace::symbolize(run.timelines[0]);
        EXPECT_TRUE(check(run.timelines[0]));
        return run;
    }
    // Calls in the work before the event, without the part that all have in common.
    static Calls calls_before(Timeline const& timeline, std::size_t thread, std::uint32_t event) {
        Calls calls;
        for (WorkShare const& share : timeline.shares[thread])
            if (share.piece == event && share.calls > 0)
                calls[shortened(stack_text(timeline, share.stack))] += share.calls;
        return calls;
    }
    static std::string shortened(std::string text) {
        constexpr std::string_view common = "main>all>";
        return text.starts_with(common) ? text.substr(common.size()) : text;
    }
    static std::string last_stack(Timeline const& timeline, std::uint32_t event) {
        std::string text;
        for (WorkShare const& share : timeline.shares[0])
            text = share.piece == event ? stack_text(timeline, share.stack) : text;
        return text;
    }
    // The n-th lock of the initial thread.
    static std::uint32_t lock(Timeline const& timeline, int n) {
        for (std::uint32_t i = 0; i < timeline.events[0].size(); ++i)
            if (timeline.events[0][i].kind == EventKind::lock && n-- == 0)
                return i;
        return 0;
    }
};

TEST_F(Functions, AreToldApartByWhoCallsThem) {
    auto const recorded = run("16");
    auto const& timeline = recorded.only();
    EXPECT_EQ(calls_before(timeline, 0, lock(timeline, 0)),
              (Calls{{"main>all", 1}, {"twice", 1}, {"twice>leaf", 2}}));
}

TEST_F(Functions, AreCalledByThoseThatAreInlinedIntoOthers) {
    auto const recorded = run("16");
    auto const& timeline = recorded.only();
    EXPECT_EQ(calls_before(timeline, 0, lock(timeline, 1)), (Calls{{"with_inlined", 1},
                                                                   {"with_inlined>inlined", 2},
                                                                   {"with_inlined>inlined>leaf", 2},
                                                                   {"with_inlined>leaf", 1}}));
}

TEST_F(Functions, ThatAreLeftByExceptionsAndJumpsAreGone) {
    auto const recorded = run("16");
    auto const& timeline = recorded.only();
    auto const thrown = calls_before(timeline, 0, lock(timeline, 2));
    EXPECT_EQ(thrown, (Calls{{"catcher>leaf", 1}})) << "to throw takes a lock of its own";
    auto const jumped = calls_before(timeline, 0, lock(timeline, 3));
    EXPECT_EQ(jumped.at("lander>leaf"), 1u);
    EXPECT_EQ(jumped.at("lander>jumper>jumper>jumper>jumper"), 1u);
    EXPECT_EQ(calls_before(timeline, 0, lock(timeline, 4)).at("deep_jump>leaf"), 1u)
        << "the jump came from beyond the depth";
}

TEST_F(Functions, OfAHandlerAreCalledByTheFunctionThatItInterrupts) {
    auto const recorded = run("16");
    auto const& timeline = recorded.only();
    EXPECT_EQ(calls_before(timeline, 0, lock(timeline, 5)), (Calls{{"interrupted", 1},
                                                                   {"interrupted>handler", 1},
                                                                   {"interrupted>handler>leaf", 1},
                                                                   {"interrupted>leaf", 1}}))
        << "on a stack of its own";
}

TEST_F(Functions, BeyondTheDepthAreCountedWhereTheyAreCalled) {
    auto const recorded = run("16");
    auto const& timeline = recorded.only();
    std::uint32_t deeper = 0;
    for (WorkShare const& share : timeline.shares[0])
        if (share.piece == lock(timeline, 7))
            deeper += share.deeper_calls;
    EXPECT_EQ(deeper, 41u - 14u) << "main and all are two of the sixteen";
    EXPECT_EQ(calls_before(timeline, 0, lock(timeline, 8)), (Calls{{"main>leaf", 1}}));
}

TEST_F(Functions, OfThreadsThatExitOrAreCancelledAreThoseOfTheThread) {
    auto const recorded = run("16");
    auto const& timeline = recorded.only();
    ASSERT_EQ(timeline.events.size(), 3u);
    auto const last = [&](std::size_t thread) {
        return static_cast<std::uint32_t>(timeline.events[thread].size() - 1);
    };
    EXPECT_EQ(calls_before(timeline, 1, last(1)), (Calls{{"leaves", 1}, {"leaves>leaf", 1}}));
    Calls all;
    for (std::uint32_t event = 0; event <= last(2); ++event)
        for (auto const& [stack, calls] : calls_before(timeline, 2, event))
            all[stack] += calls;
    EXPECT_EQ(all.at("is_cancelled"), 1u);
}

class FunctionsByClock : public Functions, public testing::WithParamInterface<char const*> {};

// The shares are the work, but for what a hypervisor steals.
TEST_P(FunctionsByClock, TakeTogetherWhatTheWorkTook) {
    auto const recorded = run("16", GetParam());
    auto const& timeline = recorded.only();
    std::uint32_t const event = lock(timeline, 6);
    std::int64_t sum_ns = 0;
    std::int64_t busy_ns = 0;
    for (WorkShare const& share : timeline.shares[0]) {
        if (share.piece != event)
            continue;
        sum_ns += share.ns;
        busy_ns += stack_text(timeline, share.stack) == "main>all>busy" ? share.ns : 0;
    }
    auto const work_ns = static_cast<double>(timeline.events[0][event].cpu_ns);
    EXPECT_GT(work_ns, 1e6);
    EXPECT_NEAR(static_cast<double>(sum_ns), work_ns, 0.1 * work_ns);
    EXPECT_GT(static_cast<double>(busy_ns), 0.9 * static_cast<double>(sum_ns));
    EXPECT_EQ(last_stack(timeline, event), "main>all") << "which makes the call";
}
INSTANTIATE_TEST_SUITE_P(Clocks, FunctionsByClock, testing::Values("rseq", "perf", "thread"));

TEST_F(Functions, AreNotRecordedAtDepthZero) {
    EXPECT_THAT(run("0").only().shares, testing::IsEmpty());
}

TEST_F(Functions, HaveMeasuredPrices) {
    auto const recorded = run("16");
    auto const& probes = recorded.only().provenance.call_probes;
    ASSERT_TRUE(probes);
    EXPECT_EQ(probes->depth, 16);
    EXPECT_GT(probes->inside_ns + probes->outside_ns, 1);
    EXPECT_LT(probes->inside_ns + probes->outside_ns, 1000);
}

}  // namespace
}  // namespace parcast::tests
