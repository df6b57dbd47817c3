// For verbs that print what they have when Ctrl-C, or another signal that ends parcast, comes while they
// work.

#pragma once

#include <string>

#include "core/error.h"
#include "measure/ending_signals.h"

namespace parcast::cli {

// Holds such signals back while it lives.
class Interruption {
public:
    static bool has_come() { return measure::ending_signal().has_value(); }

    // The exit status: 128 + signal if one came, which is over with that; else `usual`.
    static int status_or(int usual);

    // If a signal came, it is the reason, and not this error. Returns the exit status.
    static int print_failure_or_interruption(Error const& error);

private:
    measure::EndingSignals held_back_;
};

}  // namespace parcast::cli
