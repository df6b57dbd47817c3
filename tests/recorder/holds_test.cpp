// Of mutexes that are held briefly one release in eight is measured; nothing that takes long is left out.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "recorded_run.h"

namespace parcast::tests {
namespace {

constexpr std::size_t brief_pairs = 50'000;

struct Held {
    std::size_t locks = 0;
    std::vector<Event> releases;

    std::size_t unmeasured() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(releases, [](Event const& e) { return e.unmeasured; }));
    }
    std::int64_t cpu_ns(bool unmeasured) const {
        std::int64_t sum = 0;
        for (Event const& release : releases)
            sum += release.unmeasured == unmeasured ? release.cpu_ns : 0;
        return sum;
    }
};

// By object, in the order of their first use.
std::vector<Held> holds_of(Timeline const& timeline) {
    std::vector<Held> holds(timeline.catalogue.objects.size());
    for (Event const& event : timeline.events.at(0)) {
        if (event.object.is_none())
            continue;
        Held& held = holds[event.object.index()];
        held.locks += event.kind == EventKind::lock;
        if (event.kind == EventKind::unlock)
            held.releases.push_back(event);
    }
    std::erase_if(holds, [](Held const& held) { return held.locks == 0; });
    return holds;
}

class Holds : public testing::Test {
protected:
    RecordedRun run = record("holds", {std::to_string(brief_pairs)});
    std::vector<Held> holds = holds_of(run.only());
    bool has_ticks = run.only().provenance.clock != ClockMethod::thread_clock;
};

TEST_F(Holds, EachHasItsRelease) {
    ASSERT_EQ(holds.size(), 2u);
    EXPECT_EQ(holds[0].locks, brief_pairs);
    EXPECT_EQ(holds[0].releases.size(), brief_pairs);
    EXPECT_EQ(holds[1].locks, 200u);
    EXPECT_EQ(holds[1].releases.size(), 200u);
    EXPECT_EQ(run.only().provenance.unmeasured_events,
              static_cast<std::int64_t>(holds[0].unmeasured() + holds[1].unmeasured()));
}

TEST_F(Holds, BriefOnesAreMeasuredOneInEight) {
    if (!has_ticks)
        GTEST_SKIP() << "every event reads the CPU clock here";
    ASSERT_EQ(holds.size(), 2u);
    // A busy machine takes 500 ns here and there, and the next release is measured then.
    EXPECT_GT(holds[0].unmeasured(), brief_pairs / 2);
    EXPECT_LT(holds[0].unmeasured(), brief_pairs * 93 / 100);
    auto const& releases = holds[0].releases;
    for (Event const& release : releases)
        EXPECT_EQ(release.site, releases.front().site);
}

TEST_F(Holds, LongOnesAreAlwaysMeasured) {
    ASSERT_EQ(holds.size(), 2u);
    EXPECT_EQ(holds[1].unmeasured(), 0u);
    EXPECT_GE(holds[1].cpu_ns(false), 200 * 5'000);
}

TEST_F(Holds, AsLongAreThoseThatWereNotMeasured) {
    if (!has_ticks)
        GTEST_SKIP() << "every event reads the CPU clock here";
    ASSERT_EQ(holds.size(), 2u);
    std::vector<std::int64_t> measured_ns;
    std::vector<std::int64_t> unmeasured_ns;
    for (Event const& release : holds[0].releases)
        (release.unmeasured ? unmeasured_ns : measured_ns).push_back(release.cpu_ns);
    ASSERT_FALSE(measured_ns.empty() || unmeasured_ns.empty());
    std::ranges::sort(measured_ns);
    std::ranges::sort(unmeasured_ns);
    auto const& from = run.only().provenance;
    double const saved_ns = run.headers.at(0).event_cost_ns - from.unmeasured_cost_ns;
    EXPECT_NEAR(static_cast<double>(unmeasured_ns[unmeasured_ns.size() / 2]),
                static_cast<double>(measured_ns[measured_ns.size() / 2]) - saved_ns, 25)
        << "medians, less what measuring takes";
}

TEST_F(Holds, MakeUpTheCpuTimeOfTheThread) {
    auto const& timeline = run.only();
    EXPECT_NEAR(static_cast<double>(cpu_time_ns(timeline, ThreadId(0))),
                static_cast<double>(timeline.provenance.cpu_ns),
                0.01 * static_cast<double>(timeline.provenance.cpu_ns) + 100'000);
}

// They were free in children of a fork, and the definitions of objects as well.
TEST(HoldsOfAChild, HaveThePricesThatItsParentMeasured) {
    auto const run = record("holds", {"1000", "child"});
    ASSERT_EQ(run.headers.size(), 2u);
    auto const& [one, other] = std::tie(run.headers[0], run.headers[1]);
    EXPECT_GT(one.event_cost_ns, 0);
    EXPECT_EQ(one.event_cost_ns, other.event_cost_ns);
    EXPECT_EQ(one.unmeasured_cost_ns, other.unmeasured_cost_ns);
    EXPECT_EQ(one.definition_cost_ns, other.definition_cost_ns);
}

}  // namespace
}  // namespace parcast::tests
