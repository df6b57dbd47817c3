// What one execution of a message program gave: where the time of each rank's CPUs went, what was sent and
// received, what was left over, and, if asked for, a log of it and the critical path.
//
// Conservation, exact in integer nanoseconds: for each CPU of each rank, computing + communicating + waiting
// + the time after its end = completion. Overhead of a message is communicating; the time in which only the
// interface is busy is none of the CPU's.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "core/time.h"

namespace parcast {

// Why a CPU stands still.
enum class MessageWait : std::uint8_t {
    late_sender,  // a message has not arrived
    rendezvous,   // the receive of a message that waits for it is not posted
    gap,          // the interface is not free yet
    cpu,          // an operation on another CPU of the rank has not ended
    collective,   // late_sender or rendezvous, while the rank is in a collective operation
};
inline constexpr std::size_t message_wait_count = 5;

struct MessageCpuAccount {
    Duration computing;
    Duration communicating;                                  // overhead of messages
    std::array<Duration, message_wait_count> waiting_for{};  // [MessageWait], up to the end
    Instant ended;                                           // its last operation, or what that waited for

    Duration waiting() const { return std::accumulate(waiting_for.begin(), waiting_for.end(), Duration{}); }
    friend bool operator==(MessageCpuAccount const&, MessageCpuAccount const&) = default;
};

struct MessageRankAccount {
    std::int64_t messages_sent = 0;
    std::int64_t messages_received = 0;  // also those that no receive takes
    std::uint64_t bytes_sent = 0;
    std::uint64_t bytes_received = 0;
    Instant finished;  // the last of its CPUs

    friend bool operator==(MessageRankAccount const&, MessageRankAccount const&) = default;
};

// A receive without a message, or a message without a receive.
struct UnmatchedOperation {
    std::uint32_t rank = 0;       // that has posted the receive, or sent the message
    std::uint32_t operation = 0;  // of the program
    std::uint32_t peer = 0;       // from whom, or to whom; any_peer
    std::uint32_t tag = 0;        // or any_tag
    std::uint64_t bytes = 0;
    bool is_stuck = true;  // the rank waits for it; false: a message whose sender goes on without its receive

    friend bool operator==(UnmatchedOperation const&, UnmatchedOperation const&) = default;
};

// What a CPU of a rank does. Without a row it has nothing to do any more.
struct MessageInterval {
    enum class State : std::uint8_t { computing, communicating, waiting };

    Instant begin;
    Instant end;  // after the begin, unless it communicates without overhead
    std::uint32_t rank = 0;
    std::uint32_t operation =
        0;  // of the program; waiting: the one that goes on. A message that arrives: its send
    std::uint8_t cpu = 0;
    State state = State::computing;
    MessageWait wait = MessageWait::late_sender;  // State::waiting, as the next two
    std::uint8_t peer_cpu = 0;
    std::uint32_t peer = 0;  // who ended it: the rank, perhaps another CPU of its own; a gap: itself

    friend bool operator==(MessageInterval const&, MessageInterval const&) = default;
};

struct MessageTransfer {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint8_t cpu = 0;  // of either
    std::uint64_t bytes = 0;
    std::uint32_t tag = 0;
    std::uint32_t send = 0;                // operations of the program
    std::optional<std::uint32_t> receive;  // none: it was not received
    Instant sent;                          // the send begins
    Instant left;                          // it is out of the sender's CPU
    Instant arrived;                       // the first byte is there
    Instant taken;                         // the CPU of the receiver is done with it, or would have been
    Instant received;                      // the receive ends

    friend bool operator==(MessageTransfer const&, MessageTransfer const&) = default;
};

// A part of the chain of causes that ends at the completion. The segments of a path, in time order, begin at
// 0, end at the completion, and leave no gap.
struct MessagePathSegment {
    enum class What : std::uint8_t { computing, communicating, in_flight, gap };

    Instant begin;
    Instant end;
    std::uint32_t rank = 0;       // in flight: the receiver
    std::uint32_t operation = 0;  // of the program; in flight, and in a gap: the one that goes on
    What what = What::computing;
    std::uint8_t cpu = 0;

    friend bool operator==(MessagePathSegment const&, MessagePathSegment const&) = default;
};

struct MessageLog {
    std::vector<MessageInterval> intervals;  // by rank, then CPU, then begin
    std::vector<MessageTransfer> messages;   // by send; in the order of the sends' begins
    std::vector<MessagePathSegment> critical_path;
};

struct MessageRun {
    Duration completion;
    std::uint32_t cpus = 1;  // of each rank
    std::vector<MessageRankAccount> ranks;
    std::vector<MessageCpuAccount> accounts;  // by rank, then CPU
    std::int64_t operations = 0;              // that have ended
    std::uint64_t bytes_received = 0;
    std::uint64_t bytes_in_incast = 0;  // of these, in messages that arrive while another sender's do

    // What is left over at the end, by rank. If one is stuck, so is the program: completion is no prediction.
    std::vector<UnmatchedOperation> unmatched_receives;
    std::vector<UnmatchedOperation> unmatched_sends;

    std::optional<MessageLog> log;

    bool is_deadlocked = false;  // not all operations have ended
    MessageCpuAccount const& account(std::uint32_t rank, std::uint32_t cpu = 0) const {
        return accounts[std::size_t{rank} * cpus + cpu];
    }
};

}  // namespace parcast
