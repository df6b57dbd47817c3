#include "answer/message_advice.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

ChangeableWork work_of(OwnerKind kind, char const* name) {
    ChangeableWork work;
    work.kind = kind;
    work.name = name;
    return work;
}

TEST(MessageAdvice, NamesWhatIsTriedAndTheChangeToType) {
    auto const rank = work_of(OwnerKind::rank, "3");
    EXPECT_EQ(message_work_label(rank), "computing of rank 3");
    EXPECT_EQ(change_text(rank, 0.5), "rank:3*0.5");
    EXPECT_EQ(message_work_label(work_of(OwnerKind::rank, "")), "computing of all ranks");
    EXPECT_EQ(change_text(work_of(OwnerKind::rank, ""), 0.5), "rank:*0.5");
    EXPECT_EQ(change_text(rank, 0), "rank:3*0");
    EXPECT_EQ(change_text(work_of(OwnerKind::tag, "5"), 0), "tag:5=free");
    EXPECT_EQ(change_text(work_of(OwnerKind::collective, "allreduce"), 0.9), "collective:allreduce*0.9");
    EXPECT_EQ(change_text(work_of(OwnerKind::network, "node.G"), 0.5), "node.G=half");
    EXPECT_EQ(change_text(work_of(OwnerKind::network, "L"), 0.9), "L*0.9");
    EXPECT_EQ(change_text(work_of(OwnerKind::network, "S"), 0), "S=never");
    EXPECT_EQ(message_work_label(work_of(OwnerKind::network, "L")), "latency (L)");
    EXPECT_EQ(message_work_label(work_of(OwnerKind::network, "S")), "rendezvous (S)");
}

AdviceRow tried_times(double half_ns, double none_ns) {
    AdviceRow row;
    row.tried = {{0.5, half_ns}, {0, none_ns}};
    return row;
}

TEST(MessageAdvice, DoubtsWhatBringsLessWithoutItThanWithHalf) {
    AdviceOnCpus at;
    at.time_ns = 100;
    EXPECT_FALSE(is_erratic(at, tried_times(80, 60)));
    EXPECT_FALSE(is_erratic(at, tried_times(80, 85))) << "a little less is within what orders do";
    EXPECT_TRUE(is_erratic(at, tried_times(67, 99)));
    EXPECT_FALSE(is_erratic(at, tried_times(99.5, 100))) << "nothing is gained anyway";
}

}  // namespace
}  // namespace parcast
