#include "cli/predict_model.h"

#include <algorithm>

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/output_file.h"
#include "cli/predicted_model.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "report/model_chart.h"
#include "report/model_prediction_json.h"
#include "report/model_prediction_text.h"

namespace parcast::cli {

namespace {

// In pieces: a sweep may have millions of points.
int print_json(report::ModelPrediction const& prediction) {
    constexpr std::size_t points_at_once = 10'000;
    auto const count = std::max(prediction.points.size(), prediction.simulated.size());
    int status = print_result(report::model_json_head(prediction, version));
    for (std::size_t first = 0; first < count && status == exit_success; first += points_at_once) {
        auto const end = std::min(first + points_at_once, count);
        status = print_result(report::model_json_points(prediction, first, end));
    }
    return status == exit_success ? print_result(report::model_json_tail()) : status;
}

int write_chart(report::ModelPrediction const& prediction, std::string const& path) {
    auto file = OutputFile::open(path, Existing::replace);
    auto written = file ? file->write(report::model_chart_svg(prediction)) : Result<void>(pass_on(file));
    if (written)
        written = file->finish();
    if (!written)
        return print_failure(with_code(ErrorCode::not_written, written.error(), ""));
    if (path != OutputFile::standard_output)
        print_note("wrote " + path);
    return exit_success;
}

}  // namespace

int predict_model(PredictArguments const& arguments) {
    auto const prediction = predicted_model(arguments);
    if (!prediction)
        return print_failure(prediction.error());
    if (auto const& plot = arguments.model_file.plot) {
        if (int const status = write_chart(*prediction, *plot); status != exit_success)
            return status;
        if (*plot == OutputFile::standard_output)
            return exit_success;
    }
    if (arguments.json)
        return print_json(*prediction);
    report::Layout const layout{colour_of(Stream::output), line_width(Stream::output),
                                arguments.assumptions ? report::Detail::all : report::Detail::short_form};
    return print_result(report::model_prediction_text(*prediction, layout));
}

}  // namespace parcast::cli
