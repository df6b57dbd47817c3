#include "record/watch/run_watch.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <utility>

#include "core/time_text.h"
#include "measure/ending_signals.h"
#include "record/clock_pair.h"
#include "record/watch/thread_times.h"

namespace parcast::record {

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t grace_ns = 2 * second_ns;  // from SIGTERM to SIGKILL

std::int64_t now_ns() {
    return static_cast<std::int64_t>(read_clock_pair().monotonic_ns);
}

constexpr Duration moment{10'000'000};

std::vector<ThreadClock> clocks_of(std::vector<pid_t> const& processes) {
    std::vector<ThreadClock> clocks;
    for (pid_t const process : processes) {
        for (pid_t const thread : threads_of(process))
            if (auto const times = times_of(process, thread))
                clocks.push_back({process, static_cast<std::uint32_t>(thread), times->run_ns});
    }
    return clocks;
}

}  // namespace

RunWatch::RunWatch(RecordingFolder const& folder, unsigned cpu, std::optional<Duration> time_limit,
                   SignalsAreFor signals, Listener const& tell)
    : folder_(&folder),
      cpu_(cpu),
      time_limit_(time_limit),
      tell_(&tell),
      begin_ns_(now_ns()),
      next_look_ns_(begin_ns_ + second_ns),
      busy_wait_watch_(folder),
      ended_files_(folder) {
    if (time_limit_ || signals == SignalsAreFor::parcast)
        family_.emplace();
}

Duration RunWatch::look() {
    if (family_ && measure::ending_signal()) {
        family_->signal_all(SIGKILL);
        return moment;
    }
    std::int64_t const now = now_ns();
    Duration const until_look = std::min(look_for_busy_waits(now), ended_files_.trim(now));
    return time_limit_ ? std::min(until_look, enforce_limit(now)) : until_look;
}

Duration RunWatch::look_for_busy_waits(std::int64_t now) {
    if (now < next_look_ns_)
        return Duration{next_look_ns_ - now};
    for (SeenBusyWait& seen : busy_wait_watch_.look()) {
        (*tell_)({Notice::Kind::warning,
                  "process " + std::to_string(seen.process) + ", thread " +
                      std::to_string(seen.kernel_thread) + " waits by running, in " + seen.place +
                      ": on one CPU it takes the time of the thread that it waits for",
                  "From now on the CPU changes hands every 100 us, which helps. If that is not enough, end "
                  "the recording in time (--time-limit 30s), or let the program block or yield there."});
        observations_.busy_waits.push_back(std::move(seen));
    }
    if (!observations_.busy_waits.empty() && !preemption_)
        preemption_.emplace(cpu_);
    next_look_ns_ = now_ns() + busy_wait_watch_.pause().ns;
    return busy_wait_watch_.pause();
}

Duration RunWatch::enforce_limit(std::int64_t now) {
    if (!stopped_) {
        std::int64_t const due = begin_ns_ + time_limit_->ns;
        if (now < due)
            return Duration{due - now};
        (*tell_)({Notice::Kind::warning,
                  "the time limit of " + time_text(*time_limit_) + " is reached: the program is ended"});
        stopped_ = read_clock_pair();
        observations_.clocks_when_stopped = clocks_of(recorded_processes());
        kill_at_ns_ = now + grace_ns;
        family_->signal_all(SIGTERM);
        return Duration{grace_ns};
    }
    if (now < kill_at_ns_)
        return Duration{kill_at_ns_ - now};
    family_->signal_all(SIGKILL);
    return Duration{second_ns};
}

void RunWatch::finish() {
    preemption_.reset();
    if (!stopped_ && family_ && measure::ending_signal())
        kill_at_ns_ = now_ns();
    else if (!stopped_)
        return;
    constexpr timespec pause{0, moment.ns};
    std::int64_t const give_up = kill_at_ns_ + second_ns;
    while (!family_->living().empty() && now_ns() < give_up) {
        if (now_ns() >= kill_at_ns_)
            family_->signal_all(SIGKILL);
        nanosleep(&pause, nullptr);
    }
}

std::vector<pid_t> RunWatch::recorded_processes() const {
    std::vector<pid_t> processes;
    for (RawFile const& file : folder_->raw_files()) {
        auto const process = static_cast<pid_t>(file.process);
        bool const is_known = !processes.empty() && processes.back() == process;
        if (!is_known && is_recorded_in(folder_->path(), file.process))
            processes.push_back(process);
    }
    return processes;
}

}  // namespace parcast::record
