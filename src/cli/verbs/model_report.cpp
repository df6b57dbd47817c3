#include "cli/verbs/model_report.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/number_text.h"
#include "cli/files/files.h"
#include "cli/files/inputs.h"
#include "cli/version.h"
#include "forecast/live_model.h"
#include "pages/model_page.h"
#include "report/prediction.h"

namespace parcast::cli {

namespace {

// The values that the reader was given; what is swept stays a parameter.
Result<std::vector<pamela::Setting>> given_values(PredictArguments const& asked) {
    auto settings = settings_in(asked.reading.set);
    if (!settings)
        return settings;
    for (auto const& sweep : asked.question.sweep.sweeps)
        settings->push_back({sweep.name, sweep.values.front(), true});
    return settings;
}

pages::ModelCommand command_of(SweepQuestion const& asked) {
    pages::ModelCommand command;
    auto const add = [&](char const* option, std::string const& value) {
        command.options.insert(command.options.end(), {option, value});
        return value;
    };
    if (asked.of)
        add("--of", *asked.of);
    if (asked.per)
        add("--per", *asked.per);
    if (asked.phases)
        command.options.emplace_back("--phases");
    if (asked.levels) {
        std::string levels;
        for (double const level : *asked.levels)
            levels += (levels.empty() ? "" : ",") + exact_number_text(level) + (level < 1 ? "%" : "");
        add("--quantiles", levels);
    }
    auto const& [runs, precision, seed] = asked.simulation;
    if (runs)
        command.runs = add("--runs", std::to_string(*runs));
    if (precision)
        command.precision = add("--precision", exact_number_text(*precision));
    if (seed)
        command.seed = add("--seed", std::to_string(*seed));
    return command;
}

}  // namespace

Result<Report> report_of_model(PredictArguments const& asked, Input input, PageHost host) {
    auto const given = given_values(asked);
    if (!given)
        return pass_on(given);
    auto forecast = forecast_input(std::move(input), asked);
    if (!forecast)
        return pass_on(forecast);
    auto text = read_text(asked.file);
    if (!text)
        return fail(with_advice(text.error(), ""));
    pages::ModelSource source{std::move(*text), {}};
    auto const beside = files_beside(asked.file);
    auto const read_and_keep = [&](std::string_view name) {
        auto content = beside(name);
        bool const is_known = std::ranges::any_of(
            source.files,
            [&](std::pair<std::string, std::string> const& file) { return file.first == name; });
        if (content && !is_known)
            source.files.emplace_back(name, *content);
        return content;
    };
    auto const& basis = forecast->answer.model();
    bool const has_phases = asked.question.sweep.phases;
    auto live = forecast::open_movable(
        {source.text, asked.file, read_and_keep}, *given,
        {{basis.of, basis.per, has_phases}, basis.levels, asked.question.sweep.simulation});
    Report report;
    report.input = report::input_json(forecast->answer);
    report.notes = forecast->answer.notes;
    report.document = pages::model_page({.forecast = std::move(*forecast),
                                         .command = command_of(asked.question.sweep),
                                         .source = std::move(source),
                                         .live = std::move(live),
                                         .has_phases = has_phases,
                                         .has_server = host == PageHost::server,
                                         .parcast_version = version});
    return report;
}

Result<std::string> simulated_json(PredictArguments const& asked, page::Parameters const& values) {
    auto simulated = asked;
    simulated.question.sweep.sweeps.clear();
    simulated.question.sweep.phases = simulated.question.sweep.sensitivity = false;
    simulated.question.sweep.method = ModelMethod::simulate;
    simulated.reading.set.clear();
    for (auto const& [name, value] : values)
        simulated.reading.set.push_back(name + "=" + value);
    auto const settings = settings_in(simulated.reading.set);
    auto model = settings ? read_process_model(simulated.file, *settings, Diagnostics::keep_quiet)
                          : Result<ProcessModel>(pass_on(settings));
    if (!model)
        return pass_on(model);
    forecast::GivenModel given{std::move(*model), {}};
    for (auto const& setting : *settings)
        given.given.emplace_back(setting.name, setting.value);
    auto const forecast = forecast_input(Input{simulated.file, std::move(given)}, simulated);
    if (!forecast)
        return pass_on(forecast);
    std::string json;
    report::print_prediction_json(forecast->answer, version, {}, [&json](std::string const& piece) {
        json += piece;
        return true;
    });
    return json;
}

}  // namespace parcast::cli
