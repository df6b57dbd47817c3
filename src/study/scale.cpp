#include "study/scale.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "measure/affinity.h"
#include "record/start.h"
#include "study/counts.h"
#include "study/placeholder.h"
#include "study/runs.h"

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

    ScaleSetting const setting{question, forecasting, tell, std::move(*program), std::move(cpus)};
    ScaleAnswer answer{question.command,
                       has_placeholder(question.command),
                       question.measure ? question.runs : 0,
                       static_cast<std::uint32_t>(setting.cpus.size()),
                       {}};
    for (std::uint32_t const count : question.cpus) {
        auto scaled = record_and_predict(setting, count);
        if (!scaled)
            return pass_on(scaled);
        answer.counts.push_back(std::move(*scaled));
    }
    add_speed_ups(answer.counts);
    if (question.measure) {
        if (auto const measured = measure_counts(setting, answer.counts); !measured)
            return pass_on(measured);
    }
    return answer;
}

}  // namespace parcast::study
