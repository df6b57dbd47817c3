// parcast info FILE: what is in a recording; parcast info FOLDER: which recordings are in a folder.

#pragma once

#include <string>

namespace parcast::cli {

class OptionTable;
struct GivenOptions;

struct InfoArguments {
    std::string file;
    bool json = false;
    bool findings_only = false;
    bool all = false;  // no table is cut

    friend bool operator==(InfoArguments const&, InfoArguments const&) = default;
};

void describe_options(OptionTable& options, InfoArguments& arguments);

// Returns an exit status.
int info(InfoArguments const& arguments, GivenOptions const& given);

}  // namespace parcast::cli
