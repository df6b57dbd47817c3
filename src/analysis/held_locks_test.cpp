#include "analysis/held_locks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t lock_a = 0;
constexpr std::uint32_t lock_b = 1;

struct Execution {
    ThreadProgram program;
    Timeline run;

    explicit Execution(std::size_t threads) {
        program.objects.resize(2);
        program.lists.resize(threads);
        run.arrivals.resize(threads);
        run.intervals.emplace();
        run.length = Duration{100};
    }
    void execute(std::size_t thread, std::int64_t when, OperationKind kind, std::uint32_t object,
                 std::int64_t value = 0) {
        program.lists[thread].push_back(make_operation(kind, 0, object, value));
        run.arrivals[thread].push_back({when});
    }
    void interval(std::size_t thread, std::int64_t begin, std::int64_t end, ThreadState state) {
        run.intervals->begin.push_back({begin});
        run.intervals->end.push_back({end});
        run.intervals->thread.push_back(ThreadId(thread));
        run.intervals->state.push_back(state);
    }
    std::vector<Duration> held() const { return held_times(program, run); }
};

TEST(HeldLocks, AreHeldFromTheEndOfTheWaitingToTheReleaseWhateverHappensMeanwhile) {
    Execution execution(2);
    execution.execute(0, 10, OperationKind::lock, lock_a);
    execution.execute(0, 40, OperationKind::unlock, lock_a);  // ran, and waited for a device meanwhile
    execution.execute(1, 20, OperationKind::lock, lock_a);
    execution.execute(1, 60, OperationKind::unlock, lock_a);
    execution.interval(0, 0, 15, ThreadState::running);
    execution.interval(0, 15, 35, ThreadState::input_output);
    execution.interval(0, 35, 100, ThreadState::running);
    execution.interval(1, 0, 20, ThreadState::running);
    execution.interval(1, 20, 25, ThreadState::spinning);
    execution.interval(1, 25, 42, ThreadState::blocked);
    execution.interval(1, 42, 45, ThreadState::ready);
    execution.interval(1, 45, 100, ThreadState::running);
    EXPECT_THAT(execution.held(), ElementsAre(Duration{30 + 18}, Duration{0}));
}

TEST(HeldLocks, WithSeveralReadersAreHeldWhileAnybodyReads) {
    Execution execution(2);
    execution.execute(0, 10, OperationKind::read_lock, lock_b);
    execution.execute(0, 30, OperationKind::read_write_unlock, lock_b);
    execution.execute(1, 20, OperationKind::read_lock, lock_b);
    execution.execute(1, 50, OperationKind::read_write_unlock, lock_b);
    execution.interval(0, 0, 100, ThreadState::running);
    execution.interval(1, 0, 100, ThreadState::running);
    EXPECT_THAT(execution.held(), ElementsAre(Duration{0}, Duration{40}));
}

TEST(HeldLocks, AreLentDuringAWaitOnACondition) {
    Execution execution(1);
    execution.execute(0, 10, OperationKind::lock, lock_a);
    execution.execute(0, 20, OperationKind::condition_wait, lock_b,
                      encode(TokenWait{ObjectId(lock_a), 0, false}));
    execution.execute(0, 60, OperationKind::unlock, lock_a);
    execution.interval(0, 0, 20, ThreadState::running);
    execution.interval(0, 20, 50, ThreadState::blocked);
    execution.interval(0, 50, 100, ThreadState::running);
    EXPECT_THAT(execution.held(), ElementsAre(Duration{10 + 10}, Duration{0}));
}

TEST(HeldLocks, ThatAreNestedAreOneHoldingAndOnesThatAreNeverReleasedLastToTheEnd) {
    Execution execution(1);
    execution.execute(0, 10, OperationKind::lock, lock_a);
    execution.execute(0, 20, OperationKind::lock, lock_a);
    execution.execute(0, 30, OperationKind::unlock, lock_a);
    execution.execute(0, 50, OperationKind::unlock, lock_a);
    execution.execute(0, 70, OperationKind::lock, lock_b);
    execution.interval(0, 0, 100, ThreadState::running);
    EXPECT_THAT(execution.held(), ElementsAre(Duration{40}, Duration{30}));
}

}  // namespace
}  // namespace parcast::analysis
