#include "measure/ending_signals.h"

#include <cstddef>

namespace parcast::measure {

namespace {

// A handler can be given nothing else.
std::sig_atomic_t volatile noted_signal = 0;

void note_signal(int signal) {
    noted_signal = signal;
}

}  // namespace

std::optional<int> ending_signal() {
    int const signal = noted_signal;
    return signal == 0 ? std::nullopt : std::optional(signal);
}

EndingSignals::EndingSignals() {
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
    for (std::size_t i = 0; i < signals.size(); ++i)
        sigaction(signals[i], &before_[i], nullptr);
    auto const signal = ending_signal();
    noted_signal = 0;
    if (signal)
        raise(*signal);
}

}  // namespace parcast::measure
