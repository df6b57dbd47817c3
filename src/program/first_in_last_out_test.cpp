#include "program/first_in_last_out.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace parcast {
namespace {

using enum OperationKind;

constexpr std::uint32_t m = 0;  // guards the count
constexpr std::uint32_t w = 1;

struct Use {
    OperationKind kind;
    std::uint32_t lock;
};

// Of the operation that comes last but one.
bool leaves_at_the_end(std::initializer_list<Use> uses) {
    OperationList list;
    for (Use const& use : uses)
        list.push_back(make_operation(use.kind, 5, use.lock));
    return takes_to_leave(list, static_cast<std::uint32_t>(list.size() - 2));
}

// The cache of an FFT in libsox.
TEST(TakesToLeave, WhoTakesTheMutexOfTheCountAgainToGiveBackWhatItTookUnderIt) {
    EXPECT_TRUE(leaves_at_the_end({{lock, m}, {lock, w}, {unlock, m}, {lock, m}, {unlock, w}}));
    EXPECT_TRUE(leaves_at_the_end(
        {{lock, m}, {lock, w}, {unlock, m}, {lock, 7}, {unlock, 7}, {lock, m}, {unlock, w}}));
}

TEST(TakesToLeave, NotWhoLocksHandOverHand) {
    EXPECT_FALSE(leaves_at_the_end({{lock, w}, {lock, m}, {unlock, w}}));
    EXPECT_FALSE(leaves_at_the_end({{lock, m}, {unlock, m}, {lock, w}, {lock, m}, {unlock, w}}))
        << "w was not taken under m";
    EXPECT_FALSE(leaves_at_the_end({{lock, m}, {lock, w}, {lock, m}, {unlock, w}})) << "it never gave up m";
}

TEST(TakesToLeave, NotWhoGivesBackTheSameMutexOrDoesSomethingElse) {
    EXPECT_FALSE(leaves_at_the_end({{lock, m}, {unlock, m}}));
    EXPECT_FALSE(leaves_at_the_end({{lock, m}, {lock, w}, {unlock, m}, {lock, m}, {lock, 7}}));
}

}  // namespace
}  // namespace parcast
