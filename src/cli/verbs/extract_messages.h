// parcast extract of a message program: the same program in another format.

#pragma once

#include <optional>
#include <string>

#include "cli/options/option_table.h"
#include "program/collectives/collective_choice.h"

namespace parcast::cli {

struct MessageExtraction {
    std::optional<CollectiveChoice> collectives;  // absent: as Open MPI; for formats without collectives
    std::optional<double> flops_per_ns;           // of a trace that counts flops

    friend bool operator==(MessageExtraction const&, MessageExtraction const&) = default;
};

// The exit status. REQUIRES: the form of `file` is that of a message program.
int extract_messages(std::string const& file, OutputArguments const& output, MessageExtraction const& given);

}  // namespace parcast::cli
