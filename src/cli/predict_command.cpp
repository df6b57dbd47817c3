#include "cli/predict_command.h"

#include <utility>

#include "cli/exit_status.h"
#include "cli/input.h"
#include "cli/messages.h"
#include "cli/output_file.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "report/model_chart.h"
#include "report/model_prediction_text.h"
#include "report/prediction_json.h"
#include "report/prediction_text.h"
#include "report/task_graph_text.h"

namespace parcast::cli {

namespace {

int write_chart(Answer const& prediction, std::string const& path) {
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

int print_json(PredictArguments const& arguments, Answer const& answer) {
    auto const threads = arguments.threads_table ? report::ThreadRows::present : report::ThreadRows::absent;
    int status = exit_success;
    report::print_prediction_json(answer, version, threads, [&](std::string const& piece) {
        status = print_result(piece);
        return status == exit_success;
    });
    return status;
}

std::string text_of(PredictArguments const& arguments, Answer const& answer) {
    report::Layout const whole{colour_of(Stream::output), line_width(Stream::output),
                               arguments.assumptions ? report::Detail::all : report::Detail::short_form};
    switch (answer.form()) {
        case Form::model: return report::model_prediction_text(answer, whole);
        case Form::task_graph: return report::task_graph_text(answer, whole);
        case Form::recording: break;
    }
    report::Layout layout = whole;
    layout.detail = report::Detail::short_form;
    return report::prediction_text(answer, layout) +
           (arguments.threads_table ? report::threads_text(answer, layout) : "") +
           report::assumptions_text(answer, whole);
}

}  // namespace

int predict(PredictArguments const& arguments) {
    auto input = open_input(arguments);
    if (!input)
        return print_failure(input.error());
    auto asked = arguments;
    asked.question.sweep.band = arguments.plot.has_value();
    auto const forecast = forecast_input(std::move(*input), asked);
    if (!forecast)
        return print_failure(forecast.error());
    auto const& answer = forecast::answer_of(*forecast);
    if (arguments.plot) {
        if (int const status = write_chart(answer, *arguments.plot); status != exit_success)
            return status;
        if (*arguments.plot == OutputFile::standard_output)
            return exit_success;
    }
    int const status =
        arguments.json ? print_json(arguments, answer) : print_result(text_of(arguments, answer));
    return status == exit_success && has_deadlock(answer) ? print_failure(impossible(answer.rows)) : status;
}

}  // namespace parcast::cli
