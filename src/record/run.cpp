#include "record/run.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "analysis/findings.h"
#include "core/bytes_text.h"
#include "measure/ending_signals.h"
#include "record/raw_conversion.h"
#include "record/recorder_module.h"
#include "record/recording_folder.h"
#include "record/start.h"
#include "record/watch/run_watch.h"
#include "record/watch/thread_times.h"

namespace parcast::record {

namespace {

tl::unexpected<Error> cannot_record(Error const& error, char const* advice) {
    return fail(with_code(ErrorCode::not_recorded, error, advice));
}

// After this, the program exists and can be recorded.
Result<Launch> prepare(RecordingRequest const& request, RecordingFolder const& folder) {
    auto program = find_host_program(request.command.front());
    if (!program)
        return pass_on(program);
    if (auto reason = reason_not_to_record(*program))
        return fail(std::move(*reason));
    if (auto reason = reason_not_to_obey_environment())
        return fail(std::move(*reason));
    auto const cpu = choose_cpu(request.cpu);
    if (!cpu)
        return pass_on(cpu);
    auto const module = find_recorder_module();
    if (!module)
        return cannot_record(module.error(), "Install parcast again, or build it with: ./dev build");
    std::optional<std::uint64_t> max_bytes = request.max_bytes;
    if (!max_bytes && !std::getenv("PARCAST_RECORD_LIMIT_BYTES"))
        max_bytes = folder.bearable_bytes();
    return Launch{*program,
                  request.command,
                  recording_environment({*module, folder.path(), *cpu, request.pretend_cpus, max_bytes}),
                  *cpu,
                  request.streams,
                  request.signals};
}

// The recorder in the process names the file; a process that replaced its program leaves several.
bool is_last_image(std::vector<RawFile> const& files, std::size_t i) {
    return i + 1 == files.size() || files[i + 1].process != files[i].process;
}

std::string program_of(Timeline const& timeline, std::string const& otherwise) {
    auto const& command = timeline.provenance.command;
    return std::filesystem::path(command.empty() ? otherwise : command.front()).filename().string();
}

// None if the image died before its recording began.
std::optional<RecordedImage> convert_image(RawFile const& file, bool is_last, ProgramEnd const& end,
                                           Observations const& observed, RecordingRequest const& request) {
    RecordedImage image;
    image.process = file.process;
    image.is_main = is_last && file.process == end.process;
    image.is_running = is_last && !image.is_main && is_alive(file.process);
    image.program = program_of({}, request.command.front());
    auto timeline = convert(file, is_last, end, observed, request.parcast_version);
    if (!timeline) {
        image.problem = "the recording of process " + std::to_string(file.process) +
                        " cannot be read: " + describe(timeline.error());
        return image;
    }
    if (!*timeline)
        return std::nullopt;
    image.timeline = std::move(**timeline);
    image.program = program_of(image.timeline, request.command.front());
    image.findings = analysis::findings(image.timeline);
    return image;
}

// Tens of millions of events take seconds.
std::string words_for(RawFile const& file, std::size_t i, std::size_t count) {
    std::error_code unknown;
    std::uintmax_t const bytes = std::filesystem::file_size(file.path, unknown);
    return "reading what process " + std::to_string(file.process) + " left" +
           (unknown ? "" : ", " + bytes_text(bytes)) +
           (count > 1 ? " (" + std::to_string(i + 1) + " of " + std::to_string(count) + ")" : "");
}

std::vector<RecordedImage> convert_all(RecordingFolder const& folder, ProgramEnd const& end,
                                       Observations const& observed, RecordingRequest const& request) {
    std::vector<RawFile> const files = folder.raw_files();
    std::vector<RecordedImage> images;
    for (std::size_t i = 0; i < files.size(); ++i) {
        request.tell({Notice::Kind::progress, words_for(files[i], i, files.size())});
        if (auto image = convert_image(files[i], is_last_image(files, i), end, observed, request))
            images.push_back(std::move(*image));
    }
    std::stable_partition(images.begin(), images.end(),
                          [](RecordedImage const& image) { return image.is_main; });
    return images;
}

bool has_image(std::vector<RecordedImage> const& images, std::int64_t process) {
    return std::ranges::any_of(images, [&](RecordedImage const& image) { return image.process == process; });
}

// A child that has had no CPU yet when the program ends.
std::vector<std::int64_t> unseen_children(std::vector<RecordedImage> const& images) {
    std::vector<std::int64_t> unseen;
    for (RecordedImage const& image : images) {
        for (EventList const& events : image.timeline.events) {
            for (Event const event : events) {
                bool const made_one = event.kind == EventKind::fork && event.outcome == Outcome::done;
                if (made_one && !has_image(images, event.value) && is_alive(event.value))
                    unseen.push_back(event.value);
            }
        }
    }
    return unseen;
}

constexpr std::int64_t clearly_more = 2;

}  // namespace

std::optional<std::size_t> most_worthwhile(std::span<RecordedImage const> images) {
    std::optional<std::size_t> best;
    std::int64_t best_ns = 0;
    for (std::size_t i = 0; i < images.size(); ++i) {
        std::int64_t const cpu_ns =
            images[i].timeline.provenance.cpu_ns * (images[i].is_main ? clearly_more : 1);
        if (images[i].problem.empty() && (!best || cpu_ns > best_ns)) {
            best = i;
            best_ns = cpu_ns;
        }
    }
    return best;
}

Result<RecordedRun> run_recorded(RecordingRequest const& request) {
    std::optional<measure::EndingSignals> held_back;  // until the folder is gone
    if (request.signals == SignalsAreFor::parcast)
        held_back.emplace();
    auto const folder = RecordingFolder::create();
    if (!folder) {
        return cannot_record(folder.error(),
                             "Name a folder that can be written with TMPDIR=FOLDER parcast record ...");
    }
    auto const launch = prepare(request, *folder);
    if (!launch)
        return pass_on(launch);
    RunWatch watch(*folder, launch->cpu, request.time_limit, request.tell);
    auto end = run_to_end(*launch, [&] { return watch.look(); });
    if (!end)
        return pass_on(end);
    watch.finish();
    if (measure::ending_signal())
        return fail(make_error(ErrorCode::not_recorded, "a signal ended parcast while it recorded"));
    end->stopped = watch.stopped();
    auto images = convert_all(*folder, *end, watch.observations(), request);
    auto unseen = unseen_children(images);
    return RecordedRun{launch->program, launch->cpu, *end, std::move(images), std::move(unseen)};
}

}  // namespace parcast::record
