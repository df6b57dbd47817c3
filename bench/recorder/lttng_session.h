// A running session of LTTng-UST with the events of its pthread wrapper enabled, for comparison: without one
// the wrapper traces nothing. Owns a session daemon of its own, with its files in a folder of its own; both
// are gone when this is, and when the process is killed.

#pragma once

#include <cstdint>
#include <string>

#include "command.h"

namespace parcast::bench {

class LttngSession {
public:
    // Starts it; on failure `why_not()` says what is missing.
    LttngSession();

    // Empty if it runs.
    std::string const& why_not() const { return why_not_; }

    // REQUIRES: why_not().empty().
    Variant variant() const;

    // Events that were thrown away since the session began, because the daemon was behind: a program that
    // lost some did not pay for tracing. Waits until what was traced is written.
    // REQUIRES: why_not().empty(), and no traced program runs.
    std::uint64_t discarded_events() const;

private:
    std::string line(std::string const& words) const;
    bool command(std::string const& words) const;

    SharedFolder folder_;
    std::string why_not_;
};

}  // namespace parcast::bench
