#include "cli/record_report.h"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>

#include "cli/messages.h"
#include "cli/terminal.h"
#include "report/format.h"
#include "report/names.h"
#include "timeline/recording_cost.h"

namespace parcast::cli {

namespace {

constexpr std::size_t most_images_shown = 5;

void print_findings(RecordedImage const& image, bool with_name) {
    for (analysis::Finding const& finding : image.findings) {
        std::string const where = finding.site.is_none()
                                      ? std::string()
                                      : "at " + report::shown(image.timeline.catalogue, finding.site);
        std::string const message = (with_name ? image.program + ": " : "") + finding.message;
        if (finding.severity == analysis::Severity::warning) {
            print_warning(message, where);
        } else {
            print_note("note: " + message);
        }
    }
}

void print_image(RecordedImage const& image) {
    if (!image.file) {
        print_error(image.problem, image.timeline.events.empty()
                                       ? "Please report it with the command line."
                                       : "This recording is lost: free some space or name a file elsewhere "
                                         "with -o, then record again.");
        return;
    }
    if (image.is_running) {
        print_warning(fmt::format("process {} ({}) is still running; its trace ends here.", image.process,
                                  image.program),
                      {});
    }
    Timeline const& timeline = image.timeline;
    print_note(fmt::format(
        "recorded {} on CPU {}: {} of CPU time in {}, {}, recording cost {}", image.program,
        timeline.provenance.recorded_cpu, report::time_text(Duration{timeline.provenance.cpu_ns}),
        report::counted(static_cast<std::int64_t>(timeline.events.size()), "thread"),
        report::counted(event_count(timeline), "event"), report::percent_text(recording_share(timeline))));
    print_note(fmt::format("wrote {} ({})", *image.file, report::bytes_text(image.bytes)));
}

void print_further(std::vector<RecordedImage> const& images) {
    std::size_t const shown = std::min(images.size(), most_images_shown);
    for (std::size_t i = 0; i < shown; ++i) {
        print_image(images[i]);
    }
    if (images.size() > shown) {
        print_note(fmt::format("and {} of further processes",
                               report::counted(static_cast<std::int64_t>(images.size() - shown), "trace")));
        for (std::size_t i = shown; i < images.size(); ++i) {
            if (!images[i].file) {
                print_image(images[i]);
            }
        }
    }
}

}  // namespace

double recording_share(Timeline const& timeline) {
    double const cpu_ns = static_cast<double>(timeline.provenance.cpu_ns);
    return cpu_ns > 0 ? recording_cost(timeline) / cpu_ns : 0;
}

void print_report(RecordReport const& report) {
    for (RecordedImage const& image : report.images) {
        print_findings(image, report.images.size() > 1);
    }
    if (report.end.death_signal) {
        int const signal = *report.end.death_signal;
        print_note(fmt::format("the program was ended by signal {} ({})", signal, strsignal(signal)));
    }
    print_further(report.images);
    if (!report.images.empty() && report.images.front().file) {
        print_note("next: parcast predict " + *report.images.front().file);
    }
}

}  // namespace parcast::cli
