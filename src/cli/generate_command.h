// parcast generate taskgraph STRUCTURE: an input to predict about, with the structure of a known program.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace parcast::cli {

class OptionTable;

struct GenerateArguments {
    std::string kind;  // "taskgraph"
    std::string structure;
    std::optional<std::uint32_t> size;  // absent: that of the structure's usual input
    std::uint64_t seed = 1;
    std::optional<std::string> output;  // absent: STRUCTURE-SIZE.json; "-": standard output
    bool force = false;
    bool json = false;
};

void describe_options(OptionTable& options, GenerateArguments& arguments);

// Returns an exit status.
int generate_input(GenerateArguments const& arguments);

}  // namespace parcast::cli
