#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <thread>

#include "calibrate/probes.h"
#include "measure/affinity.h"
#include "measure/clock.h"

namespace parcast::calibrate {

namespace {

constexpr std::size_t fragment_bytes = 4096;
constexpr std::size_t fragments = 64;
constexpr std::size_t medium_bytes = 8192;
constexpr std::size_t large_bytes = 65536;
constexpr int round_trips = 50;
constexpr int short_burst = 16;  // fits into the memory between the two
constexpr int medium_burst = 4;  // the same
constexpr int short_stream = 512;
constexpr int large_stream = 8;
constexpr std::int64_t time_to_be_alone_ns = 20'000;  // longer than a burst

struct alignas(64) Fragment {
    std::atomic<std::uint32_t> is_full{0};
    std::array<std::byte, fragment_bytes> bytes;
};

// Fragments in a ring, that one side fills and the other empties: a message is copied in and out, as MPI
// libraries do inside a node where no side may read the other's memory.
class Channel {
public:
    void send(std::span<std::byte const> message) {
        while (!message.empty()) {
            auto& next = ring_[sent_++ % fragments];
            auto const part = message.first(std::min(message.size(), fragment_bytes));
            while (next.is_full.load(std::memory_order_acquire) != 0) {
            }
            std::memcpy(next.bytes.data(), part.data(), part.size());
            next.is_full.store(1, std::memory_order_release);
            message = message.subspan(part.size());
        }
    }
    void receive(std::span<std::byte> message) {
        while (!message.empty()) {
            auto& next = ring_[received_++ % fragments];
            auto const part = message.first(std::min(message.size(), fragment_bytes));
            while (next.is_full.load(std::memory_order_acquire) == 0) {
            }
            std::memcpy(part.data(), next.bytes.data(), part.size());
            next.is_full.store(0, std::memory_order_release);
            message = message.subspan(part.size());
        }
    }

    // For the sender: all of it was received.
    bool is_empty() const {
        return sent_ == 0 || ring_[(sent_ - 1) % fragments].is_full.load(std::memory_order_acquire) == 0;
    }

private:
    std::array<Fragment, fragments> ring_;
    alignas(64) std::size_t sent_ = 0;
    alignas(64) std::size_t received_ = 0;
};

// Both channels between two sides, and what both do in turn: one of them keeps the time.
struct Link {
    Channel there;
    Channel back;
};

using Buffer = std::span<std::byte>;

// How long each message of a burst keeps the sender, while the receiver leaves it alone.
double burst_ns(Link& link, Buffer message, int count) {
    link.back.receive(message.first(1));
    std::int64_t const begin = measure::wall_ns();
    for (int each = 0; each < count; ++each)
        link.there.send(message);
    return static_cast<double>(measure::wall_ns() - begin) / count;
}

void answer_burst(Link& link, Buffer message, int count) {
    link.back.send(message.first(1));
    measure::spin_until(measure::wall_ns() + time_to_be_alone_ns);
    for (int each = 0; each < count; ++each)
        link.there.receive(message);
}

// The time of each message of a stream that the receiver takes as fast as it can.
double stream_ns(Link& link, Buffer message, int count) {
    std::int64_t const begin = measure::wall_ns();
    for (int each = 0; each < count; ++each)
        link.there.send(message);
    link.back.receive(message.first(1));
    return static_cast<double>(measure::wall_ns() - begin) / count;
}

void answer_stream(Link& link, Buffer message, int count) {
    for (int each = 0; each < count; ++each)
        link.there.receive(message);
    link.back.send(message.first(1));
}

}  // namespace

MessageTimesOfNode messages_between(unsigned sender, unsigned receiver, std::size_t count) {
    MessageTimesOfNode times;
    auto const link = std::make_unique<Link>();
    std::vector<std::byte> own(large_bytes, std::byte{1});
    std::vector<std::byte> others(large_bytes, std::byte{1});
    measure::Pinned const here(sender);
    std::jthread const other = measure::thread_on(receiver, [&] {
        Buffer const buffer(others);
        link->there.receive(buffer.first(1));
        for (std::size_t sample = 0; sample < count; ++sample) {
            for (int trip = 0; trip < round_trips; ++trip) {
                link->there.receive(buffer.first(1));
                link->back.send(buffer.first(1));
            }
            answer_burst(*link, buffer.first(1), short_burst);
            answer_burst(*link, buffer.first(medium_bytes), medium_burst);
            answer_stream(*link, buffer.first(1), short_stream);
            answer_stream(*link, buffer.first(large_bytes), large_stream);
        }
    });
    Buffer const buffer(own);
    link->there.send(buffer.first(1));
    while (!link->there.is_empty()) {  // until the other thread runs
    }
    for (std::size_t sample = 0; sample < count; ++sample) {
        std::int64_t const begin = measure::wall_ns();
        for (int trip = 0; trip < round_trips; ++trip) {
            link->there.send(buffer.first(1));
            link->back.receive(buffer.first(1));
        }
        times.one_way_ns.push_back(static_cast<double>(measure::wall_ns() - begin) / (2 * round_trips));
        times.send_ns.push_back(burst_ns(*link, buffer.first(1), short_burst));
        times.medium_send_ns.push_back(burst_ns(*link, buffer.first(medium_bytes), medium_burst));
        times.gap_ns.push_back(stream_ns(*link, buffer.first(1), short_stream));
        times.large_gap_ns.push_back(stream_ns(*link, buffer.first(large_bytes), large_stream));
    }
    return times;
}

}  // namespace parcast::calibrate
