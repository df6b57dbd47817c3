#include "measure/ending_signals.h"

#include <cstddef>

namespace parcast::measure {

namespace {

// A handler can be given nothing else.
std::sig_atomic_t volatile noted_signal = 0;

// Those that live; by one thread.
std::size_t alive = 0;

void note_signal(int signal) {
    noted_signal = signal;
}

}  // namespace

std::optional<int> ending_signal() {
    int const signal = noted_signal;
    return signal == 0 ? std::nullopt : std::optional(signal);
}

std::optional<int> take_ending_signal() {
    auto const signal = ending_signal();
    noted_signal = 0;
    return signal;
}

EndingSignals::EndingSignals() {
    if (alive++ > 0)
        return;
    noted_signal = 0;
    for (std::size_t i = 0; i < signals.size(); ++i) {
        struct sigaction action{};
        action.sa_handler = note_signal;  // without SA_RESTART: waits are to end
        sigemptyset(&action.sa_mask);
        sigaction(signals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, nullptr);
    }
}

EndingSignals::~EndingSignals() {
    if (--alive > 0)
        return;
    for (std::size_t i = 0; i < signals.size(); ++i)
        sigaction(signals[i], &before_[i], nullptr);
    if (auto const signal = take_ending_signal())
        raise(*signal);
}

}  // namespace parcast::measure
