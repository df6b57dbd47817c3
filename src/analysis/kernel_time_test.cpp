#include "analysis/kernel_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/survey.h"

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
    timeline.provenance.system_work = SystemWork{static_cast<std::int64_t>(system_share * 1e9), 330'000};
    return timeline;
}

std::optional<Finding> found_in(Timeline const& timeline) {
    auto const surveyed = survey(timeline);
    return kernel_time(timeline, surveyed.file_ns, surveyed.inside_ns);
}

double share_of_locks_in(Timeline const& timeline) {
    return share_under_locks(timeline.provenance, survey(timeline).file_ns);
}

TEST(KernelTime, AFifthOfTheTimeInTheSystemIsDoubtfulForFourThreadsAndNotForTwo) {
    EXPECT_FALSE(found_in(recording(2, 0.2)));
    auto const found = found_in(recording(4, 0.2));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->severity, Severity::warning);
    EXPECT_THAT(
        found->message,
        HasSubstr("20 % of the CPU time was spent in the kernel, up to 20 % on page faults (330,000) and "
                  "files."));
    EXPECT_THAT(found->message, HasSubstr("If one lock guards all of that, 4 CPUs do"));
}

// producer_consumer_one_lock: 226 threads, of which each is created and switched to, and "up to 93 % less".
TEST(KernelTime, IsSilentWhereTheSystemSwitchesAndCreatesThreads) {
    Timeline timeline = recording(226, 0.06);
    timeline.provenance.system_work->page_faults = 808;
    EXPECT_NEAR(share_of_locks_in(timeline), 0.0024, 0.0001);
    EXPECT_FALSE(found_in(timeline));
}

// radix_sort: 126 ms for 49,029 page faults.
TEST(KernelTime, PageFaultsAreWorkUnderALock) {
    Timeline timeline = recording(5, 0.17);
    timeline.provenance.system_work->page_faults = 49'029;
    timeline.provenance.rusage_cpu_ns = 741'000'000;
    timeline.provenance.system_work->cpu_ns = 126'000'000;
    EXPECT_NEAR(share_of_locks_in(timeline), 0.17, 0.001) << "all of it: at most what the system had";
    EXPECT_TRUE(found_in(timeline));
}

TEST(KernelTime, WorkOnFilesIsUnderALockToo) {
    Timeline timeline = recording(8, 0.3);
    timeline.provenance.system_work->page_faults = 0;
    EXPECT_FALSE(found_in(timeline));
    Event call;
    call.kind = EventKind::output;
    call.cpu_inside_ns = 250'000'000;
    timeline.events[3].push_back(call);
    EXPECT_NEAR(share_of_locks_in(timeline), 0.25, 1e-9);
    EXPECT_TRUE(found_in(timeline));
}

// ag maps and unmaps each of 25,300 files: predicted 1.91 times as fast on two CPUs, measured below 1.
TEST(KernelTime, MuchOfItOutsideOfRecordedCallsIsDoubtfulForTwoThreadsToo) {
    Timeline timeline = recording(2, 0.5);
    timeline.provenance.system_work->page_faults = 0;
    auto const found = found_in(timeline);
    ASSERT_TRUE(found);
    EXPECT_THAT(found->message, HasSubstr("50 % of the CPU time was spent in the kernel, outside"));
    EXPECT_NEAR(found->hidden_serial_share, 0.5, 1e-9);
    Event wake;
    wake.kind = EventKind::semaphore_post;
    wake.cpu_inside_ns = 200'000'000;
    timeline.events[1].push_back(wake);
    EXPECT_FALSE(found_in(timeline)) << "waking threads is seen";
}

TEST(KernelTime, CountsForAsManyThreadsAsHaveCpus) {
    Timeline timeline = recording(16, 0.2);
    timeline.provenance.pretended_cpus = 2;
    EXPECT_FALSE(found_in(timeline));
    timeline.provenance.pretended_cpus = 16;
    EXPECT_TRUE(found_in(timeline));
}

TEST(KernelTime, IsSilentWhereItIsNotKnownOrTooShortToBeSampled) {
    Timeline unknown = recording(16, 0.5);
    unknown.provenance.system_work.reset();
    EXPECT_FALSE(found_in(unknown)) << "an older recording, or one with children";
    Timeline brief = recording(16, 0.5);
    brief.provenance.rusage_cpu_ns = 10'000'000;
    brief.provenance.system_work->cpu_ns = 5'000'000;
    EXPECT_FALSE(found_in(brief)) << "starting a process";
    EXPECT_FALSE(found_in(recording(1, 0.9))) << "one thread";
}

}  // namespace
}  // namespace parcast::analysis
