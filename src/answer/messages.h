// What an answer says about programs whose ranks send each other messages: steps, and whole programs.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "machine/network.h"

namespace parcast {

// How the time of a row was found.
enum class MessageMethod : std::uint8_t { standard, overestimate };
struct MessageMethodName {
    std::string_view key;
    std::string_view meaning;
};
inline constexpr std::array<MessageMethodName, 2> message_methods{{
    {"standard", "ranks send as soon as they may, and receive first what is there"},
    {"overestimate", "ranks receive all their messages before they send the first one"},
}};

constexpr std::string_view name_of(MessageMethod method) {
    return message_methods[static_cast<std::size_t>(method)].key;
}

// What one rank does until it ends.
struct RankTimes {
    Duration finish;
    Duration computing;
    Duration communicating;  // its processor sends or receives

    Duration waiting() const { return finish - computing - communicating; }
};

// What only the run of steps or messages has.
struct MessageTimes {
    MessageMethod method = MessageMethod::standard;
    std::vector<RankTimes> ranks;
    Duration computation;            // of the slowest rank, summed over the steps
    std::uint64_t cycle_breaks = 0;  // messages that the overestimate sends out of turn
};

struct MessagesBasis {
    std::string format;  // "json"
    std::string name;
    std::uint32_t ranks = 0;
    std::uint64_t steps = 0;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    Duration work;  // computing, of all ranks
    Network network;
    std::string network_values;             // "L 9 µs, o 2 µs, g 14 µs, G 30 ns/byte"
    std::string network_source;             // where the values come from, for people
    bool carries_clocks = false;            // from step to step; else each begins behind a barrier
    std::optional<std::uint64_t> tie_seed;  // ties are drawn; none: the lowest rank first
};

}  // namespace parcast
