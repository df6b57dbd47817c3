#include "analysis/scaling.h"

#include <array>
#include <cstddef>

namespace parcast::analysis {

namespace {

constexpr std::size_t cause_count = static_cast<std::size_t>(Cause::no_thread) + 1;

}  // namespace

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

std::optional<Limit> largest_loss(std::span<Limit const> limits, double least_share) {
    std::array<Limit, cause_count> totals{};
    std::array<Limit, cause_count> largest_part{};
    for (Limit const& limit : limits) {
        auto const cause = static_cast<std::size_t>(limit.cause);
        totals[cause].cause = limit.cause;
        totals[cause].processor_time += limit.processor_time;
        totals[cause].share += limit.share;
        if (!limit.object.is_none() && limit.processor_time > largest_part[cause].processor_time)
            largest_part[cause] = limit;
    }
    std::optional<Limit> largest;
    for (std::size_t cause = 0; cause < cause_count; ++cause) {
        bool const is_loss =
            cause != static_cast<std::size_t>(Cause::busy) && totals[cause].share > least_share;
        if (is_loss && (!largest || totals[cause].processor_time > largest->processor_time)) {
            bool const one_object = largest_part[cause].processor_time * 2 >= totals[cause].processor_time;
            largest = totals[cause];
            largest->object = one_object ? largest_part[cause].object : ObjectId::none();
        }
    }
    return largest;
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
