#include "forecast/crossed_locks.h"

#include <gtest/gtest.h>

#include <array>

namespace parcast::forecast {
namespace {

Run run_with(std::uint32_t cpus, std::uint32_t crossings) {
    Run run;
    run.accounts.cpus = cpus;
    run.crossings = crossings;
    run.crossed_lock = ObjectId(0);
    return run;
}

TEST(CrossedLocks, AreWarnedOfWhereThereAreMost) {
    Catalogue catalogue;
    for (int i = 0; i < 64; ++i) {
        auto& object = catalogue.objects.emplace_back();
        object.kind = ObjectKind::mutex;
        object.first_site = SiteId(0);
    }
    auto const found = crossed_locks(std::array{run_with(2, 1), run_with(4, 3)}, catalogue);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->severity, Severity::warning);
    for (char const* part : {"one of 64 mutexes", "On 4 CPUs", "3 times", "can hang"})
        EXPECT_NE(found->message.find(part), std::string::npos) << found->message;
    EXPECT_FALSE(crossed_locks(std::array{run_with(2, 0)}, catalogue));
    EXPECT_FALSE(crossed_locks({}, catalogue));
}

}  // namespace
}  // namespace parcast::forecast
