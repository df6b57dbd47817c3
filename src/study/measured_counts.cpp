#include "study/counts.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "analysis/comparison.h"
#include "core/counted.h"
#include "measure/host_laboratory.h"
#include "study/placeholder.h"

namespace parcast::study {

namespace {

struct Variant {
    std::vector<std::string> command;
    std::uint32_t cpus;  // it runs on
    std::uint32_t told;  // the count that it stands for
    friend bool operator==(Variant const& a, Variant const& b) {
        return a.command == b.command && a.cpus == b.cpus;
    }
};

void add_once(std::vector<Variant>& variants, Variant variant) {
    if (std::find(variants.begin(), variants.end(), variant) == variants.end())
        variants.push_back(std::move(variant));
}

// What a program does on fewer CPUs than its recording pretended: the same, or as many threads as it sees
// there?
enum class Threads : std::uint8_t { same, as_many_as_seen };

// A program that is told nothing, and whose recordings all have the same number of threads, does not look.
Threads threads_of(std::vector<ScaledCount> const& counts, std::vector<std::string> const& command) {
    return has_placeholder(command) || have_the_same_threads(counts) ? Threads::same
                                                                     : Threads::as_many_as_seen;
}

bool can_be_measured(ScaledCount const& count, Threads threads) {
    return threads == Threads::same || count.compared_cpus == count.cpus;
}

std::vector<Variant> variants_of(std::vector<ScaledCount> const& counts, Threads threads) {
    std::vector<Variant> variants;
    for (auto const& count : counts) {
        if (can_be_measured(count, threads)) {
            add_once(variants, {count.command, 1, count.cpus});
            add_once(variants, {count.command, count.compared_cpus, count.cpus});
        }
    }
    return variants;
}

std::vector<measure::ChildRequest> requests_of(ScaleSetting const& setting,
                                               std::vector<Variant> const& variants) {
    std::vector<measure::ChildRequest> requests;
    for (Variant const& variant : variants) {
        requests.push_back({setting.program,
                            variant.command,
                            {setting.cpus.begin(), setting.cpus.begin() + variant.cpus},
                            setting.streams.nothing(),
                            setting.streams.nothing(),
                            setting.streams.messages(),
                            setting.question.time_limit});
    }
    return requests;
}

MeasuredSeries series_of(measure::Series const& measured, std::uint32_t cpus, double most_disturbance) {
    MeasuredSeries series{cpus, {}, measured.discarded, measured.disturbed};
    for (measure::ObservedRun const& observed : measured.runs) {
        measure::ChildRun const& run = observed.run;
        series.runs.push_back({{run.wall, run.user, run.system},
                               run.waits,
                               run.preemptions,
                               run.page_faults,
                               observed.disturbance,
                               observed.disturbance > most_disturbance});
    }
    return series;
}

std::vector<RunTimes> times_of(MeasuredSeries const& series) {
    std::vector<RunTimes> times;
    for (MeasuredRun const& run : series.runs)
        times.push_back(run.times);
    return times;
}

// `one` tells the times on one CPU, `many` those on the compared ones; none if one of them is missing.
std::optional<Comparison> comparison_of(ScaledCount const& one, ScaledCount const& many) {
    auto const* const predicted_one = predicted_on(one, 1);
    auto const* const predicted_many = predicted_on(many, many.compared_cpus);
    auto const* const measured_one = measured_on(one, 1);
    auto const* const measured_many = measured_on(many, many.compared_cpus);
    bool const is_known = predicted_one && predicted_many && measured_one && measured_many;
    if (!is_known || many.compared_cpus == 1 || predicted_one->run.accounts.completion.ns == 0 ||
        predicted_many->run.accounts.completion.ns == 0) {
        return std::nullopt;
    }
    return analysis::compare(
        {analysis::run_times(predicted_one->run.accounts), analysis::run_times(predicted_many->run.accounts)},
        times_of(*measured_one), times_of(*measured_many), many.compared_cpus);
}

// Who asks for a single run wants a quick look.
measure::Protocol protocol_of(ScaleQuestion const& question) {
    return {.runs = question.runs, .further_rounds = question.runs > 1 ? question.runs : 0};
}

// Is the bare run on one CPU the same as the recorded one? A program that is told nothing made more threads
// there.
std::optional<double> recording_cost_of(ScaledCount const& count, Threads threads) {
    auto const* const series = measured_on(count, 1);
    if (!series || (threads == Threads::as_many_as_seen && count.cpus != 1))
        return std::nullopt;
    std::vector<double> bare;
    for (auto const& run : series->runs)
        bare.push_back(to_real(run.times.user + run.times.system).ns);
    std::vector<double> recorded;
    for (Duration const cpu : count.recorded_cpu)
        recorded.push_back(to_real(cpu).ns);
    double const median = spread_of(std::move(bare)).median;
    return median > 0 ? std::optional(spread_of(std::move(recorded)).median / median - 1) : std::nullopt;
}

void compare_counts(std::vector<ScaledCount>& counts, Threads threads) {
    bool const has_one = counts.front().cpus == 1;
    for (auto& count : counts) {
        count.recording_cost = recording_cost_of(count, threads);
        if (threads == Threads::same)
            count.same_threads = comparison_of(count, count);
        if (has_one && count.cpus > 1)
            count.over_one = comparison_of(counts.front(), count);
    }
}

}  // namespace

bool have_the_same_threads(std::vector<ScaledCount> const& counts) {
    return std::all_of(counts.begin(), counts.end(), [&](ScaledCount const& count) {
        return count.prediction.recording().catalogue.threads.size() ==
               counts.front().prediction.recording().catalogue.threads.size();
    });
}

Result<void> measure_counts(ScaleSetting const& setting, std::vector<ScaledCount>& counts) {
    Threads const threads = threads_of(counts, setting.question.command);
    std::vector<Variant> const variants = variants_of(counts, threads);
    std::size_t made = 0;
    auto const before_run = [&](std::size_t variant) -> Result<void> {
        if (auto ready = prepare_run(setting, variants[variant].told); !ready)
            return ready;
        setting.streams.clear();
        // Disturbed ones are made again, and unsteady ones more often.
        auto const least = variants.size() * setting.question.runs;
        ++made;
        setting.say("measuring on " + counted(variants[variant].cpus, "CPU") +
                    limit_words(setting.question.time_limit) + " a run: run " + std::to_string(made) +
                    (made <= least ? " of at least " + std::to_string(least)
                                   : ", since earlier ones were disturbed or unsteady"));
        return {};
    };
    measure::HostLaboratory laboratory(setting.cpus, requests_of(setting, variants), before_run);
    measure::Protocol const protocol = protocol_of(setting.question);
    auto const series = measure::measure_interleaved(variants.size(), protocol, laboratory);
    if (!series) {
        bool const is_explained = series.error().code == ErrorCode::program_failed;  // by prepare_run
        return fail(is_explained ? series.error()
                                 : failed_run(setting, series.error().message, "while it was measured"));
    }
    for (auto& count : counts) {
        for (std::size_t i = 0; i < variants.size(); ++i) {
            bool const is_its_own = variants[i].command == count.command && can_be_measured(count, threads) &&
                                    (variants[i].cpus == 1 || variants[i].cpus == count.compared_cpus);
            if (is_its_own) {
                count.measured.push_back(
                    series_of((*series)[i], variants[i].cpus, protocol.most_disturbance));
            }
        }
    }
    compare_counts(counts, threads);
    return {};
}

}  // namespace parcast::study
