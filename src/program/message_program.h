// What must be done by ranks that compute and send each other messages: the form of message-passing programs
// that are written down or traced (GOAL, time-independent traces, Dimemas). The operations of a rank lie in
// columns, one after the other; they follow each other as their precedences say and not as they are listed.
//
// Most operations only follow the one before them in the list. They store no precedence, but a mark. All
// others have theirs in `precedences`: each says whose end, or whose start, it waits for. A receive has
// started once it is posted, and ends when its message is there; an eager send ends when the rank is done
// with it.
//
// Invariants: (1) all columns are as long as `kind`, but cpu, nic and name may be empty: 0;
// (2) first_operation rises from 0 to the number of operations; (3) precedences are of operations of the same
// rank, in the order of the operations that wait, and have no cycle; (4) peers are in range, or any_peer
// where something is received; (5) no amount is above most_amount.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace parcast {

enum class MessageOperation : std::uint8_t { calc, send, receive, collective };

// What an operation waits for.
enum class Follows : std::uint8_t {
    nothing,      // it can start at once
    one_before,   // the end of the operation before it in its rank's list
    precedences,  // those of MessageProgram::precedences
};

inline constexpr std::uint32_t any_peer = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t any_tag = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t most_amount = std::uint64_t{1} << 62U;  // ns or bytes

// Packs MessageOperation, Follows, whether a send always waits for its receive, and whether the operation is
// part of a collective one that has become messages (collectives/collectives.h).
struct MessageKind {
    std::uint8_t bits = 0;

    constexpr MessageKind() = default;
    constexpr MessageKind(MessageOperation operation, Follows follows, bool is_synchronous = false)
        : bits(static_cast<std::uint8_t>(static_cast<unsigned>(operation) |
                                         static_cast<unsigned>(follows) << 2U |
                                         (is_synchronous ? 16U : 0U))) {}

    constexpr MessageOperation operation() const { return static_cast<MessageOperation>(bits & 3U); }
    constexpr Follows follows() const { return static_cast<Follows>(bits >> 2U & 3U); }
    constexpr bool is_synchronous() const { return (bits & 16U) != 0; }  // a send, whatever its size
    constexpr bool is_of_collective() const { return (bits & 32U) != 0; }

    constexpr MessageKind following(Follows follows) const {
        auto kind = *this;
        kind.bits = static_cast<std::uint8_t>((bits & ~12U) | static_cast<unsigned>(follows) << 2U);
        return kind;
    }
    constexpr MessageKind of_collective(bool is_one = true) const {
        auto kind = *this;
        kind.bits = static_cast<std::uint8_t>((bits & ~32U) | (is_one ? 32U : 0U));
        return kind;
    }

    friend constexpr bool operator==(MessageKind, MessageKind) = default;
};

// `later` waits for `earlier`; both are operations of one rank, by their place in the columns. 8 bytes: large
// programs have one for each operation.
struct Precedence {
    std::uint32_t later = 0;
    std::uint32_t earlier : 31 = 0;
    std::uint32_t is_start : 1 = 0;  // until it has started, not until it has ended

    constexpr Precedence() = default;
    constexpr Precedence(std::uint32_t later_one, std::uint32_t earlier_one, bool until_start = false)
        : later(later_one), earlier(earlier_one & 0x7fffffffU), is_start(until_start ? 1U : 0U) {}

    friend bool operator==(Precedence const&, Precedence const&) = default;
};
static_assert(sizeof(Precedence) == 8);

inline constexpr std::size_t most_operations = (std::size_t{1} << 31U) - 1;

enum class CollectiveKind : std::uint8_t {
    barrier,
    broadcast,
    reduce,
    allreduce,
    gather,
    scatter,
    allgather,
    alltoall,
    reduce_scatter,
    scan,
    exclusive_scan,
};

// A collective operation as one rank calls it. Ranks of a communicator call theirs in the same order. For
// broadcast, reduce, allreduce, reduce_scatter and the scans, sent_bytes is the one buffer; for gather and
// allgather what the rank gives, for alltoall what it gives to each; for scatter, received_bytes is its part.
struct CollectiveCall {
    CollectiveKind kind = CollectiveKind::barrier;
    std::uint32_t communicator = 0;
    std::uint32_t root = 0;  // a rank of the program; broadcast, reduce, gather and scatter
    std::uint64_t sent_bytes = 0;
    std::uint64_t received_bytes = 0;
    std::int64_t reduce_ns = 0;                     // to combine two buffers
    std::vector<std::uint64_t> bytes_by_rank = {};  // where they differ (scatterv, alltoallv); else empty

    friend bool operator==(CollectiveCall const&, CollectiveCall const&) = default;
};

// Where a collective operation stands in the text that the program was read from.
struct CollectiveLine {
    std::uint32_t operation = 0;
    std::uint32_t line = 0;  // the first one is 1
    std::uint32_t file = 0;  // into MessageProgram::files, if there are any

    friend bool operator==(CollectiveLine const&, CollectiveLine const&) = default;
};

struct MessageProgram {
    std::string name;
    std::vector<std::uint32_t> first_operation = {0};  // by rank, and the number of operations at the end

    std::vector<MessageKind> kind;
    std::vector<std::uint64_t> amount;  // calc: ns; send, receive: bytes; collective: into `collectives`
    std::vector<std::uint32_t> peer;    // send, receive: a rank, or any_peer; calc, collective: 0
    std::vector<std::uint32_t> tag;     // send, receive: or any_tag
    std::vector<std::uint8_t> cpu;      // of the rank's
    std::vector<std::uint8_t> nic;
    std::vector<std::uint16_t> name_of;  // into `names`, of a computation; 0: it has none

    std::vector<Precedence> precedences;  // by `later`, rising
    std::vector<CollectiveCall> collectives;
    std::vector<CollectiveLine> collective_lines;  // by operation, rising; none of those that have no line
    std::vector<std::string> files;                // that collective_lines are of; empty: one text
    std::vector<std::vector<std::uint32_t>> communicators;  // ranks, in their order; 0 is all of them: empty
    std::vector<std::string> names;                         // of computations; the first one is empty
    std::vector<std::string> assumptions;  // what its format could not say, in sentences for the user

    std::uint32_t ranks() const { return static_cast<std::uint32_t>(first_operation.size() - 1); }
    std::size_t operations() const { return kind.size(); }
    std::uint32_t cpu_of(std::size_t operation) const { return cpu.empty() ? 0 : cpu[operation]; }
    std::uint32_t nic_of(std::size_t operation) const { return nic.empty() ? 0 : nic[operation]; }

    friend bool operator==(MessageProgram const&, MessageProgram const&) = default;
};

// Says which invariant does not hold, with rank and operation; of a cycle, one of its operations.
// Cost: linear.
Result<void> check(MessageProgram const& program);

}  // namespace parcast
