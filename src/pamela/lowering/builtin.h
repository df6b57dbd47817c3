// The names that the language itself gives a meaning, and what they take.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace parcast::pamela {

enum class Builtin : std::uint8_t {
    use,
    delay,
    fcfs,
    rho,
    moments,
    unitvec,
    maximum,
    minimum,
    // helpers: a model may give these names another meaning
    repeat,
    scale,
    exponential,
    uniform,
    normal,
    erlang,
    deterministic,
    empirical,
    bernoulli,
    branch,
    ceiling,
    floor,
    round,
    absolute,
    logarithm_2,
    logarithm,
    power_of_e,
    square_root,
};

struct BuiltinForm {
    std::string_view name;
    Builtin builtin;
    std::string_view arguments;  // "time", "index, multiplicity"; empty: none
    std::size_t least;           // number of arguments
    std::size_t most;
    bool may_be_redefined;
};

std::optional<BuiltinForm> builtin_named(std::string_view name);
std::vector<std::string_view> const& builtin_names();

}  // namespace parcast::pamela
