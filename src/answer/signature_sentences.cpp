#include "answer/signature_sentences.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "answer/signature_numbers.h"
#include "answer/signature_shares.h"
#include "answer/signature_speed_up_sentences.h"
#include "core/counted.h"
#include "core/path.h"
#include "core/percent_text.h"
#include "core/three_digits.h"

namespace parcast {

namespace {

constexpr double cheap_events = 0.02;  // of the work
constexpr double nearly_all = 0.8;     // of its time the busiest thread is active
constexpr double notable_share = 0.1;  // of a thread's time
constexpr double hardly = 0.3;         // exponent of P

std::string name_of_program(SignatureAnswer const& answer) {
    auto const& command = answer.recordings.back().command;
    return command.empty() ? "the program" : file_name(command.front());
}

// The share of a run's work that its events cost: as the series has it, or at least by the machine's costs.
double event_share(SignatureAnswer const& answer, RecordingSignature const& recording) {
    auto const inside = recording.work_ns - recording.active_ns;
    bool const is_of_series = answer.theta && answer.theta->source == ThetaSource::series;
    auto const fitted = is_of_series ? answer.theta->ns * static_cast<double>(recording.events) : 0;
    return recording.work_ns > 0 ? std::max(inside, fitted) / recording.work_ns : 0;
}

// More threads have hardly more events: they share them.
bool is_nearly_constant(SignatureAnswer const& answer) {
    auto const& first = answer.recordings.front();
    auto const& last = answer.recordings.back();
    if (first.events <= 0 || last.threads <= first.threads)
        return false;
    auto const growth = std::log(static_cast<double>(last.events) / static_cast<double>(first.events));
    auto const threads = std::log(static_cast<double>(last.threads) / static_cast<double>(first.threads));
    return growth < hardly * threads;
}

bool is_up_to_linear(std::string const& word) {
    return word == "constant" || word == "below linear" || word == "linear";
}

bool is_embarrassingly_parallel(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    return answer.g && is_up_to_linear(answer.g->word) && event_share(answer, last) < cheap_events &&
           last.eta * (1 + last.imbalance) > nearly_all && shares_of_time(last).other < notable_share;
}

std::string threads_of(RecordingSignature const& recording) {
    return counted(threads_at_work(recording), "thread");
}

// ", linear in P", ", as P^1.26": the class of a fit as it was chosen.
std::string growth_clause(std::string const& growth) {
    if (growth.empty())
        return "";
    if (growth == "constant")
        return ", about as often with any number of threads";
    return growth.starts_with('P') ? ", as " + growth : ", " + growth + " in P";
}

std::string characteristic_sentence(SignatureAnswer const& answer) {
    auto const name = name_of_program(answer);
    auto const& last = answer.recordings.back();
    auto const each = mean_count_text(last.means.events.mean);
    auto const those = counted(threads_in_means(last), "thread");
    if (!answer.g)
        return fmt::format(
            "{} has {} with {}{}.", name, counted(last.events, "event"), threads_of(last),
            threads_at_work(last) > 1 ? fmt::format(", on average {} for each of {}", each, those) : "");
    auto const& g = *answer.g;
    auto const formula = "E = g(P) = " + short_formula(g.formula);
    if (is_embarrassingly_parallel(answer)) {
        std::string const reason =
            last.eta < nearly_all ? ", since the threads' shares of the work are not equal" : "";
        return fmt::format(
            "{} is embarrassingly parallel: it has few events for its work, no more for each "
            "thread the more threads there are ({}). They cost {} of the work, and {} of {} "
            "are active on average{}.",
            name, formula, percent_text(event_share(answer, last)), three_digits(last.nu_active),
            threads_of(last), reason);
    }
    if (is_nearly_constant(answer))
        return fmt::format(
            "{} has hardly more events with more threads, which share them. {}, {} for each of "
            "{}.",
            name, formula, each, those);
    // Events that do not grow are only half of being embarrassingly parallel.
    auto const growth = g.word == "constant" ? "constant in its number of events" : g.sentence;
    return fmt::format("{} is {}{}. {}, on average {} for each of {}.",
                       no_scaling_sentence(answer).empty() ? name : "By its events alone it", growth,
                       g.growth.starts_with('P') ? growth_clause(g.growth) : "", formula, each, those);
}

// "beside 4.77 µs of work between two events: 20 % of all work with 8 threads"
std::string share_of_events(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    return fmt::format("beside {} of work between two events: {} of all work with {}",
                       signed_time_text(last.means.alpha_ns.mean),
                       percent_text(std::min(event_share(answer, last), 1.0)), threads_of(last));
}

std::string cost_sentence(SignatureAnswer const& answer) {
    auto const scaled =
        answer.is_scaled
            ? fmt::format("Its own work grows with its threads, as P^{}: the series is a scaled execution.",
                          three_digits(answer.work_exponent))
            : std::string();
    auto const unclear =
        answer.is_growth_unclear
            ? fmt::format(
                  "Its work grows with its threads, as P^{}, and these recordings do not say why: "
                  "each thread may bring work, as in a scaled execution, or the events may add it.",
                  three_digits(answer.work_exponent))
            : std::string();
    if (!answer.theta)
        return scaled + unclear;
    auto const theta = signed_time_text(answer.theta->ns);
    if (answer.is_scaled || answer.is_growth_unclear)
        return fmt::format("{} By the machine's costs an event takes {} of CPU time, {}.", scaled + unclear,
                           theta, share_of_events(answer));
    if (answer.theta->source == ThetaSource::machine)
        return fmt::format("{} By the machine's costs an event takes {} of CPU time, {}.",
                           answer.series_theta_95
                               ? "No growth of the work with the events can be told from noise."
                               : "Two recordings say too little about what an event adds to the work.",
                           theta, share_of_events(answer));
    auto const interval = answer.series_theta_95 ? fmt::format(" (95 %: {} to {})",
                                                               signed_time_text(answer.series_theta_95->low),
                                                               signed_time_text(answer.series_theta_95->high))
                                                 : std::string();
    std::string by_machine;
    if (answer.machine_theta_ns) {
        auto const costs = signed_time_text(*answer.machine_theta_ns);
        by_machine = *answer.machine_theta_ns < answer.theta->ns
                         ? ", of which " + costs + " are the machine's costs"
                         : ", where the machine's costs are " + costs;
    }
    return fmt::format("An event adds {} to the work{}{}, {}.", theta, interval, by_machine,
                       share_of_events(answer));
}

std::string cause_sentence(SignatureAnswer const& answer) {
    if (answer.causes.empty() || is_embarrassingly_parallel(answer) || is_nearly_constant(answer))
        return {};
    bool const is_of_object = !answer.objects.empty() && answer.objects.front().places > 1 &&
                              answer.objects.front().growth_share > answer.causes.front().growth_share;
    if (!is_of_object) {
        auto const& cause = answer.causes.front();
        return fmt::format("{} of the growth is {}{}.", percent_text(std::min(1.0, cause.growth_share)),
                           place_text(cause.place), growth_clause(cause.growth));
    }
    auto const& object = answer.objects.front();
    return fmt::format("{} of the growth is {}, at {}, most by {}{}.",
                       percent_text(std::min(1.0, object.growth_share)), object.object,
                       counted(static_cast<std::int64_t>(object.places), "place"), place_text(object.most),
                       growth_clause(object.growth));
}

std::string differing_sentence(SignatureAnswer const& answer) {
    std::string text;
    if (auto const& initial = answer.initial)
        text = fmt::format(
            "The threads differ: {} has {} and is active for {}, each of the others has {} and is active for "
            "{} on "
            "average. It has another role, and is in no mean over threads.",
            initial->name, counted(initial->events, "event"), signed_time_text(initial->active_ns),
            mean_count_text(initial->events_of_others), signed_time_text(initial->active_of_others_ns));
    if (!answer.busiest || !answer.busiest->threads_differ)
        return text;
    auto const& busiest = *answer.busiest;
    return text + fmt::format(
                      "{} so that one g is a poor summary: {} has {} times the events of the mean, and its "
                      "own number "
                      "is {}.",
                      text.empty() ? "The threads differ," : " The others differ, too,", busiest.name,
                      three_digits(busiest.most_over_mean), short_formula(busiest.g.formula));
}

std::string ranges_text(std::vector<SignatureRange> const& ranges) {
    std::string text;
    for (auto const& range : ranges) {
        text += (text.empty() ? "P = " : " and P = ") + fmt::format("{:.0f}", range.from);
        text += !range.to ? " on" : *range.to != range.from ? fmt::format(" to {:.0f}", *range.to) : "";
    }
    return text;
}

std::string comparison_sentence(SignatureAnswer const& answer) {
    if (!answer.comparison)
        return {};
    auto const& other = *answer.comparison;
    auto const name = name_of_program(answer);
    auto const another =
        other.program == name
            ? std::string()
            : fmt::format(
                  " They are two programs, {} and {}: fewer events mean less only where both compute "
                  "the same.",
                  name, other.program);
    if (other.fewer.empty() && other.more.empty())
        return fmt::format("{} has as many events.{}", other.folder, another);
    std::string text = "Beside " + other.folder + ", this one has ";
    if (!other.fewer.empty())
        text += "fewer events for " + ranges_text(other.fewer);
    if (!other.more.empty())
        text += (other.fewer.empty() ? "more events for " : ", more for ") + ranges_text(other.more);
    return text +
           fmt::format(
               ". Both were counted with up to {}; for more threads both are extrapolated, beyond {} nobody "
               "looked. The one with fewer events performs better on most machines, if the work between the "
               "events is the same.{}",
               counted(std::int64_t{other.counted_up_to}, "thread"),
               count_text(std::int64_t{other.looked_up_to}), another);
}

}  // namespace

std::vector<std::string> signature_verdict(SignatureAnswer const& answer) {
    std::vector<std::string> sentences;
    for (auto const sentence : {no_scaling_sentence, characteristic_sentence, cost_sentence, outlook_sentence,
                                difference_sentence, laws_sentence, best_sentence, imbalance_sentence,
                                cause_sentence, differing_sentence, comparison_sentence})
        if (auto text = sentence(answer); !text.empty())
            sentences.push_back(std::move(text));
    return sentences;
}

}  // namespace parcast
