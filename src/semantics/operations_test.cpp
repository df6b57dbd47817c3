// What operations do to threads, without time. How long that takes is tested where replays are: simulate.

#include "semantics/operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/program_builder.h"

namespace parcast::semantics {
namespace {

using enum OperationKind;
using testing::ElementsAre;
using testing::IsEmpty;

MATCHER_P2(Lets, thread, what, "") {
    return arg.thread == ThreadId(std::size_t{thread}) && arg.what == what;
}

constexpr auto begins = Release::What::begins;
constexpr auto resumes = Release::What::resumes;
constexpr auto retries = Release::What::retries;
constexpr auto requeues = Release::What::requeues;

// Threads that execute one operation at a time, in the order of the test.
class Interpreter : public testing::Test {
protected:
    ObjectId object(ObjectKind kind, std::int64_t initial_count = 0) {
        return builder_.object(kind, initial_count);
    }
    ObjectId memory_map() { return builder_.memory_map(); }
    struct Turns {
        std::uint32_t object;
        std::vector<Turn> turns;
    };
    void start(Locking locking, Pairing pairing = Pairing::any, std::optional<Turns> const& turns = {}) {
        program_ = builder_.finish();
        if (turns)
            program_.objects[turns->object].turns = turns->turns;
        operations_.emplace(program_, locking, pairing);
    }
    // What it did to others is in `released`.
    Progress execute(std::uint32_t thread, OperationKind kind, std::uint32_t object = 0xffffffff,
                     std::int64_t value = 0) {
        auto const progress =
            operations_->execute(ThreadId(std::size_t{thread}), make_operation(kind, 0, object, value), 0);
        released = std::exchange(operations_->releases(), {});
        return progress;
    }
    Operations& operations() { return *operations_; }

    std::vector<Release> released;

private:
    ProgramBuilder builder_{4};
    ThreadProgram program_;
    std::optional<Operations> operations_;
};

TEST_F(Interpreter, HandsALockToTheFirstWaiterOrLetsItTryAgain) {
    auto const m = object(ObjectKind::mutex).value;
    for (auto const locking : {Locking::hand_off, Locking::barging}) {
        start(locking);
        EXPECT_EQ(execute(0, lock, m), Progress::proceeds);
        EXPECT_EQ(execute(1, lock, m), Progress::blocks);
        EXPECT_EQ(execute(2, lock, m), Progress::blocks);
        EXPECT_EQ(execute(0, unlock, m), Progress::proceeds);
        bool const hands_off = locking == Locking::hand_off;
        EXPECT_THAT(released, ElementsAre(Lets(1U, hands_off ? resumes : retries)));
        EXPECT_EQ(operations().holder(ObjectId(m)), hands_off ? ThreadId(1) : ThreadId::none());
        EXPECT_EQ(execute(0, lock, m), hands_off ? Progress::blocks : Progress::proceeds);
    }
}

// As the kernel's lock does (rwsem), whatever readers prefer at the program's locks.
TEST_F(Interpreter, AtTheMemoryMapFaultsAndChangesTakeTurns) {
    auto const map = memory_map().value;
    start(Locking::barging);
    EXPECT_EQ(execute(0, read_lock, map), Progress::proceeds);
    EXPECT_EQ(execute(1, write_lock, map), Progress::blocks);
    EXPECT_EQ(execute(2, read_lock, map), Progress::blocks) << "a change waits, and came first";
    EXPECT_EQ(execute(3, read_lock, map), Progress::blocks);
    execute(0, read_write_unlock, map);
    EXPECT_THAT(released, ElementsAre(Lets(1U, retries)));
    EXPECT_EQ(execute(1, write_lock, map), Progress::proceeds);
    EXPECT_EQ(execute(0, write_lock, map), Progress::blocks);
    execute(1, read_write_unlock, map);
    EXPECT_THAT(released, ElementsAre(Lets(2U, resumes), Lets(3U, resumes))) << "then all faults at once";
    execute(2, read_write_unlock, map);
    EXPECT_THAT(released, IsEmpty());
    execute(3, read_write_unlock, map);
    EXPECT_THAT(released, ElementsAre(Lets(0U, retries)));
    EXPECT_EQ(execute(0, write_lock, map), Progress::proceeds);
    execute(0, read_write_unlock, map);
    EXPECT_EQ(execute(1, read_lock, map), Progress::proceeds);
    EXPECT_EQ(execute(2, read_lock, map), Progress::proceeds) << "faults share it";
}

// Four threads that grew their heaps met each other in step for ever, 11 % too long.
TEST_F(Interpreter, WhoRunsTakesTheMemoryMapBeforeTheChangeThatWasWokenAndStaysTheFirst) {
    auto const map = memory_map().value;
    start(Locking::barging);
    EXPECT_EQ(execute(0, read_lock, map), Progress::proceeds);
    EXPECT_EQ(execute(1, write_lock, map), Progress::blocks);
    EXPECT_EQ(execute(2, read_lock, map), Progress::blocks);
    for (int turn = 0; turn < 3; ++turn) {
        execute(0, read_write_unlock, map);
        EXPECT_THAT(released, ElementsAre(Lets(1U, retries)));
        EXPECT_EQ(execute(0, read_lock, map), Progress::proceeds) << "nobody has it";
        EXPECT_THAT(released, IsEmpty()) << "a change is the first that waits";
        EXPECT_EQ(execute(1, write_lock, map), Progress::blocks) << "too late";
    }
    execute(0, read_write_unlock, map);
    EXPECT_EQ(execute(1, write_lock, map), Progress::proceeds);
    execute(1, read_write_unlock, map);
    EXPECT_THAT(released, ElementsAre(Lets(2U, resumes)));
}

TEST_F(Interpreter, AChangeThatIsOnItsWayToTheMemoryMapIsNotWokenAgain) {
    auto const map = memory_map().value;
    start(Locking::barging);
    EXPECT_EQ(execute(0, write_lock, map), Progress::proceeds);
    EXPECT_EQ(execute(1, write_lock, map), Progress::blocks);
    execute(0, read_write_unlock, map);
    EXPECT_THAT(released, ElementsAre(Lets(1U, retries)));
    EXPECT_EQ(execute(0, write_lock, map), Progress::proceeds);
    execute(0, read_write_unlock, map);
    EXPECT_THAT(released, IsEmpty());
    EXPECT_EQ(execute(1, write_lock, map), Progress::proceeds);
}

TEST_F(Interpreter, WhereAFaultIsTheFirstThatWaitsForTheMemoryMapAllFaultsGetIt) {
    auto const map = memory_map().value;
    for (auto const locking : {Locking::hand_off, Locking::barging}) {
        start(locking);
        EXPECT_EQ(execute(0, write_lock, map), Progress::proceeds);
        EXPECT_EQ(execute(1, read_lock, map), Progress::blocks);
        EXPECT_EQ(execute(2, write_lock, map), Progress::blocks);
        EXPECT_EQ(execute(3, read_lock, map), Progress::blocks);
        execute(0, read_write_unlock, map);
        EXPECT_THAT(released, ElementsAre(Lets(1U, resumes), Lets(3U, resumes)));
        execute(1, read_write_unlock, map);
        EXPECT_THAT(released, IsEmpty());
        execute(3, read_write_unlock, map);
        EXPECT_THAT(released, ElementsAre(Lets(2U, locking == Locking::hand_off ? resumes : retries)));
    }
}

TEST_F(Interpreter, AWaiterWithItsTokenGoesOnWaitingForItsMutexUnlessLocksAreIgnored) {
    auto const m = object(ObjectKind::mutex);
    auto const c = object(ObjectKind::condition).value;
    auto const wait = encode(TokenWait{.mutex = m, .token = 0});
    auto const signal = encode(TokenGrant{.tokens = 1, .first = 0});
    for (auto const pairing : {Pairing::any, Pairing::recorded}) {
        start(Locking::hand_off, pairing);
        EXPECT_EQ(execute(1, condition_wait, c, wait), Progress::blocks);
        EXPECT_EQ(execute(0, lock, m.value), Progress::proceeds) << "the wait does not hold it";
        EXPECT_EQ(execute(0, condition_signal, c, signal), Progress::proceeds);
        EXPECT_THAT(released, ElementsAre(Lets(1U, requeues)));
        EXPECT_EQ(operations().waits_for(ThreadId(1)), m);
        execute(0, unlock, m.value);
        EXPECT_THAT(released, ElementsAre(Lets(1U, resumes)));

        start(Locking::ignored, pairing);
        execute(1, condition_wait, c, wait);
        execute(0, condition_signal, c, signal);
        EXPECT_THAT(released, ElementsAre(Lets(1U, resumes)));
        EXPECT_EQ(operations().holder(m), ThreadId::none());
    }
}

TEST_F(Interpreter, NamesTheThreadWhoseEndAJoinFound) {
    start(Locking::ignored);
    EXPECT_EQ(execute(0, create, 3), Progress::proceeds);
    EXPECT_THAT(released, ElementsAre(Lets(3U, begins)));
    for (std::uint32_t const thread : {2U, 1U, 3U})
        EXPECT_EQ(execute(thread, end), Progress::ends);
    EXPECT_THAT(released, IsEmpty());
    EXPECT_EQ(execute(0, join, 2), Progress::proceeds);
    EXPECT_EQ(operations().joined(), ThreadId(2));
    EXPECT_EQ(execute(0, join_any), Progress::proceeds);
    EXPECT_EQ(operations().joined(), ThreadId(1)) << "the oldest that nobody has joined";
    EXPECT_EQ(execute(0, join_any), Progress::proceeds);
    EXPECT_EQ(operations().joined(), ThreadId(3));
    EXPECT_EQ(execute(0, join_any), Progress::blocks);
}

TEST_F(Interpreter, TheLastToComeReleasesTheOthersInTheirOrder) {
    auto const barrier = object(ObjectKind::barrier).value;
    start(Locking::ignored);
    EXPECT_EQ(execute(3, barrier_wait, barrier, 3), Progress::blocks);
    EXPECT_EQ(execute(1, barrier_wait, barrier, 3), Progress::blocks);
    EXPECT_EQ(execute(2, barrier_wait, barrier, 3), Progress::proceeds);
    EXPECT_THAT(released, ElementsAre(Lets(3U, resumes), Lets(1U, resumes)));
}

TEST_F(Interpreter, InOrderALockIsTakenAsInTheRecording) {
    auto const m = object(ObjectKind::mutex).value;
    start(Locking::barging, Pairing::ordered, Turns{m, {{ThreadId(1), 2}, {ThreadId(0), 1}}});
    EXPECT_EQ(execute(0, lock, m), Progress::blocks) << "it is free, but not its turn";
    EXPECT_EQ(execute(1, lock, m), Progress::proceeds);
    EXPECT_EQ(execute(1, unlock, m), Progress::proceeds);
    EXPECT_THAT(released, IsEmpty());
    EXPECT_EQ(execute(1, lock, m), Progress::proceeds);
    EXPECT_EQ(execute(1, unlock, m), Progress::proceeds);
    EXPECT_THAT(released, ElementsAre(Lets(0U, resumes)));
}

TEST_F(Interpreter, InOrderAWaitGivesUpTheMutexEvenIfItsTokenIsThere) {
    auto const m = object(ObjectKind::mutex).value;
    auto const c = object(ObjectKind::condition).value;
    Turns const turns{m, {{ThreadId(0), 1}, {ThreadId(1), 1}, {ThreadId(0), 1}}};
    start(Locking::hand_off, Pairing::ordered, turns);
    auto const waits = encode(TokenWait{ObjectId(m), 0});
    EXPECT_EQ(execute(0, lock, m), Progress::proceeds);
    EXPECT_EQ(execute(2, condition_signal, c, encode(TokenGrant{1, 0})), Progress::proceeds);
    EXPECT_EQ(execute(0, condition_wait, c, waits), Progress::blocks) << "thread 1 comes first";
    EXPECT_EQ(execute(1, lock, m), Progress::proceeds);
    EXPECT_EQ(execute(1, unlock, m), Progress::proceeds);
    EXPECT_THAT(released, ElementsAre(Lets(0U, resumes)));
}

TEST_F(Interpreter, InOrderABarrierWithMoreThreadsThanParticipantsHasTheRecordedRounds) {
    auto const barrier = object(ObjectKind::barrier).value;
    start(Locking::hand_off, Pairing::ordered,
          Turns{barrier, {{ThreadId(1), 1}, {ThreadId(2), 1}, {ThreadId(0), 1}, {ThreadId(3), 1}}});
    EXPECT_EQ(execute(0, barrier_wait, barrier, 2), Progress::blocks);
    EXPECT_EQ(execute(1, barrier_wait, barrier, 2), Progress::blocks) << "not with thread 0";
    EXPECT_EQ(execute(2, barrier_wait, barrier, 2), Progress::proceeds);
    EXPECT_THAT(released, ElementsAre(Lets(1U, resumes)));
    EXPECT_EQ(execute(3, barrier_wait, barrier, 2), Progress::proceeds);
    EXPECT_THAT(released, ElementsAre(Lets(0U, resumes)));
}

}  // namespace
}  // namespace parcast::semantics
