#include "forecast/thread_events.h"

#include <numeric>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "support/recording_builder.h"

namespace parcast::forecast {
namespace {

using extract::Recording;

RecordingSignature signature_of(Timeline recorded, std::optional<std::uint32_t> cpus = std::nullopt) {
    ThreadEventsQuestion question;
    question.cpus = cpus;
    auto found = signature_of_recording("x.parcast", std::move(recorded), {ideal_machine(1)}, question);
    EXPECT_TRUE(found) << found.error().message;
    return found ? std::move(*found) : RecordingSignature{};
}

double time_of(ThreadSignature const& row) {
    return row.active_ns + row.suspended_ns();
}

// The main thread works 10, creates a worker, works 20 and joins it; the worker works 50.
Timeline pair_of_threads() {
    Recording recording(2);
    recording.begin(0, 0)
        .create(0, 10, 1, 10)
        .add(0, {.kind = EventKind::thread_join, .at = 30, .cpu = 20, .span = 50, .related = 1})
        .end(0, 80);
    recording.begin(1, 30).end(1, 80, 50);
    return recording.timeline();
}

TEST(SignatureOfRecording, HasBlockingAsItIsWithACpuForEachThread) {
    auto const signature = signature_of(pair_of_threads());
    EXPECT_EQ(signature.threads, 2U);
    EXPECT_EQ(signature.events, 4 + 2);
    EXPECT_DOUBLE_EQ(signature.time_ns, 60);
    EXPECT_DOUBLE_EQ(signature.work_ns, 80);
    auto const& main = signature.rows[0];
    EXPECT_DOUBLE_EQ(main.active_ns, 30);
    EXPECT_DOUBLE_EQ(main.algorithmic_ns, 30) << "until the worker ends";
    EXPECT_DOUBLE_EQ(main.reading_ns, 30);
    auto const& worker = signature.rows[1];
    EXPECT_DOUBLE_EQ(worker.active_ns, 50);
    EXPECT_DOUBLE_EQ(worker.outside_ns, 10) << "before it was created";
    for (auto const& row : signature.rows)
        EXPECT_DOUBLE_EQ(time_of(row), 60);
}

TEST(SignatureOfRecording, OfOneThreadIsItsWork) {
    Recording recording(1);
    recording.begin(0, 0).end(0, 100, 100);
    auto const signature = signature_of(recording.timeline());
    EXPECT_EQ(signature.threads, 1U);
    EXPECT_EQ(signature.events, 2);
    EXPECT_DOUBLE_EQ(signature.rows[0].active_ns, 100);
    EXPECT_DOUBLE_EQ(signature.rows[0].alpha_ns(), 100);
    EXPECT_DOUBLE_EQ(signature.rows[0].beta_ns(), 0);
}

TEST(SignatureOfRecording, WithoutAnyWorkHasNoProfile) {
    Recording recording(1);
    recording.begin(0, 0).end(0, 0);
    auto const signature = signature_of(recording.timeline());
    EXPECT_DOUBLE_EQ(signature.time_ns, 0);
    EXPECT_TRUE(signature.profile.empty());
}

TEST(SignatureOfRecording, WithFewerCpusThreadsWaitForThem) {
    auto const signature = signature_of(pair_of_threads(), 1);
    EXPECT_EQ(signature.cpus, 1U);
    EXPECT_DOUBLE_EQ(signature.time_ns, 80);
    EXPECT_DOUBLE_EQ(signature.work_ns, 80) << "the work is that of the recording";
    for (auto const& row : signature.rows)
        EXPECT_DOUBLE_EQ(time_of(row), 80);
}

TEST(SignatureOfRecording, OfTenThousandThreads) {
    constexpr std::uint32_t threads = 10'000;
    Recording recording(threads + 1);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0);
    std::int64_t now = 0;
    for (std::uint32_t thread = 1; thread <= threads; ++thread)
        recording.create(0, ++now, thread, 1);
    recording.end(0, now);
    for (std::uint32_t thread = 1; thread <= threads; ++thread) {
        recording.begin(thread, now)
            .add(thread, {.kind = EventKind::lock, .at = now + 100, .cpu = 100, .object = mutex})
            .add(thread, {.kind = EventKind::unlock, .at = now + 110, .cpu = 10, .object = mutex})
            .end(thread, now + 200, 90);
        now += 200;
    }
    auto const signature = signature_of(recording.timeline());
    EXPECT_EQ(signature.threads, threads + 1) << "creating them is work, too";
    EXPECT_EQ(signature.events, 4 * threads + threads + 2);
    auto const active =
        std::accumulate(signature.rows.begin(), signature.rows.end(), 0.0,
                        [](double sum, ThreadSignature const& row) { return sum + row.active_ns; });
    EXPECT_DOUBLE_EQ(active, 201.0 * threads);
    EXPECT_GT(signature.rows.back().other_blocking_ns, 0) << "one after the other under the lock";
}

TEST(SignatureOfRecording, ThreadsWithoutAHundredthOfTheMeanWorkDoNotCount) {
    Recording recording(3);
    recording.begin(0, 0).create(0, 1, 1, 1).create(0, 2, 2, 1).end(0, 2);
    recording.begin(1, 2).end(1, 1002, 1000);
    recording.begin(2, 1002).end(2, 2002, 1000);
    auto const signature = signature_of(recording.timeline());
    EXPECT_EQ(signature.threads, 2U);
    EXPECT_FALSE(signature.rows[0].is_counted);
    EXPECT_EQ(signature.events, 4 + 2 + 2) << "its events are there all the same";
}

}  // namespace
}  // namespace parcast::forecast
