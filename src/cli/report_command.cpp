#include "cli/report_command.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/measured_file.h"
#include "cli/messages.h"
#include "cli/predicted_file.h"
#include "cli/progress.h"
#include "cli/recording.h"
#include "cli/report_elements.h"
#include "cli/temporary_file.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "page/assets.h"
#include "report/envelope.h"
#include "report/format.h"
#include "report/json_parts.h"
#include "report/names.h"

namespace parcast::cli {

namespace {

namespace fs = std::filesystem;

std::string output_name(ReportArguments const& arguments) {
    if (arguments.output) {
        return *arguments.output;
    }
    fs::path const recording(arguments.replay.file);
    fs::path const name = recording.extension() == ".parcast" ? recording.stem() : recording.filename();
    return name.string() + ".html";
}

// Before the work whose result it is.
std::optional<Refusal> reason_not_to_write(std::string const& file, bool force) {
    std::error_code problem;
    auto const there = fs::status(file, problem);
    if (fs::is_directory(there)) {
        return Refusal{exit_output, file + " is a folder.", "Name a file in it: -o " + file + "/report.html"};
    }
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        return Refusal{exit_output, file + " is no ordinary file.", "Name another one with -o."};
    }
    if (fs::exists(there) && !force) {
        return Refusal{exit_output, file + " exists already.",
                       "Replace it with --force, or give another -o."};
    }
    if (!TemporaryFile(file).is_open()) {
        return Refusal{exit_output, "cannot write " + file + ": " + std::strerror(errno) + ".",
                       "Name a file in a folder that you can write to with -o."};
    }
    return std::nullopt;
}

std::optional<Refusal> write_report(std::string const& file, std::string_view document, bool force) {
    TemporaryFile output(file);
    bool const is_written = output.is_open() && output.write_all(std::as_bytes(std::span(document))) &&
                            (force ? output.replace(file) : output.move_to(file));
    if (is_written) {
        return std::nullopt;
    }
    return Refusal{exit_output, "cannot write " + file + ": " + std::strerror(errno) + ".",
                   "Name a file on a disk with space with -o."};
}

std::string report_json(std::string const& file, std::size_t bytes, PredictedProgram const& predicted,
                        ReportElements const& report) {
    auto const& prediction = predicted.prediction;
    auto json =
        report::envelope("report", version, report::input_json(prediction.file, prediction.provenance));
    json["file"] = file;
    json["bytes"] = bytes;
    json["elements"] = nlohmann::ordered_json::array();
    for (auto const& element : report.elements) {
        json["elements"].push_back({{"id", element.id}, {"bytes", element.packed.size()}});
    }
    json["notes"] = report.notes;
    return report::to_text(json);
}

int say(ReportArguments const& arguments, std::string const& file, std::size_t bytes,
        PredictedProgram const& predicted, ReportElements const& report) {
    for (auto const& note : report.notes) {
        print_warning(note);
    }
    if (arguments.json) {
        return print_result(report_json(file, bytes, predicted, report));
    }
    return print_result("wrote " + file + " (" + report::bytes_text(bytes) +
                        "): open it in a browser; it needs no network and no parcast\n");
}

// The events of the recording are not kept while its program is replayed: they are read again.
tl::expected<ReportContent, Refusal> content_of(ReportArguments const& arguments,
                                                report::Prediction const& prediction) {
    ReportContent content;
    if (arguments.measured) {
        auto points = measured_file(*arguments.measured, prediction);
        if (!points) {
            return tl::unexpected(std::move(points.error()));
        }
        content.measured = std::move(*points);
    }
    auto recorded = load_recording(arguments.replay.file);
    if (!recorded) {
        return tl::unexpected(
            Refusal{exit_input, describe(recorded.error()), advice_for_recording(recorded.error())});
    }
    content.recorded = view::recorded_execution(*recorded);
    content.source_text = arguments.source_text;
    content.workers = workers(arguments.replay);
    return content;
}

}  // namespace

int report(ReportArguments const& arguments) {
    std::string const file = output_name(arguments);
    if (auto const refusal = reason_not_to_write(file, arguments.force)) {
        return refuse(*refusal);
    }
    Progress progress;
    progress.say("predicting " + arguments.replay.file);
    auto const predicted = predicted_file(arguments.replay);
    if (!predicted) {
        progress.clear();
        return refuse(predicted.error());
    }
    auto content = content_of(arguments, predicted->prediction);
    if (!content) {
        progress.clear();
        return refuse(content.error());
    }
    progress.say("writing " + file);
    auto const report = report_elements(*predicted, std::move(*content));
    if (!report) {
        progress.clear();
        return refuse({exit_bug, describe(report.error()), "Please report it with the recording."});
    }
    auto const& prediction = predicted->prediction;
    auto const document = page::with_data(
        page::template_page(), report::command_line(prediction.provenance.command), report->elements);
    auto const refusal = write_report(file, document, arguments.force);
    progress.clear();
    if (refusal) {
        return refuse(*refusal);
    }
    int const status = say(arguments, file, document.size(), *predicted, *report);
    return status == exit_success && has_deadlock(prediction) ? refuse(impossible(prediction.runs)) : status;
}

}  // namespace parcast::cli
