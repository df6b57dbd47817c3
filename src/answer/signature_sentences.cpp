#include "answer/signature_sentences.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/listed.h"
#include "core/path.h"
#include "core/percent_text.h"
#include "core/three_digits.h"
#include "core/time.h"
#include "core/time_text.h"

namespace parcast {

namespace {

constexpr double cheap_events = 0.02;       // of the work
constexpr double nearly_all = 0.8;          // of the threads are active
constexpr double notable_difference = 0.1;  // of two speed-ups
constexpr double little = 0.05;             // of a speed-up
constexpr double notable_share = 0.1;       // of a thread's time
constexpr double hardly = 0.3;              // exponent of P
constexpr double out_of_sight = 100;        // times the most threads
constexpr double nearly_serial = 1.25;      // threads that are active on average
constexpr double several_times = 1;         // the mean work more
constexpr double notable_imbalance = 0.2;

std::string ns_text(double ns) {
    auto const most = longest_ns / 2;
    auto const text = time_text(Duration{whole_ns(std::clamp(std::abs(ns), 0.0, most))});
    return ns < 0 ? "-" + text : text;
}

std::string count_text_of(double value) {
    return value >= 100 ? fmt::format("{:.0f}", value) : three_digits(value);
}

std::string name_of_program(SignatureAnswer const& answer) {
    auto const& command = answer.recordings.back().command;
    return command.empty() ? "the program" : file_name(command.front());
}

// What the threads that count spend their lives with, in shares of their time.
struct Shares {
    double active = 0;
    double communicating = 0;
    double algorithmic = 0;
    double other = 0;
    double outside = 0;
};

Shares shares_of(RecordingSignature const& recording) {
    Shares shares;
    double all = 0;
    for (auto const& row : recording.rows) {
        if (!row.is_counted)
            continue;
        all += recording.time_ns;
        shares.active += row.active_ns;
        shares.communicating += row.communicating_ns;
        shares.algorithmic += row.algorithmic_ns;
        shares.other += row.other_blocking_ns;
        shares.outside += row.outside_ns;
    }
    if (all <= 0)
        return {};
    for (auto* const share :
         {&shares.active, &shares.communicating, &shares.algorithmic, &shares.other, &shares.outside})
        *share /= all;
    return shares;
}

// The series says nothing about theta.
bool is_noise(SignatureAnswer const& answer) {
    return !answer.theta_ns || *answer.theta_ns <= 0 || (answer.theta_95 && answer.theta_95->low <= 0);
}

// The share of a run's work that its events cost: as the series has it, or at least by the machine's costs.
double event_share(SignatureAnswer const& answer, RecordingSignature const& recording) {
    auto const inside = recording.work_ns - recording.active_ns;
    auto const fitted =
        answer.is_scaled || is_noise(answer) ? 0 : *answer.theta_ns * static_cast<double>(recording.events);
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
           last.nu_active * (1 + last.imbalance) > nearly_all * last.threads &&
           shares_of(last).other < notable_share;
}

std::string threads_of(RecordingSignature const& recording) {
    return counted(std::int64_t{recording.threads}, "thread");
}

std::string characteristic_sentence(SignatureAnswer const& answer) {
    auto const name = name_of_program(answer);
    auto const& last = answer.recordings.back();
    auto const each = count_text_of(last.means.events.mean);
    if (!answer.g)
        return fmt::format("{} has {} events with {}, {} for each.", name, last.events, threads_of(last),
                           each);
    auto const& g = *answer.g;
    auto const formula = "E = g(P) = " + short_formula(g.formula);
    if (is_embarrassingly_parallel(answer)) {
        std::string const reason = last.nu_active < nearly_all * last.threads
                                       ? ", the others for want of an equal share of the work"
                                       : "";
        return fmt::format(
            "{} is embarrassingly parallel: it has few events for its work, no more for each "
            "thread the more threads there are ({}). They cost {} of the work, and {} of {} "
            "are active on average{}.",
            name, formula, percent_text(event_share(answer, last)), three_digits(last.nu_active),
            threads_of(last), reason);
    }
    auto const exponent = g.exponent && !is_up_to_linear(g.word)
                              ? fmt::format(", as P^{}", three_digits(*g.exponent))
                              : std::string();
    if (is_nearly_constant(answer))
        return fmt::format(
            "{} has hardly more events with more threads, which share them. {}, {} for each of "
            "{}.",
            name, formula, each, threads_of(last));
    // Events that do not grow are only half of being embarrassingly parallel.
    auto const growth = g.word == "constant" ? "constant in its number of events" : g.sentence;
    return fmt::format("{} is {}{}. {}, on average {} for each of {}.", name, growth, exponent, formula, each,
                       threads_of(last));
}

std::string cost_sentence(SignatureAnswer const& answer) {
    if (!answer.machine_theta_ns)
        return {};
    auto const& last = answer.recordings.back();
    auto const by_machine = ns_text(answer.machine_theta_ns.value_or(0));
    auto const share_by_machine = last.work_ns > 0 ? 1 - last.active_ns / last.work_ns : 0;
    auto const between =
        fmt::format("beside {} of work between two events", ns_text(last.means.alpha_ns.mean));
    if (answer.is_scaled)
        return fmt::format(
            "Its own work grows with its threads, as P^{}: the series is a scaled execution. "
            "An event costs {} of CPU time in the replay, {}: {} of all work with {}.",
            three_digits(answer.work_exponent), by_machine, between, percent_text(share_by_machine),
            threads_of(last));
    if (!answer.theta_ns)
        return {};
    if (is_noise(answer))
        return fmt::format(
            "No growth of the work with the events can be told from noise. By the machine's costs an event "
            "takes {} of CPU time, {}: {} of all work with {}.",
            by_machine, between, percent_text(share_by_machine), threads_of(last));
    auto const interval = answer.theta_95 ? fmt::format(" (95 %: {} to {})", ns_text(answer.theta_95->low),
                                                        ns_text(answer.theta_95->high))
                                          : std::string();
    return fmt::format(
        "An event adds {} to the work{}, of which {} are the machine's costs, {}: {} of all work "
        "with {}.",
        ns_text(*answer.theta_ns), interval, by_machine, between,
        percent_text(std::min(event_share(answer, last), 1.0)), threads_of(last));
}

// "the speed-up rises" -> "the speed-up would rise"
std::string conditional(std::string sentence) {
    for (auto const& [is, would_be] : {std::pair<std::string_view, std::string_view>{" rises", " would rise"},
                                       {" has ", " would have "},
                                       {" tends ", " tend "},
                                       {" adds ", " would add "}})
        if (auto const at = sentence.find(is); at != std::string::npos)
            sentence.replace(at, is.size(), would_be);
    return sentence;
}

std::string outlook_sentence(SignatureAnswer const& answer) {
    auto const& chosen = answer.is_scaled ? answer.scaled : answer.outlook;
    if (!chosen)
        return {};
    auto const& outlook = *chosen;
    std::string const unless = "If nobody were ever blocked, ";
    if (outlook.p_smax && *outlook.p_smax > 1) {
        auto const flat = outlook.flat && outlook.flat->to
                              ? fmt::format(
                                    "; the work of a thread is within 5 % of its least from {:.0f} to "
                                    "{:.0f} threads",
                                    outlook.flat->from, *outlook.flat->to)
                              : std::string();
        return fmt::format("{}the speed-up would be at most {}, with {:.0f} threads{}.", unless,
                           three_digits(*outlook.s_max), *outlook.best_p, flat);
    }
    if (outlook.p_smax)
        return "Its events cost so much that more than one thread is never faster.";
    if (outlook.limit && *outlook.limit > out_of_sight * answer.recordings.back().threads)
        return unless + "the speed-up would grow with the threads far beyond those that were recorded.";
    if (outlook.limit)
        return fmt::format("{}the speed-up would rise towards {}.", unless, count_text_of(*outlook.limit));
    return unless + conditional(outlook.sentence) + ".";
}

// The lock, or another object, that threads wait for longest.
std::string longest_wait(RecordingSignature const& recording, bool is_lock) {
    for (auto const& wait : recording.waits)
        if (wait.is_lock == is_lock)
            return wait.object;
    return {};
}

std::string blocking_sentence(RecordingSignature const& last) {
    auto const shares = shares_of(last);
    std::vector<std::string> parts;
    auto const add = [&](double share, std::string const& what) {
        if (share >= notable_share)
            parts.push_back(percent_text(share) + " " + what);
    };
    auto const lock = longest_wait(last, true);
    auto const other = longest_wait(last, false);
    bool const is_lock = !lock.empty() && last.waits.front().is_lock;
    add(shares.active, "active");
    add(shares.communicating, "communicating");
    add(shares.algorithmic,
        "waiting for results of other threads" + (other.empty() ? "" : ", most at " + other));
    add(shares.other,
        is_lock ? "waiting for locks, most for " + lock : "waiting for wake-ups, input, output or a CPU");
    add(shares.outside, "not created yet or ended");
    return parts.empty() ? "" : " A thread spends its time " + listed(parts, " and ") + ".";
}

// Where theory and replay differ, the assumption that fails.
std::string difference_sentence(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    if (last.threads < 2)
        return {};
    if (!last.theorem || !last.speed_up)
        return fmt::format("{} of {} are active on average.{}", three_digits(last.nu_active),
                           threads_of(last), blocking_sentence(last));
    if (std::abs(*last.theorem / *last.speed_up - 1) <= notable_difference)
        return fmt::format("The replay agrees: {} with {}.", three_digits(*last.speed_up), threads_of(last));
    bool const is_serial = last.nu_active < nearly_serial && last.threads > 2;
    auto const& first = answer.recordings.front();
    auto const more_work = answer.has_one_thread && !answer.is_scaled && first.time_ns > 0
                               ? last.active_ns / first.time_ns - 1
                               : 0;
    auto const growth =
        more_work > notable_difference
            ? fmt::format(", and they do {} more work than one thread", percent_text(more_work))
            : std::string();
    return fmt::format(
        "{}he replay reaches {} with {}, the theorem has {}: it assumes that nobody is blocked, and "
        "here {} of {} are not blocked on average{}.{}",
        is_serial ? "In effect it runs serially: t" : "T", three_digits(*last.speed_up), threads_of(last),
        three_digits(*last.theorem), three_digits(last.nu), threads_of(last), growth,
        blocking_sentence(last));
}

// Where more threads stop paying in the replays.
std::string best_sentence(SignatureAnswer const& answer) {
    auto const best = std::ranges::max_element(
        answer.recordings, {}, [](auto const& recording) { return recording.speed_up.value_or(0); });
    bool const is_inside =
        best != answer.recordings.end() - 1 && best->speed_up && answer.has_one_thread && !answer.is_scaled;
    if (!is_inside)
        return {};
    auto const& last = answer.recordings.back();
    if (*best->speed_up < (1 + little) * *last.speed_up)
        return fmt::format("More than {} bring nothing: the speed-up is {} with them, and {} with {}.",
                           threads_of(*best), three_digits(*best->speed_up), three_digits(*last.speed_up),
                           last.threads);
    return fmt::format(
        "The best number of threads that was recorded is {}: a speed-up of {}, against "
        "{} with {}.",
        best->threads, three_digits(*best->speed_up), three_digits(*last.speed_up), last.threads);
}

// Laws and measurements that differ from the replay, and the assumption of each that does not hold.
std::string laws_sentence(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    if (!last.speed_up)
        return {};
    auto const differs = [&](double other) {
        return std::abs(other / *last.speed_up - 1) > notable_difference;
    };
    std::string text;
    if (last.amdahl && answer.other_laws && *last.amdahl > (1 + notable_difference) * *last.speed_up)
        text += fmt::format(
            "Amdahl's law with a serial share of {} has {}: it knows no events, whose waits grow "
            "with the threads.",
            percent_text(answer.other_laws->amdahl_serial), three_digits(*last.amdahl));
    if (last.measured && differs(last.measured->median))
        text += fmt::format(
            "{}Measured were {}: the replay takes the recorded threads to do the same on CPUs of "
            "their own, and shares neither caches nor memory (--memory).",
            text.empty() ? "" : " ", three_digits(last.measured->median));
    return text;
}

std::string imbalance_sentence(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    if (last.imbalance < notable_imbalance)
        return {};
    if (last.imbalance >= several_times)
        return fmt::format("The busiest of {} does {} times the work of the mean.", threads_of(last),
                           three_digits(1 + last.imbalance));
    return fmt::format("The busiest of {} does {} more work than the mean.", threads_of(last),
                       percent_text(last.imbalance));
}

std::string power_clause(std::optional<double> const& exponent) {
    return exponent ? fmt::format(", as P^{}", three_digits(*exponent)) : "";
}

std::string cause_sentence(SignatureAnswer const& answer) {
    if (answer.causes.empty() || is_embarrassingly_parallel(answer) || is_nearly_constant(answer))
        return {};
    bool const is_of_object = !answer.objects.empty() && answer.objects.front().places > 1 &&
                              answer.objects.front().growth_share > answer.causes.front().growth_share;
    if (!is_of_object) {
        auto const& cause = answer.causes.front();
        return fmt::format("{} of the growth is {}{}.", percent_text(std::min(1.0, cause.growth_share)),
                           place_text(cause.place), power_clause(cause.exponent));
    }
    auto const& object = answer.objects.front();
    return fmt::format("{} of the growth is {}, at {}, most by {}{}.",
                       percent_text(std::min(1.0, object.growth_share)), object.object,
                       counted(static_cast<std::int64_t>(object.places), "place"), place_text(object.most),
                       power_clause(object.exponent));
}

std::string differing_sentence(SignatureAnswer const& answer) {
    if (!answer.busiest || !answer.busiest->threads_differ)
        return {};
    auto const& busiest = *answer.busiest;
    return fmt::format(
        "The threads differ, so that one g is a poor summary: {} has {} times the events of the "
        "mean, and its own number is {}.",
        busiest.name, three_digits(busiest.most_over_mean), short_formula(busiest.g.formula));
}

std::string comparison_sentence(SignatureAnswer const& answer) {
    if (!answer.comparison)
        return {};
    auto const& other = *answer.comparison;
    auto const ranges = [](std::vector<SignatureRange> const& list) {
        std::string text;
        for (auto const& range : list) {
            text += text.empty() ? "" : " and ";
            text += range.to ? fmt::format("P = {:.0f} to {:.0f}", range.from, *range.to)
                             : fmt::format("P = {:.0f} on", range.from);
        }
        return text;
    };
    if (other.fewer.empty() && other.more.empty())
        return fmt::format("{} has as many events.", other.folder);
    std::string text = "Beside " + other.folder + ", this one has ";
    if (!other.fewer.empty())
        text += "fewer events for " + ranges(other.fewer);
    if (!other.more.empty())
        text += (other.fewer.empty() ? "more events for " : ", more for ") + ranges(other.more);
    return text +
           "; the one with fewer performs better on most machines, if the work between the events is "
           "the same.";
}

}  // namespace

std::string place_text(SignaturePlace const& place) {
    auto const what = place.object.empty() ? place.call : place.call + " of " + place.object;
    if (place.function.empty())
        return what;
    return what + " (" + place.function +
           (place.file.empty() ? "" : ", " + place.file + ":" + std::to_string(place.line)) + ")";
}

std::string short_formula(std::string const& formula) {
    std::string text;
    for (std::size_t i = 0; i < formula.size();) {
        bool const begins = std::isdigit(static_cast<unsigned char>(formula[i])) != 0;
        bool const is_in_name = i > 0 && (std::isalpha(static_cast<unsigned char>(formula[i - 1])) != 0);
        if (!begins || is_in_name) {
            text += formula[i++];
            continue;
        }
        auto end = i;
        while (end < formula.size() &&
               (std::isdigit(static_cast<unsigned char>(formula[end])) != 0 || formula[end] == '.' ||
                formula[end] == 'e' ||
                (formula[end - 1] == 'e' && (formula[end] == '-' || formula[end] == '+'))))
            ++end;
        auto const value = std::strtod(formula.substr(i, end - i).c_str(), nullptr);
        text += fmt::format("{:.3g}", value).find('e') == std::string::npos ? fmt::format("{:.3g}", value)
                                                                            : three_digits(value);
        i = end;
    }
    return text;
}

std::vector<std::string> signature_verdict(SignatureAnswer const& answer) {
    std::vector<std::string> sentences;
    for (auto const sentence :
         {characteristic_sentence, cost_sentence, outlook_sentence, difference_sentence, laws_sentence,
          best_sentence, imbalance_sentence, cause_sentence, differing_sentence, comparison_sentence})
        if (auto text = sentence(answer); !text.empty())
            sentences.push_back(std::move(text));
    return sentences;
}

}  // namespace parcast
