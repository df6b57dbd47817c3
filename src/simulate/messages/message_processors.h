// The CPUs and NICs of a rank that a message program uses, and the pairs of them. A pair is what a send
// names; its message takes the CPU and NIC with the same numbers at the receiver.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/message_program.h"

namespace parcast::simulate {

struct MessageProcessors {
    struct Pair {
        std::uint8_t cpu = 0;
        std::uint8_t nic = 0;
        friend auto operator<=>(Pair const&, Pair const&) = default;
    };
    std::uint32_t cpus = 1;
    std::vector<Pair> pairs = {{}};
    std::vector<std::uint16_t> pair_of;  // by cpu * 256 + nic; empty: there is one
    std::uint32_t places = 1;            // the most of these

    explicit MessageProcessors(MessageProgram const& program) {
        if (program.cpu.empty() && program.nic.empty())
            return;
        pairs.clear();
        std::uint32_t nics = 1;
        for (std::size_t each = 0; each < program.operations(); ++each) {
            cpus = std::max(cpus, program.cpu_of(each) + 1);
            nics = std::max(nics, program.nic_of(each) + 1);
        }
        std::vector<bool> is_used(256 * 256, false);
        for (std::size_t each = 0; each < program.operations(); ++each)
            if (program.kind[each].operation() == MessageOperation::send)
                is_used[program.cpu_of(each) * 256 + program.nic_of(each)] = true;
        pair_of.resize(is_used.size());
        for (std::size_t each = 0; each < is_used.size(); ++each)
            if (is_used[each]) {
                pair_of[each] = static_cast<std::uint16_t>(pairs.size());
                pairs.push_back(
                    {static_cast<std::uint8_t>(each / 256), static_cast<std::uint8_t>(each % 256)});
            }
        places = std::max({cpus, nics, static_cast<std::uint32_t>(pairs.size())});
    }
};

}  // namespace parcast::simulate
