// parcast extract FILE: a recording as a task graph, for schedules, contention and theories to be tried on,
// or as a model in the PAMELA language, a formula of how often things are repeated.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace parcast::cli {

class OptionTable;
struct GivenOptions;

struct ExtractArguments {
    std::string file;                   // of a recording, or of a task graph to condense
    std::optional<std::string> output;  // absent: NAME.taskgraph.json; "-": standard output; *.pam: a model
    std::optional<std::uint32_t> condense;  // to so many processes
    std::optional<std::string> schedule;    // that divides the tasks; absent: pinned if they are, or block
    bool closest = false;  // a model also of what is not series-parallel, with precedences added
    bool force = false;
    bool json = false;

    friend bool operator==(ExtractArguments const&, ExtractArguments const&) = default;
};

void describe_options(OptionTable& options, ExtractArguments& arguments);

// Returns an exit status.
int extract_task_graph(ExtractArguments const& arguments, GivenOptions const& given);

}  // namespace parcast::cli
