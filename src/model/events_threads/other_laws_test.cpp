// Amdahl, Gustafson and universal scalability give back what was planted, and their numbers stay what they
// mean.

#include "model/events_threads/other_laws.h"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace parcast::model {
namespace {

std::vector<double> const powers_of_two{1, 2, 4, 8, 16, 32, 64, 128};

std::vector<MeasuredSpeedUp> speed_ups(std::function<double(double)> const& law) {
    std::vector<MeasuredSpeedUp> points;
    for (double const p : powers_of_two)
        points.push_back({p, law(p)});
    return points;
}

TEST(OtherLawsTest, find_what_was_planted) {
    auto const amdahl = other_laws(speed_ups([](double p) { return amdahl_speed_up(0.05, p); }));
    EXPECT_NEAR(amdahl->amdahl.serial, 0.05, 1e-12);
    EXPECT_NEAR(amdahl->universal->contention, 0.05, 1e-9);
    EXPECT_NEAR(amdahl->universal->coherency, 0, 1e-9);

    auto const gustafson = other_laws(speed_ups([](double p) { return gustafson_speed_up(0.2, p); }));
    EXPECT_NEAR(gustafson->gustafson.serial, 0.2, 1e-12);

    UniversalScalability const planted{.contention = 0.03, .coherency = 0.0002};
    auto const universal = other_laws(speed_ups([&](double p) { return universal_speed_up(planted, p); }));
    EXPECT_NEAR(universal->universal->contention, 0.03, 1e-12);
    EXPECT_NEAR(universal->universal->coherency, 0.0002, 1e-14);
    EXPECT_NEAR(*universal->universal->peak, std::sqrt(0.97 / 0.0002), 1e-6);
    EXPECT_NEAR(universal->universal->relative_error, 0, 1e-12);
}

// A speed-up better than P would make both numbers negative; one that bends up makes the contention so.
TEST(OtherLawsTest, have_no_negative_numbers) {
    auto const super = other_laws(speed_ups([](double p) { return std::pow(p, 1.1); }));
    EXPECT_EQ(super->amdahl.serial, 0);
    EXPECT_EQ(super->universal->contention, 0);
    EXPECT_EQ(super->universal->coherency, 0);
    EXPECT_FALSE(super->universal->peak);
    EXPECT_FALSE(super->universal->limit);
    UniversalScalability const planted{.contention = -0.01, .coherency = 0.001};
    auto const bent = other_laws(speed_ups([&](double p) { return universal_speed_up(planted, p); }));
    EXPECT_EQ(bent->universal->contention, 0);
    EXPECT_GT(bent->universal->coherency, 0);
}

// One lock that all work is done under, recorded: the free minimum has a contention of 1.04, and S = 1/1.04
// for many threads, which is no limit of a speed-up that begins with 1.
TEST(OtherLawsTest, contention_was_more_than_all_work_and_so_there_was_no_peak) {
    auto const serial = other_laws(std::vector<MeasuredSpeedUp>{{1, 1}, {2, 0.98}, {4, 0.97}, {8, 0.96}});
    EXPECT_EQ(serial->universal->contention, 1);
    EXPECT_GT(serial->universal->coherency, 0);
    EXPECT_EQ(*serial->universal->peak, 1) << "more than one thread is never faster";
    for (double const p : {2.0, 4.0, 8.0})
        EXPECT_NEAR(universal_speed_up(*serial->universal, p), 0.97, 0.05) << p;
}

// The three sides and the inside of the box of both numbers: no other point of it is nearer to the speed-ups.
TEST(OtherLawsTest, are_nowhere_nearer_within_what_the_numbers_may_be) {
    auto const squares = [](std::vector<MeasuredSpeedUp> const& points, double contention, double coherency) {
        double sum = 0;
        for (auto const& [p, s] : points)
            sum += std::pow(1 - s / universal_speed_up({.contention = contention, .coherency = coherency}, p),
                            2);
        return sum;
    };
    std::vector<std::vector<MeasuredSpeedUp>> const series{{{1, 1}, {2, 1.9}, {4, 3.4}, {8, 5}},
                                                           {{1, 1}, {2, 1.2}, {4, 1.1}, {8, 0.6}},
                                                           {{1, 1}, {2, 0.5}, {4, 0.45}, {8, 0.4}},
                                                           {{1, 1}, {2, 2.2}, {4, 4.1}, {8, 7}},
                                                           {{1, 1}, {2, 0.98}, {4, 0.99}, {8, 1.01}}};
    for (auto const& points : series) {
        auto const found = *other_laws(points)->universal;
        EXPECT_GE(found.contention, 0);
        EXPECT_LE(found.contention, 1);
        EXPECT_GE(found.coherency, 0);
        double const least = squares(points, found.contention, found.coherency);
        for (double contention = 0; contention <= 1; contention += 0.01)
            for (double coherency = 0; coherency <= 0.5; coherency += 0.005)
                ASSERT_LE(least, squares(points, contention, coherency) + 1e-12) << contention << coherency;
    }
}

TEST(OtherLawsTest, need_more_than_one_thread) {
    EXPECT_FALSE(other_laws(std::vector<MeasuredSpeedUp>{{1, 1}}));
    EXPECT_FALSE(other_laws(std::vector<MeasuredSpeedUp>{{1, 1}, {2, 0}}));
    EXPECT_FALSE(other_laws(std::vector<MeasuredSpeedUp>{{1, 1}, {2, 1.8}})->universal);
}

}  // namespace
}  // namespace parcast::model
