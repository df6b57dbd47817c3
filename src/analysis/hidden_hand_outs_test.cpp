#include "analysis/hidden_hand_outs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/survey.h"

namespace parcast::analysis {
namespace {

Event event(EventKind kind, std::int64_t wall, std::int64_t cpu = 0) {
    Event result;
    result.kind = kind;
    result.wall_ns = wall;
    result.cpu_ns = cpu;
    return result;
}

struct Life {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t cpu;
};

// The initial thread creates a team and joins it.
Timeline with_team(std::vector<Life> const& lives) {
    Timeline timeline;
    timeline.catalogue.threads.resize(lives.size() + 1);
    timeline.events.resize(lives.size() + 1);
    timeline.events[0].push_back(event(EventKind::thread_begin, 0));
    for (std::size_t i = 0; i < lives.size(); ++i) {
        Event create = event(EventKind::thread_create, 1, 0);
        create.related = static_cast<std::uint32_t>(i + 1);
        timeline.events[0].push_back(create);
        timeline.catalogue.threads[i + 1].function = "worker";
        timeline.catalogue.threads[i + 1].parent = ThreadId(0);
        timeline.events[i + 1].push_back(event(EventKind::thread_begin, lives[i].begin));
        timeline.events[i + 1].push_back(event(EventKind::thread_end, lives[i].end, lives[i].cpu));
    }
    timeline.events[0].push_back(event(EventKind::thread_join, 2));
    timeline.events[0].push_back(event(EventKind::thread_end, 10'000'000, 10));
    return timeline;
}

std::vector<UnevenTeam> uneven_teams(Timeline const& timeline) {
    return survey(timeline).uneven_teams;
}

// Four threads and 2 ms of work in small pieces: the first one has the time slice.
std::vector<Life> const first_takes_all{{10, 2'000'000, 1'990'000},
                                        {2'000'000, 2'010'000, 5'000},
                                        {2'010'000, 2'020'000, 5'000},
                                        {2'020'000, 2'030'000, 5'000}};

TEST(HiddenHandOuts, OneThreadDidAllAndTheOthersStoppedWithIt) {
    auto const found = uneven_teams(with_team(first_takes_all));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].first, ThreadId(1));
    EXPECT_EQ(found[0].threads, 4);
    EXPECT_EQ(found[0].work, Duration{2'005'000});
    EXPECT_EQ(found[0].most, Duration{1'990'000});
    EXPECT_EQ(found[0].evened(), Duration{501'250});
}

TEST(HiddenHandOuts, EvenWorkIsNoSuspicion) {
    EXPECT_TRUE(uneven_teams(with_team({{10, 2'000'000, 1'000'000}, {20, 2'010'000, 1'000'000}})).empty());
}

TEST(HiddenHandOuts, UnevenSharesStopAtDifferentTimes) {
    // 1 ms and 9 ms in turns of a time slice: the second goes on alone for 8 ms.
    EXPECT_TRUE(uneven_teams(with_team({{10, 2'000'000, 1'000'000}, {20, 10'000'000, 9'000'000}})).empty());
}

TEST(HiddenHandOuts, ThreadsThatWaitHaveAnotherReason) {
    Timeline timeline = with_team(first_takes_all);
    Event wait = event(EventKind::condition_wait, 2'000'500);
    wait.span_ns = 100;
    wait.blocked = true;
    timeline.events[2] = {timeline.events[2].front(), wait, timeline.events[2].back()};
    EXPECT_TRUE(uneven_teams(timeline).empty());
}

TEST(HiddenHandOuts, ThreadsOfOtherFunctionsAreNoTeam) {
    Timeline timeline = with_team({first_takes_all[0], first_takes_all[1]});
    timeline.catalogue.threads[2].function = "another";
    EXPECT_TRUE(uneven_teams(timeline).empty());
}

TEST(HiddenHandOuts, AreAWarningThatSaysWhatTheyMayChange) {
    Timeline const timeline = with_team(first_takes_all);
    std::vector<Finding> findings;
    add_hidden_hand_outs(timeline.catalogue, survey(timeline), findings);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, FindingKind::hidden_hand_out);
    EXPECT_EQ(findings[0].severity, Severity::warning);
    EXPECT_THAT(findings[0].message, testing::HasSubstr("1.99 ms of 2.00 ms"));
    EXPECT_THAT(findings[0].message, testing::HasSubstr("501 µs instead of 1.99 ms"));
}

}  // namespace
}  // namespace parcast::analysis
