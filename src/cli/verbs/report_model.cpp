#include "cli/verbs/report_model.h"

#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "cli/files/output_file.h"
#include "cli/files/process_model_file.h"
#include "cli/messages.h"
#include "cli/page/model_page.h"
#include "cli/terminal.h"
#include "cli/verbs/report_output.h"
#include "cli/version.h"
#include "forecast/time_domain_equations.h"
#include "report/format.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "symbolic/notation/expression_text.h"

namespace parcast::cli {

namespace {

// With what is swept as parameters. Empty where the formulas are refused: the prediction does not need them.
std::string formulas_of(PredictArguments const& arguments, std::string const& of) {
    std::vector<pamela::Setting> settings;
    for (auto const& assignment : arguments.reading.set)
        if (auto setting = setting_in(assignment))
            settings.push_back(*setting);
    for (auto const& sweep : arguments.question.sweep.sweeps)
        settings.push_back({sweep.name, sweep.values.front(), true});
    auto model = read_process_model(arguments.file, settings, Diagnostics::keep_quiet);
    if (!model)
        return {};
    auto const found =
        forecast::time_domain_equations(*model, {{of}, arguments.question.sweep.phases, false});
    if (!found)
        return {};
    std::string text;
    for (auto const& equation : found->equations)
        text +=
            "numeric " + equation.name + " = " + symbolic::text_of(model->expressions, equation.value) + "\n";
    return text;
}

std::string report_json(ModelPage const& page, std::string const& file, std::size_t bytes) {
    auto json = report::envelope("report", version, report::input_json(page.answer));
    json["file"] = file;
    json["bytes"] = bytes;
    json["elements"] = nlohmann::ordered_json::array();
    json["notes"] = page.answer.notes;
    return report::to_text(json);
}

}  // namespace

int report_model(ReportArguments const& arguments, Input input, std::string const& file) {
    auto const& model_file = arguments.replay.file;
    auto asked = arguments.replay;
    asked.question.sweep.band = true;
    auto found = forecast_input(std::move(input), asked);
    if (!found)
        return print_failure(found.error());
    auto& answer = found->answer;
    auto text = read_text(model_file);
    if (!text)
        return print_failure(with_advice(text.error(), ""));

    ModelPage page{std::move(answer), {}, std::move(*text)};
    page.formulas = formulas_of(asked, page.answer.model().of);
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
