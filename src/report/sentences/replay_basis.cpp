#include "report/sentences/sentences.h"

#include <algorithm>

#include <fmt/core.h>

#include "report/format.h"
#include "report/names.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double notable_share_left_out = 0.02;  // of the CPU time
constexpr Duration notable_time_left_out{1'000'000};
constexpr std::size_t note_indent = 6;  // below the word after "note: "
constexpr std::size_t most_conditions = 3;

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

char const* const strict_text =
    "the strict model made these predictions: every wait gets the wake-up that ended it in the recording. "
    "That "
    "keeps more of the recording's order than the program may need; predictions tend to be too slow.";

// Which conditions pair, so that the others need not.
std::string paired_text(Answer const& prediction) {
    auto const& paired = prediction.recording().paired;
    std::string text = "waits for ";
    for (std::size_t i = 0; i < std::min(paired.size(), most_conditions); ++i)
        text += (i == 0 ? "" : ", ") + shown(prediction.recording().catalogue, paired[i]);
    if (paired.size() > most_conditions)
        text += fmt::format(" and {} more conditions", paired.size() - most_conditions);
    return text +
           " get the wake-up that ended them in the recording: what a thread does next depends on which one "
           "it was. "
           "All other waits get any.";
}

}  // namespace

std::string replayed_by(Answer const& prediction) {
    return fmt::format("replayed by the {} model · scheduler {}{}", prediction.recording().model,
                       prediction.recording().machine.scheduler, machine_text(prediction));
}

std::string replacement_text(Answer const& prediction, std::string const& note, Layout const& layout) {
    if (prediction.recording().abandoned.empty())
        return {};
    std::string cpus;
    for (auto const& run : prediction.recording().abandoned)
        cpus += (cpus.empty() ? "" : ", ") + fmt::format("{}", run.cpus);
    bool const on_one =
        prediction.recording().abandoned.size() == 1 && prediction.recording().abandoned.front().cpus == 1;
    std::string const begin =
        note + "the direct model deadlocks on " + cpus + (on_one ? " CPU" : " CPUs") + " (see below), so ";
    return wrapped(begin + (prediction.recording().paired.empty() ? strict_text : paired_text(prediction)),
                   layout.width, note_indent) +
           '\n';
}

std::string work_left_out(Answer const& prediction) {
    Duration const recorded{prediction.recording().provenance.cpu_ns};
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
