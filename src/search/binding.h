// Which threads should share a processor? Strategies over an evaluator that is given: this room knows neither
// programs nor machines (Broberg 2002, papers IV and V).

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace parcast::search {

using Binding = std::vector<std::uint32_t>;  // the processor of each thread

struct BindingProblem {
    std::vector<std::int64_t> work_ns;  // by thread
    std::uint32_t processors = 1;
};

enum class BindingStrategy : std::uint8_t { binpack, sga, c_sga, greedy, dynamic_start, exhaustive };
struct BindingStrategyRow {
    std::string_view word;
    std::string_view meaning;  // for a list of them
};
inline constexpr std::array<BindingStrategyRow, 6> binding_strategies{{
    {"binpack", "threads by falling work, each to the processor with least"},
    {"sga", "the same order, each where a replay with the rest alone is fastest"},
    {"c-sga", "the better one of these two"},
    {"greedy", "moves and swaps threads at random, from binpack on, while that helps"},
    {"dynamic-start", "greedy again and again, from random bindings"},
    {"exhaustive", "all, up to the names of processors"},
}};

inline constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::max();  // a deadlock

// The time of each. A binding of `sga` names processors beyond the problem's, each for a thread alone. The
// first thread is always on processor 0, the first one elsewhere on 1, and so on.
using TestBindings = std::function<std::vector<std::int64_t>(std::vector<Binding> const& bindings)>;

struct BindingLimits {
    std::uint64_t tests = 2000;  // of greedy, dynamic-start and exhaustive
    std::uint64_t seed = 0;
};

struct FoundBinding {
    Binding binding;
    std::int64_t time_ns = no_time;
    std::uint64_t tests = 0;  // replays
    bool is_best_of_all = false;
};

// How many bindings there are, up to the names of processors; none: more than `most`.
std::optional<std::uint64_t> binding_count(std::size_t threads, std::uint32_t processors, std::uint64_t most);

// binpack, sga and c_sga are whole whatever the limits; greedy also ends after 100 tests without a gain, or
// where 400 neighbours in turn are known. The same seed gives the same binding. REQUIRES: at least one thread
// and processor.
FoundBinding find_binding(BindingProblem const& problem, BindingStrategy strategy,
                          BindingLimits const& limits, TestBindings const& test);

}  // namespace parcast::search
