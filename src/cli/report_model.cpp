#include "cli/report_model.h"

#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/model_page.h"
#include "cli/output_file.h"
#include "cli/predicted_model.h"
#include "cli/process_model_file.h"
#include "cli/report_output.h"
#include "cli/terminal.h"
#include "cli/time_domain_equations.h"
#include "cli/version.h"
#include "report/envelope.h"
#include "report/format.h"
#include "symbolic/expression_text.h"

namespace parcast::cli {

namespace {

// With what is swept as parameters. Empty where the formulas are refused: the prediction does not need them.
std::string formulas_of(PredictArguments const& arguments, std::string const& of) {
    std::vector<pamela::Setting> settings;
    for (auto const& assignment : arguments.graph.reading.set)
        if (auto setting = setting_in(assignment))
            settings.push_back(*setting);
    for (auto const& sweep : arguments.model_file.sweeps)
        settings.push_back({sweep.name, sweep.values.front(), true});
    auto model = read_process_model(arguments.file, settings, Diagnostics::keep_quiet);
    if (!model)
        return {};
    auto const found = time_domain_equations(*model, {{of}, arguments.model_file.phases, false});
    if (!found)
        return {};
    std::string text;
    for (auto const& equation : found->equations)
        text +=
            "numeric " + equation.name + " = " + symbolic::text_of(model->expressions, equation.value) + "\n";
    return text;
}

std::optional<std::string> option_of_other_reports(ReportArguments const& arguments) {
    if (arguments.measured)
        return "--measured";
    return arguments.source_text ? std::nullopt : std::optional<std::string>("--no-source-text");
}

std::string report_json(ModelPage const& page, std::string const& file, std::size_t bytes) {
    auto json =
        report::envelope("report", version, {{"file", page.prediction.file}, {"of", page.prediction.of}});
    json["file"] = file;
    json["bytes"] = bytes;
    json["elements"] = nlohmann::ordered_json::array();
    json["notes"] = page.prediction.notes;
    return report::to_text(json);
}

}  // namespace

int report_model(ReportArguments const& arguments, std::string const& file) {
    auto const& model_file = arguments.replay.file;
    if (auto const option = option_of_other_reports(arguments))
        return print_failure(make_error(ErrorCode::unasked,
                                        *option + " is for recordings, and " + model_file + " is a model.",
                                        "What there is: parcast help report."));
    auto predicting = arguments.replay;
    predicting.model_file.band = true;
    auto prediction = predicted_model(predicting);
    if (!prediction)
        return print_failure(prediction.error());
    auto text = read_text(model_file);
    if (!text)
        return print_failure(with_advice(text.error(), ""));

    ModelPage page{std::move(*prediction), {}, std::move(*text)};
    page.formulas = formulas_of(predicting, page.prediction.of);
    auto const document = model_page(page);
    if (auto const refusal = write_report(file, document, arguments.force))
        return print_failure(*refusal);
    if (arguments.json)
        return print_result(report_json(page, file, document.size()));
    if (file == OutputFile::standard_output)
        return exit_success;
    return print_result("wrote " + file + " (" + report::bytes_text(document.size()) +
                        "): open it in a browser; it needs no network and no parcast\n");
}

}  // namespace parcast::cli
