// parcast formula MODEL.pam: the time-domain model of a process, a model again.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parcast::cli {

class OptionTable;
struct GivenOptions;

struct FormulaArguments {
    std::string file;
    std::vector<std::string> settings;    // "P=100"
    std::vector<std::string> parameters;  // equations that stay symbolic
    std::optional<std::string> of;        // a process or a numeric equation; absent: main
    bool all = false;                     // every process without formal parameters
    bool unsimplified = false;
    bool phases = false;
    bool all_digits = false;
    bool latex = false;
    bool python = false;
    bool json = false;

    friend bool operator==(FormulaArguments const&, FormulaArguments const&) = default;
};

void describe_options(OptionTable& options, FormulaArguments& arguments);

// Returns an exit status.
int formula(FormulaArguments const& arguments, GivenOptions const& given);

}  // namespace parcast::cli
