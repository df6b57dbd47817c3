#include "analysis/timed_teams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/survey.h"

namespace parcast::analysis {
namespace {

constexpr std::int64_t ms = 1'000'000;

struct Life {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t cpu;
};

Event event(EventKind kind, std::int64_t wall, std::int64_t cpu = 0) {
    Event result;
    result.kind = kind;
    result.wall_ns = wall;
    result.cpu_ns = cpu;
    return result;
}

// The initial thread makes a team after 1 ms, sleeps for so long, and joins it.
Timeline with_team(std::vector<Life> const& lives, std::int64_t slept_ns = 0) {
    Timeline timeline;
    timeline.catalogue.threads.resize(lives.size() + 1);
    timeline.events.resize(lives.size() + 1);
    timeline.events[0].push_back(event(EventKind::thread_begin, 0));
    for (std::size_t i = 0; i < lives.size(); ++i) {
        Event create = event(EventKind::thread_create, ms);
        create.related = static_cast<std::uint32_t>(i + 1);
        timeline.events[0].push_back(create);
        timeline.catalogue.threads[i + 1].function = "worker";
        timeline.events[i + 1].push_back(event(EventKind::thread_begin, lives[i].begin));
        timeline.events[i + 1].push_back(event(EventKind::thread_end, lives[i].end, lives[i].cpu));
    }
    Event sleep = event(EventKind::sleep, ms);
    sleep.span_ns = slept_ns;
    timeline.events[0].push_back(sleep);
    timeline.events[0].push_back(event(EventKind::thread_end, 5'000 * ms));
    return timeline;
}

std::vector<TimedTeam> timed_teams(Timeline const& timeline) {
    return survey(timeline).timed_teams;
}

// sysbench cpu --time=1: predicted 1.99 times as fast on two CPUs without a word, measured 1.00.
TEST(TimedTeams, ThreadsThatStopTogetherAfterARoundTime) {
    auto const timeline = with_team({{2 * ms, 1'001 * ms, 499 * ms}, {4 * ms, 1'001 * ms, 5 * ms}});
    EXPECT_TRUE(timed_teams(timeline).empty()) << "the second did next to nothing";

    auto const both = with_team({{2 * ms, 1'001 * ms, 499 * ms}, {4 * ms, 1'001 * ms + ms / 4, 500 * ms}});
    auto const found = timed_teams(both);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].first, ThreadId(1));
    EXPECT_EQ(found[0].threads, 2);
    EXPECT_EQ(found[0].time, Duration{1'000 * ms});
    EXPECT_EQ(found[0].work, Duration{999 * ms});

    std::vector<Finding> findings;
    auto const surveyed = survey(both);
    add_timed_teams(both.catalogue, surveyed, findings);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, FindingKind::timed_work);
    EXPECT_TRUE(findings[0].makes_worthless);
    EXPECT_DOUBLE_EQ(findings[0].hidden_serial_share, 1) << "of all work: ranges go down to no gain";
    EXPECT_THAT(findings[0].message, testing::HasSubstr("2 threads"));
    EXPECT_THAT(findings[0].message, testing::HasSubstr("1.00 s"));
}

TEST(TimedTeams, OtherReasonsToStopAreNoSuspicion) {
    EXPECT_TRUE(
        timed_teams(with_team({{2 * ms, 1'031 * ms, 510 * ms}, {4 * ms, 1'031 * ms, 510 * ms}})).empty())
        << "no round time";
    EXPECT_TRUE(
        timed_teams(with_team({{2 * ms, 1'001 * ms, 490 * ms}, {4 * ms, 1'004 * ms, 510 * ms}})).empty())
        << "the second had work left";
    EXPECT_TRUE(
        timed_teams(with_team({{2 * ms, 1'001 * ms, 490 * ms}, {4 * ms, 1'001 * ms, 510 * ms}}, 999 * ms))
            .empty())
        << "the initial thread slept, and stopped them: a replay knows";
    EXPECT_TRUE(timed_teams(with_team({{2 * ms, 1'001 * ms, 999 * ms}})).empty()) << "one thread";
}

// Its last piece is short.
TEST(TimedTeams, WhoWorksOnInPiecesDidNotStop) {
    auto timeline = with_team({{2 * ms, 1'001 * ms, 499 * ms}, {4 * ms, 6'001 * ms, 1 * ms}});
    Timeline pieces = timeline;
    pieces.events[2] = EventList();
    pieces.events[2].push_back(event(EventKind::thread_begin, 4 * ms));
    for (std::int64_t i = 1; i <= 600; ++i)
        pieces.events[2].push_back(event(EventKind::unlock, 4 * ms + i * 9 * ms, 9 * ms));
    pieces.events[2].push_back(event(EventKind::thread_end, 5'405 * ms));
    EXPECT_TRUE(timed_teams(pieces).empty());
}

TEST(TimedTeams, WhoIsToldToStopDidNotLookAtAClock) {
    auto timeline = with_team({{2 * ms, 1'001 * ms, 499 * ms}, {4 * ms, 1'001 * ms, 499 * ms}});
    for (std::size_t thread : {1, 2}) {
        timeline.events[thread].pop_back();
        Event wait = event(EventKind::condition_wait, 1'000 * ms, 499 * ms);
        wait.blocked = true;
        wait.span_ns = ms;
        timeline.events[thread].push_back(wait);
        timeline.events[thread].push_back(event(EventKind::thread_end, 1'001 * ms));
    }
    EXPECT_TRUE(timed_teams(timeline).empty());
}

TEST(TimedTeams, NotEveryLongTimeIsRound) {
    EXPECT_TRUE(
        timed_teams(with_team({{2 * ms, 1'003'401 * ms, 900 * ms}, {4 * ms, 1'003'401 * ms, 900 * ms}}))
            .empty());
}

TEST(TimedTeams, LongTimesAreRoundToWholeSeconds) {
    EXPECT_TRUE(
        timed_teams(with_team({{2 * ms, 2'601 * ms, 900 * ms}, {4 * ms, 2'601 * ms, 900 * ms}})).empty());
    EXPECT_EQ(timed_teams(with_team({{2 * ms, 2'501 * ms, 900 * ms}, {4 * ms, 2'501 * ms, 900 * ms}})).size(),
              1U);
}

}  // namespace
}  // namespace parcast::analysis
