// Why a command does not do what it is asked for: an exit status, what is wrong, and the way out.

#pragma once

#include <string>

namespace parcast::cli {

struct Refusal {
    int status;
    std::string message;
    std::string advice;
};

// Says it. Returns its status.
int refuse(Refusal const& refusal);

}  // namespace parcast::cli
