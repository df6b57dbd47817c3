#include "study/measured_runs.h"

#include <algorithm>
#include <string>
#include <utility>

#include <unistd.h>

#include "core/counted.h"
#include "core/time_text.h"
#include "forecast/measured_check.h"
#include "measure/affinity.h"
#include "measure/host_description.h"
#include "measure/host_laboratory.h"
#include "study/program_streams.h"

namespace parcast::study {

namespace {

// Whoever records wants an answer soon: a quiet machine is waited for, but not long.
constexpr measure::Protocol protocol{.runs = 3,
                                     .further_rounds = 2,
                                     .most_attempts = 2,
                                     .patience = Duration{500'000'000},
                                     .enough = Duration{5'000'000'000}};
// A program may be many times slower on several CPUs than on one: that is what is to be found out.
constexpr std::int64_t times_as_long = 20;
constexpr Duration least_limit{20'000'000'000};

std::vector<std::uint32_t> with_one(std::vector<std::uint32_t> cpus) {
    cpus.push_back(1);
    std::ranges::sort(cpus);
    auto const twice = std::ranges::unique(cpus);
    cpus.erase(twice.begin(), twice.end());
    return cpus;
}

Result<void> check_end(record::ProgramEnd const& end) {
    if (!end.stopped && !end.death_signal)
        return {};
    return fail(make_error(ErrorCode::program_failed,
                           end.stopped ? "its time limit ended the program" : "a signal ended the program",
                           "A run to its end can be compared with another one."));
}

class Measuring {
public:
    Measuring(record::RecordingRequest const& request, record::RecordedRun const& run,
              RepeatableInput const& input, std::vector<std::uint32_t> cpus)
        : request_(request), input_(input), host_(measure::describe_host().cpus), cpus_(std::move(cpus)) {
        own_input_ = input.open_again();
        auto const recorded_ns = run.images.empty() ? 0 : run.images.front().timeline.provenance.wall_ns;
        // CPUs of a host that others use differ: one CPU is the one that recorded.
        std::ranges::stable_partition(host_, [&](unsigned cpu) { return cpu == run.cpu; });
        for (std::uint32_t const count : cpus_)
            variants_.push_back(
                {.program = run.program,
                 .command = request.command,
                 .cpus = {host_.begin(), host_.begin() + count},
                 .input = own_input_ < 0 ? streams_.nothing() : own_input_,
                 .output = streams_.nothing(),
                 .error = streams_.messages(),
                 .time_limit = request.time_limit.value_or(
                     std::max(least_limit, Duration{recorded_ns} * times_as_long)),
                 .time_limit_name = request.time_limit ? "its time limit" : "the limit of parcast for it",
                 .usual_exit_status = run.end.exit_status.value_or(0)});
    }
    Measuring(Measuring const&) = delete;
    Measuring& operator=(Measuring const&) = delete;
    ~Measuring() {
        if (own_input_ >= 0)
            close(own_input_);
    }

    Result<std::vector<MeasuredCpus>> measure() {
        std::vector<unsigned> const watched{host_.begin(), host_.begin() + cpus_.back()};
        auto measured = measure_on(watched);
        if (!measured || !forecast::ran_on_several(*measured))
            return measured;
        for (auto& variant : variants_)
            variant.keeps_cpus = true;
        auto const again = measure_on(watched);
        return again ? again : measured;  // it may need what the filter forbids
    }

private:
    Result<std::vector<MeasuredCpus>> measure_on(std::vector<unsigned> const& watched) {
        measure::HostLaboratory laboratory(watched, variants_,
                                           [this](std::size_t variant) { return prepare(variant); });
        auto const series = measure::measure_interleaved(cpus_.size(), protocol, laboratory);
        if (!series)
            return fail(ended_otherwise(series.error()));
        std::vector<MeasuredCpus> measured;
        for (std::size_t i = 0; i < cpus_.size(); ++i)
            measured.push_back({cpus_[i], runs_of((*series)[i])});
        return measured;
    }

    Result<void> prepare(std::size_t variant) {
        current_ = cpus_[variant];
        ++made_;
        request_.tell({Notice::Kind::progress, "measuring on " + counted(current_, "CPU") + ", run " +
                                                   std::to_string(made_) + ", at most " +
                                                   time_text(*variants_[variant].time_limit) + " a run"});
        streams_.clear();
        input_.rewind(own_input_);
        return {};
    }

    Error ended_otherwise(Error const& error) const {
        auto const words = streams_.last_words();
        return make_error(ErrorCode::program_failed,
                          "run without the recorder on " + counted(current_, "CPU") + ", the program " +
                              error.message + (words.empty() ? "" : "; it said: " + words),
                          "A program that refuses to overwrite what it wrote needs a command that can be "
                          "repeated, as xz -c instead of xz.");
    }

    static std::vector<BareRun> runs_of(measure::Series const& series) {
        std::vector<BareRun> runs;
        for (auto const& [run, disturbance] : series.runs)
            runs.push_back({std::max<std::int64_t>(1, run.wall.ns), run.user.ns, run.system.ns,
                            std::clamp(disturbance, 0.0, 1.0)});
        return runs;
    }

    record::RecordingRequest const& request_;
    RepeatableInput const& input_;
    ProgramStreams streams_;
    std::vector<unsigned> host_;  // CPUs, one hardware thread of each core first
    std::vector<std::uint32_t> cpus_;
    std::vector<measure::ChildRequest> variants_;
    int own_input_ = -1;
    std::uint32_t current_ = 1;
    unsigned made_ = 0;
};

}  // namespace

Result<void> check_measurable(record::RecordingRequest const& request,
                              std::vector<std::uint32_t> const& cpus) {
    if (request.pretend_cpus)
        return fail(
            make_error(ErrorCode::not_recorded,
                       "measured runs see the CPUs that they have, and nobody pretends others: the program "
                       "may make other threads than in its recording",
                       "Leave out --pretend-cpus or --measure, or tell the program its number of threads: "
                       "parcast scale --measure -- PROGRAM {cpus} makes such runs, too."));
    auto const allowed = measure::allowed_cpus().size();
    auto const most = with_one(cpus).back();
    if (most == 1)
        return fail(make_error(ErrorCode::not_recorded, "a measurement compares one CPU with more of them",
                               "--measure-cpus 2"));
    if (most > allowed)
        return fail(make_error(ErrorCode::not_recorded,
                               "parcast may use " + counted(static_cast<std::int64_t>(allowed), "CPU") +
                                   " here, and " + std::to_string(most) + " are to be measured",
                               "Allow it more CPUs (taskset, cpuset, or the container's settings), or "
                               "measure on fewer: --measure-cpus."));
    return {};
}

Result<std::vector<MeasuredCpus>> measure_again(record::RecordingRequest const& request,
                                                record::RecordedRun const& run, RepeatableInput const& input,
                                                std::vector<std::uint32_t> const& cpus) {
    if (auto const checked = check_measurable(request, cpus); !checked)
        return pass_on(checked);
    if (auto const ended = check_end(run.end); !ended)
        return pass_on(ended);
    return Measuring(request, run, input, with_one(cpus)).measure();
}

}  // namespace parcast::study
