// Hosts that leave the recorder no memory, no clock and no system calls: they do not notice it, and what was
// recorded until then stays readable.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "recorded_run.h"

namespace parcast::tests {
namespace {

TEST(StepAside, AThreadForWhichThereIsNoMemoryLocksUnrecorded) {
    RecordedRun const run = record("no_memory");
    EXPECT_EQ(run.exit_status(), 0) << "died by signal " << WTERMSIG(run.wait_status);
    EXPECT_GT(run.headers.at(0).lost_events, 0u);
}

TEST(StepAside, ADestructorThatComesAfterTheRecordersOwnLocksUnrecorded) {
    RecordedRun const run = record("last_destructors");
    EXPECT_EQ(run.exit_status(), 0) << "died by signal " << WTERMSIG(run.wait_status);
    std::vector<std::string> const lines = synchronisation(run.only(), 1);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), "lock A"), 3) << "in the rounds before";
    EXPECT_EQ(lines.back(), "thread end");
}

TEST(StepAside, NoHeapMemoryIsTakenBeforeMainNorInCallsThatNeedNone) {
    EXPECT_EQ(record("own_malloc").exit_status(), 0);
    EXPECT_EQ(record("own_malloc", {}, {{"PARCAST_RECORD_DIR", ""}}).exit_status(), 0)
        << "preloaded, and idle";
}

TEST(StepAside, ChildrenOfCloneAreRecordedAsThoseOfFork) {
    RecordedRun const run = record("clones", {"own"});
    EXPECT_EQ(run.exit_status(), 0);
    ASSERT_EQ(run.headers.size(), 3u);
    std::vector<int> statuses;
    for (Timeline const& timeline : run.timelines) {
        std::vector<std::string> const lines = synchronisation(timeline, 0);
        EXPECT_EQ(std::count(lines.begin(), lines.end(), "lock A"), 1000);
        EXPECT_FALSE(timeline.provenance.cut.has_value());
        statuses.push_back(timeline.provenance.exit_status.value_or(-1));
    }
    EXPECT_THAT(statuses, testing::UnorderedElementsAre(0, 5, 6));
}

TEST(StepAside, AChildThatSharesTheVariablesOfItsParentsThreadEndsTheRecording) {
    RecordedRun const run = record("clones", {"shared"});
    EXPECT_EQ(run.exit_status(), 0);
    ASSERT_TRUE(run.only().provenance.cut.has_value());
    EXPECT_EQ(run.only().provenance.cut->reason, CutReason::shared_thread);
    std::vector<std::string> const lines = synchronisation(run.only(), 0);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), "lock A"), 10);
}

struct Restriction {
    char const* way;
    CutReason reason;
    char const* because;
};

class Restricted : public testing::TestWithParam<Restriction> {};

TEST_P(Restricted, TheRecordingEndsBeforeTheProgramForbidsItselfWhatItNeeds) {
    for (char const* const clock : {"rseq", "perf", "thread"}) {
        RecordedRun const run = record("restricted", {GetParam().way}, {{"PARCAST_RECORD_CLOCK", clock}});
        EXPECT_EQ(run.exit_status(), 7) << clock << ": died by signal " << WTERMSIG(run.wait_status);
        ASSERT_EQ(run.timelines.size(), 1u) << "a program that it executes inherits the restriction";
        ASSERT_TRUE(run.only().provenance.cut.has_value());
        EXPECT_EQ(run.only().provenance.cut->reason, GetParam().reason);
        std::vector<std::string> const lines = synchronisation(run.only(), 0);
        EXPECT_EQ(std::count(lines.begin(), lines.end(), "lock A"), 1000) << "until then";
    }
}

// What the host was given and what a program sees that it executes, by each way. A shell adds some of its
// own.
class Executed : public testing::TestWithParam<char const*> {
protected:
    static std::set<std::string> environment_by(std::string const& way, char const* when) {
        RecordedRun const run = record("executes", {way, when}, {{"MARK", "m"}});
        EXPECT_EQ(run.exit_status(), 0) << way << ": died by signal " << WTERMSIG(run.wait_status);
        std::set<std::string> variables;
        std::istringstream output(run.output);
        for (std::string line; std::getline(output, line);)
            if (std::string_view const name = std::string_view(line).substr(0, line.find('='));
                name != "_" && name != "PWD" && name != "OLDPWD" && name != "SHLVL" &&
                name != "PARCAST_RECORD_DIR")
                variables.insert(line);
        return variables;
    }
};

TEST_P(Executed, TheNextProgramGetsTheWholeEnvironment) {
    std::set<std::string> const own = environment_by("itself", "before");
    ASSERT_TRUE(own.contains("MARK=m"));
    EXPECT_EQ(environment_by(GetParam(), "before"), own);
    EXPECT_EQ(environment_by(GetParam(), "aside"), own) << "once it was empty, or an address of nothing";
}

INSTANTIATE_TEST_SUITE_P(Ways, Executed,
                         testing::Values("execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle",
                                         "fexecve", "execveat", "fork", "vfork", "posix_spawn",
                                         "posix_spawnp", "system", "popen"),
                         [](auto const& row) { return std::string(row.param); });

INSTANTIATE_TEST_SUITE_P(
    Ways, Restricted,
    testing::Values(Restriction{"ticks", CutReason::ticks_forbidden, "rdtsc raises SIGSEGV"},
                    Restriction{"strict", CutReason::sandbox, "read, write and exit are left"},
                    Restriction{"prctl", CutReason::sandbox, "a filter by prctl"},
                    Restriction{"syscall", CutReason::sandbox, "a filter by seccomp(2)"},
                    Restriction{"execute", CutReason::sandbox,
                                "the recorder in the next program keeps still"},
                    // A program that kept a copy of its variables handed the request on to the next one.
                    Restriction{"copy_executed", CutReason::sandbox, "variables of its own, by execve"},
                    Restriction{"copy_adopted", CutReason::sandbox, "they became its environment"},
                    Restriction{"copy_spawned", CutReason::sandbox, "by posix_spawn"}),
    [](auto const& row) { return std::string(row.param.way); });

}  // namespace
}  // namespace parcast::tests
