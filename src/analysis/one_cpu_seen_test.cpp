#include "analysis/one_cpu_seen.h"

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

// A mutex that a library uses.
struct Recorded {
    Timeline timeline;
    Survey survey;

    Recorded(char const* module, std::int64_t operations) {
        Site site;
        site.module = module;
        timeline.catalogue.sites.push_back(site);
        Object mutex;
        mutex.first_site = SiteId(0);
        timeline.catalogue.objects.push_back(mutex);
        ObjectProfile profile;
        profile.object = ObjectId(0);
        profile.operations = operations;
        survey.profile.objects.push_back(profile);
    }
    std::optional<Finding> found() const { return one_cpu_seen(timeline, survey); }
};

// cbc, predicted 1.23 times as fast on two CPUs, took twice to three times as long there.
TEST(OneCpuSeen, IsSaidOfAProgramThatCallsOpenBlas) {
    auto const found = Recorded("/usr/lib/openblas-pthread/libopenblas.so.0", 130'143).found();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, FindingKind::one_cpu_seen);
    EXPECT_EQ(found->severity, Severity::warning);
}

TEST(OneCpuSeen, IsNothingIfItIsOnlyLoadedOrAnotherLibrary) {
    EXPECT_FALSE(Recorded("/usr/lib/libopenblas.so.0", 12).found());
    EXPECT_TRUE(Recorded("/opt/numpy.libs/libscipy_openblas64_-56d6093b.so", 130'143).found());
    EXPECT_FALSE(Recorded("/usr/lib/libfoo.so.0", 130'143).found());
    EXPECT_FALSE(Recorded("", 130'143).found());
}

// flexbar: 1.00, 0.82 - 1.18 predicted on two CPUs, measured 1.46.
TEST(OneCpuSeen, IsSaidOfAProgramWithOneTbbAndOneThread) {
    Recorded recorded("", 0);
    auto& threads = recorded.survey.profile.threads;
    threads.resize(1);
    threads[0].cpu = Duration{2'400'000'000};
    recorded.timeline.provenance.modules = {{"/usr/lib/x86_64-linux-gnu/libtbb.so.12", "", 0}};
    ASSERT_TRUE(recorded.found());
    EXPECT_TRUE(recorded.found()->makes_worthless) << "\"no number of CPUs makes the program faster\"";
    threads.resize(2);
    threads[1].cpu = Duration{225'000};
    EXPECT_TRUE(recorded.found()) << "vdb_render's, which logs: 1.00, up to 1.18, measured 1.70";
    threads[1].cpu = Duration{600'000'000};
    EXPECT_FALSE(recorded.found()) << "it may have it for something else";
    threads.resize(200);
    for (auto& thread : threads)
        thread.cpu = Duration{10'000'000};
    EXPECT_FALSE(recorded.found()) << "each has little";
    threads.resize(1);
    recorded.timeline.provenance.pretended_cpus = 2;
    EXPECT_FALSE(recorded.found());
}

// Fortran's OpenMP: 1.00 predicted for two CPUs, 1.81 measured.
TEST(OneCpuSeen, IsSaidOfTeamsOfOneThreadForWhichNobodyAsked) {
    auto const found = [](std::vector<std::int64_t> const& sizes, std::uint64_t address, auto const& change) {
        Recorded recorded("", 0);
        for (std::int64_t const size : sizes) {
            Object barrier;
            barrier.kind = ObjectKind::barrier;
            barrier.address = address;
            barrier.initial_value = size;
            recorded.timeline.catalogue.objects.push_back(barrier);
        }
        change(recorded.timeline.provenance);
        return recorded.found().has_value();
    };
    auto const as_it_is = [](Provenance&) {};
    EXPECT_TRUE(found({1}, 0x7000, as_it_is));
    EXPECT_FALSE(found({1, 4}, 0x7000, as_it_is)) << "another region had four";
    EXPECT_FALSE(found({1}, 0x7010, as_it_is)) << "a barrier of the program's own";
    EXPECT_FALSE(found({1}, 0x7000, [](Provenance& from) { from.pretended_cpus = 2; }));
    EXPECT_FALSE(found({1}, 0x7000, [](Provenance& from) {
        from.settings = std::vector<Setting>{{"OMP_NUM_THREADS", "1"}};
    })) << "it shall have one everywhere";
}

TEST(OneCpuSeen, IsNothingIfItSawMoreOrMayMakeNoThreads) {
    Recorded recorded("/usr/lib/libopenblas.so.0", 130'143);
    recorded.timeline.provenance.pretended_cpus = 2;
    EXPECT_FALSE(recorded.found());
    recorded.timeline.provenance.pretended_cpus = 1;
    EXPECT_TRUE(recorded.found());
    recorded.timeline.provenance.settings = std::vector<Setting>{{"OMP_NUM_THREADS", "2"}};
    EXPECT_TRUE(recorded.found()) << "it makes no more than it sees CPUs";
    recorded.timeline.provenance.settings = std::vector<Setting>{{"OPENBLAS_NUM_THREADS", "1"}};
    EXPECT_FALSE(recorded.found());
}

}  // namespace
}  // namespace parcast::analysis
