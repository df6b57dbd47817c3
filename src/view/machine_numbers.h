// How the numbers of a machine lie in section `machine` of a program as bytes (docs/formats/execution.md):
// those that are no fields come first, then the fields of every scheduler, of costs, of waiting and of
// devices.

#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "machine/machine.h"
#include "machine/schedulers.h"

namespace parcast::view {

enum MachineNumber : std::uint8_t { machine_cpus, machine_scheduler, machine_lock_policy, named_numbers };

inline constexpr std::size_t machine_numbers = [] {
    auto numbers =
        named_numbers + Costs::fields().size() + Waiting::fields().size() + Devices::fields().size();
    for (auto const& row : schedulers)
        numbers += std::visit([](auto const& kind) { return kind.fields().size(); }, row.scheduler);
    return numbers;
}();

}  // namespace parcast::view
