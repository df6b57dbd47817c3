#include "pages/report_elements.h"

#include <algorithm>
#include <string_view>

#include "forecast/time_domain_equations.h"
#include "page/content.h"
#include "report/chart/model_chart.h"
#include "report/layout.h"
#include "report/prediction.h"
#include "symbolic/notation/notation.h"

namespace parcast::pages {

namespace {

constexpr std::string_view style =
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}"
    "pre{overflow-x:auto;padding:.75rem 1rem;border:1px solid #8884;border-radius:6px;font:13px/1.45 "
    "ui-monospace,monospace}"
    "pre.wraps{white-space:pre-wrap}svg{max-width:100%;height:auto}footer{margin-top:2rem;opacity:.7;font-"
    "size:.85rem}";

// Wide enough that no column is cut; the page scrolls.
constexpr std::size_t table_width = 240;

std::string section(std::string_view heading, std::string_view preformatted, std::string_view style_class) {
    return "<section><h2>" + page::escaped(heading) + "</h2><pre class=\"" + std::string(style_class) +
           "\">" + page::escaped(preformatted) + "</pre></section>\n";
}

bool has_chart(Answer const& prediction) {
    return !prediction.model().points.empty() &&
           std::ranges::any_of(prediction.model().swept,
                               [](Sweep const& swept) { return swept.values.size() > 1; });
}

// Equations of the language, in the parameters. Empty where there are none: the prediction does without.
std::string formulas_of(ProcessModel& model, ModelBasis const& basis) {
    auto const found = forecast::time_domain_equations(model, {{basis.of}, !basis.phases.empty(), false});
    if (!found)
        return {};
    std::string text;
    for (auto const& equation : found->equations)
        text +=
            "numeric " + equation.name + " = " + symbolic::text_of(model.expressions, equation.value) + "\n";
    return text;
}

}  // namespace

std::string model_page(forecast::Forecast forecast, std::string_view text, std::string_view parcast_version) {
    auto const& prediction = forecast.answer;
    auto const title = page::escaped(prediction.file + ": " + prediction.model().of);
    report::Layout const layout{report::Colour::off, table_width, report::Detail::all};
    std::string document =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
        title + "</title><style>" + std::string(style) + "</style></head>\n<body><h1>" + title + "</h1>\n";
    if (has_chart(prediction))
        document += "<figure>" + report::model_chart_svg(prediction) + "</figure>\n";
    document += section("Execution time", report::model_prediction_text(prediction, layout), "");
    auto const formulas = formulas_of(std::get<ProcessModel>(forecast.program), prediction.model());
    if (!formulas.empty())
        document += section("Formulas", formulas, "wraps");
    document += section("Model", text, "");
    return document + "<footer>parcast " + page::escaped(parcast_version) + "</footer></body></html>\n";
}

}  // namespace parcast::pages
