#include "machine/team_waiting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "machine/limits.h"

namespace parcast {

namespace {

constexpr double usual_turns = 300'000;  // that Waiting::team_spin takes without a policy
constexpr double usual_crowded_turns = 100;
constexpr double active_crowded_turns = 1'000;

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view blanks = " \t\n\v\f\r";
    auto const first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lower;
}

std::optional<double> factor_of(std::string_view suffix) {
    if (suffix.empty())
        return 1;
    constexpr std::string_view suffixes = "kmgt";
    auto const found = suffix.size() == 1 ? suffixes.find(suffix.front()) : std::string_view::npos;
    if (found == std::string_view::npos)
        return std::nullopt;
    return std::pow(1000.0, static_cast<double>(found) + 1);
}

// Spinning without end is bounded, so that a deadlock of spinning threads is found.
Duration turns_of(double count, double turn_ns) {
    auto const ns = std::min(count * turn_ns, static_cast<double>(spin_limits.high_ns));
    return Duration{std::isnan(ns) ? 0 : std::llround(ns)};
}

}  // namespace

std::optional<WaitPolicy> parse_wait_policy(std::string_view text) {
    auto const found = std::ranges::find(wait_policies, in_lower_case(without_blanks(text)));
    if (found == wait_policies.end())
        return std::nullopt;
    return static_cast<WaitPolicy>(found - wait_policies.begin());
}

std::optional<double> parse_spin_count(std::string_view text) {
    auto const lower = in_lower_case(without_blanks(text));
    if (lower == "infinite" || lower == "infinity")
        return std::numeric_limits<double>::infinity();
    auto const end = std::min(lower.find_first_not_of("0123456789"), lower.size());
    auto const factor = factor_of(without_blanks(std::string_view(lower).substr(end)));
    if (end == 0 || !factor)
        return std::nullopt;
    double count = 0;
    for (char const digit : std::string_view(lower).substr(0, end))
        count = 10 * count + (digit - '0');
    return count * *factor;
}

Waiting with_team_waiting(Waiting usual, std::optional<WaitPolicy> policy, std::optional<double> spin_count) {
    if (!policy && !spin_count)
        return usual;
    // A machine whose teams do not spin has no price of a turn.
    double const turn_ns = static_cast<double>(usual.team_spin.ns) / usual_turns;
    double const crowded_turn_ns = static_cast<double>(usual.crowded_team_spin.ns) / usual_crowded_turns;
    double const policy_turns = !policy                         ? usual_turns
                                : *policy == WaitPolicy::active ? std::numeric_limits<double>::infinity()
                                                                : 0;
    double const policy_crowded_turns = !policy                         ? usual_crowded_turns
                                        : *policy == WaitPolicy::active ? active_crowded_turns
                                                                        : 0;
    double const turns = spin_count.value_or(policy_turns);
    Waiting waiting = usual;
    waiting.team_spin = std::isinf(turns) ? Duration{spin_limits.high_ns} : turns_of(turns, turn_ns);
    waiting.crowded_team_spin = turns_of(std::min(policy_crowded_turns, turns), crowded_turn_ns);
    return waiting;
}

}  // namespace parcast
