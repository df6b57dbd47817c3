// A message program in the page: as bytes that a report carries, and its replay on a network that the page
// names by numbers (docs/formats/execution.md).

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "answer/messages.h"
#include "core/result.h"
#include "machine/network.h"
#include "program/message_program.h"
#include "view/replay_on_demand.h"
#include "view/sections.h"

namespace parcast::view {

// What a message costs, and where ranks lie.
struct MessageSetting {
    Network network;
    std::uint32_t nodes = 0;  // packed with ranks; 0: as it was asked for

    friend bool operator==(MessageSetting const&, MessageSetting const&) = default;
};

// Its numbers: the network's kind, L, o, O, g, G and the bytes of a rendezvous; whether there are others
// inside a node, and these; nodes.
inline constexpr std::size_t setting_numbers = 15;
std::array<double, setting_numbers> numbers_of(MessageSetting const& setting);
// Errors: malformed, and those of check(network).
Result<MessageSetting> setting_of(std::span<double const> numbers);

// REQUIRES of all below: check(program) holds; it has no collectives.
struct PortableMessages {
    MessageProgram program;
    std::vector<std::uint32_t> node_of_rank = {};  // as it was asked for; empty: each rank has its own
    double cpu_speed = 1;
};
Bytes message_program_bytes(MessageProgram const& program, std::vector<std::uint32_t> const& node_of_rank,
                            double cpu_speed);

// Hostile input is refused. Errors: those of SectionReader, malformed, those of check(program).
// REQUIRES: the bytes begin at a multiple of 8.
Result<PortableMessages> read_message_program(std::span<std::byte const> bytes);

// The execution, as bytes. Errors: those of simulate::replay_messages, and out_of_range (more lanes than a
// page can number).
Result<Bytes> replay_messages(MessageProgram const& program, std::vector<std::uint32_t> node_of_rank,
                              double cpu_speed, MessageSetting const& setting, Detail detail);

}  // namespace parcast::view
