#include "report/sentences/sentences.h"

#include <fmt/core.h>

#include "answer/run_sentences.h"
#include "report/format.h"
#include "report/names.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double notable_share_left_out = 0.02;  // of the CPU time
constexpr Duration notable_time_left_out{1'000'000};
constexpr std::size_t note_indent = 6;  // below the word after "note: "

std::string machine_text(Answer const& prediction) {
    auto const& source = prediction.recording().machine.source;
    bool const is_calibrated = source && !source->host.empty();
    // A machine that nobody described has the name of its scheduler, a calibrated one often that of its host.
    bool const has_name = prediction.recording().machine.name != prediction.recording().machine.scheduler &&
                          !(is_calibrated && prediction.recording().machine.name == source->host);
    std::string const name = has_name ? " " + printable(prediction.recording().machine.name) : "";
    if (is_calibrated) {
        return fmt::format(" · machine{} calibrated on {}, {}", name + (has_name ? "," : ""),
                           printable(source->host), printable(source->date));
    }
    if (has_name)
        return " · machine" + name;
    return source ? " · machine file " + printable(source->file) : "";
}

}  // namespace

std::string replayed_by(Answer const& prediction) {
    return fmt::format("replayed by the {} model · scheduler {}{}", model_word(prediction.recording().model),
                       prediction.recording().machine.scheduler, machine_text(prediction));
}

std::string replacement_text(Answer const& prediction, std::string const& note, Layout const& layout) {
    auto const& basis = prediction.recording();
    bool const is_said =
        basis.model == "strict" && has_finding(prediction.findings, FindingKind::recorded_wake_ups);
    if (basis.abandoned.empty() || basis.model == "direct" || is_said)
        return {};
    std::string const then = basis.provenance ? "in the recording" : "on one CPU";
    std::string text =
        "threads wait and take locks in the order of the recording (the ordered model). This is a "
        "last resort: every other model deadlocks. A real run may take another order: it may be "
        "faster, as far as its work allows, or slower.";
    if (basis.model == "strict")
        text = "every wait gets the wake-up that ended it " + then +
               " (the strict model). The program may be faster than predicted.";
    if (basis.model == "client-server")
        text = "every wait gets the wake-up that ended it " + then +
               ", in whatever order these come (the client-server model). The program may be faster than "
               "predicted.";
    return wrapped(note + text, layout.width, note_indent) + '\n';
}

std::string work_left_out(Answer const& prediction) {
    if (!prediction.recording().provenance)
        return {};
    Duration const recorded{prediction.recording().provenance->cpu_ns};
    Duration const replayed = prediction.recording().work + prediction.recording().turns;
    Duration const left_out = recorded - replayed;
    if (left_out < notable_time_left_out ||
        to_real(left_out).ns <= notable_share_left_out * to_real(recorded).ns) {
        return {};
    }
    return fmt::format("{} of that is replayed; {} is what blocking and recording cost here, and left out",
                       time_text(replayed), time_text(left_out));
}

}  // namespace parcast::report
