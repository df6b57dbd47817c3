// Lines of `perf script` about events of the scheduler: docs/formats/perf-sched.md has the grammar.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace parcast::trace {

enum class SchedEventKind : std::uint8_t { switched, woken, forked, exited, migrated, other };

// What happens on `cpu`, where `running` runs. Names refer to the text.
struct SchedEvent {
    SchedEventKind kind = SchedEventKind::other;
    std::int64_t time_ns = 0;
    std::uint32_t cpu = 0;
    std::uint32_t running = 0;
    std::string_view running_name;
    std::uint32_t first = 0;  // that loses the CPU, is woken, forks, exits or migrates
    std::string_view first_name;
    std::uint32_t second = 0;  // switched: that gets the CPU; forked: the child
    std::string_view second_name;
    char state = 'R';  // switched: of the first, as the kernel writes it
};

// None: the line is none of perf script.
std::optional<SchedEvent> sched_event_in(std::string_view line);

}  // namespace parcast::trace
