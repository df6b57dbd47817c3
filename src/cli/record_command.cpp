#include "cli/record_command.h"

#include <utility>

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/record_report.h"
#include "cli/recorded_run.h"
#include "cli/trace_files.h"
#include "trace/recording_file.h"

namespace parcast::cli {

namespace {

void write_trace(RecordedImage& image, std::string const& name) {
    auto const content = trace::write_recording(image.timeline);
    auto file = write_trace_file(name, content);
    if (!file) {
        image.problem = describe(file.error());
        return;
    }
    image.file = std::move(*file);
    image.bytes = content.size();
}

// Those that could be read; the main one first. The folder of the others, if there are many.
std::string write_traces(std::vector<RecordedImage>& images, ProgramEnd const& end,
                         RecordArguments const& arguments, Progress& progress) {
    bool const is_main_there = !images.empty() && images.front().is_main;
    std::string const main_program = is_main_there ? images.front().program : arguments.command.front();
    std::string const main_name = main_trace_name(arguments.output, main_program, end.process);
    std::size_t const further = images.size() - (is_main_there ? 1 : 0);
    std::string const folder = further > most_traces_beside ? folder_for_further_traces(main_name) : "";
    for (RecordedImage& image : images) {
        if (!image.problem.empty())
            continue;
        progress.say("writing the trace of " + image.program);
        write_trace(image, image.is_main ? main_name
                           : folder.empty()
                               ? further_trace_name(arguments.output, image.program, image.process)
                               : folder + further_trace_name({}, image.program, image.process));
    }
    return folder;
}

}  // namespace

int record(RecordArguments const& arguments) {
    if (auto const reason = reason_not_to_write(arguments.output))
        return print_failure(*reason);
    Progress progress;
    auto run = run_recorded({arguments.command,
                             arguments.cpu,
                             arguments.pretend_cpus,
                             {},
                             arguments.time_limit,
                             arguments.max_bytes,
                             [&](std::string const& what) { progress.say(what); }});
    if (!run)
        return print_failure(run.error());

    std::string const further_folder = write_traces(run->images, run->end, arguments, progress);
    progress.clear();
    RecordReport const report{arguments.command,      run->cpu,      run->end, std::move(run->images),
                              std::move(run->unseen), further_folder};
    if (arguments.json)
        print_report_as_json(report);
    else
        print_report(report);
    if (report.images.empty()) {
        print_error("nothing was recorded: the recorder did not start in " + run->program + ".",
                    "See \"When nothing is recorded\" in docs/record.md.");
    }
    return run->end.stopped ? int{exit_time_limit} : shell_status(run->end);
}

}  // namespace parcast::cli
