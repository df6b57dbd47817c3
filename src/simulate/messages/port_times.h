// How long a send or a receive holds what it needs, in one form for all laws of networks.

#pragma once

#include <array>
#include <cstdint>

#include "machine/network.h"

namespace parcast::simulate {

// From the begin of the operation.
struct PortTimes {
    std::int64_t cpu_ns = 0;      // until the CPU is free
    std::int64_t send_ns = 0;     // until the port lets a send begin
    std::int64_t receive_ns = 0;  // and a receive
};

inline PortTimes times_of_send(LogGops const& law, std::uint64_t bytes) {
    return {law.send_ns(bytes), law.port_ns(bytes), 0};
}
inline PortTimes times_of_receive(LogGops const& law, std::uint64_t bytes) {
    return {law.receive_ns(bytes), 0, law.port_ns(bytes)};
}

inline PortTimes times_of_send(LogGp const& law, std::uint64_t bytes) {
    auto const bytes_ns = law.bytes_ns(bytes);
    return {law.operation_ns(bytes_ns), law.after_send_send_ns(bytes_ns),
            law.after_send_receive_ns(bytes_ns)};
}
inline PortTimes times_of_receive(LogGp const& law, std::uint64_t bytes) {
    auto const bytes_ns = law.bytes_ns(bytes);
    return {law.operation_ns(bytes_ns), law.after_receive_send_ns(bytes_ns),
            law.after_receive_receive_ns(bytes_ns)};
}

inline bool is_rendezvous(LogGops const& law, std::uint64_t bytes) {
    return law.is_rendezvous(bytes);
}
inline bool is_rendezvous(LogGp const&, std::uint64_t) {
    return false;
}

// What a message costs at its sender and its receiver. Programs have few sizes of messages: what was worked
// out for one is kept for the next.
template <class Law>
class MessageCosts {
public:
    struct Costs {
        std::uint64_t bytes = ~std::uint64_t{0};  // of no message
        PortTimes send;
        PortTimes receive;
        std::int64_t bytes_ns = 0;  // how long the bytes arrive
        bool is_rendezvous = false;
    };

    explicit MessageCosts(Law const& law) : law_(law) {}

    Law const& law() const { return law_; }
    Costs const& of(std::uint64_t bytes) {
        auto& costs = kept_[bytes * 0x9e3779b97f4a7c15U >> 60U];
        if (costs.bytes != bytes)
            costs = {bytes, times_of_send(law_, bytes), times_of_receive(law_, bytes), law_.bytes_ns(bytes),
                     is_rendezvous(law_, bytes)};
        return costs;
    }

private:
    Law law_;
    std::array<Costs, 16> kept_;
};

// The port receives what has arrived before it sends.
template <class Law>
inline constexpr bool receives_first = false;
template <>
inline constexpr bool receives_first<LogGp> = true;

}  // namespace parcast::simulate
