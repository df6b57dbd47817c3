// What a host offers and lacks for what parcast does: a row for each check (src/host).

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parcast {

enum class HostState : std::uint8_t { ok, limited, missing };

constexpr char const* name_of(HostState state) {
    constexpr std::array names{"ok", "limited", "missing"};
    return names[static_cast<std::size_t>(state)];
}

struct HostCheck {
    std::string_view area;  // "recording"
    std::string_view name;  // "cpu_clock": stable
    HostState state = HostState::ok;
    std::string found;
    std::string follows = {};  // a sentence; may be empty
    std::string remedy = {};   // a command, or a short sentence; empty: nothing is needed
};

// A default value of an option, and where it comes from.
struct ConfiguredValue {
    std::string verb;    // empty: of all verbs that have the option
    std::string option;  // without its dashes
    std::string value;
    std::string source;          // "PARCAST_CPUS", ".parcast.toml:3"
    bool is_overridden = false;  // by one that comes before it
};

struct HostAnswer {
    std::string host;
    std::string program;  // that was asked about, or empty
    std::vector<HostCheck> checks;
    std::vector<ConfiguredValue> configuration;
};

}  // namespace parcast
