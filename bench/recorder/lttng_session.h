// A running session of LTTng-UST with the events of its pthread wrapper enabled, for comparison: without one
// the wrapper traces nothing. Owns a session daemon of its own, with its files in a folder of its own.

#pragma once

#include <optional>
#include <string>

#include "command.h"

namespace parcast::bench {

class LttngSession {
public:
    // Starts it; on failure `why_not()` says what is missing.
    LttngSession();
    ~LttngSession();
    LttngSession(LttngSession const&) = delete;
    LttngSession& operator=(LttngSession const&) = delete;

    // Empty if it runs.
    std::string const& why_not() const { return why_not_; }

    // REQUIRES: why_not().empty().
    Variant variant() const;

private:
    bool command(std::string const& words) const;

    SharedFolder folder_;
    std::string why_not_;
};

}  // namespace parcast::bench
