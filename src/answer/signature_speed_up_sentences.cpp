#include "answer/signature_speed_up_sentences.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "answer/signature_numbers.h"
#include "answer/signature_shares.h"
#include "core/counted.h"
#include "core/path.h"
#include "core/percent_text.h"
#include "core/three_digits.h"

namespace parcast {

namespace {

constexpr double notable_difference = 0.1;  // of two speed-ups
constexpr double little = 0.05;             // of a speed-up
constexpr double out_of_sight = 100;        // times the most threads
constexpr double nearly_serial = 1.25;      // threads that are active on average
constexpr double several_times = 1;         // the mean work more
constexpr double notable_imbalance = 0.2;
// A speed-up below these is none: of many threads, and for each thread beside the first.
constexpr double most_of_no_scaling = 2;
constexpr double gain_of_a_thread = 0.3;

std::string threads_of(RecordingSignature const& recording) {
    return counted(threads_at_work(recording), "thread");
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

// A law beside the replays, and the assumption of it that does not hold here.
struct LawBeside {
    std::string name;
    std::optional<double> speed_up;  // at the largest P
    std::string assumption;
};

std::vector<LawBeside> laws_beside(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    if (!answer.other_laws || !last.speed_up)
        return {};
    auto const& laws = *answer.other_laws;
    bool const is_above = last.amdahl && *last.amdahl > *last.speed_up;
    return {{"Amdahl's law (serial share " + percent_text(laws.amdahl_serial) + ")", last.amdahl,
             answer.is_scaled ? "it takes work that stays the same, and here that grows with the threads"
             : is_above       ? "it knows no events, whose waits grow with the threads"
                              : "it takes one serial share for every number of threads"},
            {"Gustafson's law (serial share " + percent_text(laws.gustafson_serial) + ")", last.gustafson,
             answer.is_scaled ? "it takes a serial part that is the same share of each run"
                              : "it takes work that grows with the threads, and here that stays the same"},
            {"universal scalability", last.universal,
             "it takes losses in proportion to P - 1 and to P (P - 1), whatever causes them"}};
}

}  // namespace

std::string no_scaling_sentence(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    auto const speed_up = [](RecordingSignature const& each) { return each.speed_up.value_or(0); };
    auto const best = std::ranges::max_element(answer.recordings, {}, speed_up);
    auto const least = std::min(most_of_no_scaling, 1 + gain_of_a_thread * (last.threads - 1.0));
    if (answer.recordings.size() < 2 || !last.speed_up || speed_up(*best) >= least)
        return {};
    auto const name = last.command.empty() ? "the program" : file_name(last.command.front());
    if (answer.is_scaled)
        return fmt::format("{} does not scale: {} of {} are active on average.", name,
                           three_digits(last.nu_active), threads_of(last));
    auto const of_best =
        fmt::format("{} does not scale: with {} it is {} times as fast as {}", name, threads_of(*best),
                    three_digits(speed_up(*best)),
                    answer.has_one_thread ? "with one" : "one thread would be without events");
    return best->threads == last.threads ? of_best + "."
                                         : fmt::format("{}, and {} times with {}.", of_best,
                                                       three_digits(*last.speed_up), last.threads);
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
        return fmt::format("{}the speed-up would rise towards {}.", unless, mean_count_text(*outlook.limit));
    return unless + conditional(outlook.sentence) + ".";
}

std::string difference_sentence(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    if (last.threads < 2)
        return {};
    if (!last.theorem || !last.speed_up)
        return fmt::format("{} of {} are active on average.{}", three_digits(last.nu_active),
                           threads_of(last), time_sentence(last));
    if (std::abs(*last.theorem / *last.speed_up - 1) <= notable_difference)
        return fmt::format("The replay agrees: {} with {}.", three_digits(*last.speed_up), threads_of(last));
    bool const is_serial = last.nu_active < nearly_serial && last.threads > 2;
    auto const of_one = time_of_one_thread(answer);
    auto const more_work = !answer.is_scaled && of_one > 0 ? last.active_ns / of_one - 1 : 0;
    auto const growth =
        more_work > notable_difference
            ? fmt::format(", and they do {} more work than one thread", percent_text(more_work))
            : std::string();
    return fmt::format(
        "{}he replay reaches {} with {}, the theorem has {}: it assumes that nobody is blocked, and "
        "here {} of {} are not blocked on average{}.{}",
        is_serial ? "In effect it runs serially: t" : "T", three_digits(*last.speed_up), threads_of(last),
        three_digits(*last.theorem), three_digits(last.nu), threads_of(last), growth, time_sentence(last));
}

std::string laws_sentence(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    if (!last.speed_up || last.threads < 2)
        return {};
    auto const differs = [&](double other) {
        return std::abs(other / *last.speed_up - 1) > notable_difference;
    };
    std::string text;
    for (auto const& law : laws_beside(answer))
        if (law.speed_up && differs(*law.speed_up))
            text += fmt::format("{}{} has {}: {}", text.empty() ? "Fitted to these speed-ups, " : "; ",
                                law.name, three_digits(*law.speed_up), law.assumption);
    text += text.empty() ? "" : ".";
    if (last.measured && differs(last.measured->median))
        text += fmt::format(
            "{}Measured were {}: the replay takes the recorded threads to do the same on CPUs of "
            "their own, and shares neither caches nor memory (--memory).",
            text.empty() ? "" : " ", three_digits(last.measured->median));
    return text;
}

std::string best_sentence(SignatureAnswer const& answer) {
    auto const best = std::ranges::min_element(answer.recordings, {}, &RecordingSignature::time_ns);
    auto const& last = answer.recordings.back();
    bool const is_inside = best != answer.recordings.end() - 1 && best->time_ns > 0;
    if (!is_inside || answer.is_scaled || !no_scaling_sentence(answer).empty())
        return {};
    if (last.time_ns < (1 + little) * best->time_ns)
        return fmt::format("More than {} bring nothing: it takes {} with them, and {} with {}.",
                           threads_of(*best), signed_time_text(best->time_ns), signed_time_text(last.time_ns),
                           last.threads);
    return fmt::format("The best number of threads that was recorded is {}: it takes {}, against {} with {}.",
                       best->threads, signed_time_text(best->time_ns), signed_time_text(last.time_ns),
                       last.threads);
}

std::string imbalance_sentence(SignatureAnswer const& answer) {
    auto const& last = answer.recordings.back();
    if (last.imbalance < notable_imbalance)
        return {};
    if (last.imbalance >= several_times)
        return fmt::format("The busiest of {} does {} times the work of the mean.",
                           counted(threads_in_means(last), "thread"), three_digits(1 + last.imbalance));
    return fmt::format("The busiest of {} does {} more work than the mean.",
                       counted(threads_in_means(last), "thread"), percent_text(last.imbalance));
}

}  // namespace parcast
