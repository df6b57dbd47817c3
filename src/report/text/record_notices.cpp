#include "report/record.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "core/listed.h"
#include "report/codes/codes.h"
#include "report/format.h"
#include "report/names.h"
#include "report/sentences/sentences.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

using Images = std::vector<std::reference_wrapper<RecordedImage const>>;

constexpr std::size_t most_names = 4;
constexpr unsigned cpus_to_pretend = 8;
constexpr double most_of_others = 0.1;
constexpr Duration least_work_for_threads{10'000'000};

template <class Belongs>
Images images_that(std::span<RecordedImage const> images, Belongs belongs) {
    Images found;
    std::ranges::copy_if(images, std::back_inserter(found), belongs);
    return found;
}

// "sh, sed, cat, ..."
std::string programs_of(Images const& images) {
    std::vector<std::string> names;
    for (RecordedImage const& image : images)
        if (std::ranges::find(names, image.program) == names.end())
            names.push_back(image.program);
    if (names.size() > most_names) {
        names.resize(most_names);
        names.emplace_back("...");
    }
    return listed(names);
}

// A program that has hardly any work, was not recorded to its end, or has processes for its work, shows
// nothing about its threads.
bool may_make_more_threads(RecordedImage const& image) {
    auto const& from = image.timeline.provenance;
    bool const saw_one_cpu = from.pretended_cpus.value_or(1) == 1;
    bool const is_whole = !from.cut && !from.death_signal && from.exit_status.value_or(0) == 0;
    return image.timeline.catalogue.threads.size() == 1 && saw_one_cpu && is_whole &&
           Duration{from.cpu_ns} >= least_work_for_threads &&
           !has_finding(image.findings, FindingKind::further_processes);
}

class RecordNotices {
public:
    explicit RecordNotices(RecordAnswer const& answer) : answer_(answer) {}

    std::vector<Notice> all() {
        std::span<RecordedImage const> further(answer_.images);
        bool const has_main = !further.empty() && further.front().is_main;
        further = further.subspan(has_main ? 1 : 0);
        if (has_main)
            add_findings(answer_.images.front());
        add_signal(has_main);
        add_problems();
        add_running(images_that(further, [](auto const& image) { return image.is_running; }));
        add_unseen();
        auto const written = images_that(further, [](auto const& image) { return image.file.has_value(); });
        add_warnings(written);
        if (answer_.event_price)
            note(event_price_text(*answer_.event_price));
        if (has_main && answer_.images.front().file)
            add_main_written(answer_.images.front());
        add_written(written);
        add_next();
        return std::move(notices_);
    }

private:
    void note(std::string message) { notices_.push_back({Notice::Kind::note, std::move(message)}); }
    void command(std::string message) { notices_.push_back({Notice::Kind::command, std::move(message)}); }
    void warning(std::string message, std::string advice = {}) {
        notices_.push_back({Notice::Kind::warning, std::move(message), std::move(advice)});
    }

    void add_findings(RecordedImage const& image) {
        for (Finding const& finding : image.findings) {
            // All threads of a killed program were alive; the signal is reported.
            if (answer_.death_signal && finding.kind == FindingKind::threads_alive)
                continue;
            std::string const message =
                (answer_.images.size() > 1 ? image.program + ": " : "") + sentence_with_code(finding);
            if (finding.severity != Severity::warning)
                note("note: " + message);
            else
                warning(message,
                        finding.site.is_none() ? "" : "at " + shown(image.timeline.catalogue, finding.site));
        }
    }

    void add_signal(bool has_main) {
        bool const is_reported =
            has_main && has_finding(answer_.images.front().findings, FindingKind::killed);
        if (answer_.death_signal && !is_reported)
            note(fmt::format("the program was ended by signal {} ({})", *answer_.death_signal,
                             strsignal(*answer_.death_signal)));
    }

    // The first problem in full: the others are hardly ever different.
    void add_problems() {
        auto const lost = images_that(answer_.images, [](auto const& image) { return !image.file; });
        if (lost.empty())
            return;
        RecordedImage const& first = lost.front();
        std::string const more = lost.size() == 1 ? ""
                                                  : fmt::format("; and {} in the same or a similar way",
                                                                counted(std::ssize(lost) - 1, "trace"));
        notices_.push_back({Notice::Kind::error, first.problem + more,
                            first.timeline.catalogue.threads.empty()
                                ? "Please report it with the command line."
                                : "This recording is lost: free some space or name a file elsewhere "
                                  "with -o, then record again."});
    }

    void add_running(Images const& running) {
        if (running.size() == 1)
            warning(fmt::format("process {} ({}) is still running; its trace ends here",
                                running.front().get().process, running.front().get().program));
        else if (!running.empty())
            warning(fmt::format("{} processes ({}) are still running; their traces end here", running.size(),
                                programs_of(running)));
    }

    void add_unseen() {
        auto const& processes = answer_.unseen;
        if (processes.empty())
            return;
        warning(
            processes.size() == 1
                ? fmt::format(
                      "process {} goes on; it had not begun when the program ended, so it has no trace",
                      processes.front())
                : fmt::format(
                      "{} processes go on; they had not begun when the program ended, so they have no traces",
                      processes.size()),
            "A daemon can be recorded if it stays in the foreground.");
    }

    void add_warnings(Images const& written) {
        std::int64_t warnings = 0;
        RecordedImage const* first = nullptr;
        for (RecordedImage const& image : written) {
            auto const count = std::ranges::count(image.findings, Severity::warning, &Finding::severity);
            warnings += count;
            first = first == nullptr && count > 0 ? &image : first;
        }
        if (warnings > 0)
            note(fmt::format("{} about further processes, the first about {}: parcast info --findings {}",
                             counted(warnings, "warning"), first->program, command_line({*first->file})));
    }

    void add_main_written(RecordedImage const& image) {
        auto const& timeline = image.timeline;
        note(fmt::format("recorded {} on CPU {}: {} of CPU time in {}, {}, recording cost {}", image.program,
                         timeline.provenance.recorded_cpu, time_text(Duration{timeline.provenance.cpu_ns}),
                         counted(std::ssize(timeline.catalogue.threads), "thread"),
                         counted(image.events, "event"), percent_text(image.recording_share)));
        add_others(timeline.provenance);
        add_memory(timeline.provenance.memory);
        for (auto const& measured : measured_speed_ups(timeline.provenance))
            add_measured(measured);
        note(fmt::format("wrote {} ({})", *image.file, bytes_text(image.bytes)));
    }

    // Below that, others make CPU times longer by less than they vary anyway.
    void add_others(Provenance const& provenance) {
        constexpr double busy_share = 0.2;
        double const share = answer_.others_share.value_or(0);
        std::string const had =
            fmt::format("others had {} of CPU {} meanwhile", percent_text(share), provenance.recorded_cpu);
        if (answer_.recordings > 1)
            note(fmt::format("of {} this one is kept, which others disturbed least: {}",
                             counted(static_cast<std::int64_t>(answer_.recordings), "recording"), had));
        else if (share >= busy_share)
            note(
                fmt::format("note: {}. Their time is in no prediction, but what they do to the caches is: "
                            "record on a quiet host, or with --repeat 3",
                            had));
    }

    void add_measured(MeasuredSpeedUp const& measured) {
        note(measured_speed_up_text(measured));
        if (measured.others > most_of_others)
            warning("other programs had " + percent_text(measured.others) +
                        " of the CPUs' time meanwhile, which the measurement cannot leave out",
                    "Repeat it when the host is quiet.");
    }

    void add_memory(std::optional<MemorySensing> const& memory) {
        if (!memory)
            return;
        auto const place = [](Sensed const& sensed) {
            return fmt::format("{:.2f} ({:.2f} - {:.2f})", sensed.value, sensed.low, sensed.high);
        };
        note(fmt::format(
            "sensed memory: beside {} busy with it the program takes {:.2f} times as long, a loop "
            "that only moves memory {:.2f}: sensitivity {}, pressure {}",
            counted(memory->pressing_cpus, "CPU"), memory->slowdown, memory->memory_slowdown,
            place(memory->sensitivity), place(memory->pressure)));
    }

    void add_written(Images const& written) {
        std::size_t bytes = 0;
        for (RecordedImage const& image : written)
            bytes += image.bytes;
        auto const& folder = answer_.further_folder;
        if (written.size() == 1)
            note(fmt::format("wrote {} ({}, {})", *written.front().get().file, written.front().get().program,
                             bytes_text(bytes)));
        else if (!written.empty())
            note(fmt::format("wrote {} more traces of further processes ({}) {} ({})", written.size(),
                             programs_of(written), folder.empty() ? "beside it" : "to " + folder,
                             bytes_text(bytes)));
    }

    void add_next() {
        if (!answer_.next)
            return;
        auto const& best = answer_.images[*answer_.next];
        if (!best.is_main)
            note(fmt::format("most CPU time was used by {}: {}", best.program,
                             time_text(Duration{best.timeline.provenance.cpu_ns})));
        if (may_make_more_threads(best)) {
            bool const has_openmp = has_finding(best.findings, FindingKind::openmp_runtime);
            note(fmt::format(
                "note: it made one thread, and saw one CPU. Many programs make a thread for each CPU that "
                "they see{}: show it more.",
                has_openmp ? ", this one by OpenMP, which also obeys OMP_NUM_THREADS" : ""));
            command(fmt::format("next: parcast record --pretend-cpus {} -- {}", cpus_to_pretend,
                                shown_command(answer_.command)));
            return;
        }
        add_offer(best);
        command("next: parcast predict " + command_line({*best.file}));
    }

    // Whether a run may be repeated is for its user to know, who types it.
    void add_offer(RecordedImage const& image) {
        auto const& from = image.timeline.provenance;
        bool const can_be_measured = image.is_main && answer_.usable_cpus >= 2 && from.measured.empty() &&
                                     !from.pretended_cpus && !from.cut && !from.death_signal &&
                                     image.timeline.catalogue.threads.size() > 1;
        if (can_be_measured)
            command(
                "or check it on 2 CPUs of this host, which runs the program again: parcast record "
                "--measure -- " +
                shown_command(answer_.command));
    }

    RecordAnswer const& answer_;
    std::vector<Notice> notices_;
};

}  // namespace

std::vector<Notice> record_notices(RecordAnswer const& answer) {
    return RecordNotices(answer).all();
}

}  // namespace parcast::report
