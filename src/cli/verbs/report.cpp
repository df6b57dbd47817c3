// parcast report FILE: one HTML file that shows a prediction, and replays it, wherever it is opened.

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "cli/files/inputs.h"
#include "cli/files/output_file.h"
#include "cli/input.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/verbs/model_report.h"
#include "cli/verbs/page_report.h"
#include "cli/verbs/signature.h"
#include "cli/version.h"
#include "pages/report_elements.h"
#include "report/format.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/json/view_json.h"
#include "report/signature.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

namespace fs = std::filesystem;

struct ReportArguments {
    PageArguments page;
    OutputArguments output;

    friend bool operator==(ReportArguments const&, ReportArguments const&) = default;
};

// A folder holds a series of recordings: their signature.
Result<Report> report_of_series(PageArguments const& page, GivenOptions const& given) {
    auto const answer = series_answer(series_in_folder(page), given);
    if (!answer)
        return pass_on(answer);
    Report report;
    report.input = report::series_input_json(*answer);
    report.notes = answer->notes;
    auto const data = pages::signature_element(*answer, version);
    report.elements.push_back({{"id", data.id}, {"bytes", data.packed.size()}});
    report.document = pages::signature_page(*answer, data);
    return report;
}

std::string report_json(std::string const& file, Report const& written) {
    auto json = report::envelope("report", version, written.input);
    json["file"] = file;
    json["bytes"] = written.document.size();
    json["elements"] = written.elements;
    json["notes"] = written.notes;
    return report::to_text(json);
}

int print_outcome(ReportArguments const& arguments, std::string const& file, Report const& written) {
    for (auto const& warning : written.warnings)
        print_warning(warning);
    if (arguments.output.json)
        return print_result(report_json(file, written));
    if (file == OutputFile::standard_output || current_manners().quiet)
        return exit_success;
    return print_result("wrote " + report::printable(file) + " (" + bytes_text(written.document.size()) +
                        "): open it in a browser; it needs no network and no parcast\n");
}

std::string output_name(ReportArguments const& arguments) {
    if (arguments.output.file)
        return *arguments.output.file;
    fs::path const file(arguments.page.replay.file);
    auto const existing = arguments.output.force ? Existing::replace : Existing::keep;
    if (is_folder(file.string()))
        return usual_output(fs::weakly_canonical(file).filename().string(), ".html", existing);
    bool const has_known_ending = file.extension() == ".parcast" || file.extension() == ".pam" ||
                                  FormSet{Form::task_graph, Form::threads, Form::steps, Form::messages}.has(
                                      form_of(arguments.page.replay.file));
    return usual_output((has_known_ending ? file.stem() : file.filename()).string(), ".html", existing);
}

Result<Report> report_of(ReportArguments const& arguments, GivenOptions const& given, Progress& progress) {
    auto const& file = arguments.page.replay.file;
    if (is_folder(file))
        return report_of_series(arguments.page, given);
    if (auto const checked = check_series_options(file, given, {"--compare"}); !checked)
        return pass_on(checked);
    auto input = open_input(arguments.page.replay, given);
    if (!input)
        return pass_on(input);
    progress.say("predicting " + file);
    return input->form() == Form::model
               ? report_of_model(arguments.page.replay, std::move(*input), PageHost::file)
               : report_of_runs(arguments.page, std::move(*input));
}

int report(ReportArguments const& arguments, GivenOptions const& given) {
    std::string const file = output_name(arguments);
    auto const& input_file = arguments.page.replay.file;
    auto const existing = arguments.output.force ? Existing::replace : Existing::keep;
    if (auto const checked = check_output(file, existing, input_file); !checked)
        return print_failure(checked.error());
    Progress progress;
    auto const written = report_of(arguments, given, progress);
    if (!written) {
        progress.clear();
        return print_failure(written.error());
    }
    if (!written->size_note.empty()) {
        progress.clear();
        print_note(written->size_note);
    }
    progress.say("writing " + file);
    auto const bytes = write_text(written->document, file, existing);
    progress.clear();
    if (!bytes)
        return print_failure(bytes.error());
    int const status = print_outcome(arguments, file, *written);
    return status == exit_success && written->no_prediction ? print_failure(*written->no_prediction) : status;
}

void describe_options(OptionTable& options, ReportArguments& arguments) {
    options.input("FILE", every_form, arguments.page.replay.file);
    options.output(arguments.output, "report",
                   "write to FILE, - for standard output; default: NAME.html in the working directory");
    describe_jobs(options, arguments.page.replay);
    options.section(forms_with_runs);
    options.option("--cpus LIST", arguments.page.replay.cpus, parse_page_cpus,
                   "numbers of CPUs to predict, such as 1,2,4-16; default: as for predict");
    describe_replay(options, arguments.page.replay);
    describe_page_of_recording(options, arguments.page.measured, arguments.page.source_text);
    describe_series_question(options, arguments.page.series);
    options.option("--compare FOLDER", arguments.page.series.compare, file_name,
                   "of a folder: a second series beside it");
    describe_task_graph(options, arguments.page.replay);
    describe_messages(options, arguments.page.replay);
    describe_steps(options, arguments.page.replay);
    describe_model(options, arguments.page.replay.question.sweep);
}

}  // namespace

Verb const report_verb{
    .name = "report",
    .example = "report pigz.4711.parcast",
    .summary = "one HTML file to look at, to replay and to pass on",
    .examples = R"(
  parcast report pigz.4711.parcast
  parcast report pigz.4711.parcast -o pigz.html --cpus 1,2,4-16
  parcast report pigz.4711.parcast --no-source-text --force
  parcast report graph.json -o graph.html --cpus 1-16 --schedule fifo,lpt,block
  parcast report app.goal --network infiniband-qdr
  parcast report runs/ -o signature.html --compare other-runs
  parcast report mrm.pam --set N=1000 --sweep P=1..500:log --per N --method both
)",
    .description = R"(
Writes a prediction as one HTML file, which opens from disk in any current browser, without a network
and without parcast. It contains, for

  a recording    the prediction, its timelines, and the simulator itself: whoever gets the file can
                 choose other numbers of CPUs and another scheduler
  a program of threads that was written down: the same
  a task graph   the schedules and numbers of CPUs that it was written for
  a program that sends messages: the same, and the reader chooses other networks
  a model        its parameters as sliders, its formulas, tables and curves, evaluated in the page and
                 simulated there if you ask
  a folder of recordings, one for each number of threads: their signature, as charts and tables
)",
    .exit_status =
        "3 an input is missing, unreadable or damaged; 4 a replay deadlocks, which the report shows; "
        "5 the report could not be written",
    .see_also = "predict view signature",
    .prepare = prepared<ReportArguments, describe_options, report>,
};

}  // namespace parcast::cli
