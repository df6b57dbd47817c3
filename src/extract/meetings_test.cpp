#include "extract/meetings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::extract {
namespace {

using enum OperationKind;
using testing::ElementsAre;
using Times = std::vector<std::int64_t>;

class Meetings : public testing::Test {
protected:
    // Thread 0 creates all others at once.
    explicit Meetings(std::uint32_t threads = 3) {
        program.lists.resize(threads);
        program.catalogue.threads.resize(threads);
        program.parameters.resize(threads);
        for (std::uint32_t thread = 1; thread < threads; ++thread)
            add(0, create, 0, thread);
    }

    std::uint32_t object(std::int64_t initial = 0) {
        program.catalogue.objects.emplace_back();
        program.objects.push_back({.initial_count = initial, .turns = {}});
        return static_cast<std::uint32_t>(program.objects.size() - 1);
    }
    void add(std::uint32_t thread, OperationKind kind, std::int64_t work, std::uint32_t object = 0xffffffff,
             std::int64_t value = 0) {
        program.lists[thread].push_back(make_operation(kind, work, object, value));
    }
    // The thread's next `count` operations, of a unit each, are part of the meeting.
    Stop stop(std::uint32_t thread, std::uint32_t count = 1) {
        auto const first = static_cast<std::uint32_t>(program.lists[thread].size());
        for (std::uint32_t i = 0; i < count; ++i)
            add(thread, work_only, 1);
        return {ThreadId(thread), first, first + count};
    }
    // When everybody came; each goes on after `stays`.
    std::vector<Times> come(std::vector<Meeting> const& meetings, std::int64_t stays = 0) {
        for (std::uint32_t thread = 0; thread < program.lists.size(); ++thread)
            add(thread, end, 0);
        std::vector<Times> came(meetings.size());
        decide_meetings(program, meetings, [&](std::size_t meeting, std::span<std::int64_t> times) {
            EXPECT_TRUE(came[meeting].empty()) << "decided once";
            came[meeting].assign(times.begin(), times.end());
            for (auto& time : times)
                time += time == never_ns ? 0 : stays;
        });
        return came;
    }

    ThreadProgram program;
};

TEST_F(Meetings, AreReachedAfterWorkSleepsAndTheWaitsForOthers) {
    auto const semaphore = object();
    add(1, work_only, 30);
    add(1, delay, 5, 0xffffffff, 100);
    add(2, semaphore_wait, 10, semaphore);
    add(2, work_only, 1);
    add(0, semaphore_post, 70, semaphore, 1);
    auto const first = stop(1);
    auto const second = stop(2);
    EXPECT_THAT(come({{first, second}}), ElementsAre(Times{30 + 5 + 100, 70 + 1}));
}

TEST_F(Meetings, LastAsLongAsIsDecidedWhateverTheListSays) {
    auto const barrier = object();
    auto const first_of_1 = stop(1, 1000);
    auto const first_of_2 = stop(2);
    add(1, barrier_wait, 2, barrier, 2);
    add(2, barrier_wait, 9, barrier, 2);
    auto const second_of_1 = stop(1);
    auto const second_of_2 = stop(2);
    EXPECT_THAT(come({{first_of_1, first_of_2}, {second_of_1, second_of_2}}, 50),
                ElementsAre(Times{0, 0}, Times{50 + 9, 50 + 9}));
}

TEST_F(Meetings, AreDecidedWithoutThoseWhoWaitForSomebodyThere) {
    auto const semaphore = object();
    auto const first = stop(1);
    add(1, semaphore_post, 3, semaphore, 1);
    add(2, semaphore_wait, 0, semaphore);
    auto const second = stop(2);
    auto const later = stop(2);
    EXPECT_THAT(come({{first, second}, {later}}, 50), ElementsAre(Times{0, never_ns}, Times{50 + 3}));
}

TEST_F(Meetings, ToWhichNobodyComesAreDecidedAtZero) {
    add(1, semaphore_wait, 5, object());  // for ever
    EXPECT_THAT(come({{stop(1)}}), ElementsAre(Times{0}));
}

TEST_F(Meetings, MayFollowEachOtherByTheHundredThousand) {
    std::vector<Meeting> meetings;
    for (int i = 0; i < 100'000; ++i)
        meetings.push_back({stop(1), stop(2)});
    EXPECT_EQ(come(meetings, 1).back(), (Times{99'999, 99'999}));
}

TEST_F(Meetings, AreReachedAfterJoinsTokensAndConditionBarriers) {
    auto const condition = object();
    program.barriers.push_back(
        {.participants = 2, .condition = ObjectId(condition), .mutex = ObjectId::none()});
    add(1, condition_barrier, 8, condition, 0);
    add(2, condition_barrier, 20, condition, 0);
    add(1, condition_signal, 1, condition, encode(TokenGrant{.tokens = 1, .first = 0}));
    add(2, condition_wait, 0, condition, encode(TokenWait{.mutex = ObjectId::none(), .token = 0}));
    add(0, join, 0, 2);
    EXPECT_THAT(come({{stop(0)}, {stop(2)}}), ElementsAre(Times{21}, Times{21}));
}

}  // namespace
}  // namespace parcast::extract
