#include "measure/others_watch.h"

#include <chrono>
#include <thread>
#include <utility>

#include <sys/resource.h>

#include "measure/clock.h"
#include "measure/idle_time.h"

namespace parcast::measure {

namespace {

constexpr std::chrono::milliseconds look{250};

Duration to_duration(timeval const& time) {
    return {std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1'000};
}

Duration own_cpu_time() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return to_duration(usage.ru_utime) + to_duration(usage.ru_stime);
}

}  // namespace

OthersWatch::OthersWatch(std::vector<unsigned> cpus)
    : cpus_(std::move(cpus)),
      start_ns_(kernel_now().ns),
      idle_(read_idle_time(cpus_)),
      own_(own_cpu_time()) {}

double OthersWatch::share() const {
    auto const idle = read_idle_time(cpus_);
    Duration const wall{kernel_now().ns - start_ns_};
    if (!idle || !idle_ || wall.ns <= 0)
        return 0;
    return share_of_others(*idle - *idle_, own_cpu_time() - own_, wall, cpus_.size());
}

double wait_until_quiet(std::vector<unsigned> const& cpus, double most, Duration longest) {
    std::int64_t const end = wall_ns() + longest.ns;
    double share = 0;
    do {
        OthersWatch const watch(cpus);
        std::this_thread::sleep_for(look);
        share = watch.share();
    } while (share >= most && wall_ns() < end);
    return share;
}

}  // namespace parcast::measure
