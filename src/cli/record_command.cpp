#include "cli/record_command.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <utility>

#include "analysis/findings.h"
#include "cli/exit_status.h"
#include "cli/launcher.h"
#include "cli/messages.h"
#include "cli/raw_conversion.h"
#include "cli/record_report.h"
#include "cli/recorder_module.h"
#include "cli/recording_cpu.h"
#include "cli/recording_folder.h"
#include "cli/trace_files.h"
#include "trace/recording_file.h"

namespace parcast::cli {

namespace {

int refuse(Refusal const& refusal) {
    print_error(refusal.message, refusal.advice);
    return refusal.status;
}

tl::unexpected<Refusal> cannot_record(Error const& error, char const* advice) {
    return tl::unexpected(Refusal{exit_not_recorded, describe(error), advice});
}

// After this, the program exists and can be recorded, and its trace can be written.
tl::expected<Launch, Refusal> prepare(RecordArguments const& arguments, RecordingFolder const& folder) {
    auto program = find_host_program(arguments.command.front());
    if (!program) {
        return tl::unexpected(program.error());
    }
    if (auto reason = reason_not_to_record(*program)) {
        return tl::unexpected(*reason);
    }
    if (auto reason = reason_not_to_write(arguments.output)) {
        return tl::unexpected(*reason);
    }
    if (auto reason = reason_not_to_obey_environment()) {
        return tl::unexpected(*reason);
    }
    auto const cpu = choose_cpu(arguments.cpu);
    if (!cpu) {
        return tl::unexpected(cpu.error());
    }
    auto const module = find_recorder_module();
    if (!module) {
        return cannot_record(module.error(), "Install parcast again, or build it with: ./dev build");
    }
    return Launch{*program, arguments.command,
                  recording_environment({*module, folder.path(), *cpu, arguments.pretend_cpus}), *cpu};
}

// The recorder in the process names the file; a process that replaced its program leaves several.
bool is_last_image(std::vector<RawFile> const& files, std::size_t i) {
    return i + 1 == files.size() || files[i + 1].process != files[i].process;
}

bool is_running(std::int64_t process) {
    return kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
}

std::string program_of(Timeline const& timeline, std::string const& otherwise) {
    auto const& command = timeline.provenance.command;
    return std::filesystem::path(command.empty() ? otherwise : command.front()).filename().string();
}

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
                         RecordArguments const& arguments) {
    bool const is_main_there = !images.empty() && images.front().is_main;
    std::string const main_program = is_main_there ? images.front().program : arguments.command.front();
    std::string const main_name = main_trace_name(arguments.output, main_program, end.process);
    std::size_t const further = images.size() - (is_main_there ? 1 : 0);
    std::string const folder = further > most_traces_beside ? folder_for_further_traces(main_name) : "";
    for (RecordedImage& image : images) {
        if (!image.problem.empty()) {
            continue;
        }
        write_trace(image, image.is_main ? main_name
                           : folder.empty()
                               ? further_trace_name(arguments.output, image.program, image.process)
                               : folder + further_trace_name({}, image.program, image.process));
    }
    return folder;
}

// None if the image died before its recording began.
std::optional<RecordedImage> convert_image(RawFile const& file, bool is_last, ProgramEnd const& end,
                                           RecordArguments const& arguments) {
    RecordedImage image;
    image.process = file.process;
    image.is_main = is_last && file.process == end.process;
    image.is_running = is_last && !image.is_main && is_running(file.process);
    image.program = program_of({}, arguments.command.front());
    auto timeline = convert(file, is_last, end);
    if (!timeline) {
        image.problem = "the recording of process " + std::to_string(file.process) +
                        " cannot be read: " + describe(timeline.error());
        return image;
    }
    if (!*timeline) {
        return std::nullopt;
    }
    image.timeline = std::move(**timeline);
    image.program = program_of(image.timeline, arguments.command.front());
    image.findings = analysis::findings(image.timeline);
    return image;
}

std::vector<RecordedImage> convert_all(RecordingFolder const& folder, ProgramEnd const& end,
                                       RecordArguments const& arguments) {
    std::vector<RawFile> const files = folder.raw_files();
    std::vector<RecordedImage> images;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (auto image = convert_image(files[i], is_last_image(files, i), end, arguments)) {
            images.push_back(std::move(*image));
        }
    }
    std::stable_partition(images.begin(), images.end(),
                          [](RecordedImage const& image) { return image.is_main; });
    return images;
}

}  // namespace

int record(RecordArguments const& arguments) {
    auto const folder = RecordingFolder::create();
    if (!folder) {
        print_error(folder.error(),
                    "Name a folder that can be written with TMPDIR=FOLDER parcast record ...");
        return exit_not_recorded;
    }
    auto const launch = prepare(arguments, *folder);
    if (!launch) {
        return refuse(launch.error());
    }
    auto const end = run_to_end(*launch);
    if (!end) {
        return refuse(end.error());
    }

    auto images = convert_all(*folder, *end, arguments);
    std::string const further_folder = write_traces(images, *end, arguments);
    RecordReport const report{arguments.command, launch->cpu, *end, std::move(images), further_folder};
    if (arguments.json) {
        print_report_as_json(report);
    } else {
        print_report(report);
    }
    if (report.images.empty()) {
        print_error("nothing was recorded: the recorder did not start in " + launch->program + ".",
                    "See \"When nothing is recorded\" in docs/record.md.");
    }
    return shell_status(*end);
}

}  // namespace parcast::cli
