#include "cli/verbs/record_report.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/core.h>

#include "cli/messages.h"
#include "cli/terminal.h"
#include "report/format.h"
#include "report/names.h"
#include "timeline/recording_cost.h"

namespace parcast::cli {

namespace {

using record::ProgramEnd;
using record::RecordedImage;

using Images = std::span<RecordedImage const>;

constexpr std::size_t most_names = 4;

// All threads of a killed program were alive; that it was killed says so.
bool is_said_by_signal(Finding const& finding, ProgramEnd const& end) {
    return end.death_signal && finding.kind == FindingKind::threads_alive;
}

void print_findings(RecordedImage const& image, RecordReport const& report) {
    for (Finding const& finding : image.findings) {
        if (is_said_by_signal(finding, report.end))
            continue;
        std::string const where = finding.site.is_none()
                                      ? std::string()
                                      : "at " + report::shown(image.timeline.catalogue, finding.site);
        std::string const message = (report.images.size() > 1 ? image.program + ": " : "") + finding.message;
        if (finding.severity == Severity::warning)
            print_warning(message, where);
        else
            print_note("note: " + message);
    }
}

bool says_killed(RecordedImage const& image) {
    return std::any_of(image.findings.begin(), image.findings.end(),
                       [](Finding const& finding) { return finding.kind == FindingKind::killed; });
}

void print_written(RecordedImage const& image) {
    Timeline const& timeline = image.timeline;
    print_note(fmt::format(
        "recorded {} on CPU {}: {} of CPU time in {}, {}, recording cost {}", image.program,
        timeline.provenance.recorded_cpu, report::time_text(Duration{timeline.provenance.cpu_ns}),
        report::counted(static_cast<std::int64_t>(timeline.events.size()), "thread"),
        report::counted(event_count(timeline), "event"), report::percent_text(recording_share(timeline))));
    print_note(fmt::format("wrote {} ({})", *image.file, report::bytes_text(image.bytes)));
}

// The first problem in full: the others are hardly ever different.
void print_problems(Images images) {
    RecordedImage const* first = nullptr;
    std::int64_t others = 0;
    for (RecordedImage const& image : images) {
        if (!image.file) {
            others += first == nullptr ? 0 : 1;
            first = first == nullptr ? &image : first;
        }
    }
    if (first == nullptr)
        return;
    std::string const more =
        others == 0 ? ""
                    : fmt::format("; and {} in the same or a similar way", report::counted(others, "trace"));
    print_error(first->problem + more,
                first->timeline.events.empty()
                    ? "Please report it with the command line."
                    : "This recording is lost: free some space or name a file elsewhere "
                      "with -o, then record again.");
}

// "sh, sed, cat, ..."
std::string programs_of(std::vector<RecordedImage const*> const& images) {
    std::vector<std::string> names;
    for (RecordedImage const* image : images)
        if (std::find(names.begin(), names.end(), image->program) == names.end())
            names.push_back(image->program);
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    return text + (names.size() > most_names ? ", ..." : "");
}

void print_running(Images further) {
    std::vector<RecordedImage const*> running;
    for (RecordedImage const& image : further)
        if (image.is_running)
            running.push_back(&image);
    if (running.size() == 1) {
        print_warning(fmt::format("process {} ({}) is still running; its trace ends here",
                                  running.front()->process, running.front()->program));
    } else if (!running.empty()) {
        print_warning(fmt::format("{} processes ({}) are still running; their traces end here",
                                  running.size(), programs_of(running)));
    }
}

void print_unseen(std::vector<std::int64_t> const& processes) {
    if (processes.empty())
        return;
    print_warning(
        processes.size() == 1
            ? fmt::format("process {} goes on; it had not begun when the program ended, so it has no trace",
                          processes.front())
            : fmt::format(
                  "{} processes go on; they had not begun when the program ended, so they have no traces",
                  processes.size()),
        "A daemon can be recorded if it stays in the foreground.");
}

void print_further_warnings(Images further) {
    std::int64_t warnings = 0;
    RecordedImage const* first = nullptr;
    for (RecordedImage const& image : further) {
        for (Finding const& finding : image.findings) {
            bool const counts = image.file && finding.severity == Severity::warning;
            warnings += counts ? 1 : 0;
            first = counts && first == nullptr ? &image : first;
        }
    }
    if (warnings > 0) {
        print_note(fmt::format("{} about further processes, the first about {}: parcast info --findings {}",
                               report::counted(warnings, "warning"), first->program,
                               report::command_line({*first->file})));
    }
}

void print_further_written(Images further, std::string const& folder) {
    std::vector<RecordedImage const*> written;
    std::size_t bytes = 0;
    for (RecordedImage const& image : further) {
        if (image.file) {
            written.push_back(&image);
            bytes += image.bytes;
        }
    }
    if (written.size() == 1) {
        print_note(fmt::format("wrote {} ({}, {})", *written.front()->file, written.front()->program,
                               report::bytes_text(bytes)));
    } else if (!written.empty()) {
        print_note(fmt::format("wrote {} more traces of further processes ({}) {} ({})", written.size(),
                               programs_of(written), folder.empty() ? "beside it" : "to " + folder,
                               report::bytes_text(bytes)));
    }
}

}  // namespace

void print_report(RecordReport const& report) {
    Images const images(report.images);
    bool const has_main = !images.empty() && images.front().is_main;
    Images const further = images.subspan(has_main ? 1 : 0);
    if (has_main)
        print_findings(images.front(), report);
    if (report.end.death_signal && !(has_main && says_killed(images.front()))) {
        int const signal = *report.end.death_signal;
        print_note(fmt::format("the program was ended by signal {} ({})", signal, strsignal(signal)));
    }
    print_problems(images);
    print_running(further);
    print_unseen(report.unseen);
    print_further_warnings(further);
    if (has_main && images.front().file)
        print_written(images.front());
    print_further_written(further, report.further_folder);
    if (auto const index = record::most_worthwhile(images)) {
        RecordedImage const& best = images[*index];
        if (!best.is_main) {
            print_note(fmt::format("most CPU time was used by {}: {}", best.program,
                                   report::time_text(Duration{best.timeline.provenance.cpu_ns})));
        }
        print_note("next: parcast predict " + report::command_line({*best.file}));
    }
}

}  // namespace parcast::cli
