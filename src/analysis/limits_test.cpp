#include "analysis/limits.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace parcast::analysis {
namespace {

// Two mutexes, a condition and a descriptor; 4 processors, completion 100: 400 ns to explain.
struct Example {
    Accounts accounts;
    Catalogue catalogue;

    Example() {
        catalogue.objects.resize(4);
        catalogue.objects[1].kind = ObjectKind::mutex;
        catalogue.objects[2].kind = ObjectKind::condition;
        catalogue.objects[3].kind = ObjectKind::descriptor;
        accounts.cpus = 4;
        accounts.completion = Duration{100};
        accounts.busy = Duration{150};
        accounts.overhead = Duration{7};
        accounts.idle.locks = Duration{90};
        accounts.idle.conditions = Duration{53};
        accounts.idle.input_output = Duration{20};
        accounts.idle.no_thread = Duration{80};
        accounts.objects.resize(4);
        accounts.objects[0].idle_processors = Duration{30};
        accounts.objects[1].idle_processors = Duration{60};
        accounts.objects[2].idle_processors = Duration{40};  // 13 elsewhere
        accounts.objects[3].idle_processors = Duration{20};
    }
};

Duration sum(std::vector<Limit> const& rows) {
    Duration total;
    for (Limit const& row : rows)
        total += row.processor_time;
    return total;
}

TEST(Limits, SumToTheProcessorTimeExactlyHoweverManyObjectsAreNamed) {
    Example const example;
    for (std::size_t objects = 0; objects < 4; ++objects) {
        auto const rows = limits(example.accounts, example.catalogue, objects);
        double share = 0;
        for (Limit const& row : rows)
            share += row.share;
        EXPECT_EQ(sum(rows), Duration{400}) << objects << " objects";
        EXPECT_NEAR(share, 1.0, 1e-12) << objects << " objects";
    }
}

TEST(Limits, ComeBusyFirstThenByFallingTime) {
    Example const example;
    auto const rows = limits(example.accounts, example.catalogue);
    ASSERT_GE(rows.size(), 3U);
    EXPECT_EQ(rows[0].cause, Cause::busy);
    EXPECT_EQ(rows[1].cause, Cause::no_thread);
    EXPECT_EQ(rows[2].cause, Cause::lock);
    EXPECT_EQ(rows[2].object, ObjectId(1));
    for (std::size_t i = 2; i < rows.size(); ++i)
        EXPECT_LE(rows[i].processor_time, rows[i - 1].processor_time);
}

TEST(Limits, ObjectsBeyondTheLargestShareARow) {
    Example const example;
    auto const rows = limits(example.accounts, example.catalogue, 1);
    std::int64_t other_locks = 0;
    for (Limit const& row : rows)
        other_locks += row.cause == Cause::lock && row.object.is_none() ? row.processor_time.ns : 0;
    EXPECT_EQ(other_locks, 30);
}

TEST(Limits, RowsWithoutTimeAreLeftOut) {
    Example const example;
    for (Limit const& row : limits(example.accounts, example.catalogue))
        EXPECT_NE(row.processor_time, Duration{0}) << name_of(row.cause);
    EXPECT_TRUE(limits(Accounts{}, Catalogue{}).empty());
}

TEST(Limits, AnObjectNeverTakesMoreThanItsCause) {
    Example example;
    example.accounts.objects[2].idle_processors = Duration{60};
    EXPECT_EQ(sum(limits(example.accounts, example.catalogue)), Duration{400});
}

}  // namespace
}  // namespace parcast::analysis
