// parcast info FILE: what is in a recording; parcast info FOLDER: which recordings are in a folder.

#pragma once

#include <string>

namespace parcast::cli {

struct InfoArguments {
    std::string file;
    bool json = false;
    bool findings_only = false;
    bool all = false;  // no table is cut
};

// Returns an exit status.
int info(InfoArguments const& arguments);

}  // namespace parcast::cli
