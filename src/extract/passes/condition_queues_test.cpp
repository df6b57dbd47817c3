#include "extract/passes/condition_queues.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;

enum Site : std::uint32_t { send_lock, receive_lock, send_signal, receive_signal, sites };

// A channel: a mutex and a condition for each end. Every call takes one ns, so that `now` orders them.
struct Channel {
    std::uint32_t mutex;
    std::uint32_t not_empty;
    std::uint32_t not_full;
};

struct Pipeline {
    explicit Pipeline(std::size_t threads) : recording(threads) {
        for (std::uint32_t i = 0; i < sites; ++i)
            recording.site();
        recording.begin(0, 0);
        for (std::size_t child = 1; child < threads; ++child) {
            recording.create(0, 0, static_cast<std::uint32_t>(child));
            recording.begin(child, 0);
        }
    }
    Channel channel() {
        return {recording.object(ObjectKind::mutex), recording.object(ObjectKind::condition),
                recording.object(ObjectKind::condition)};
    }
    void call(std::size_t thread, EventKind kind, std::uint32_t object, Site const& site,
              std::int64_t cpu = 0) {
        recording.add(thread, {.kind = kind, .at = ++now, .cpu = cpu, .object = object, .site = site});
    }
    void lock(std::size_t thread, Channel const& channel, Site const& site, std::int64_t cpu = 0) {
        call(thread, EventKind::lock, channel.mutex, site, cpu);
    }
    void wait(std::size_t thread, Channel const& channel, std::uint32_t condition, std::int64_t at,
              std::int64_t until) {
        recording.add(thread, {.kind = EventKind::condition_wait,
                               .at = at,
                               .span = until - at,
                               .object = condition,
                               .related = channel.mutex,
                               .site = receive_lock});
    }
    void send(std::size_t thread, Channel const& channel) {
        lock(thread, channel, send_lock);
        call(thread, EventKind::condition_signal, channel.not_empty, send_signal);
        call(thread, EventKind::unlock, channel.mutex, send_lock);
    }
    void receive(std::size_t thread, Channel const& channel, std::int64_t cpu = 0) {
        lock(thread, channel, receive_lock, cpu);
        call(thread, EventKind::condition_signal, channel.not_full, receive_signal);
        call(thread, EventKind::unlock, channel.mutex, receive_lock);
    }
    // Finds nothing, and waits until `sender` has sent.
    void receive_from(std::size_t thread, std::size_t sender, Channel const& channel) {
        lock(thread, channel, receive_lock);
        auto const began = ++now;
        send(sender, channel);
        wait(thread, channel, channel.not_empty, began, ++now);
        call(thread, EventKind::condition_signal, channel.not_full, receive_signal);
        call(thread, EventKind::unlock, channel.mutex, receive_lock);
    }
    ThreadProgram program() {
        for (std::size_t thread = 0; thread < recording.timeline().events.size(); ++thread)
            recording.end(thread, 1'000'000);
        return extracted(recording);
    }

    Recording recording;
    std::int64_t now = 0;
};

std::size_t count(ThreadProgram const& program, std::size_t thread, OperationKind kind,
                  std::uint32_t object) {
    auto const all = rows(program, thread);
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](Row const& row) { return row.kind == kind && row.object == object; }));
}

TEST(ConditionQueues, EveryItemIsTakenAlsoThoseThatNobodyWaitedFor) {
    Pipeline p(2);
    auto const channel = p.channel();
    p.receive_from(1, 0, channel);
    p.receive_from(1, 0, channel);
    p.send(0, channel), p.send(0, channel), p.receive(1, channel), p.receive(1, channel);
    auto const program = p.program();
    EXPECT_EQ(count(program, 0, condition_signal, channel.not_empty), 4U);
    EXPECT_EQ(count(program, 1, condition_wait, channel.not_empty), 4U);
    EXPECT_EQ(count(program, 1, lock, channel.mutex), 4U) << "a section that waits begins with its lock";
    EXPECT_EQ(program.objects[channel.not_empty].initial_count, 0);
}

TEST(ConditionQueues, SpaceIsThereFromTheBeginning) {
    // Two places: the third item waits for the first receive, twice.
    Pipeline p(2);
    auto const channel = p.channel();
    p.send(0, channel), p.send(0, channel);
    for (int turn = 0; turn < 2; ++turn) {
        p.lock(0, channel, send_lock);
        auto const began = ++p.now;
        p.receive(1, channel);
        p.wait(0, channel, channel.not_full, began, ++p.now);
        p.call(0, EventKind::condition_signal, channel.not_empty, send_signal);
        p.call(0, EventKind::unlock, channel.mutex, send_lock);
    }
    auto const program = p.program();
    EXPECT_EQ(program.objects[channel.not_full].initial_count, 2);
    EXPECT_EQ(count(program, 0, condition_wait, channel.not_full), 4U);
}

TEST(ConditionQueues, AChannelThatNobodyWaitedForIsLikeTheOthers) {
    Pipeline p(2);
    auto const waited_for = p.channel();
    auto const other = p.channel();
    p.receive_from(1, 0, waited_for);
    p.receive_from(1, 0, waited_for);
    p.send(0, other), p.receive(1, other);
    EXPECT_EQ(count(p.program(), 1, condition_wait, other.not_empty), 1U);
}

TEST(ConditionQueues, AFlagThatIsSetOnceDoesNotCount) {
    // Two wait for it, and a third, which comes later, does not.
    Pipeline p(3);
    auto const flag = p.channel();
    p.lock(1, flag, receive_lock), p.wait(1, flag, flag.not_empty, 11, 30), p.now = 30;
    p.call(1, EventKind::unlock, flag.mutex, receive_lock);
    p.recording.add(
        0, {.kind = EventKind::condition_signal, .at = 20, .object = flag.not_empty, .site = send_signal});
    p.lock(2, flag, receive_lock), p.call(2, EventKind::unlock, flag.mutex, receive_lock);
    auto const program = p.program();
    EXPECT_EQ(count(program, 1, condition_wait, flag.not_empty), 1U);
    EXPECT_EQ(count(program, 2, condition_wait, flag.not_empty), 0U);
}

TEST(ConditionQueues, ASignalOnlyForThoseWhoWaitDoesNotCount) {
    Pipeline p(2);
    auto const channel = p.channel();
    p.receive_from(1, 0, channel);
    p.receive_from(1, 0, channel);
    p.receive(1, channel);  // of an item that was sent without a signal
    EXPECT_EQ(count(p.program(), 1, condition_wait, channel.not_empty), 2U);
}

}  // namespace
}  // namespace parcast::extract
