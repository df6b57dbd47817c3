// What a message costs between two ranks: LogGP and the model of LogGOPSim, as pure functions. Both are of a
// fully connected network without contention inside it; what a rank's own interface takes is in them.
//
// Values are real numbers of nanoseconds and are rounded once for each message, so that a replay counts in
// whole nanoseconds. A message of 0 bytes costs what one of 1 byte does.
//
// Source: Alexandrov, Ionescu, Schauser and Scheiman 1995 (LogGP); Rugina and Schauser 1998, section 3, for
// the four gaps of a single port; Hoefler, Schneider and Lumsdaine 2010 (LogGOPSim).

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/result.h"

namespace parcast {

// ns, and ns per byte.
struct NetworkValues {
    double latency_ns = 0;            // L: from the first byte's leaving to its arrival
    double overhead_ns = 0;           // o: the processor, for each message sent or received
    double overhead_per_byte_ns = 0;  // O: for each byte after the first; LogGOPSim's
    double gap_ns = 0;                // g: the interface, between messages
    double gap_per_byte_ns = 0;       // G: for each byte after the first
    // Larger messages wait until their receive is posted. LogGOPSim's.
    std::uint64_t rendezvous_bytes = 65535;

    friend bool operator==(NetworkValues const&, NetworkValues const&) = default;
};

// A field of NetworkValues: as it is written in a machine file, in --network and after --sweep.
struct NetworkField {
    std::string_view key;     // "latency_ns"
    std::string_view letter;  // "L"
    std::string_view meaning;
    double NetworkValues::* value;
};
inline constexpr std::array<NetworkField, 5> network_fields{{
    {"latency_ns", "L", "latency", &NetworkValues::latency_ns},
    {"overhead_ns", "o", "overhead of a message", &NetworkValues::overhead_ns},
    {"overhead_per_byte_ns", "O", "overhead of a byte", &NetworkValues::overhead_per_byte_ns},
    {"gap_ns", "g", "gap between messages", &NetworkValues::gap_ns},
    {"gap_per_byte_ns", "G", "gap of a byte", &NetworkValues::gap_per_byte_ns},
}};

inline constexpr double most_network_ns = 1e12;

constexpr double bytes_after_the_first(std::uint64_t bytes) {
    return bytes <= 1 ? 0 : static_cast<double>(bytes - 1);
}

// A single port: a send uses it from o after its begin for B, a receive from its begin for B, with
// B = (bytes - 1) G, and two uses have g between the last byte of one and the first of the other.
class LogGp {
public:
    explicit LogGp(NetworkValues const& values)
        : latency_(std::llround(values.latency_ns)),
          overhead_(std::llround(values.overhead_ns)),
          gap_(std::llround(values.gap_ns)),
          gap_per_byte_(values.gap_per_byte_ns) {}

    // B.
    std::int64_t bytes_ns(std::uint64_t bytes) const {
        return std::llround(bytes_after_the_first(bytes) * gap_per_byte_);
    }
    // How long a send or a receive occupies the processor.
    std::int64_t operation_ns(std::int64_t bytes_ns) const { return overhead_ + bytes_ns; }
    std::int64_t overhead_ns() const { return overhead_; }
    // From the begin of a send to where it can be received.
    std::int64_t transit_ns() const { return overhead_ + latency_; }
    // From the begin of an operation to the earliest begin of the next one, by what both are.
    std::int64_t after_send_send_ns(std::int64_t bytes_ns) const {
        return bytes_ns + std::max(gap_, overhead_);
    }
    std::int64_t after_receive_receive_ns(std::int64_t bytes_ns) const {
        return bytes_ns + std::max(gap_, overhead_);
    }
    std::int64_t after_receive_send_ns(std::int64_t bytes_ns) const {
        return operation_ns(bytes_ns) + std::max(2 * overhead_, gap_) - 2 * overhead_;
    }
    std::int64_t after_send_receive_ns(std::int64_t bytes_ns) const { return operation_ns(bytes_ns) + gap_; }

private:
    std::int64_t latency_;
    std::int64_t overhead_;
    std::int64_t gap_;
    double gap_per_byte_;
};

// Separate ports for sending and receiving, overhead for bytes as well, and rendezvous for large messages.
class LogGops {
public:
    explicit LogGops(NetworkValues const& values)
        : values_(values), transit_ns_(std::llround(values.overhead_ns + values.latency_ns)) {}

    // How long a send occupies the processor; a receive, when its message arrives; the port, for either.
    std::int64_t send_ns(std::uint64_t bytes) const {
        return std::llround(values_.overhead_ns +
                            bytes_after_the_first(bytes) * values_.overhead_per_byte_ns);
    }
    std::int64_t receive_ns(std::uint64_t bytes) const {
        return std::llround(values_.overhead_ns +
                            bytes_after_the_first(bytes) *
                                std::max(values_.overhead_per_byte_ns, values_.gap_per_byte_ns));
    }
    std::int64_t port_ns(std::uint64_t bytes) const {
        return std::llround(values_.gap_ns + bytes_after_the_first(bytes) * values_.gap_per_byte_ns);
    }
    // How long the bytes arrive.
    std::int64_t bytes_ns(std::uint64_t bytes) const {
        return std::llround(bytes_after_the_first(bytes) * values_.gap_per_byte_ns);
    }
    std::int64_t overhead_ns() const { return std::llround(values_.overhead_ns); }
    // From the begin of a send to its arrival.
    std::int64_t transit_ns() const { return transit_ns_; }
    bool is_rendezvous(std::uint64_t bytes) const { return bytes > values_.rendezvous_bytes; }

private:
    NetworkValues values_;
    std::int64_t transit_ns_;
};

using NetworkLaw = std::variant<LogGops, LogGp>;

enum class NetworkKind : std::uint8_t { loggops, loggp };  // by NetworkLaw
inline constexpr std::array<std::string_view, 2> network_kinds = {"loggops", "loggp"};

struct Network {
    NetworkKind kind = NetworkKind::loggops;
    NetworkValues values;               // between nodes
    std::optional<NetworkValues> node;  // inside one; none: the same
    std::string name;                   // of a preset; empty: its own values
    std::string source;                 // where the values come from; empty: not known
    bool is_inside_only = false;        // what messages between nodes cost is not known

    friend bool operator==(Network const&, Network const&) = default;
};

// On which messages cost nothing, and wait for no receive.
inline Network ideal_network() {
    Network network;
    network.values.rendezvous_bytes = std::numeric_limits<std::uint64_t>::max();
    return network;
}

NetworkLaw law_of(NetworkKind kind, NetworkValues const& values);

// Errors: out_of_range, with the field and its limits.
Result<void> check(Network const& network);

}  // namespace parcast
