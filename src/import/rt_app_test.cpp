// Programs of threads as workloads of rt-app: what each operation becomes, and that no time is lost.

#include "import/rt_app.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "import/rt_app_tasks.h"
#include "import/threads_json.h"

namespace parcast {
namespace {

using Words = std::vector<std::string>;

ThreadProgram program(std::string const& objects, std::string const& threads,
                      std::string const& unit = "us") {
    auto read = threads_from_json(R"({"schema": "parcast.threads/1", "unit": ")" + unit +
                                      R"(", "objects": [)" + objects + R"(], "threads": [)" + threads + "]}",
                                  "file");
    EXPECT_TRUE(read.has_value()) << (read ? "" : describe(read.error()));
    return read ? std::move(*read) : ThreadProgram();
}

// "lock M", "run 3", with a bar between stretches of other CPUs or priorities.
Words words_of(RtAppTasks const& tasks, std::size_t thread) {
    Words words;
    for (auto const& stretch : tasks.tasks[thread].stretches) {
        if (&stretch != &tasks.tasks[thread].stretches.front())
            words.emplace_back("|");
        for (auto const event : stretch.events) {
            std::string const word = rt_app_words[static_cast<std::size_t>(event.word)];
            bool const is_duration = event.word == RtAppWord::run || event.word == RtAppWord::sleep ||
                                     event.word == RtAppWord::timer;
            words.push_back(is_duration ? word + ' ' + std::to_string(event.value)
                            : event.word == RtAppWord::yield
                                ? word
                                : word + ' ' + tasks.resources[static_cast<std::size_t>(event.value)]);
        }
    }
    return words;
}

RtAppTasks tasks_of(ThreadProgram const& program) {
    auto tasks = rt_app_tasks(program);
    EXPECT_TRUE(tasks.has_value()) << (tasks ? "" : describe(tasks.error()));
    return tasks ? std::move(*tasks) : RtAppTasks();
}

TEST(RtApp, TheTextIsAWorkload) {
    auto const workload = to_rt_app(program(
        R"({"name": "M", "kind": "mutex"})",
        R"({"name": "main", "cpu": [0, 1], "do": ["work 5", "create T", "work 2", "lock M", "work 1", "unlock M",
            "work 2", "lock M", "work 1", "unlock M", "work 2", "lock M", "work 1", "unlock M", "join T"]},
           {"name": "T", "round_robin": 5, "do": ["yield", "cpus 1", "sleep 3", "nice 2", "work 1"]})"));
    ASSERT_TRUE(workload.has_value());
    EXPECT_EQ(workload->text, R"({
 "global": {"duration": -1, "calibration": "CPU0", "default_policy": "SCHED_OTHER", "lock_pages": false,
  "log_size": "disable"},
 "resources": {
  "M": {"type": "mutex"}
 },
 "tasks": {
  "main": {"loop": 1, "phases": {
   "phase0": {"cpus": [0, 1], "run0": 5, "sem_post1": "T starts"},
   "phase1": {"cpus": [0, 1], "loop": 3, "run0": 2, "lock1": "M", "run2": 1, "unlock3": "M"},
   "phase2": {"cpus": [0, 1], "sem_wait0": "T ends"}
  }},
  "T": {"policy": "SCHED_RR", "priority": 5, "loop": 1, "phases": {
   "phase0": {"sem_wait0": "T starts", "yield1": ""},
   "phase1": {"cpus": [1], "sleep0": 3},
   "phase2": {"cpus": [1], "policy": "SCHED_OTHER", "priority": 2, "run0": 1, "sem_post1": "T ends"}
  }}
 }
}
)");
    EXPECT_EQ(workload->tasks, 2);
    EXPECT_EQ(workload->events, 2 + 4 + 1 + 2 + 1 + 2);
    EXPECT_TRUE(workload->notes.empty());
}

// A semaphore has a memory, which a condition of rt-app has not: nobody misses what came too early.
TEST(RtApp, WhatThreadsWaitForBecomesASemaphore) {
    auto const tasks = tasks_of(program(
        R"({"name": "S", "kind": "semaphore", "count": 1}, {"name": "C", "kind": "condition"},
           {"name": "M", "kind": "mutex"})",
        R"({"name": "A", "do": ["wait S", "post S 2", "lock M", "wait C M", "unlock M", "activate B"]},
           {"name": "B", "do": ["signal C", "accept", "wait S"]})"));
    EXPECT_EQ(words_of(tasks, 0),
              (Words{"sem_post S", "sem_wait S", "sem_post S", "sem_post S", "lock M", "unlock M",
                     "sem_wait C", "lock M", "unlock M", "sem_post B activated", "sem_wait B accepts"}));
    EXPECT_EQ(words_of(tasks, 1),
              (Words{"sem_post C", "sem_wait B activated", "sem_post B accepts", "sem_wait S"}));
}

TEST(RtApp, TokensGoToWhomTheRecordingGaveThemWhereAConditionPairsAsRecorded) {
    auto paired = program(R"({"name": "C", "kind": "condition", "count": 1})",
                          R"({"name": "A", "do": ["signal C 2 #1"]}, {"name": "B", "do": ["wait C #2"]},
                             {"name": "D", "do": ["wait C #1", "wait C #0 at_once"]})");
    EXPECT_EQ(words_of(tasks_of(paired), 0), (Words{"sem_post C", "sem_post C", "sem_post C"}));
    paired.objects[0].pairs_as_recorded = true;
    auto const tasks = tasks_of(paired);
    EXPECT_EQ(words_of(tasks, 0), (Words{"sem_post C for D", "sem_post C for D", "sem_post C for B"}));
    EXPECT_EQ(words_of(tasks, 1), (Words{"sem_wait C for B"}));
    EXPECT_EQ(words_of(tasks, 2), (Words{"sem_wait C for D", "sem_wait C for D"}));
}

TEST(RtApp, UnitsThatNobodyTakesAreNotPosted) {
    auto const tasks = tasks_of(program(R"({"name": "S", "kind": "semaphore", "count": 1000000000})",
                                        R"({"name": "A", "do": ["wait S", "post S 1000000000"]})"));
    EXPECT_EQ(words_of(tasks, 0), (Words{"sem_post S", "sem_wait S", "sem_post S"}));
}

// Waits for as many as name it: every meeting has a name, and a mutex is free meanwhile.
TEST(RtApp, EveryMeetingIsABarrier) {
    auto const tasks = tasks_of(program(
        R"({"name": "B", "kind": "barrier", "count": 2}, {"name": "C", "kind": "condition"},
           {"name": "M", "kind": "mutex"})",
        R"({"name": "A", "do": ["barrier B", "barrier B", "lock M", "barrier C M 2", "unlock M"]},
           {"name": "D", "do": ["barrier B", "barrier B", "lock M", "barrier C M 2", "unlock M"]})"));
    for (std::size_t const thread : {0U, 1U})
        EXPECT_EQ(words_of(tasks, thread), (Words{"barrier B 1", "barrier B 2", "lock M", "unlock M",
                                                  "barrier C 1", "lock M", "unlock M"}));
}

TEST(RtApp, TheRecordedOrderTellsWhoMeetsWhom) {
    auto const threads = R"({"name": "A", "do": ["barrier B", "barrier B"]},
                            {"name": "D", "do": ["barrier B"]}, {"name": "E", "do": ["barrier B"]})";
    auto const tasks = tasks_of(
        program(R"({"name": "B", "kind": "barrier", "count": 2, "turns": ["A", "E", "D", "A"]})", threads));
    EXPECT_EQ(words_of(tasks, 0), (Words{"barrier B 1", "barrier B 2"}));
    EXPECT_EQ(words_of(tasks, 1), (Words{"barrier B 2"}));
    EXPECT_EQ(words_of(tasks, 2), (Words{"barrier B 1"}));
    auto const unknown = rt_app_tasks(program(R"({"name": "B", "kind": "barrier", "count": 2})", threads));
    ASSERT_FALSE(unknown.has_value());
    EXPECT_NE(unknown.error().message.find("waits for 2 threads, and at its meeting 1 there are 3"),
              std::string::npos);
}

TEST(RtApp, WritersTakeTheUnitsOfAllReaders) {
    auto const tasks = tasks_of(program(
        R"({"name": "L", "kind": "reader-writer lock"})",
        R"({"name": "A", "do": ["write L", "unlock L"]}, {"name": "B", "do": ["read L", "unlock L"]})"));
    EXPECT_EQ(words_of(tasks, 0), (Words{"sem_post L", "sem_post L", "lock L", "sem_wait L", "sem_wait L",
                                         "sem_post L", "sem_post L", "unlock L"}));
    EXPECT_EQ(words_of(tasks, 1), (Words{"sem_wait L", "sem_post L"}));
    EXPECT_EQ(tasks.notes, (Words{"1 reader-writer lock became a mutex and a semaphore: a waiting writer "
                                  "goes before readers that come later"}));
}

TEST(RtApp, WhatIsDoneOtherwiseIsReported) {
    auto const tasks = tasks_of(program(
        R"({"name": "M", "kind": "mutex"}, {"name": "X", "kind": "spin lock"})",
        R"({"name": "A", "do": ["lock M", "lock M", "unlock M", "unlock M", "lock X", "unlock X", "io 5",
            "concurrency 3"]})"));
    EXPECT_EQ(words_of(tasks, 0), (Words{"lock M", "unlock M", "lock X", "unlock X", "sleep 5"}));
    ASSERT_EQ(tasks.notes.size(), 4);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NE(tasks.notes[i].find(std::vector{" became a mutex", "1 lock of what", "1 wait for input",
                                                  "1 call of pthread_setconcurrency"}[i]),
                  std::string::npos)
            << tasks.notes[i];
}

TEST(RtApp, AnUnlockOfWhatAnotherThreadHoldsIsAnError) {
    auto const tasks = rt_app_tasks(
        program(R"({"name": "M", "kind": "mutex"})",
                R"({"name": "A", "do": ["lock M", "create B"]}, {"name": "B", "do": ["release M"]})"));
    ASSERT_FALSE(tasks.has_value());
    EXPECT_NE(tasks.error().message.find("which it does not hold"), std::string::npos);
}

TEST(RtApp, JoinsWaitForTheEnd) {
    auto const tasks = tasks_of(
        program("", R"({"name": "A", "do": ["create B", "create D", "create E", "join", "join B", "join"]},
               {"name": "B", "do": []}, {"name": "D", "do": []}, {"name": "E", "do": []})"));
    EXPECT_EQ(words_of(tasks, 0), (Words{"sem_post B starts", "sem_post D starts", "sem_post E starts",
                                         "sem_wait any ends", "sem_wait B ends", "sem_wait any ends"}));
    EXPECT_EQ(words_of(tasks, 1), (Words{"sem_wait B starts", "sem_post B ends"}));
    EXPECT_EQ(words_of(tasks, 2), (Words{"sem_wait D starts", "sem_post any ends"}));
}

// rt-app takes no task without an event.
TEST(RtApp, AThreadThatDoesNothingRunsForNoTime) {
    auto const tasks = tasks_of(program("", R"({"name": "A", "do": ["cpus 1"]})"));
    EXPECT_EQ(words_of(tasks, 0), (Words{"run 0"}));
    EXPECT_EQ(tasks.tasks[0].stretches.front().cpus.bits, 2);
}

TEST(RtApp, APriorityIsNotLostWhereCpusChangeBeforeTheFirstEvent) {
    auto const tasks = tasks_of(program("", R"({"name": "A", "real_time": 7, "do": ["cpus 1", "work 3"]})"));
    ASSERT_EQ(tasks.tasks[0].stretches.size(), 1);
    EXPECT_EQ(tasks.tasks[0].stretches.front().priority->level, 7);
}

TEST(RtApp, TimesBelowAMicrosecondAddUp) {
    std::string steps;
    std::int64_t run_ns = 0;
    std::int64_t sleep_ns = 0;
    for (std::int64_t i = 1; i <= 2000; ++i) {
        auto const work = i * 7919 % 1303;
        auto const sleep = i * 104729 % 997;
        run_ns += work;
        sleep_ns += sleep;
        steps += (i == 1 ? "\"work " : ", \"work ") + std::to_string(work) + "\", \"sleep " +
                 std::to_string(sleep) + "\", \"lock M\", \"unlock M\"";
    }
    auto const tasks = tasks_of(
        program(R"({"name": "M", "kind": "mutex"})", R"({"name": "A", "do": [)" + steps + "]}", "ns"));
    std::int64_t run_us = 0;
    std::int64_t sleep_us = 0;
    for (auto const event : tasks.tasks[0].stretches.front().events) {
        run_us += event.word == RtAppWord::run ? event.value : 0;
        sleep_us += event.word == RtAppWord::sleep ? event.value : 0;
    }
    EXPECT_LE(std::abs(run_us * 1000 - run_ns), 500);
    EXPECT_LE(std::abs(sleep_us * 1000 - sleep_ns), 500);
}

// A line began with a comma where the first name did not fit.
TEST(RtApp, LongNamesKeepTheTextJson) {
    auto const name = std::string(120, 'm');
    auto const workload = to_rt_app(
        program(R"({"name": ")" + name + R"(", "kind": "mutex"})",
                R"({"name": "T", "do": ["lock )" + name + "\", \"work 1\", \"unlock " + name + "\"]}"));
    ASSERT_TRUE(workload.has_value());
    EXPECT_NE(workload->text.find("\"phase0\": {\"lock0\": \"mmm"), std::string::npos) << workload->text;
    EXPECT_NE(workload->text.find("mmm\",\n    \"run1\": 1,\n    \"unlock2\""), std::string::npos)
        << workload->text;
}

// The kernel keeps 15 letters, of which rt-app uses some.
TEST(RtApp, LongNamesOfThreadsAreShortAndDiffer) {
    auto const tasks = tasks_of(program("", R"({"name": "compression_thread", "do": []},
                                               {"name": "compression_threads", "do": []})"));
    EXPECT_EQ(tasks.tasks[0].name, "compression~0");
    EXPECT_EQ(tasks.tasks[1].name, "compression~1");
}

// An int of rt-app holds 2^31 - 1 us.
TEST(RtApp, LongRunsAreDivided) {
    auto const tasks = tasks_of(program("", R"({"name": "A", "do": ["work 5000"]})", "s"));
    EXPECT_EQ(words_of(tasks, 0), (Words{"run 2147483647", "run 2147483647", "run 705032706"}));
}

TEST(RtApp, AThousandRoundsAreALoop) {
    std::string steps = "\"yield\"";
    for (int round = 0; round < 1000; ++round)
        steps += R"(, "work 2", "lock M", "work 1", "unlock M")";
    auto const workload =
        to_rt_app(program(R"({"name": "M", "kind": "mutex"})", R"({"name": "A", "do": [)" + steps + "]}"));
    ASSERT_TRUE(workload.has_value());
    EXPECT_EQ(workload->events, 5);
    EXPECT_NE(workload->text.find(R"("loop": 1000, "run0": 2, "lock1": "M", "run2": 1, "unlock3": "M"})"),
              std::string::npos)
        << workload->text;
}

}  // namespace
}  // namespace parcast
