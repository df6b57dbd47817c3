#include "study/scale.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "analysis/scaling.h"
#include "answer/thread_count.h"
#include "core/counted.h"
#include "core/percent_text.h"
#include "measure/affinity.h"
#include "measure/ending_signals.h"
#include "record/start.h"
#include "study/counts.h"
#include "study/placeholder.h"
#include "study/runs.h"
#include "study/wake_ups.h"

namespace parcast::study {

namespace {

Result<void> make_folder(std::optional<std::string> const& folder) {
    std::error_code problem;
    if (folder)
        std::filesystem::create_directories(*folder, problem);
    if (problem) {
        return fail(make_error(ErrorCode::not_written,
                               "the folder " + *folder + " cannot be made: " + problem.message(),
                               "Name another one with --keep."));
    }
    return {};
}

// Predicted: the program that is told to use one CPU there, over this one on its CPUs.
void add_speed_ups(std::vector<ScaledCount>& counts) {
    auto const* const one = counts.front().cpus == 1 ? predicted_on(counts.front(), 1) : nullptr;
    for (auto& count : counts) {
        auto const* const many = predicted_on(count, count.cpus);
        if (one && many && many->run.accounts.completion.ns > 0)
            count.speed_up =
                to_real(one->run.accounts.completion).ns / to_real(many->run.accounts.completion).ns;
    }
}

double cpu_time_of(ScaledCount const& count, bool is_measured) {
    auto const turns =
        count.turns && count.turns->answer == TurnAnswer::priced ? count.turns->share->median : 0;
    if (!is_measured) {
        auto const recorded = static_cast<double>(count.prediction.recording().provenance->cpu_ns);
        return recorded * (1 - count.recording_share) * (1 - turns);
    }
    std::vector<double> times;
    for (auto const& run : measured_on(count, 1)->runs)
        times.push_back(to_real(run.times.user + run.times.system).ns);
    return spread_of(std::move(times)).median * (1 - turns);
}

Finding finding_of_growth(ScaledCount const& count) {
    auto const growth = *count.cpu_growth - 1;
    return {.kind = FindingKind::cpu_time_grows,
            .severity = Severity::note,
            .message =
                "with " + counted(count.cpus, "CPU") + " to use, the program takes " +
                percent_text(std::abs(growth)) + (growth > 0 ? " more" : " less") +
                " CPU time on one CPU than with one, without what turns cost: its work depends on the number "
                "of threads. On another host, kernel or allocator it may do so differently: parcast scale "
                "--cpu-times there, and --cpu-times-of here"};
}

// By the measurements on one CPU if there is one for each count, else by the recordings.
void add_cpu_growths(ScaleAnswer& answer, ScaleQuestion const& question) {
    auto& counts = answer.counts;
    if (answer.ignores_count || counts.front().cpus != 1)
        return;
    bool const is_measured =
        std::ranges::all_of(counts, [](auto const& count) { return measured_on(count, 1) != nullptr; });
    auto const one = cpu_time_of(counts.front(), is_measured);
    if (one <= 0)
        return;
    for (auto& count : counts) {
        count.cpu_growth = cpu_time_of(count, is_measured) / one;
        if (std::abs(*count.cpu_growth - 1) > notable_cpu_growth)
            count.prediction.findings.push_back(finding_of_growth(count));
        if (!question.cpu_times_there)
            continue;
        count.cpu_growth_there = cpu_growth(*question.cpu_times_there, count.cpus);
        if (count.cpu_growth_there && count.speed_up)
            count.speed_up_there =
                speed_up_there(*count.speed_up, *count.cpu_growth, *count.cpu_growth_there);
    }
}

// By the speed-ups against the program that is told to use one CPU.
std::optional<Scaling> scaling_of(std::vector<ScaledCount> const& counts) {
    std::vector<analysis::SpeedUpAt> points;
    for (auto const& count : counts) {
        if (!count.speed_up || !count.prediction.scaling)
            return std::nullopt;
        points.push_back({count.cpus, *count.speed_up});
    }
    return points.size() > 1 ? std::optional(analysis::scaling(points)) : std::nullopt;
}

Notice warning_of_ignored_count(ScaleAnswer const& answer) {
    auto const& recording = answer.counts.back().prediction.recording();
    auto const threads = recording.catalogue.threads.size();
    auto const word = thread_count_word(answer.command, threads);
    return {Notice::Kind::warning,
            "the command has no {cpus}, and the program makes " +
                counted(static_cast<std::int64_t>(threads), "thread") +
                " for each number of CPUs: how it scales with its threads is not known, and no speed-up is "
                "concluded",
            word ? "If \"" + thread_count_text(answer.command, *word) +
                       "\" is their number, put {cpus} in its place. "
                       "Otherwise record it once, and predict that: parcast record, parcast predict."
                 : "Put {cpus} where the command sets the number of threads. Otherwise record it once, "
                   "and predict that: parcast record, parcast predict."};
}

}  // namespace

Result<ScaleAnswer> scale(ScaleQuestion const& question, Forecasting const& forecasting,
                          Listener const& tell) {
    auto program = record::find_host_program(question.command.front());
    if (!program)
        return pass_on(program);
    auto cpus = measure::allowed_cpus();
    if (cpus.empty())
        return fail(record::no_cpus());
    if (auto const made = make_folder(question.keep); !made)
        return pass_on(made);

    ScaleSetting const setting{question, forecasting,     tell, std::move(*program), std::move(cpus),
                               {},       sense_wake_ups()};
    ScaleAnswer answer{question.command,
                       has_placeholder(question.command),
                       false,
                       question.measure ? question.runs : 0,
                       static_cast<std::uint32_t>(setting.cpus.size()),
                       {}};
    for (std::uint32_t const count : question.cpus) {
        if (measure::ending_signal())
            break;
        auto scaled = record_and_predict(setting, count);
        if (!scaled && !(measure::ending_signal() && !answer.counts.empty()))
            return pass_on(scaled);
        if (scaled)
            answer.counts.push_back(std::move(*scaled));
    }
    if (answer.counts.empty())
        return fail(make_error(ErrorCode::not_recorded, "a signal ended it before anything was recorded"));
    if (measure::ending_signal())
        tell({Notice::Kind::warning, "interrupted: " +
                                         counted(static_cast<std::int64_t>(answer.counts.size()),
                                                 "number of CPUs", "numbers of CPUs") +
                                         " of " + std::to_string(question.cpus.size()) + " are complete"});
    answer.ignores_count =
        !answer.has_placeholder && answer.counts.size() > 1 && have_the_same_threads(answer.counts);
    if (answer.ignores_count)
        tell(warning_of_ignored_count(answer));
    else
        add_speed_ups(answer.counts);
    answer.scaling = scaling_of(answer.counts);
    if (question.measure && !measure::ending_signal()) {
        auto const measured = measure_counts(setting, answer.counts);
        if (!measured && !measure::ending_signal())
            return pass_on(measured);
        if (!measured)
            tell({Notice::Kind::warning, "interrupted: the measurements are left out"});
    }
    bool const is_measured =
        std::ranges::any_of(answer.counts, [](auto const& count) { return !count.measured.empty(); });
    answer.runs = is_measured ? answer.runs : 0;
    add_cpu_growths(answer, question);
    return answer;
}

}  // namespace parcast::study
