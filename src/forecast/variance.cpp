#include "forecast/variance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "extract/extract.h"

namespace parcast::forecast {

namespace {

constexpr std::int64_t enough_delays = 30;  // for a coefficient of variation
constexpr double agreeing = 0.1;            // of a predicted mean with the measured one

struct Way {
    char const* key;
    char const* title;
    Result<model::DelayCount> (*count)(double cpu, model::RandomInterval const& processing);
};

// The first is what a table shows.
constexpr std::array<Way, 5> ways{{
    {"exact_gamma", "exact, gamma",
     [](double cpu, model::RandomInterval const& processing) {
         return model::exact_delays(cpu, processing, model::ProcessingLaw::gamma);
     }},
    {"exact_hyperexponential", "exact, hyperexponential",
     [](double cpu, model::RandomInterval const& processing) {
         return model::exact_delays(cpu, processing, model::ProcessingLaw::hyperexponential);
     }},
    {"refined_gamma", "two terms, gamma",
     [](double cpu, model::RandomInterval const& processing) {
         return model::refined_delays(cpu, processing, model::ProcessingLaw::gamma);
     }},
    {"refined_hyperexponential", "two terms, hyperexponential",
     [](double cpu, model::RandomInterval const& processing) {
         return model::refined_delays(cpu, processing, model::ProcessingLaw::hyperexponential);
     }},
    {"asymptotic", "asymptotic", model::asymptotic_delays},
}};

// Those that have an answer; which laws do not is decided by the variation.
Result<std::vector<VarianceMethod>> methods_of(model::DelayedProcess const& process, double confidence) {
    std::vector<VarianceMethod> methods;
    std::optional<Error> refused;
    for (Way const& way : ways) {
        auto const count = way.count(process.cpu, process.processing);
        auto const time = count ? model::elapsed_time(process, *count) : Result<model::ElapsedTime>();
        if (!count || !time) {
            refused = count ? time.error() : count.error();
            continue;
        }
        auto const band = model::normal_band(*time, confidence / 100, process.cpu);
        methods.push_back({way.key, way.title, count->mean, {time->mean, time->cv()}, band.low, band.high});
    }
    if (methods.empty())
        return fail(*refused);
    return methods;
}

VarianceInput input_of(model::DelayedProcess const& process) {
    return {process.cpu,
            {process.processing.mean, process.processing.cv},
            {process.delay.mean, process.delay.cv}};
}

// The standard error of the mean time T = D (1 + E[C] / E[P]), to first order, from all intervals and delays.
std::optional<double> standard_error(model::DelayedProcess const& process,
                                     analysis::ThreadDelays const& delays) {
    auto const count = static_cast<double>(delays.delay.count());
    if (count < 2)
        return std::nullopt;
    double const delayed = process.cpu * process.delay.mean / process.processing.mean;
    double const by_delays = delayed * std::hypot(process.processing.cv, process.delay.cv) / std::sqrt(count);
    double const by_cpu = (1 + process.delay.mean / process.processing.mean) * delays.cpu.deviation() /
                          std::sqrt(static_cast<double>(delays.cpu.count()));
    return std::hypot(by_delays, by_cpu);
}

Result<VarianceThread> thread_row(std::uint32_t id, std::string const& name,
                                  analysis::ThreadDelays const& delays, double confidence) {
    // A thread that waits without any work between two waits has pieces of no time, which the theory does
    // not.
    auto const pieces = delays.processing.moments();
    model::RandomInterval const processing{std::max(pieces.mean, 1.0), pieces.cv};
    model::DelayedProcess const process{
        delays.cpu.mean(), processing, {delays.delay.mean(), delays.delay.cv()}};
    auto methods = methods_of(process, confidence);
    if (!methods)
        return pass_on(methods);
    return VarianceThread{id,
                          name,
                          delays.cpu.count(),
                          delays.delay.count(),
                          delays.cpu.cv(),
                          input_of(process),
                          std::move(*methods),
                          standard_error(process, delays),
                          {delays.elapsed.mean(), delays.elapsed.cv()}};
}

// "worker (3), reader (4) and 2 more"
std::string some_of(std::vector<std::string> const& names) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

// Where the numbers of threads are not to be relied on.
std::vector<std::string> doubts_about(std::vector<VarianceThread> const& threads) {
    std::vector<std::string> few;
    std::vector<std::string> far;
    for (auto const& thread : threads) {
        std::string const name =
            (thread.name.empty() ? "thread" : thread.name) + " (" + std::to_string(thread.id) + ")";
        if (thread.delays < enough_delays)
            few.push_back(name);
        double const apart = std::abs(thread.methods.front().time.mean - thread.measured.mean);
        if (apart > agreeing * thread.measured.mean)
            far.push_back(name);
    }
    std::vector<std::string> notes;
    if (!few.empty()) {
        notes.push_back(
            "fewer than " + std::to_string(enough_delays) + " delays: " + some_of(few) +
            ". Their CVs and predicted spread are guesses; the standard error is that of the mean. "
            "Record a longer run, or several.");
    }
    if (!far.empty()) {
        notes.push_back("the predicted mean is more than " + std::to_string(std::lround(100 * agreeing)) +
                        " % off the measured one: " + some_of(far) +
                        ". Their delays do not come at random times, or their intervals do different work: "
                        "do not use their prediction.");
    }
    return notes;
}

MeanAndCv mean_and_cv(Sample const& sample) {
    return {sample.mean(), sample.cv()};
}

// Predicted, of the time of a run. Its intervals are independent, so that their variances add up.
double cv_of_runs(std::vector<VarianceThread> const& threads, std::int64_t recordings) {
    double const runs = static_cast<double>(recordings);
    double variance = 0;
    double mean = 0;
    for (auto const& thread : threads) {
        auto const& time = thread.methods.front().time;
        double const intervals = static_cast<double>(thread.intervals) / runs;
        mean += intervals * time.mean;
        variance += intervals * (time.cv * time.mean) * (time.cv * time.mean);
    }
    return mean > 0 ? std::sqrt(variance) / mean : 0;
}

}  // namespace

Result<VarianceAnswer> variance_of(model::DelayedProcess const& process, double confidence) {
    auto methods = methods_of(process, confidence);
    if (!methods)
        return pass_on(methods);
    VarianceAnswer answer;
    answer.confidence = confidence;
    answer.given = input_of(process);
    answer.methods = std::move(*methods);
    return answer;
}

Result<void> RecordedDelays::add(Timeline recorded) {
    extract::ExtractionOptions as_recorded;
    as_recorded.assignment = extract::Assignment::recorded;
    auto const program = extract::program_from(std::move(recorded), as_recorded);
    if (!program)
        return pass_on(program);
    double cpu = 0;
    double time = 0;
    for (auto const& found : analysis::delays_between_synchronisations(*program)) {
        Pooled& pooled = threads_[found.thread.value];
        pooled.name = program->catalogue.threads[found.thread.index()].name;
        pooled.delays.cpu.add(found.cpu);
        pooled.delays.elapsed.add(found.elapsed);
        pooled.delays.processing.add(found.processing);
        pooled.delays.delay.add(found.delay);
        cpu += found.cpu.sum();
        time += found.elapsed.sum();
    }
    cpu_.add(cpu);
    delays_.add(time - cpu);
    time_.add(time);
    return {};
}

Result<VarianceAnswer> RecordedDelays::variance(double confidence) const {
    VarianceAnswer answer;
    answer.confidence = confidence;
    for (auto const& [id, pooled] : threads_) {
        auto row = thread_row(id, pooled.name, pooled.delays, confidence);
        if (!row)
            return pass_on(row);
        answer.threads.push_back(std::move(*row));
    }
    std::ranges::stable_sort(answer.threads, std::ranges::greater{}, [](VarianceThread const& thread) {
        return static_cast<double>(thread.delays) * thread.input.delay.mean;
    });
    answer.notes = doubts_about(answer.threads);
    if (time_.count() > 1) {
        answer.runs =
            VarianceOfRuns{static_cast<std::uint32_t>(time_.count()), mean_and_cv(cpu_), mean_and_cv(delays_),
                           mean_and_cv(time_), cv_of_runs(answer.threads, time_.count())};
    }
    return answer;
}

}  // namespace parcast::forecast
