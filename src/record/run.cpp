#include "record/run.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "analysis/findings.h"
#include "core/bytes_text.h"
#include "measure/clock.h"
#include "measure/ending_signals.h"
#include "measure/idle_time.h"
#include "record/memory_map_watch.h"
#include "record/other_processes.h"
#include "record/preloaded_library.h"
#include "record/sampler.h"
#include "record/start.h"
#include "record/watch/run_watch.h"
#include "record/watch/thread_times.h"
#include "timeline/recording_cost.h"
#include "trace/recording_file.h"

namespace parcast::record {

namespace {

tl::unexpected<Error> cannot_record(Error const& error, char const* advice) {
    return fail(with_code(ErrorCode::not_recorded, error, advice));
}

// What the kernel notes while the program runs, if it is asked to.
struct KernelNotes {
    std::optional<Sampler> sampler;
    std::optional<MemoryMapWatch> memory_map;

    bool are_taken() const { return sampler || memory_map; }
    void attach(pid_t process, unsigned cpu, Listener const& tell) {
        if (sampler)
            if (auto const attached = sampler->attach(process, cpu); !attached)
                tell(
                    {Notice::Kind::warning, "functions are not recorded: " + attached.error().message,
                     "The rest is recorded all the same. Functions can be recorded in another way: build the "
                     "program with -finstrument-functions. What this host forbids, and how to allow it: "
                     "parcast doctor"});
        if (memory_map)
            if (auto const attached = memory_map->attach(process, cpu); !attached)
                tell({Notice::Kind::warning, "the memory map is not recorded: " + attached.error().message,
                      "The rest is recorded all the same. What this host forbids, and how to allow it: "
                      "parcast doctor"});
    }
    void drain() {
        if (sampler)
            sampler->drain();
        if (memory_map)
            memory_map->drain();
    }
    std::vector<int> rings() const {
        return {sampler ? sampler->ring() : -1, memory_map ? memory_map->ring() : -1};
    }
};

// After this, the program exists and can be recorded.
Result<Launch> prepare(RecordingRequest const& request, RecordingFolder const& folder, KernelNotes* notes) {
    auto program = find_host_program(request.command.front());
    if (!program)
        return pass_on(program);
    if (auto reason = reason_not_to_preload(*program))
        return fail(std::move(*reason));
    if (auto reason = reason_not_to_obey_environment())
        return fail(std::move(*reason));
    auto const cpu = choose_cpu(request.cpu);
    if (!cpu)
        return pass_on(cpu);
    auto const library = find_preloaded_library(recorder_library);
    if (!library)
        return cannot_record(library.error(), "Install parcast again, or build it with: ./dev build");
    std::optional<std::uint64_t> max_bytes = request.max_bytes;
    if (!max_bytes && !std::getenv("PARCAST_RECORD_LIMIT_BYTES"))
        max_bytes = folder.bearable_bytes();
    Launch launch{*program,
                  request.command,
                  recording_environment(
                      {*library, folder.path(), *cpu, request.pretend_cpus, max_bytes, request.call_depth}),
                  {*cpu},
                  request.streams,
                  request.signals};
    if (notes)
        launch.before_start = [notes, cpu = *cpu, &tell = request.tell](pid_t process) {
            notes->attach(process, cpu, tell);
        };
    return launch;
}

// The recorder in the process names the file; a process that replaced its program leaves several.
bool is_last_image(std::vector<RawFile> const& files, std::size_t i) {
    return i + 1 == files.size() || files[i + 1].process != files[i].process;
}

std::string program_of(Timeline const& timeline, std::string const& otherwise) {
    auto const& command = timeline.provenance.command;
    return std::filesystem::path(command.empty() ? otherwise : command.front()).filename().string();
}

struct FoundImage {
    RecordedImage image;
    std::optional<RawImage> raw;  // none: it could not be read
};

std::string cannot_be_read(std::int64_t process, Error const& error) {
    return "the recording of process " + std::to_string(process) + " cannot be read: " + describe(error);
}

// Not one that has only the number of an image in another pid namespace: there, process 1 is not init. Nor
// one that has told its end, and is on its way out.
bool still_runs(RecordingFolder const& folder, RawFile const& file, Provenance const& provenance) {
    return !provenance.exit_status && is_alive(file.process) &&
           (is_in_use(file.path) || is_recorded_in(folder.path(), file.process));
}

// None if the image died before its recording began.
std::optional<FoundImage> find_image(RecordingFolder const& folder, RawFile const& file, bool is_last,
                                     ProgramEnd const& end, Observations const& observed,
                                     RecordingRequest const& request) {
    FoundImage found;
    RecordedImage& image = found.image;
    image.process = file.process;
    image.is_main = is_last && file.process == end.process;
    image.program = program_of({}, request.command.front());
    auto raw = convert(file, is_last, end, observed, request.parcast_version);
    auto const runs = [&] {
        return is_last && !image.is_main && still_runs(folder, file, image.timeline.provenance);
    };
    if (!raw) {
        image.is_running = runs();
        image.problem = cannot_be_read(file.process, raw.error());
        return found;
    }
    if (!*raw)
        return std::nullopt;
    found.raw = std::move(*raw);
    image.timeline = std::move(found.raw->recorded());
    image.program = program_of(image.timeline, request.command.front());
    image.is_running = runs();
    return found;
}

// Tens of millions of events take seconds.
std::string words_for(RawFile const& file, std::size_t i, std::size_t count) {
    std::error_code unknown;
    std::uintmax_t const bytes = std::filesystem::file_size(file.path, unknown);
    return "reading what process " + std::to_string(file.process) + " left" +
           (unknown ? "" : ", " + bytes_text(bytes)) +
           (count > 1 ? " (" + std::to_string(i + 1) + " of " + std::to_string(count) + ")" : "");
}

std::vector<FoundImage> find_all(RecordingFolder const& folder, ProgramEnd const& end,
                                 Observations const& observed, RecordingRequest const& request) {
    std::vector<RawFile> const files = folder.raw_files();
    std::vector<FoundImage> images;
    for (std::size_t i = 0; i < files.size(); ++i) {
        request.tell({Notice::Kind::progress, words_for(files[i], i, files.size())});
        if (auto found = find_image(folder, files[i], is_last_image(files, i), end, observed, request))
            images.push_back(std::move(*found));
    }
    std::stable_partition(images.begin(), images.end(),
                          [](FoundImage const& found) { return found.image.is_main; });
    return images;
}

bool has_image(std::vector<FoundImage> const& images, std::int64_t process) {
    return std::ranges::any_of(images,
                               [&](FoundImage const& found) { return found.image.process == process; });
}

// A child that has had no CPU yet when the program ends.
std::vector<std::int64_t> unseen_children(RecordingFolder const& folder,
                                          std::vector<FoundImage> const& images) {
    std::vector<std::int64_t> unseen;
    for (FoundImage const& found : images) {
        for (std::int64_t const process :
             found.raw ? found.raw->forked_processes() : std::vector<std::int64_t>{}) {
            if (!has_image(images, process) && is_alive(process) && is_recorded_in(folder.path(), process))
                unseen.push_back(process);
        }
    }
    return unseen;
}

// What processes used that the program waited for, directly or not, and that left no recording: statically
// linked ones, for example. Nothing is known of it where a recording does not go to the end of its process.
std::int64_t unrecorded_cpu_ns(std::vector<FoundImage> const& images, ProgramEnd const& end) {
    std::int64_t recorded_ns = 0;
    for (FoundImage const& found : images) {
        Provenance const& provenance = found.image.timeline.provenance;
        if (!found.raw || provenance.cut)
            return 0;
        if (found.image.is_main && provenance.rusage_cpu_ns && !found.raw->has_children())
            return 0;
        recorded_ns += found.raw->span(found.image.timeline).cpu_ns;
    }
    return std::max<std::int64_t>(0, end.cpu_ns - recorded_ns);
}

// Of all processes of the program: also of those that it did not wait for, or not before its end.
std::int64_t cpu_of_job_ns(std::vector<FoundImage> const& images, ProgramEnd const& end) {
    std::int64_t recorded_ns = 0;
    for (FoundImage const& found : images)
        recorded_ns += found.image.timeline.provenance.cpu_ns;
    return std::max(recorded_ns, end.cpu_ns);
}

// REQUIRES: the main image is the first one, if there is one.
void note_other_processes(std::vector<FoundImage>& images, ProgramEnd const& end) {
    std::vector<ProcessSpan> spans;
    std::vector<Timeline*> timelines;
    for (FoundImage& found : images) {
        if (!found.raw)
            continue;
        spans.push_back(found.raw->span(found.image.timeline));
        timelines.push_back(&found.image.timeline);
    }
    if (timelines.empty())
        return;
    ProcessSpan unrecorded = spans.front();
    unrecorded.cpu_ns = unrecorded_cpu_ns(images, end);
    spans.push_back(unrecorded);
    auto const others = cpu_of_others(spans);
    for (std::size_t i = 0; i < timelines.size(); ++i)
        timelines[i]->provenance.others_cpu_ns = others[i];
}

void keep_events_in_memory(RawImage& raw, RecordedImage& image) {
    RecordingSink const keep = trace::keep_recording(image.timeline);
    read_events(raw, image, keep);
}

constexpr std::int64_t clearly_more = 2;

}  // namespace

void read_events(RawImage& raw, RecordedImage& image, RecordingSink const& take) {
    analysis::Surveyor surveyor(image.timeline);
    auto const read = raw.hand_over(image.timeline, {[&](ThreadId thread, std::span<Event const> events) {
                                                         surveyor.add(thread, events);
                                                         take.events(thread, events);
                                                     },
                                                     [&](ThreadId thread, std::span<WorkShare const> shares) {
                                                         surveyor.add_shares(shares);
                                                         take.shares(thread, shares);
                                                     }});
    if (!read) {
        image.timeline = {};
        image.problem = cannot_be_read(image.process, read.error());
        return;
    }
    auto const survey = surveyor.finish(image.timeline.catalogue);
    image.events = event_count(survey.profile);
    image.recording_share = recording_share(survey.recording_cost_ns, image.timeline.provenance);
    image.findings = analysis::findings(image.timeline, survey);
}

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

namespace {

// How long the program had its one CPU, and how much of that nobody used.
struct CpuUse {
    Duration wall;
    Duration idle;

    double share_of_others(std::int64_t own_cpu_ns) const {
        return std::min(1.0, measure::share_of_others(idle, Duration{own_cpu_ns}, wall, 1));
    }
};

struct WatchedRun {
    std::string program;
    unsigned cpu = 0;
    RecordingFolder folder;
    ProgramEnd end;
    Observations observations;  // without samples
    std::optional<CpuUse> cpu_use;
};

// From now on.
class CpuUseWatch {
public:
    explicit CpuUseWatch(unsigned cpu)
        : cpu_(cpu), start_(measure::kernel_now()), idle_(measure::read_idle_time(std::span(&cpu_, 1))) {}

    std::optional<CpuUse> look() const {
        auto const idle = measure::read_idle_time(std::span(&cpu_, 1));
        Duration const wall = measure::kernel_now() - start_;
        if (!idle || !idle_ || wall.ns <= 0)
            return std::nullopt;
        return CpuUse{wall, *idle - *idle_};
    }

private:
    unsigned cpu_;
    Instant start_;
    std::optional<Duration> idle_;
};

// `notes`: null, or what to take.
Result<WatchedRun> run_watched(RecordingRequest const& request, KernelNotes* notes) {
    auto folder = RecordingFolder::create(request.max_bytes);
    if (!folder) {
        return cannot_record(folder.error(),
                             "Name a folder that can be written with TMPDIR=FOLDER parcast record ...");
    }
    auto const launch = prepare(request, *folder, notes);
    if (!launch)
        return pass_on(launch);
    CpuUseWatch const use_watch(launch->cpus.front());
    RunWatch watch(*folder, launch->cpus.front(), request.time_limit, request.signals, request.tell);
    auto end = run_to_end(*launch, [&] {
        if (!notes || !notes->are_taken())
            return Pause{watch.look()};
        notes->drain();
        return Pause{std::min(watch.look(), Sampler::longest_pause), notes->rings()};
    });
    if (!end)
        return pass_on(end);
    auto const cpu_use = use_watch.look();
    watch.finish();
    if (notes)
        notes->drain();
    if (measure::ending_signal())
        return fail(make_error(ErrorCode::not_recorded, "a signal ended parcast while it recorded"));
    end->stopped = watch.stopped();
    return WatchedRun{launch->program, launch->cpus.front(), std::move(*folder),
                      std::move(*end), watch.observations(), cpu_use};
}

}  // namespace

Result<RecordedRun> run_recorded(RecordingRequest const& request) {
    std::optional<measure::EndingSignals> held_back;  // until the folder is gone
    if (request.signals == SignalsAreFor::parcast)
        held_back.emplace();
    KernelNotes notes;
    if (request.sample)
        notes.sampler.emplace(*request.sample);
    if (request.memory_map)
        notes.memory_map.emplace();
    auto watched = run_watched(request, &notes);
    if (!watched)
        return pass_on(watched);
    Observations observed = std::move(watched->observations);
    observed.samples = notes.sampler ? &notes.sampler->samples() : nullptr;
    observed.memory_map = notes.memory_map ? &notes.memory_map->uses() : nullptr;
    auto found = find_all(watched->folder, watched->end, observed, request);
    note_other_processes(found, watched->end);
    if (watched->cpu_use)
        watched->end.others_share = watched->cpu_use->share_of_others(cpu_of_job_ns(found, watched->end));
    RecordedRun run{watched->program,
                    watched->cpu,
                    watched->end,
                    {},
                    unseen_children(watched->folder, found),
                    std::nullopt,
                    {}};
    for (FoundImage& each : found) {
        if (each.raw && request.events == EventsLie::in_memory)
            keep_events_in_memory(*each.raw, each.image);
        run.images.push_back(std::move(each.image));
        if (request.events == EventsLie::in_raw_files)
            run.raw_images.push_back(std::move(each.raw));
    }
    if (request.events == EventsLie::in_raw_files)
        run.folder = std::move(watched->folder);
    return run;
}

Result<ProgramEnd> run_again(RecordingRequest const& request) {
    auto watched = run_watched(request, nullptr);
    return watched ? Result<ProgramEnd>(std::move(watched->end)) : pass_on(watched);
}

}  // namespace parcast::record
