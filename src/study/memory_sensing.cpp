#include "study/memory_sensing.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate/pressure.h"
#include "core/counted.h"
#include "core/time_text.h"
#include "measure/clock.h"
#include "measure/ending_signals.h"
#include "measure/host_description.h"
#include "study/program_streams.h"
#include "study/sensitivity.h"

namespace parcast::study {

namespace {

constexpr Duration loop_window{25'000'000};
constexpr std::size_t loops_at_once = 3;
constexpr double good_slowdown = 1.25;  // of the loop that moves memory: enough to measure by
constexpr std::size_t most_pressers = 16;
constexpr std::size_t most_pairs = 7;
constexpr Duration enough_time{10'000'000'000};
constexpr Duration long_run{5'000'000'000};  // takes part in the first pair itself
constexpr Duration least_work{20'000'000};
constexpr Duration least_limit{10'000'000'000};
constexpr std::int64_t times_as_long = 10;  // as the first run: then a further one hangs

struct TimedRun {
    record::ProgramEnd end;
    std::int64_t wall_ns = 0;
};

class Sensing {
public:
    Sensing(record::RecordingRequest request, record::RecordedRun const& first, RepeatableInput const& input,
            measure::HostDescription const& host)
        : request_(std::move(request)),
          first_(first),
          input_(input),
          others_(host.cpus),
          arrays_(std::min(host.cpus.size(), most_pressers + 1), host.last_level_cache_bytes) {
        std::erase(others_, first.cpu);
        if (others_.size() > most_pressers)
            others_.resize(most_pressers);
        tell_ = request_.tell;
        // The warnings of the first run would only come again.
        request_.tell = [](Notice const&) {};
        request_.cpu = first.cpu;
        request_.signals = record::SignalsAreFor::parcast;
        if (!request_.time_limit)
            request_.time_limit = Duration{std::max(least_limit.ns, times_as_long * first_wall_ns())};
    }

    Result<MemorySensing> sense() {
        choose_pressers();
        std::int64_t const start = measure::wall_ns();
        bool const is_long = first_wall_ns() >= long_run.ns && !request_.sample && !request_.memory_map;
        do {
            auto quiet = is_long && runs_.empty() ? Result<TimedRun>(TimedRun{first_.end, first_wall_ns()})
                                                  : run("without");
            if (!quiet)
                return pass_on(quiet);
            auto pressed = pressed_run(quiet->end.cpu_ns);
            if (!pressed)
                return pass_on(pressed);
            auto before = std::exchange(loops_, measured_loops());
            before.insert(before.end(), loops_.begin(), loops_.end());
            runs_.push_back(
                {*pressed, median_of(before, &Loops::compute), median_of(before, &Loops::memory)});
        } while (runs_.size() < most_pairs && measure::wall_ns() - start < enough_time.ns);
        return sensitivity_of(runs_, static_cast<std::int64_t>(pressing_.size()));
    }

private:
    std::int64_t first_wall_ns() const {
        return first_.images.empty() ? 0 : first_.images.front().timeline.provenance.wall_ns;
    }

    // Both, one right after the other, beside pressing CPUs and alone.
    struct Loops {
        Pressed compute;
        Pressed memory;
    };

    static Pressed median_of(std::vector<Loops> const& loops, Pressed Loops::* kind) {
        std::vector<Pressed> all;
        for (auto const& each : loops)
            all.push_back(each.*kind);
        return study::median_of(all);
    }

    // The program's array is the last one.
    Loops loops_once() {
        using calibrate::LoopKind;
        auto const round_ns = [&](LoopKind kind) {
            return calibrate::loop_round_ns(kind, first_.cpu, loop_window, arrays_, others_.size());
        };
        double const compute_ns = round_ns(LoopKind::compute);
        double const memory_ns = round_ns(LoopKind::memory);
        calibrate::MemoryPressure pressure(pressing_, arrays_);
        auto const beside = [&](LoopKind kind, double quiet_ns) {
            static_cast<void>(pressure.read());
            double const pressed_ns = round_ns(kind);
            auto const reading = pressure.read();
            return Pressed{pressed_ns / quiet_ns, reading.cpu_share, reading.round_ns};
        };
        auto const compute = beside(LoopKind::compute, compute_ns);
        return {compute, beside(LoopKind::memory, memory_ns)};
    }

    std::vector<Loops> measured_loops() {
        std::vector<Loops> loops;
        for (std::size_t i = 0; i < loops_at_once && (loops.empty() || !measure::ending_signal()); ++i)
            loops.push_back(loops_once());
        return loops;
    }

    // The fewest that slow memory down well: they are what most machines have to share it with.
    void choose_pressers() {
        tell_({Notice::Kind::progress, "measuring how busy CPUs slow memory down"});
        for (std::size_t count = 1;; count = std::min(2 * count, others_.size())) {
            pressing_.assign(others_.begin(), others_.begin() + static_cast<std::ptrdiff_t>(count));
            loops_ = measured_loops();
            double const compute = median_of(loops_, &Loops::compute).slowdown;
            double const memory = median_of(loops_, &Loops::memory).slowdown;
            if (memory >= good_slowdown * compute || count == others_.size() || measure::ending_signal())
                return;
        }
    }

    Result<TimedRun> run(std::string const& how) {
        tell_({Notice::Kind::progress, "running the program again, " + how + " pressure on the memory (" +
                                           std::to_string(runs_.size() + 1) + " of at most " +
                                           std::to_string(most_pairs) + ")"});
        int const input = input_.open_again();
        streams_.clear();
        request_.streams = {input, streams_.nothing(), streams_.messages()};
        std::int64_t const start = measure::wall_ns();
        auto end = record::run_again(request_);
        std::int64_t const wall_ns = measure::wall_ns() - start;
        close(input);
        if (!end)
            return pass_on(end);
        if (end->stopped)
            return fail(
                make_error(ErrorCode::program_failed,
                           "run again, the program did not end within " + time_text(*request_.time_limit),
                           "A limit of your own: --time-limit 10m."));
        if (end->exit_status != first_.end.exit_status || end->death_signal != first_.end.death_signal)
            return fail(ended_otherwise(*end));
        return TimedRun{std::move(*end), wall_ns};
    }

    Error ended_otherwise(record::ProgramEnd const& end) const {
        auto const words = streams_.last_words();
        return make_error(ErrorCode::program_failed,
                          "run again, the program ended with status " +
                              std::to_string(record::shell_status(end)) + ", and when it was recorded with " +
                              std::to_string(record::shell_status(first_.end)) +
                              (words.empty() ? "" : ": " + words),
                          "A program that refuses to overwrite what it wrote needs a command that can be "
                          "repeated, as xz -c instead of xz.");
    }

    Result<Pressed> pressed_run(std::int64_t quiet_cpu_ns) {
        calibrate::MemoryPressure pressure(pressing_, arrays_);
        auto const pressed = run("with");
        auto const reading = pressure.read();
        if (!pressed)
            return pass_on(pressed);
        if (std::min(quiet_cpu_ns, pressed->end.cpu_ns) < least_work.ns)
            return fail(make_error(ErrorCode::unasked,
                                   "the program took " + time_text(Duration{quiet_cpu_ns}) +
                                       " of CPU time, too little to compare",
                                   "Give it more to do, " + time_text(least_work) + " at least."));
        auto const cpu_ns = static_cast<double>(pressed->end.cpu_ns);
        return Pressed{
            cpu_ns / static_cast<double>(quiet_cpu_ns), reading.cpu_share, reading.round_ns,
            std::min(1.0, cpu_ns / static_cast<double>(std::max<std::int64_t>(1, pressed->wall_ns)))};
    }

    record::RecordingRequest request_;
    record::RecordedRun const& first_;
    RepeatableInput const& input_;
    Listener tell_;
    ProgramStreams streams_;
    std::vector<unsigned> others_;    // CPUs but that of the program
    std::vector<unsigned> pressing_;  // the first of them
    calibrate::Arrays arrays_;        // of the others in their order, then of the loop on the program's CPU
    std::vector<PressedRun> runs_;
    std::vector<Loops> loops_;  // before the next run
};

}  // namespace

Result<RepeatableInput> RepeatableInput::of_this_process() {
    RepeatableInput input;
    struct stat status{};
    if (fstat(STDIN_FILENO, &status) != 0)
        return input;
    if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))
        return fail(
            make_error(ErrorCode::not_recorded,
                       "--sense-memory, --bare-run and --measure run the program more than once, and its "
                       "standard input is a pipe, which can be read once",
                       "Give it a file: parcast record ... -- PROGRAM < FILE. A program that reads "
                       "nothing: < /dev/null."));
    if (S_ISREG(status.st_mode))
        input.offset_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
    return input;
}

int RepeatableInput::open_again() const {
    int const again = offset_ ? open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC) : -1;
    if (again < 0)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    rewind(again);
    return again;
}

void RepeatableInput::rewind(int again) const {
    if (offset_ && again >= 0)
        lseek(again, *offset_, SEEK_SET);
}

Result<MemorySensing> sense_memory(record::RecordingRequest request, record::RecordedRun const& first,
                                   RepeatableInput const& input) {
    if (first.end.stopped || first.end.death_signal)
        return fail(
            make_error(ErrorCode::program_failed,
                       first.end.stopped ? "its time limit ended the program" : "a signal ended the program",
                       "A run to its end can be compared with another one."));
    auto const host = measure::describe_host();
    if (host.cpus.size() < 2)
        return fail(make_error(ErrorCode::unasked,
                               "parcast may use one CPU here, and none is left to move memory",
                               "Allow it a second CPU: taskset, cpuset, or the container's settings."));
    return Sensing(std::move(request), first, input, host).sense();
}

}  // namespace parcast::study
