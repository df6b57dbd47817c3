#include "analysis/waits.h"

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

void add(IntervalColumns& rows, std::int64_t length_ns, ObjectId object, ThreadId releaser, SiteId site) {
    Instant const begin = rows.end.empty() ? Instant{0} : rows.end.back();
    rows.begin.push_back(begin);
    rows.end.push_back(begin + Duration{length_ns});
    rows.thread.push_back(ThreadId(0));
    rows.cpu.push_back(CpuId::none());
    rows.state.push_back(ThreadState::blocked);
    rows.object.push_back(object);
    rows.releaser.push_back(releaser);
    rows.site.push_back(site);
}

TEST(Waits, TheMainSiteHasMostOfTheWaitingAndItsShareIsOfAllOfIt) {
    IntervalColumns rows;
    add(rows, 20, ObjectId(5), ThreadId(1), SiteId(2));
    add(rows, 60, ObjectId(5), ThreadId(1), SiteId(7));
    add(rows, 20, ObjectId(5), ThreadId(1), SiteId::none());
    add(rows, 900, ObjectId(6), ThreadId(1), SiteId(2));
    auto const main = main_site(rows, ObjectId(5));
    ASSERT_TRUE(main);
    EXPECT_EQ(main->site, SiteId(7));
    EXPECT_DOUBLE_EQ(main->share, 0.6);
    EXPECT_FALSE(main_site(rows, ObjectId(8)));
}

TEST(Waits, AThreadIsAwaitedWhereNoObjectIs) {
    IntervalColumns rows;
    add(rows, 10, ObjectId::none(), ThreadId(1), SiteId(2));
    add(rows, 15, ObjectId::none(), ThreadId(2), SiteId(2));
    add(rows, 10, ObjectId::none(), ThreadId(1), SiteId(2));
    add(rows, 90, ObjectId(5), ThreadId(2), SiteId(2));
    auto const most = most_awaited(rows, 3);
    ASSERT_TRUE(most);
    EXPECT_EQ(most->thread, ThreadId(1));
    EXPECT_EQ(most->time, Duration{20});
}

}  // namespace
}  // namespace parcast::analysis
