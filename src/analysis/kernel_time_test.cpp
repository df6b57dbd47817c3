#include "analysis/kernel_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

using testing::HasSubstr;

TEST(LossBehindOneLock, FollowsMeanValueAnalysis) {
    EXPECT_DOUBLE_EQ(loss_behind_one_lock(0.3, 1), 0) << "nobody to wait for";
    EXPECT_DOUBLE_EQ(loss_behind_one_lock(0, 16), 0) << "no lock";
    EXPECT_DOUBLE_EQ(loss_behind_one_lock(1, 4), 0.75) << "nothing but the lock";
    // Two threads, half of the time each: R = 0.5 (1 + 0.5), X = 2 / (0.5 + 0.75) = 1.6 of 2.
    EXPECT_NEAR(loss_behind_one_lock(0.5, 2), 0.2, 1e-12);
    // Many: the lock serves 1 / 0.1 at most.
    EXPECT_NEAR(loss_behind_one_lock(0.1, 1000), 1 - 10.0 / 1000, 1e-6);
}

Timeline recording(std::size_t threads, double system_share) {
    Timeline timeline;
    timeline.catalogue.threads.resize(threads);
    timeline.events.resize(threads);
    timeline.provenance.rusage_cpu_ns = 1'000'000'000;
    timeline.provenance.system_work = SystemWork{static_cast<std::int64_t>(system_share * 1e9), 33'000};
    return timeline;
}

TEST(KernelTime, AFifthOfTheTimeInTheSystemIsDoubtfulForFourThreadsAndNotForTwo) {
    EXPECT_FALSE(kernel_time(recording(2, 0.2)));
    auto const found = kernel_time(recording(4, 0.2));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->severity, Severity::warning);
    EXPECT_THAT(found->message, HasSubstr("20 % of the CPU time was the system's (33,000 page faults)"));
    EXPECT_THAT(found->message, HasSubstr("4 threads on as many CPUs do up to"));
}

TEST(KernelTime, CountsForAsManyThreadsAsHaveCpus) {
    Timeline timeline = recording(16, 0.2);
    timeline.provenance.pretended_cpus = 2;
    EXPECT_FALSE(kernel_time(timeline));
    timeline.provenance.pretended_cpus = 16;
    EXPECT_TRUE(kernel_time(timeline));
}

TEST(KernelTime, IsSilentWhereItIsNotKnownOrTooShortToBeSampled) {
    Timeline unknown = recording(16, 0.5);
    unknown.provenance.system_work.reset();
    EXPECT_FALSE(kernel_time(unknown)) << "an older recording, or one with children";
    Timeline brief = recording(16, 0.5);
    brief.provenance.rusage_cpu_ns = 10'000'000;
    brief.provenance.system_work->cpu_ns = 5'000'000;
    EXPECT_FALSE(kernel_time(brief)) << "starting a process";
    EXPECT_FALSE(kernel_time(recording(1, 0.9))) << "one thread";
}

}  // namespace
}  // namespace parcast::analysis
