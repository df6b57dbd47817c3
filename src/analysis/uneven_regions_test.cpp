#include "analysis/uneven_regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/survey.h"

namespace parcast::analysis {
namespace {

constexpr std::int64_t us = 1'000;
constexpr ObjectId go{0};
constexpr ObjectId done{1};
constexpr std::size_t master = 0;

// Writes what threads do on one CPU, one after the other.
class OneCpu {
public:
    explicit OneCpu(std::size_t threads) : events_(threads) {
        timeline_.catalogue.objects.resize(2);
        timeline_.catalogue.threads.resize(threads);
        for (std::size_t thread = 0; thread < threads; ++thread)
            timeline_.catalogue.threads[thread].function = thread == master ? "main" : "worker";
    }

    void work_and(std::size_t thread, std::int64_t work_ns, EventKind kind, ObjectId object) {
        now_ns_ += work_ns;
        Event event;
        event.kind = kind;
        event.wall_ns = now_ns_;
        event.cpu_ns = work_ns;
        event.object = object;
        events_[thread].push_back(event);
    }

    // The wait that it began last is over.
    void wake(std::size_t thread) {
        Event& wait = events_[thread].back();
        wait.span_ns = now_ns_ - wait.wall_ns;
        wait.blocked = true;
    }

    std::vector<Event>& events(std::size_t thread) { return events_[thread]; }

    Timeline timeline() const {
        Timeline result = timeline_;
        result.events.resize(events_.size());
        for (std::size_t thread = 0; thread < events_.size(); ++thread)
            for (Event const& event : events_[thread])
                result.events[thread].push_back(event);
        return result;
    }

private:
    Timeline timeline_;
    std::vector<std::vector<Event>> events_;
    std::int64_t now_ns_ = 0;
};

using Round = std::vector<std::int64_t>;  // what each thread works in it, the master first

// The master wakes all, works along, and waits for them.
OneCpu regions(int count, std::size_t threads, auto const& round_of) {
    OneCpu cpu(threads);
    for (std::size_t thread = 1; thread < threads; ++thread)
        cpu.work_and(thread, us, EventKind::condition_wait, go);
    for (int i = 0; i < count; ++i) {
        Round const round = round_of(i);
        cpu.work_and(master, 100 * us, EventKind::condition_broadcast, go);
        cpu.work_and(master, round[master], EventKind::lock, ObjectId::none());
        cpu.work_and(master, 0, EventKind::condition_wait, done);
        for (std::size_t thread = 1; thread < threads; ++thread) {
            cpu.wake(thread);
            cpu.work_and(thread, round[thread], EventKind::condition_signal, done);
            cpu.work_and(thread, us, EventKind::condition_wait, go);
        }
        cpu.wake(master);
    }
    return cpu;
}

Timeline with_regions(int count, std::size_t threads, auto const& round_of) {
    return regions(count, threads, round_of).timeline();
}

std::optional<UnevenRegions> uneven_regions(Timeline const& timeline) {
    return survey(timeline).uneven_regions;
}

// A pool's parallel_for: predicted 0.96 times as fast on two CPUs without a word, measured 1.82.
TEST(UnevenRegions, ThreadsTakeTurnsToDoAllOfARegion) {
    auto const timeline = with_regions(
        40, 2, [](int i) { return i % 2 == 0 ? Round{1'500 * us, 2 * us} : Round{2 * us, 1'500 * us}; });
    auto const found = uneven_regions(timeline);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->master, ThreadId(master));
    EXPECT_EQ(found->regions, 40);
    EXPECT_NEAR(to_real(found->work).ns, 40 * 1'502.0 * us, 40.0 * us);
    EXPECT_NEAR(to_real(found->saved).ns, 40 * 750.0 * us, 100.0 * us) << "half of it";

    std::vector<Finding> findings;
    add_uneven_regions(timeline.catalogue, survey(timeline), findings);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, FindingKind::hidden_hand_out);
    EXPECT_TRUE(findings[0].may_wait_less);
    EXPECT_TRUE(findings[0].makes_worthless);
    EXPECT_THAT(findings[0].message, testing::HasSubstr("40 times"));
    EXPECT_THAT(findings[0].message, testing::HasSubstr("30.0 ms too slow"));
}

// Eigen's pool on two CPUs: 0.94 without a word, measured 1.78.
TEST(UnevenRegions, WorkersComeForNothingAfterOneOfThem) {
    auto const found = uneven_regions(with_regions(40, 3, [](int) { return Round{us, 500 * us, 2 * us}; }));
    ASSERT_TRUE(found);
    EXPECT_NEAR(to_real(found->saved).ns, 40 * 250.0 * us, 80.0 * us) << "the master does not work along";
}

TEST(UnevenRegions, TheMasterDidAllAndWaitedForThoseWhoCameForNothing) {
    EXPECT_TRUE(uneven_regions(with_regions(40, 3, [](int) { return Round{500 * us, us, us}; })));
}

TEST(UnevenRegions, OtherReasonsAreNoSuspicion) {
    auto const is_quiet = [](int count, auto const& round_of) {
        return !uneven_regions(with_regions(count, 2, round_of));
    };
    EXPECT_TRUE(is_quiet(40, [](int) { return Round{500 * us, 400 * us}; })) << "both work";
    EXPECT_TRUE(is_quiet(10, [](int) { return Round{500 * us, us}; })) << "few regions";
    EXPECT_TRUE(is_quiet(40, [](int) { return Round{20 * us, us}; })) << "short ones";
    EXPECT_TRUE(is_quiet(40, [](int) { return Round{us, 500 * us}; })) << "a request and its answer";
    EXPECT_TRUE(is_quiet(40, [](int) { return Round{400 * us, 90 * us}; }))
        << "unequal shares, always the same";
}

// Workers in turn get one request each. Who answered goes back to wait when the next request is out.
TEST(UnevenRegions, RequestsToAPoolAreNotShared) {
    for (std::size_t const workers : {2U, 4U}) {
        OneCpu cpu(workers + 1);
        for (std::size_t worker = 1; worker <= workers; ++worker)
            cpu.work_and(worker, us, EventKind::condition_wait, go);
        std::size_t last = 0;
        for (std::size_t i = 0; i < 80; ++i) {
            std::size_t const worker = 1 + i % workers;
            cpu.work_and(master, us, EventKind::condition_signal, go);
            cpu.work_and(master, us, EventKind::lock, ObjectId::none());
            cpu.work_and(master, 0, EventKind::condition_wait, done);
            if (last != 0)
                cpu.work_and(last, 2 * us, EventKind::condition_wait, go);
            cpu.wake(worker);
            cpu.work_and(worker, 500 * us, EventKind::condition_signal, done);
            cpu.wake(master);
            last = worker;
        }
        EXPECT_FALSE(uneven_regions(cpu.timeline())) << workers;
    }
}

TEST(UnevenRegions, EndWhereTheMasterSleeps) {
    OneCpu cpu(3);
    for (std::size_t worker : {1, 2})
        cpu.work_and(worker, us, EventKind::condition_wait, go);
    for (int i = 0; i < 40; ++i) {
        cpu.work_and(master, us, EventKind::condition_signal, go);
        cpu.work_and(master, us, EventKind::sleep, ObjectId::none());
        for (std::size_t worker : {1, 2}) {
            cpu.wake(worker);
            cpu.work_and(worker, worker == 1 ? 500 * us : us, EventKind::condition_wait, go);
        }
    }
    EXPECT_FALSE(uneven_regions(cpu.timeline()));
}

// It signals a log's thread, works on, and waits for nobody.
TEST(UnevenRegions, WhoeverWorksOnIsNotWaitedFor) {
    OneCpu cpu(2);
    cpu.work_and(1, us, EventKind::condition_wait, go);
    for (int i = 0; i < 40; ++i) {
        cpu.work_and(master, 500 * us, EventKind::condition_signal, go);
        cpu.wake(1);
        cpu.work_and(1, 3 * us, EventKind::condition_wait, go);
    }
    EXPECT_FALSE(uneven_regions(cpu.timeline()));
}

TEST(UnevenRegions, HelpersThatReadAreNoSuspicion) {
    OneCpu cpu = regions(40, 2, [](int) { return Round{500 * us, us}; });
    std::vector<Event> with_input;
    for (Event const& each : cpu.events(1)) {
        with_input.push_back(each);
        Event input;
        input.kind = EventKind::input;
        input.wall_ns = each.wall_ns + each.span_ns;
        with_input.push_back(input);
    }
    cpu.events(1) = with_input;
    EXPECT_FALSE(uneven_regions(cpu.timeline()));
}

}  // namespace
}  // namespace parcast::analysis
