// A message of an execution: from one thread to another, with the instants at which it was sent and received.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/id.h"
#include "core/time.h"

namespace parcast {

// What kept the thread that waits for a message, or the message itself, waiting longest.
enum class MessageDelay : std::uint8_t {
    none,
    sender_computes,      // the receiver waits; the sender mostly computed until it sent it
    sender_communicates,  // ... mostly sent and received others
    sender_waits,         // ... mostly waited itself
    in_flight,            // the receiver waits since after it was sent
    receiver_busy,        // it has arrived; the processor of the receiver was busy
    receiver_interface,   // it has arrived; the receiver's interface was busy with others
    not_posted,           // it was there before its receive
    never_received,
};

struct MessageDelayRow {
    MessageDelay delay;
    std::string_view name;  // in tables
    std::string_view text;  // "{late}": how long
};

// By MessageDelay.
inline constexpr std::array<MessageDelayRow, 9> message_delays{{
    {MessageDelay::none, "on time", "Nobody waited for it."},
    {MessageDelay::sender_computes, "sender computed",
     "The receiver waited {late} for it: the sender computed for most of that time."},
    {MessageDelay::sender_communicates, "sender communicated",
     "The receiver waited {late} for it: the sender sent or received other messages for most of that time."},
    {MessageDelay::sender_waits, "sender waited",
     "The receiver waited {late} for it: the sender waited itself for most of that time."},
    {MessageDelay::in_flight, "in flight",
     "The receiver waited {late} for it while it was on its way: the network's latency."},
    {MessageDelay::receiver_busy, "receiver busy",
     "It had arrived and waited {late}: the receiver's processor was busy."},
    {MessageDelay::receiver_interface, "interface busy",
     "It had arrived and waited {late}: the receiver's interface was busy with other messages."},
    {MessageDelay::not_posted, "receive came later", "It was there {late} before its receive."},
    {MessageDelay::never_received, "never received", "No receive takes it."},
}};

constexpr MessageDelayRow const& row_of(MessageDelay delay) {
    return message_delays[static_cast<std::size_t>(delay)];
}
static_assert([] {
    for (std::size_t i = 0; i < message_delays.size(); ++i)
        if (message_delays[i].delay != static_cast<MessageDelay>(i))
            return false;
    return true;
}());

struct Message {
    ThreadId from;
    ThreadId to;
    Instant sent;      // its send begins
    Instant left;      // the sender's processor is done with it
    Instant arrived;   // its first byte is there
    Instant received;  // its receive ends; never received: the receiver's processor is done with it
    std::uint64_t bytes = 0;
    std::uint32_t tag = 0;
    MessageDelay delay = MessageDelay::none;
    Duration late;  // how long that kept them

    friend bool operator==(Message const&, Message const&) = default;
};

}  // namespace parcast
