// Signals, violent deaths, full files, thousands of threads: the host does not notice the recorder, and
// what was recorded stays readable.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <algorithm>
#include <csignal>

#include "recorded_run.h"

namespace parcast::tests {
namespace {

TEST(Robustness, EventsOfSignalHandlersAreRecordedOrCountedAsLost) {
    RecordedRun const run = record("signals");
    EXPECT_EQ(run.exit_status(), 7);
    std::vector<std::string> const lines = synchronisation(run.only(), 0);
    // Main's mutex is used first, the handler's second.
    auto const in_handler = static_cast<unsigned long>(std::count(lines.begin(), lines.end(), "lock B")) +
                            static_cast<unsigned long>(std::count(lines.begin(), lines.end(), "unlock B"));
    EXPECT_GE(in_handler + run.headers[0].lost_events, 2 * 200u);
    EXPECT_GT(in_handler, 0u);
}

TEST(Robustness, AWaitLeftBySiglongjmpEndsAsFailed) {
    std::vector<std::string> const lines = synchronisation(record("signals").only(), 0);
    ASSERT_GE(lines.size(), 4u);
    EXPECT_THAT(
        std::vector(lines.end() - 4, lines.end()),
        testing::ElementsAre("semaphore wait C blocked failed", "lock A", "unlock A", "process exit"));
}

TEST(Robustness, AKilledProgramLeavesWhatItDid) {
    RecordedRun const run = record("signals", {"die"});
    ASSERT_TRUE(WIFSIGNALED(run.wait_status));
    EXPECT_EQ(WTERMSIG(run.wait_status), SIGKILL);
    EXPECT_EQ(run.headers.at(0).ending, wire::Ending::none);
    EXPECT_GT(run.only().events.at(0).size(), 1000u);
}

TEST(Robustness, ThreadsInTurnShareAStream) {
    RecordedRun const run = record("lifetimes");
    EXPECT_EQ(run.exit_status(), 0);
    ASSERT_EQ(run.only().events.size(), 2001u);
    EXPECT_LE(run.headers[0].stream_count, 4u);
    EXPECT_EQ(run.headers[0].threads_alive, 1u);
    EXPECT_EQ(run.headers[0].lost_events, 0u);
}

TEST(Robustness, DestructorsOfThreadSpecificDataBelongToTheThread) {
    RecordedRun const run = record("lifetimes");
    for (std::size_t thread = 1; thread < run.only().events.size(); thread += 500)
        EXPECT_THAT(synchronisation(run.only(), thread),
                    testing::ElementsAre("lock A", "unlock A", "thread end"));
}

TEST(Robustness, AFullFileLosesEventsAndNothingElse) {
    RecordedRun const run = record("signals", {}, {{"PARCAST_RECORD_LIMIT_BYTES", "1100000"}});
    EXPECT_EQ(run.exit_status(), 7);
    EXPECT_GT(run.headers.at(0).lost_events, 1000u);
    EXPECT_LE(run.headers[0].page_count, 256u);
}

TEST(Robustness, AFullFileEndsTheRecordingForAllThreadsAtOnce) {
    RecordedRun const run = record("signals", {}, {{"PARCAST_RECORD_LIMIT_BYTES", "1100000"}});
    EXPECT_EQ(run.headers.at(0).ending, wire::Ending::size_limit);
    Timeline const& timeline = run.only();
    ASSERT_TRUE(timeline.provenance.cut.has_value());
    EXPECT_EQ(timeline.provenance.cut->reason, CutReason::size_limit);
    for (auto const& events : timeline.events) {
        EXPECT_EQ(events.back().outcome, Outcome::cut_off);
        EXPECT_LE(events.back().wall_ns, timeline.provenance.wall_ns);
    }
    EXPECT_GT(timeline.provenance.cpu_ns, 0) << "of the whole process, read at the cut";
}

TEST(Robustness, TheChildOfAProgramWhoseFileIsFullIsRecordedAnew) {
    RecordedRun const run = record("full_then_fork", {}, {{"PARCAST_RECORD_LIMIT_BYTES", "1100000"}});
    EXPECT_EQ(run.exit_status(), 0);
    ASSERT_EQ(run.headers.size(), 2u);
    auto const whole = std::count_if(run.headers.begin(), run.headers.end(), [](wire::Header const& header) {
        return header.ending == wire::Ending::exit || header.ending == wire::Ending::immediate_exit;
    });
    EXPECT_EQ(whole, 1);
}

TEST(Robustness, ALibraryLoadedLateIsRecordedAndListed) {
    RecordedRun const run = record("late", {PARCAST_PLUGIN});
    EXPECT_EQ(run.exit_status(), 0);
    ASSERT_EQ(run.only().events.size(), 2u);
    EXPECT_THAT(synchronisation(run.only(), 1), testing::ElementsAre("lock A", "unlock A", "thread end"));
    auto const& modules = run.only().provenance.modules;
    EXPECT_TRUE(std::any_of(modules.begin(), modules.end(),
                            [](auto const& module) { return module.path == PARCAST_PLUGIN; }));
}

TEST(Robustness, WithoutAFolderNothingIsRecorded) {
    RecordedRun const run = record("mutexes", {}, {{"PARCAST_RECORD_DIR", ""}});
    EXPECT_EQ(run.exit_status(), 0);
    EXPECT_TRUE(run.timelines.empty());
}

TEST(Robustness, AFolderThatCannotBeWrittenIsNotTheHostsProblem) {
    RecordedRun const run = record("mutexes", {}, {{"PARCAST_RECORD_DIR", "/proc"}});
    EXPECT_EQ(run.exit_status(), 0);
    EXPECT_TRUE(run.timelines.empty());
}

}  // namespace
}  // namespace parcast::tests
