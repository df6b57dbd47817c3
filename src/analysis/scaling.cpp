#include "analysis/scaling.h"

namespace parcast::analysis {

Scaling scaling(std::span<SpeedUpAt const> predictions) {
    SpeedUpAt last{1, 1.0};
    std::optional<std::uint32_t> first_beyond;
    for (SpeedUpAt const& next : predictions) {
        if (next.cpus <= last.cpus)
            continue;  // one processor itself
        double const gain = (next.speed_up - last.speed_up) / static_cast<double>(next.cpus - last.cpus);
        if (gain >= worthwhile_gain) {
            last = next;
            first_beyond.reset();
        } else if (!first_beyond) {
            first_beyond = next.cpus;
        }
    }
    return {last.cpus, first_beyond};
}

std::optional<BusiestThread> busiest_thread(Accounts const& accounts) {
    std::optional<BusiestThread> busiest;
    Duration most{0};
    for (std::size_t i = 0; i < accounts.threads.size(); ++i) {
        Duration const running = accounts.threads[i][ThreadState::running];
        if (running > most) {
            most = running;
            busiest = {ThreadId(i), to_real(running).ns / to_real(accounts.completion).ns};
        }
    }
    return busiest;
}

}  // namespace parcast::analysis
