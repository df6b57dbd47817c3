#include "extract/step_list.h"

#include <gtest/gtest.h>

#include <utility>

namespace parcast::extract {
namespace {

bool equal(Step const& a, Step const& b) {
    return a.form == b.form && a.kind == b.kind && a.object == b.object &&
           a.released_mutex == b.released_mutex && a.locked_mutex == b.locked_mutex && a.value == b.value;
}

Event event_of(std::uint32_t object) {
    Event event;
    event.object.value = object;
    return event;
}

TEST(StepList, BeginsWithBoundaries) {
    EventList const events(2);
    StepList const list(events);
    EXPECT_EQ(list.size(), 2u);
    EXPECT_TRUE(equal(list[1], Step{}));
}

TEST(StepList, HoldsTheLastStepOfEachPlaceWhateverItNeeds) {
    Step join = operation(OperationKind::join_any);
    join.released_mutex = 4;
    Step take = operation(OperationKind::condition_wait, 2, 5);
    take.locked_mutex = 6;
    Step const steps[] = {operation(OperationKind::lock, 3),
                          operation(OperationKind::unlock, 4),
                          operation(OperationKind::yield),
                          take,
                          operation(OperationKind::delay, no_object, -7),
                          join,
                          absorbed(),
                          last(),
                          operation(OperationKind::barrier_wait, 1, 8),
                          operation(OperationKind::semaphore_wait, 3, 0xffffffff),
                          operation(OperationKind::semaphore_post, 3, 1),
                          operation(OperationKind::semaphore_post, 3, 0x5'0000'0001),
                          operation(OperationKind::semaphore_post, 3, 0x5'0000'0002),
                          operation(OperationKind::semaphore_wait, 3, -1)};
    EventList const events = {event_of(1), event_of(3), event_of(3)};
    StepList list(events);
    for (Step const& first : steps) {
        for (Step const& second : steps) {
            list[0] = second;
            list[2] = first;
            list[1] = first;
            list[1] = second;
            EXPECT_TRUE(equal(std::as_const(list)[0], second));
            EXPECT_TRUE(equal(std::as_const(list)[1], second));
            EXPECT_TRUE(equal(std::as_const(list)[2], first));
            list[1] = Step{};
            EXPECT_TRUE(equal(std::as_const(list)[0], second));
            EXPECT_TRUE(equal(std::as_const(list)[1], Step{}));
            EXPECT_TRUE(equal(std::as_const(list)[2], first));
        }
    }
}

TEST(StepList, KeepsValuesOfWhatFollowsWhatWasReleasedInWhateverOrderTheyWereSet) {
    constexpr std::size_t count = 200'000;
    EventList const events(count);
    StepList list(events);
    constexpr std::size_t stride = 77'777;  // without a common factor: each place, in a mixed order
    for (std::size_t turn = 0, i = 0; turn < count; ++turn, i = (i + stride) % count)
        list[i] = operation(OperationKind::delay, no_object, static_cast<std::int64_t>(i) + 1);
    for (std::size_t first = 0; first < count; first += 40'000) {
        list.release_before(first);
        for (std::size_t i = first; i < count; i += 9'999)
            EXPECT_EQ(std::as_const(list)[i].value, static_cast<std::int64_t>(i) + 1);
    }
}

}  // namespace
}  // namespace parcast::extract
