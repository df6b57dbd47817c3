#include "measure/child_run.h"

#include <csignal>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "measure/descendants.h"
#include "measure/kept_cpus.h"

namespace parcast::measure {
namespace {

constexpr Duration minute{60'000'000'000};

unsigned one_allowed_cpu() {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    unsigned cpu = 0;
    while (!CPU_ISSET(cpu, &set))
        ++cpu;
    return cpu;
}

ChildRequest shell(std::string const& script) {
    return {"/bin/sh", {"sh", "-c", script}, {one_allowed_cpu()}, 0, 1, 2, minute};
}

// A script that never ends, given a moment, and little grace.
ChildRun cut_off(std::string const& script) {
    ChildRequest request = shell(script);
    request.time_limit = Duration{200'000'000};
    request.grace = Duration{200'000'000};
    auto const run = run_child(request);
    EXPECT_TRUE(run && run->exceeded_time_limit);
    return run.value_or(ChildRun{});
}

TEST(ChildRun, TellsHowTheProgramEnded) {
    auto const good = run_child(shell("exit 0"));
    ASSERT_TRUE(good);
    EXPECT_TRUE(good->succeeded());
    auto const bad = run_child(shell("exit 3"));
    ASSERT_TRUE(bad);
    EXPECT_EQ(bad->exit_status, 3);
    EXPECT_FALSE(bad->succeeded());
    auto const killed = run_child(shell("kill -9 $$"));
    ASSERT_TRUE(killed);
    EXPECT_EQ(killed->death_signal, 9);
    EXPECT_EQ(killed->exit_status, std::nullopt);
}

// Phoenix binds its threads: on "one" CPU it used two, and nothing was compared.
TEST(ChildRun, AProgramCanBeKeptFromChoosingItsCpus) {
    if (allowed_cpus().size() < 2)
        GTEST_SKIP() << "it takes two CPUs";
    if (auto const has = run_child(shell("taskset -p $$ >/dev/null")); !has || has->exit_status != 0)
        GTEST_SKIP() << "taskset is missing";
    bool takes_filters = false;
    std::thread([&] { takes_filters = ignore_chosen_cpus(); }).join();
    if (!takes_filters)
        GTEST_SKIP() << "the kernel takes no filter of system calls";
    auto const other = std::to_string(allowed_cpus().back());
    auto const chooses =
        shell("taskset -p -c " + other + " $$ >/dev/null; taskset -p -c $$ | grep -q ' " + other + "$'");
    auto request = chooses;
    request.keeps_cpus = true;
    auto const kept = run_child(request);
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->exit_status, 1) << "it is on the first CPU";
    auto const free = run_child(chooses);
    ASSERT_TRUE(free);
    EXPECT_EQ(free->exit_status, 0) << "the next program may choose";
}

TEST(ChildRun, WaitingTakesTimeButNoProcessor) {
    auto const run = run_child(shell("sleep 0.1"));
    ASSERT_TRUE(run);
    EXPECT_GE(run->wall, Duration{100'000'000});
    EXPECT_LT(run->processor_time(), run->wall);
}

TEST(ChildRun, TheProgramSeesItsProcessorsAndStreams) {
    std::FILE* const file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    ChildRequest request = shell("nproc");
    request.output = fileno(file);
    auto const run = run_child(request);
    ASSERT_TRUE(run);
    std::rewind(file);
    int count = 0;
    EXPECT_EQ(std::fscanf(file, "%d", &count), 1);
    EXPECT_EQ(count, 1);
    std::fclose(file);
}

TEST(ChildRun, APastTimeLimitEndsTheProgram) {
    ChildRequest request = shell("exec sleep 600");
    request.time_limit = Duration{50'000'000};
    auto const run = run_child(request);
    ASSERT_TRUE(run);
    EXPECT_TRUE(run->exceeded_time_limit);
    EXPECT_FALSE(run->succeeded());
    EXPECT_EQ(run->death_signal, 15);
}

TEST(ChildRun, WithoutATimeLimitItRunsToItsEnd) {
    ChildRequest request = shell("sleep 0.1");
    request.time_limit = std::nullopt;
    auto const run = run_child(request);
    ASSERT_TRUE(run);
    EXPECT_TRUE(run->succeeded());
}

// Where the time limit ended only the shell, its commands went on, and disturbed the runs that followed.
TEST(ChildRun, APastTimeLimitEndsWhatTheProgramStarted) {
    struct Case {
        char const* script;
        char const* because;
    };
    for (auto const& [script, because] : {
             Case{"sleep 600; true", "a child"},
             Case{"sh -c 'sleep 600; true'; true", "a grandchild"},
             Case{"(sleep 600 &); sleep 600; true", "an orphan, which is init's child otherwise"},
             Case{"setsid sleep 600 & wait", "a session of its own"},
             Case{"trap '' TERM; sh -c 'while :; do sleep 600; done'; true",
                  "SIGTERM is ignored, by all of them"},
             Case{"sleep 600 & kill -STOP $!; wait", "a stopped one"},
         }) {
        SCOPED_TRACE(because);
        cut_off(script);
        EXPECT_THAT(descendants_of(getpid()), testing::IsEmpty());
    }
}

TEST(ChildRun, WhatAProgramLeavesRunningInTimeIsLeftAlone) {
    auto const run = run_child(shell("sleep 600 & exit 0"));
    ASSERT_TRUE(run);
    EXPECT_TRUE(run->succeeded());
    auto const left = descendants_of(getpid());
    ASSERT_EQ(left.size(), 1U);
    kill(left.front(), SIGKILL);
    waitpid(left.front(), nullptr, 0);
}

TEST(ChildRun, WhatCannotBeStartedIsAnErrorAndNoMeasurement) {
    auto const run = run_child({"/no/such/program", {"program"}, {one_allowed_cpu()}, 0, 1, 2, minute});
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::not_found);
    auto const nowhere = run_child({"/bin/true", {"true"}, {}, 0, 1, 2, minute});
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().message.find("bound"), std::string::npos);
}

}  // namespace
}  // namespace parcast::measure
