// How the threads of OpenMP teams wait, as the variables of libgomp set it (GCC 14, libgomp/env.c).

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "machine/costs.h"

namespace parcast {

// OMP_WAIT_POLICY.
enum class WaitPolicy : std::uint8_t { active, passive };
inline constexpr auto wait_policies = std::to_array<std::string_view>({"active", "passive"});

// In any case, with blanks around it. None: libgomp ignores it.
std::optional<WaitPolicy> parse_wait_policy(std::string_view text);

// GOMP_SPINCOUNT: a number of turns with k, M, G or T behind it, or infinite. None: libgomp ignores it.
std::optional<double> parse_spin_count(std::string_view text);

// `usual` is how teams wait without these variables. Active is 30,000 million turns, and 1000 where there are
// more threads than processors; passive is none. A number of turns replaces the former and limits the latter.
Waiting with_team_waiting(Waiting usual, std::optional<WaitPolicy> policy,
                          std::optional<double> spin_count = std::nullopt);

}  // namespace parcast
