// Lone holds: which are, and that ranges reach to where they, and open naps, are not.

#include "forecast/doubtful_times.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "forecast/ranges.h"
#include "forecast/recording.h"
#include "support/edited_list.h"
#include "support/program_builder.h"

namespace parcast::forecast {
namespace {

constexpr std::uint32_t threads = 4;

// Threads that take one lock, again and again. `long_turns` of the first one hold it for so long.
ThreadProgram one_lock(std::int64_t long_work, int long_turns = 1, int turns = 16) {
    ProgramBuilder builder(threads + 1, 1'000);
    auto const lock = builder.object(ObjectKind::mutex);
    for (std::uint32_t thread = 1; thread <= threads; ++thread)
        builder.thread(0).create(thread);
    for (std::uint32_t thread = 1; thread <= threads; ++thread) {
        for (int turn = 0; turn < turns; ++turn) {
            bool const is_long = thread == 1 && turn < long_turns;
            builder.thread(thread).work(20).lock(lock).work(is_long ? long_work : 5).unlock(lock);
        }
    }
    for (std::uint32_t thread = 1; thread <= threads; ++thread)
        builder.thread(0).join(thread);
    auto program = builder.finish();
    program.catalogue.sites.resize(1);
    for (auto& list : program.lists)
        edit_each(list, [](Operation& each) {
            each = make_operation(each.kind(), each.work_ns, each.object, each.value, SiteId(0));
        });
    return program;
}

Row on_four(ThreadProgram program) {
    Question question;
    question.cpus = {1, 4};
    auto forecast = forecast_threads("p.json", std::move(program), {linux_machine(1)}, question);
    EXPECT_TRUE(forecast);
    EXPECT_TRUE(add_ranges(*forecast, {true, 20}, 1));
    return forecast->answer.rows.back();
}

TEST(LoneHolds, AreThoseFarLongerThanAllOthersOfTheirSite) {
    auto const lone = lone_holds(one_lock(2'000));
    ASSERT_EQ(lone.size(), 1U);
    EXPECT_EQ(lone[0].count, 1U);
    EXPECT_EQ(lone[0].longest, Duration{2'000'000});
    EXPECT_EQ(lone[0].usual, Duration{8'192}) << "5 us, in powers of two";
}

TEST(LoneHolds, AreAtMostThree) {
    EXPECT_THAT(lone_holds(one_lock(2'000, 3)), testing::SizeIs(1));
    EXPECT_THAT(lone_holds(one_lock(2'000, 4, 400)), testing::IsEmpty()) << "of 1,600: the program does that";
}

TEST(LoneHolds, AreNotToldFromFewOthers) {
    EXPECT_THAT(lone_holds(one_lock(2'000, 1, 15)), testing::IsEmpty()) << "60";
}

TEST(LoneHolds, AreNotWorthAWordWhereTheyAreShort) {
    EXPECT_THAT(lone_holds(one_lock(100)), testing::IsEmpty()) << "less than sixteen times as long";
    EXPECT_THAT(lone_holds(one_lock(200, 1, 400)), testing::IsEmpty()) << "less than a hundredth of the work";
    EXPECT_THAT(lone_holds(one_lock(200, 1, 16)), testing::SizeIs(1));
}

// The outer hold has the inner one's work, and would be left with next to nothing.
TEST(LoneHolds, WithinAnotherAreShortenedOnce) {
    ProgramBuilder builder(2, 1'000);
    auto const outer = builder.object(ObjectKind::mutex);
    auto const inner = builder.object(ObjectKind::mutex);
    builder.thread(0).create(1);
    for (int turn = 0; turn < 100; ++turn)
        builder.thread(1)
            .lock(outer)
            .work(5)
            .lock(inner)
            .work(turn == 0 ? 2'000 : 5)
            .unlock(inner)
            .work(5)
            .unlock(outer);
    builder.thread(0).join(1);
    auto program = builder.finish();
    program.catalogue.sites.resize(2);
    edit_each(program.lists[1], [&](Operation& each) {
        each = make_operation(each.kind(), each.work_ns, each.object, each.value,
                              each.object_id() == outer ? SiteId(0) : SiteId(1));
    });
    auto const lone = lone_holds(program);
    ASSERT_EQ(lone.size(), 2U);
    auto const usual = with_usual_holds(program, lone);
    EXPECT_NEAR(static_cast<double>(work_ns(usual)), 100 * 15'000, 15'000);
}

TEST(LoneHolds, AreAsLongAsTheOthersWithoutThem) {
    auto const program = one_lock(2'000);
    auto const usual = with_usual_holds(program, lone_holds(program));
    EXPECT_THAT(lone_holds(usual), testing::IsEmpty());
    std::int64_t longest = 0;
    for (auto const& each : usual.lists[1])
        longest = std::max(longest, each.work_ns);
    EXPECT_EQ(longest, 20'000) << "what is not under the lock";
    EXPECT_EQ(work_ns(usual), 64 * 25'000 - 5'000 + 8'192);
}

// A map with 64 locks, recorded ten times on a busy host, was predicted 2.07 to 3.34 times as fast on 8 CPUs.
// In the slow ones one lock was held once for 6 to 11 ms, and no range of theirs held those of the others.
TEST(LoneHolds, WidenRangesToWhereTheyAreUsual) {
    auto const usual = on_four(one_lock(5));
    auto const lone = on_four(one_lock(2'000));
    EXPECT_GE(lone.range->speed_up.high, 0.95 * usual.speed_up);
    EXPECT_LT(lone.range->speed_up.low, lone.speed_up);
    EXPECT_LT(lone.speed_up, 0.8 * usual.speed_up);
}

// GHC's ticker reads a timer until another thread stops it. HLint was predicted 1.00 on two CPUs, at most
// 1.18, and measured 1.56 to 1.92.
TEST(OpenNaps, OfATimerThatIsReadWidenRangesToo) {
    ProgramBuilder builder(4, 1'000);
    auto const timer = builder.object(ObjectKind::descriptor);
    for (std::uint32_t thread = 1; thread <= 3; ++thread)
        builder.thread(0).create(thread);
    builder.thread(1).work(1'000);
    builder.thread(2).work(1'000);
    for (int nap = 0; nap < 400; ++nap)
        builder.thread(3).add(OperationKind::input_output, timer.value, 100'000);
    for (std::uint32_t thread = 1; thread <= 3; ++thread)
        builder.thread(0).join(thread);
    auto program = builder.finish();
    program.catalogue.sites.resize(1);
    edit_each(program.lists[3], [&](Operation& each) {
        if (each.kind() == OperationKind::input_output)
            each = make_operation(each.kind(), each.work_ns, each.object, each.value, SiteId(0));
    });
    EXPECT_LT(on_four(program).range->speed_up.high, 1.1);
    program.polling.push_back({SiteId(0), ThreadId(3), 1, 400, Duration{100'000}, false});
    EXPECT_GT(on_four(program).range->speed_up.high, 1.9);
}

}  // namespace
}  // namespace parcast::forecast
