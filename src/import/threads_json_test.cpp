// The form of docs/formats/threads.md: what a file means, and where its errors are.

#include "import/threads_json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "program/tried_lock.h"

namespace parcast {
namespace {

using enum OperationKind;

std::string program(std::string const& objects, std::string const& threads) {
    return R"({"schema": "parcast.threads/1", "unit": "us", "objects": [)" + objects + R"(], "threads": [)" +
           threads + "]}";
}

ThreadProgram must_read(std::string const& text) {
    auto read = threads_from_json(text, "file");
    EXPECT_TRUE(read.has_value()) << (read ? "" : describe(read.error()));
    return read ? std::move(*read) : ThreadProgram();
}

struct KindAndWork {
    OperationKind kind;
    std::int64_t work_ns;
    friend bool operator==(KindAndWork const&, KindAndWork const&) = default;
};

std::vector<KindAndWork> kinds_of(ThreadProgram const& program, std::size_t thread) {
    std::vector<KindAndWork> kinds;
    for (auto const& operation : program.lists[thread])
        kinds.push_back({operation.kind(), operation.work_ns});
    return kinds;
}

TEST(ThreadsJson, IsToldByItsSchema) {
    EXPECT_TRUE(is_threads_json("\n {\"unit\": \"us\", \"schema\": \"parcast.threads/9\"}"));
    EXPECT_FALSE(is_threads_json(R"({"schema": "parcast.taskgraph/2"})"));
    EXPECT_FALSE(is_threads_json("parcast.threads/1"));
}

TEST(ThreadsJson, WorkIsDoneBeforeTheNextStep) {
    auto const read = must_read(program(R"({"name": "M", "kind": "mutex"})",
                                        R"({"name": "T", "do": ["work 3 f", "lock M", "unlock M", "work 0.5",
                                            "work 1 g", "yield", "work 2"]})"));
    EXPECT_EQ(
        kinds_of(read, 0),
        (std::vector<KindAndWork>{{lock, 3000}, {unlock, 0}, {work_only, 500}, {yield, 1000}, {end, 2000}}));
}

TEST(ThreadsJson, AnOperationHasThePlaceOfItsStepAndTheFunctionOfItsWork) {
    auto const read = must_read(program(R"({"name": "M", "kind": "mutex"})",
                                        "{\"name\": \"T\", \"do\": [\n\"work 3 a function\", \n\"lock M\",\n"
                                        "\"unlock M\"]}"));
    auto const frame_of = [&](std::size_t place) {
        return read.catalogue.sites[read.lists[0][place].site().index()].frames.front();
    };
    EXPECT_EQ(frame_of(0), (Frame{"a function", "file", 3}));
    EXPECT_EQ(frame_of(1), (Frame{"T", "file", 4}));
    EXPECT_EQ(display_name(read.catalogue, ObjectId(0)), "mutex M (a function, file:3)");
}

TEST(ThreadsJson, AWordMeansWhatItsObjectIs) {
    auto const read = must_read(program(
        R"({"name": "X", "kind": "semaphore", "count": 2}, {"name": "C", "kind": "condition", "count": 1},
           {"name": "M", "kind": "mutex"}, {"name": "L", "kind": "reader-writer lock"},
           {"name": "B", "kind": "barrier", "count": 2}, {"name": "S", "kind": "mutex", "as": "semaphore"})",
        R"({"name": "T", "do": ["wait X", "wait C M #7", "wait C", "signal C 2 #1", "read L", "unlock L", "write L",
            "release L", "barrier B", "barrier B 3", "barrier C M 4", "wait S"]})"));
    std::vector<OperationKind> kinds;
    for (auto const& operation : read.lists[0])
        kinds.push_back(operation.kind());
    EXPECT_EQ(kinds, (std::vector{semaphore_wait, condition_wait, condition_wait, condition_signal, read_lock,
                                  read_write_unlock, write_lock, read_write_unlock, barrier_wait,
                                  barrier_wait, condition_barrier, semaphore_wait, end}));
    EXPECT_EQ(read.objects[0].initial_count, 2);
    EXPECT_EQ(read.objects[1].initial_count, 1);
    auto const& list = read.lists[0];
    EXPECT_EQ(decode_wait(list[1].value), (TokenWait{ObjectId(2), 7}));
    EXPECT_EQ(decode_wait(list[2].value), (TokenWait{ObjectId::none(), std::nullopt}));
    EXPECT_EQ(decode_grant(list[3].value), (TokenGrant{2, 1}));
    EXPECT_EQ(list[8].value, 2);
    EXPECT_EQ(list[9].value, 3);
    EXPECT_EQ(read.barriers.front(), (ConditionBarrier{4, ObjectId(1), ObjectId(2)}));
}

TEST(ThreadsJson, ALockMayBeTried) {
    auto const read = must_read(program(
        R"({"name": "M", "kind": "mutex"}, {"name": "L", "kind": "reader-writer lock"})",
        R"({"name": "T", "do": ["lock M", "lock M tried", "unlock M", "unlock M", "write L tried", "unlock L"]})"));
    EXPECT_FALSE(is_try(read.lists[0][0]));
    EXPECT_TRUE(is_try(read.lists[0][1]));
    EXPECT_TRUE(is_try(read.lists[0][4]));
    auto const written = to_threads_json(read);
    ASSERT_TRUE(written.has_value());
    auto const again = must_read(*written);
    ASSERT_EQ(again.lists[0].size(), read.lists[0].size());
    for (std::size_t i = 0; i < read.lists[0].size(); ++i)
        EXPECT_EQ(is_try(again.lists[0][i]), is_try(read.lists[0][i])) << i;
}

TEST(ThreadsJson, ABarrierHasAPriceOfWakingAndMayBeThatOfATeam) {
    auto const read =
        must_read(program(R"({"name": "B", "kind": "barrier", "waking_ns": 1500, "team": true})",
                          R"({"name": "T", "do": ["barrier B 1"]})"));
    EXPECT_EQ(read.objects[0].waking, Duration{1500});
    EXPECT_TRUE(read.objects[0].team);
    auto const written = to_threads_json(read);
    ASSERT_TRUE(written.has_value());
    EXPECT_EQ(must_read(*written).objects, read.objects);
    auto const refused = threads_from_json(
        program(R"({"name": "B", "kind": "barrier", "team": 1})", R"({"name": "T"})"), "file");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().message, "expected true or false");
}

// What extract wrote of a recording with its memory map took another time than the recording: the map was a
// lock of the program.
TEST(ThreadsJson, TheMemoryMapIsTheKernels) {
    auto const map = [](std::string const& kind) {
        return program(R"({"name": "map", "kernel_lock": "memory map", "kind": ")" + kind + R"("})",
                       R"({"name": "T", "do": ["read map", "unlock map"]})");
    };
    auto const read = must_read(map("reader-writer lock"));
    EXPECT_EQ(read.objects[0].kernel_lock, KernelLock::memory_map);
    auto const written = to_threads_json(read);
    ASSERT_TRUE(written.has_value());
    EXPECT_EQ(must_read(*written).objects, read.objects);
    auto const refused = threads_from_json(map("mutex"), "file");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().message, "a \"kernel_lock\" is a reader-writer lock, and used as one");
}

TEST(ThreadsJson, AThreadThatNobodyCreatesIsThereFromTheStart) {
    auto const read =
        must_read(program("", R"({"name": "A", "do": ["create B"]}, {"name": "B"}, {"name": "C"})"));
    EXPECT_EQ(initial_threads(read), (std::vector{ThreadId(0), ThreadId(2)}));
    EXPECT_EQ(read.catalogue.threads[1].parent, ThreadId(0));
}

TEST(ThreadsJson, AThreadMayAskForLwpsForAll) {
    auto const text = program("", R"({"name": "A", "do": ["concurrency 4"]})");
    auto const step = must_read(text).lists[0].front();
    EXPECT_EQ(step.kind(), set_concurrency);
    EXPECT_EQ(step.value, 4);
    auto const refused =
        threads_from_json(program("", R"({"name": "A", "do": ["concurrency many"]})"), "file");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().message, "a number of LWPs is a whole number from 0 on");
}

TEST(ThreadsJson, AThreadHasProcessorsAndAPriority) {
    auto const read = must_read(program(
        "",
        R"({"name": "A", "cpu": 3, "real_time": 5, "do": ["cpus 0,2", "cpus all", "nice -3", "real_time 99"]},
               {"name": "B", "cpu": [0, 1], "nice": -20})"));
    EXPECT_EQ(read.parameters[0].affinity, 8U);
    EXPECT_EQ(read.parameters[0].priority, (Priority{SchedulingClass::real_time, 5}));
    EXPECT_EQ(read.parameters[1].affinity, 3U);
    EXPECT_EQ(read.parameters[1].priority, (Priority{SchedulingClass::fair, -20}));
    EXPECT_EQ(read.lists[0][0].value, 5);
    EXPECT_EQ(read.lists[0][1].value, 0);
    EXPECT_EQ(decode_priority(read.lists[0][2].value), (Priority{SchedulingClass::fair, -3}));
    EXPECT_EQ(decode_priority(read.lists[0][3].value), (Priority{SchedulingClass::real_time, 99}));
}

TEST(ThreadsJson, WhatIsWrittenReadsBackAsTheSameProgram) {
    auto const first = must_read(program(
        R"({"name": "X", "kind": "semaphore", "count": 2}, {"name": "C", "kind": "once", "count": 1},
           {"name": "M", "kind": "mutex", "turns": ["A 2", "B"]}, {"name": "L", "kind": "reader-writer lock"},
           {"name": "B", "kind": "barrier", "count": 2}, {"name": "S", "kind": "futex", "as": "semaphore", "count": 3},
           {"name": "F", "kind": "descriptor"})",
        R"({"name": "A", "cpu": [0, 5], "real_time": 5, "do": ["work 3 f", "work 2", "lock M", "unlock M", "release M",
            "post X", "post X 7", "wait C M #7", "signal C", "signal C 2 #1", "read L", "unlock L", "barrier B 3",
            "barrier C M 4", "barrier C 4", "wait S", "create B", "join B", "join", "join any B", "work 7"]},
           {"name": "B", "nice": 3, "do": ["sleep 2", "sleep 2 M", "io 5", "io F 5", "yield", "cpus 1", "cpus all",
            "nice 4", "real_time 2", "round_robin 7", "accept", "work 0"]},
           {"name": "Z", "do": ["concurrency 4", "activate B", "work 1", "work 2"]})"));
    auto const written = to_threads_json(first);
    ASSERT_TRUE(written.has_value());
    auto const again = must_read(*written);
    ASSERT_EQ(again.lists.size(), first.lists.size());
    for (std::size_t thread = 0; thread < first.lists.size(); ++thread) {
        ASSERT_EQ(again.lists[thread].size(), first.lists[thread].size());
        for (std::size_t place = 0; place < first.lists[thread].size(); ++place) {
            auto const& [work, value, object, site_and_kind] = first.lists[thread][place];
            auto const& same = again.lists[thread][place];
            EXPECT_EQ(same.kind(), static_cast<OperationKind>(site_and_kind >> 24)) << thread << ' ' << place;
            EXPECT_EQ(same.work_ns, work) << thread << ' ' << place;
            EXPECT_EQ(same.value, value) << thread << ' ' << place;
            EXPECT_EQ(same.object, object) << thread << ' ' << place;
        }
    }
    EXPECT_EQ(again.parameters, first.parameters);
    EXPECT_EQ(again.objects, first.objects);
    EXPECT_EQ(again.barriers, first.barriers);
    EXPECT_EQ(*to_threads_json(again), *written);
}

TEST(ThreadsJson, NamesOfARecordingBecomeUniqueWords) {
    ThreadProgram recorded;
    recorded.catalogue.threads.resize(3);
    recorded.catalogue.threads[1].function = recorded.catalogue.threads[2].function = "run(int, char*)";
    recorded.catalogue.threads[0].name = "#1";
    recorded.catalogue.objects.resize(1);
    recorded.objects.resize(1);
    recorded.parameters.resize(3);
    recorded.lists = {{make_operation(create, 0, 1), make_operation(create, 0, 2), make_operation(end, 0)},
                      {make_operation(end, 0)},
                      {make_operation(lock, 0, 0), make_operation(end, 0)}};
    auto const written = to_threads_json(recorded);
    ASSERT_TRUE(written.has_value());
    auto const again = must_read(*written);
    EXPECT_EQ(again.catalogue.threads[0].name, "_1");
    EXPECT_EQ(again.catalogue.threads[1].name, "run(int,_char*)");
    EXPECT_EQ(again.catalogue.threads[2].name, "run(int,_char*)-2");
    EXPECT_EQ(again.catalogue.objects[0].name, "mutex-0");
}

struct ErrorCase {
    std::string text;
    std::string message;  // with its place
};

class ThreadsJsonErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(ThreadsJsonErrors, SayWhatAndWhere) {
    auto const read = threads_from_json(GetParam().text, "file");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(describe(read.error()), GetParam().message);
}

// A program of one line, "T" does the steps; the first step begins in line 2, column 34.
std::string steps(std::string const& list) {
    return R"({"schema": "parcast.threads/1", "objects": [{"name": "M", "kind": "mutex"}, {"name": "sem", "kind": "semaphore"}],)"
           "\n"
           R"("threads": [{"name": "T", "do": [)" +
           list + R"(]}, {"name": "U"}]})";
}

INSTANTIATE_TEST_SUITE_P(
    Steps, ThreadsJsonErrors,
    testing::Values(
        ErrorCase{steps(R"("lok M")"), "file:2:35: there is no step \"lok\": did you mean \"lock\"?"},
        ErrorCase{steps(R"("work 1",  "lock N")"),
                  "file:2:51: there is no object \"N\": did you mean \"M\"?"},
        ErrorCase{steps(R"("wait smm")"), "file:2:40: there is no object \"smm\": did you mean \"sem\"?"},
        ErrorCase{steps(R"("wait M")"), "file:2:35: a mutex has no step \"wait\""},
        ErrorCase{steps(R"("lock M", "unlock M", "unlock M")"),
                  "file:2:57: \"T\" unlocks \"M\", which it does not hold: lock it before, or write "
                  "\"release\" if another thread holds it"},
        ErrorCase{steps(R"("create T")"), "file:2:42: \"T\" creates itself"},
        ErrorCase{steps(R"("create U", "create U")"), "file:2:54: \"U\" is created for the second time"},
        ErrorCase{steps(R"("work -1")"),
                  "file:2:40: \"-1\" is no time: a number from 0, in the unit of the file"},
        ErrorCase{steps(R"("work 1e30")"), "file:2:40: a time is over 10^18 ns, 31 years"},
        ErrorCase{steps(R"("")"), "file:2:35: a step is empty"},
        ErrorCase{steps(R"("lock")"), "file:2:35: the step is written: lock MUTEX [tried]"},
        ErrorCase{steps(R"("yield M")"), "file:2:35: the step is written: yield"},
        ErrorCase{steps(R"("cpus 0,64")"),
                  "file:2:40: CPUs are numbers from 0 to 63 with commas between them, or all"},
        ErrorCase{steps(R"("real_time 0")"), "file:2:45: a real_time level is a whole number from 1 to 99"}));

INSTANTIATE_TEST_SUITE_P(
    Fields, ThreadsJsonErrors,
    testing::Values(
        ErrorCase{R"({"schema": "parcast.threads/2", "threads": []})",
                  "file:1:12: the schema is \"parcast.threads/2\"; this parcast reads \"parcast.threads/1\""},
        ErrorCase{R"({"schema": "parcast.threads/1"})", "file:1:1: a program of threads needs \"threads\""},
        ErrorCase{program("", ""), "file:1:1: a program needs a thread"},
        ErrorCase{
            program(R"({"name": "M", "kind": "mutexx"})", R"({"name": "T"})"),
            "file:1:81: there is no kind \"mutexx\": it is mutex, spin lock, reader-writer lock, condition, "
            "barrier, semaphore, once, futex or descriptor"},
        ErrorCase{program("", R"({"name": "two words"})"),
                  "file:1:83: the name of a thread is one word, which does not begin with #"},
        ErrorCase{program("", R"({"name": "T"}, {"name": "T"})"),
                  "file:1:98: there are two of the name \"T\""},
        ErrorCase{program("", R"({"name": "T", "att": "start"})"),
                  "file:1:95: a thread has no \"att\": did you mean \"at\"?"},
        ErrorCase{program("", R"({"name": "T"}, {"name": "U", "at": "created"})"),
                  "file:1:89: \"U\" begins when it is created, and no step creates it"},
        ErrorCase{program("", R"({"name": "T", "do": ["create U"]}, {"name": "U", "at": "start"})"),
                  "file:1:103: \"U\" is there from the start: nobody creates it"},
        ErrorCase{
            program("", R"({"name": "T"}, {"name": "U", "do": ["create T"]})"),
            "file:1:118: the first thread of the list is there from the start: put the one that creates "
            "\"T\" before it"},
        ErrorCase{program("", R"({"name": "T", "nice": 0, "real_time": 3})"),
                  "file:1:112: a thread has one of \"real_time\", \"round_robin\" and \"nice\""}));

}  // namespace
}  // namespace parcast
