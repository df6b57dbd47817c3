// Rounds of measurements on a machine that others may use, too: those that others disturbed are left out.

#pragma once

#include <ctime>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/counted.h"
#include "core/notice.h"
#include "core/percent_text.h"
#include "core/result.h"
#include "core/time.h"
#include "measure/clock.h"
#include "measure/ending_signals.h"
#include "measure/others_watch.h"

namespace parcast::calibrate {

// Others may use so much of the CPUs before the measurement begins, and in each round of it.
inline constexpr double most_used_by_others = 0.1;
inline constexpr Duration longest_wait{5'000'000'000};

template <class Samples>
struct Measured {
    Samples samples;
    unsigned rounds = 0;
    unsigned disturbed_rounds = 0;
    Duration wall;
    std::vector<std::string> notes;
    bool is_doubtful = false;
};

// Now, as ISO 8601.
inline std::string utc_date() {
    std::time_t const now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

inline std::string used_by_others(double share) {
    return "other processes, or the host of this virtual machine, used " + percent_text(share) +
           " of the CPUs' time ";
}

// The share of `cpus` that others used at last, after a wait for a quiet machine that is no longer than the
// measurement.
inline double used_before(std::vector<unsigned> const& cpus, unsigned seconds) {
    Duration const patience = std::min(longest_wait, Duration{std::int64_t{seconds} * 1'000'000'000});
    return measure::wait_until_quiet(cpus, most_used_by_others, patience);
}

// Rounds until the time is over or a signal ends parcast (measure::EndingSignals), at least one. Those that
// others disturbed count only if there are no others. `round` gives a Result<Samples>; append(samples,
// round's) is found by its arguments.
template <class Samples, class Round>
Result<Measured<Samples>> measure_for(unsigned seconds, std::vector<unsigned> const& cpus, Round&& round,
                                      Listener const& tell) {
    Measured<Samples> measured;
    Samples disturbed;
    measure::OthersWatch const watch(cpus);
    std::int64_t const start = measure::wall_ns();
    std::int64_t const end = start + std::int64_t{seconds} * 1'000'000'000;
    do {
        tell({Notice::Kind::progress, "measuring for " + std::to_string(seconds) + " s: " +
                                          std::to_string((measure::wall_ns() - start) / 1'000'000'000) +
                                          " s, " + counted(measured.rounds, "round")});
        measure::OthersWatch const round_watch(cpus);
        auto samples = round();
        // Its waits may have ended early.
        if (measure::ending_signal() && measured.rounds + measured.disturbed_rounds > 0)
            break;
        if (!samples)
            return pass_on(samples);
        bool const is_disturbed = round_watch.share() > most_used_by_others;
        append(is_disturbed ? disturbed : measured.samples, std::move(*samples));
        ++(is_disturbed ? measured.disturbed_rounds : measured.rounds);
    } while (measure::wall_ns() < end && !measure::ending_signal());
    measured.wall = {measure::wall_ns() - start};
    if (measured.rounds == 0) {
        measured.notes.push_back(
            used_by_others(watch.share()) +
            "during the measurement, in each round too much: the values below are doubtful.");
        measured.is_doubtful = true;
        measured.samples = std::move(disturbed);
        measured.rounds = std::exchange(measured.disturbed_rounds, 0);
    }
    return measured;
}

}  // namespace parcast::calibrate
