// Signals that end this process, held back while it runs programs, so that those are ended first: SIGTERM,
// SIGHUP and SIGINT are only noted while an EndingSignals lives. Whoever waits for a program meanwhile looks
// at ending_signal(), which also interrupts poll(2), and ends it. A signal that was ignored before stays so.

#pragma once

#include <array>
#include <csignal>
#include <optional>

namespace parcast::measure {

// The one that came; none if none came, or nobody holds them back.
std::optional<int> ending_signal();

// The same, and it is over with that: nobody is ended by it.
std::optional<int> take_ending_signal();

// One that begins while another lives leaves everything to that.
class EndingSignals {
public:
    EndingSignals();
    EndingSignals(EndingSignals const&) = delete;
    EndingSignals& operator=(EndingSignals const&) = delete;
    // Does what the signal that came would have done, unless it was taken: ends this process.
    ~EndingSignals();

private:
    static constexpr std::array signals{SIGTERM, SIGHUP, SIGINT};

    std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace parcast::measure
