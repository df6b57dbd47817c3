// What is recorded of each family of calls: kinds, objects, outcomes, and which calls waited.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "recorded_run.h"

namespace parcast::tests {
namespace {

using testing::ElementsAre;
using Lines = std::vector<std::string>;

// A thread of the host that has to do exactly these things.
struct Case {
    char const* host;
    std::vector<Lines> threads;
    char const* because;
};
void PrintTo(Case const& value, std::ostream* out) {
    *out << value.host << ": " << value.because;
}

class Family : public testing::TestWithParam<Case> {};

TEST_P(Family, IsRecordedCallByCall) {
    RecordedRun const run = record(GetParam().host);
    EXPECT_EQ(run.exit_status(), 0) << "the host found calls that behave otherwise than unrecorded";
    ASSERT_EQ(run.timelines.size(), 1u);
    ASSERT_EQ(run.only().events.size(), GetParam().threads.size());
    for (std::size_t thread = 0; thread < GetParam().threads.size(); ++thread)
        EXPECT_THAT(synchronisation(run.only(), thread),
                    testing::ElementsAreArray(GetParam().threads[thread]))
            << "thread " << thread;
    EXPECT_EQ(run.headers[0].lost_events, 0u);
    EXPECT_EQ(run.headers[0].ending, wire::Ending::exit);
}

INSTANTIATE_TEST_SUITE_P(
    Hosts, Family,
    testing::Values(
        Case{
            "mutexes",
            {{"thread create",
              "try lock A failed",
              "timed lock A blocked timed out",
              "timed lock A blocked timed out",
              "lock A blocked",
              "unlock A",
              "thread join",
              "unlock B failed",
              "lock B",
              "lock B blocked failed",
              "unlock B",
              "lock C",
              "lock C",
              "unlock C",
              "unlock C",
              "thread create",
              "thread join",
              "lock D",
              "unlock D",
              "process exit"},
             {"lock A", "unlock A", "thread end"},
             {"lock D", "thread end"}},
            "a dead owner's mutex is acquired; a deadlock with oneself is an error that the real call finds"},
        Case{"rwlocks",
             {{"thread create", "read lock A", "read write unlock A", "try write lock A failed",
               "timed write lock A blocked timed out", "write lock A blocked", "try read lock A failed",
               "read write unlock A", "timed read lock A", "read write unlock A", "thread join",
               "process exit"},
              {"read lock A", "read write unlock A", "thread end"}},
             "readers share, a writer waits for them"},
        Case{"conditions",
             {{"lock A", "thread create", "condition wait B blocked", "thread join",
               "timed condition wait B blocked timed out", "timed condition wait B blocked timed out",
               "unlock A", "thread create", "thread join", "condition broadcast B", "process exit"},
              {"lock A blocked", "condition signal B", "unlock A", "thread end"},
              {"lock A", "condition wait B blocked failed", "unlock A", "thread end"}},
             "a cancelled wait ends as failed, and the cleanup handler's unlock is recorded"},
        Case{"barriers",
             {{"once A", "lock B", "thread create", "try lock B failed", "unlock B", "barrier wait C blocked",
               "thread join", "process exit"},
              {"lock B blocked", "unlock B", "barrier wait C blocked", "thread end"}},
             "a spin lock counts as a lock; a once that is done already is no event"},
        Case{"semaphores",
             {{"semaphore wait A", "try semaphore wait A failed", "timed semaphore wait A blocked timed out",
               "timed semaphore wait A blocked timed out", "thread create", "semaphore wait A blocked",
               "thread join", "semaphore wait B", "process exit"},
              {"semaphore post A", "thread end"}},
             "named semaphores are objects like others; errno is the host's"},
        Case{"c11",
             {{"once A", "lock B", "thread create", "condition wait C blocked", "try lock B failed",
               "timed condition wait C blocked timed out", "unlock B", "thread join", "condition broadcast C",
               "process exit"},
              {"lock B blocked", "condition signal C", "unlock B", "thread end"}},
             "C11 threads go through no pthread symbol"},
        Case{"futexes",
             {{"futex wait A blocked failed", "timed futex wait A blocked timed out", "thread create",
               "futex wait A blocked", "thread join", "process exit"},
              {"futex wake A", "thread end"}},
             "a changed value is a failed wait"},
        Case{
            "streams",
            {{"thread create", "lock A blocked", "unlock A", "thread join", "lock A", "unlock A", "lock A",
              "unlock A", "process exit"},
             {"lock A", "unlock A", "lock A", "unlock A", "lock A", "lock A", "unlock A", "unlock A",
              "thread end"}},
            "libc locks a stream in each call; before a second thread uses it, and of one thread alone, that "
            "is no event"},
        Case{"standard",
             {{"lock A", "thread create", "condition wait B blocked", "unlock A", "thread join",
               "process exit"},
              {"lock A blocked", "condition signal B", "unlock A", "thread end"}},
             "the C++ library's classes are the pthread calls beneath them, once"},
        Case{"threads",
             {{"thread create", "thread join", "thread create", "thread join", "thread create",
               "thread join failed", "thread join timed out", "thread join", "thread join failed",
               "thread create", "thread detach", "process exit"},
              {"thread end"},
              {"once A", "thread end"},
              {"thread end"},
              {"thread end"}},
             "return, pthread_exit and cancellation all end a thread; the unwinder is set up once"}),
    [](auto const& test) { return std::string(test.param.host); });

Event find(Timeline const& timeline, std::size_t thread, EventKind kind) {
    auto const& events = timeline.events.at(thread);
    auto const found =
        std::find_if(events.begin(), events.end(), [=](Event const& event) { return event.kind == kind; });
    if (found == events.end())
        throw std::runtime_error(std::string("no event ") + name_of(kind));
    return *found;
}

TEST(Payloads, OneThreadOfABarrierIsTheSerialOne) {
    Timeline const timeline = record("barriers").only();
    EXPECT_EQ(
        find(timeline, 0, EventKind::barrier_wait).value + find(timeline, 1, EventKind::barrier_wait).value,
        1);
}

TEST(Payloads, OnceTellsThatThisThreadRanTheRoutine) {
    EXPECT_EQ(find(record("barriers").only(), 0, EventKind::once).value, 1);
}

TEST(Payloads, AWakeTellsHowManyItWoke) {
    EXPECT_EQ(find(record("futexes").only(), 1, EventKind::futex_wake).value, 1);
}

TEST(Payloads, ATimedWaitTellsHowLongItMayWait) {
    Timeline const timeline = record("conditions").only();
    EXPECT_GT(find(timeline, 0, EventKind::timed_condition_wait).value, 500'000);  // of 2 ms
    EXPECT_LE(find(timeline, 0, EventKind::timed_condition_wait).value, 2'000'000);
}

TEST(Payloads, CreationAndJoinNameTheThread) {
    Timeline const timeline = record("standard").only();
    EXPECT_EQ(find(timeline, 0, EventKind::thread_create).related, 1u);
    EXPECT_EQ(find(timeline, 0, EventKind::thread_join).related, 1u);
}

}  // namespace
}  // namespace parcast::tests
