#include "measure/host_laboratory.h"

#include <cstring>
#include <utility>

#include <time.h>

#include "core/time_text.h"
#include "measure/clock.h"
#include "measure/ending_signals.h"
#include "measure/idle_time.h"

namespace parcast::measure {

namespace {

Duration idle_between(std::optional<Duration> begin, std::optional<Duration> end, Duration otherwise) {
    return begin && end ? *end - *begin : otherwise;
}

}  // namespace

HostLaboratory::HostLaboratory(std::vector<unsigned> cpus, std::vector<ChildRequest> variants,
                               BeforeRun before_run)
    : cpus_(std::move(cpus)), variants_(std::move(variants)), before_run_(std::move(before_run)) {}

double HostLaboratory::rest(Duration pause) {
    std::int64_t const start_ns = kernel_now().ns;
    auto const begin = read_idle_time(cpus_);
    timespec const time{pause.ns / 1'000'000'000, pause.ns % 1'000'000'000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
    auto const end = read_idle_time(cpus_);
    // A busy machine ends the pause late.
    Duration const rested{kernel_now().ns - start_ns};
    Duration const all = rested * static_cast<std::int64_t>(cpus_.size());
    // Where nobody tells, the machine counts as quiet.
    return share_of_others(idle_between(begin, end, all), Duration{0}, rested, cpus_.size());
}

Result<ObservedRun> HostLaboratory::run(std::size_t variant) {
    if (auto ready = before_run_(variant); !ready)
        return pass_on(ready);
    auto const begin = read_idle_time(cpus_);
    auto run = run_child(variants_[variant]);
    auto const end = read_idle_time(cpus_);
    if (!run)
        return pass_on(run);
    if (!run->succeeded(variants_[variant].usual_exit_status))
        return fail(ErrorCode::inconsistent, ending_signal()
                                                 ? "was ended when parcast was interrupted"
                                                 : end_of(*run, variants_[variant].time_limit_name));
    Duration const all = run->wall * static_cast<std::int64_t>(cpus_.size());
    Duration const own = run->processor_time();
    return ObservedRun{*run,
                       share_of_others(idle_between(begin, end, all - own), own, run->wall, cpus_.size())};
}

std::string end_of(ChildRun const& run, std::string const& time_limit_name) {
    if (run.exceeded_time_limit)
        return "was ended after " + time_text(run.wall) + ", " + time_limit_name;
    if (run.death_signal) {
        return "was killed by signal " + std::to_string(*run.death_signal) + " (" +
               strsignal(*run.death_signal) + ")";
    }
    return "ended with status " + std::to_string(run.exit_status.value_or(0));
}

}  // namespace parcast::measure
