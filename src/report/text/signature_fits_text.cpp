#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "answer/signature_numbers.h"
#include "core/listed.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/signature_parts.h"

namespace parcast::report {

namespace {

std::string interval_cell(std::optional<ConfidenceInterval> const& interval) {
    return interval ? fmt::format("{} to {}", three_digits(interval->low), three_digits(interval->high)) : "";
}

std::string outlook_line(char const* name, std::optional<SignatureOutlook> const& outlook,
                         Layout const& layout) {
    if (!outlook)
        return {};
    std::string text = std::string(name) + ": " + outlook->sentence;
    if (!outlook->refusal.empty())
        text += "; the theorem does not hold: " + outlook->refusal;
    if (outlook->p_smax)
        text += fmt::format("; S max {} at P = {}, best whole P {:.0f}", three_digits(*outlook->s_max),
                            three_digits(*outlook->p_smax), *outlook->best_p);
    if (outlook->inflection)
        text += fmt::format(", inflection at P = {}", three_digits(*outlook->inflection));
    if (outlook->limit)
        text += fmt::format("; limit {}", three_digits(*outlook->limit));
    if (outlook->flat)
        text += fmt::format("; W/P within 5 % of its least from P = {}{}",
                            fmt::format("{:.0f}", outlook->flat->from),
                            outlook->flat->to ? fmt::format(" to {:.0f}", *outlook->flat->to) : " on");
    return paragraph("  " + text, layout);
}

std::string coefficient_text(double value) {
    return value == 0 ? "0" : three_digits(value);
}

// Where the fit of universal scalability has its best number of threads, in words.
std::string peak_text(OtherLaws const& laws) {
    if (laws.peak)
        return *laws.peak > 1 ? ", peak at P = " + three_digits(*laws.peak)
                              : ", peak at P = 1: never faster than one thread";
    return laws.limit ? ", no peak: it rises towards " + three_digits(*laws.limit)
                      : ", no peak: it rises with every thread";
}

// a/b takes W(1) for one thread, S takes T(1): these differ where one thread waits, or is not alone.
std::string quotient_text(RecordingSignature const& recording) {
    constexpr double rounding = 0.005;
    auto const quotient = *recording.a / *recording.b;
    return std::abs(quotient / *recording.speed_up - 1) <= rounding
               ? " = a/b = " + three_digits(quotient)
               : " of T(1), a/b = " + three_digits(quotient) + " of W(1)";
}

std::string identities_text(SignatureAnswer const& answer, Layout const& layout) {
    auto const& last = answer.recordings.back();
    if (!last.speed_up || !last.a || !last.b)
        return {};
    double active = 0;
    double communicating = 0;
    for (std::size_t i = 0; i < last.profile.size(); ++i) {
        auto const end = i + 1 < last.profile.size() ? last.profile[i + 1].begin_ns : last.time_ns;
        active += last.profile[i].active * (end - last.profile[i].begin_ns);
        communicating += last.profile[i].communicating * (end - last.profile[i].begin_ns);
    }
    auto const grown = answer.is_scaled ? 1 : last.active_ns / time_of_one_thread(answer);
    return paragraph(
        fmt::format("  identities, P = {}: S = {}{}; ν active {} = S x {} (active work over that of one "
                    "thread); integrals of the profile: active {} of {}, communicating {} of {}",
                    last.threads, three_digits(*last.speed_up), quotient_text(last),
                    three_digits(last.nu_active), three_digits(grown), signed_time_text(active),
                    signed_time_text(last.active_ns), signed_time_text(communicating),
                    signed_time_text(last.work_ns - last.active_ns)),
        layout);
}

// Where theta came from, and what the other source has.
std::string theta_text(SignatureAnswer const& answer) {
    auto const& theta = *answer.theta;
    auto const series =
        answer.series_theta_ns
            ? signed_time_text(*answer.series_theta_ns) +
                  (answer.series_theta_95
                       ? fmt::format(", 95 %: {} to {}", signed_time_text(answer.series_theta_95->low),
                                     signed_time_text(answer.series_theta_95->high))
                       : "")
            : std::string();
    auto const text = "  θ = " + signed_time_text(theta.ns) + " of CPU time an event, ";
    if (theta.source == ThetaSource::machine)
        return text + "by the machine's costs, since " +
               (answer.is_growth_unclear ? "the slope of W on E may be work of the threads' own ("
                : answer.series_theta_95 ? "the slope of W on E cannot be told from none ("
                                         : "two runs say too little about the slope of W on E (") +
               series + ")";
    return text + "the slope of W on E (" + series + ")" +
           (answer.machine_theta_ns ? "; by the machine's costs " + signed_time_text(*answer.machine_theta_ns)
                                    : "");
}

// What it means that theta g(P) is more than the work that was added.
std::string negative_text(SignatureAnswer const& answer) {
    std::vector<std::string> numbers;
    double least = 0;
    for (auto const& recording : answer.recordings) {
        constexpr double rounding = 0.5;
        if (recording.algorithmic_work_ns <= -rounding)
            numbers.push_back(std::to_string(recording.threads));
        least = std::min(least, recording.algorithmic_work_ns);
    }
    if (numbers.empty())
        return {};
    auto const text = "W alg is below 0 with P = " + listed(numbers, " and ") +
                      ": W cons and θ g(P) are more than the work there";
    if (!answer.work_noise_ns)
        return text;
    auto const noise = "±" + signed_time_text(*answer.work_noise_ns);
    return text + (least >= -*answer.work_noise_ns
                       ? ". That is within the noise of a run (" + noise + ")"
                       : ". That is more than the noise of a run (" + noise +
                             "): an event costs less there, or the threads have less other work");
}

}  // namespace

std::string optional_cell(std::optional<double> const& value) {
    return value ? three_digits(*value) : "";
}

std::string signature_laws_text(SignatureAnswer const& answer, Layout const& layout) {
    auto text = outlook_line("theorem 2.1", answer.outlook, layout) +
                outlook_line("scaled execution", answer.scaled, layout);
    if (auto const& laws = answer.other_laws) {
        auto line = fmt::format("  Amdahl: serial {}; Gustafson: serial {}",
                                percent_text(laws->amdahl_serial), percent_text(laws->gustafson_serial));
        if (laws->contention && laws->coherency)
            line += fmt::format("; universal scalability: contention {}, coherency {}{}",
                                coefficient_text(*laws->contention), coefficient_text(*laws->coherency),
                                peak_text(*laws));
        text += paragraph(line, layout);
    }
    return (text.empty() ? text : "\n" + text) + identities_text(answer, layout);
}

std::string signature_work_text(SignatureAnswer const& answer, Layout const& layout) {
    if (!answer.theta || answer.is_scaled)
        return {};
    Table table({{"P"}, {"work W"}, {"θ g(P)"}, {"W alg"}, {"event interval"}});
    for (auto const& recording : answer.recordings)
        table.add({{std::to_string(recording.threads)},
                   {signed_time_text(recording.work_ns)},
                   {signed_time_text(recording.event_cost_ns)},
                   {signed_time_text(recording.algorithmic_work_ns)},
                   {signed_time_text(recording.event_interval_ns)}});
    auto text =
        "\n" + table.text(layout.colour, layout.table_width()) +
        paragraph("  W = W cons + θ g(P) + W alg (2.40), W cons = " + signed_time_text(answer.conserved_ns) +
                      (answer.conserved_meaning.empty() ? ", a guess" : "") +
                      "; event interval: T P/E (2.42)",
                  layout) +
        paragraph(theta_text(answer), layout);
    if (answer.alpha && answer.work_of_one)
        text += paragraph(fmt::format("  α = W(1)/θ = {}, with W(1) = {}, {}", mean_count_text(*answer.alpha),
                                      signed_time_text(answer.work_of_one->ns), answer.work_of_one->meaning),
                          layout);
    if (answer.work_variation)
        text +=
            paragraph(fmt::format("  θ g + W alg {} (2.43): it varies by {}",
                                  answer.work_stays_constant ? "stays constant" : "does not stay constant",
                                  percent_text(*answer.work_variation)),
                      layout);
    auto const negative = negative_text(answer);
    return negative.empty() ? text : text + paragraph("  " + negative, layout);
}

std::string signature_candidates_text(SignatureAnswer const& answer, Layout const& layout) {
    if (!answer.g)
        return {};
    Table table(
        {{"g(P)", Align::left}, {""}, {"formula", Align::left}, {"exponent"}, {"95 %"}, {"AICc"}, {"error"}});
    for (auto const& each : answer.g->candidates)
        table.add({{each.name},
                   {each.is_chosen    ? "*"
                    : each.is_as_good ? "~"
                                      : ""},
                   {short_formula(each.formula)},
                   {optional_cell(each.exponent)},
                   {interval_cell(each.exponent_95)},
                   {three_digits(each.criterion)},
                   {percent_text(each.relative_error)}});
    bool const has_rivals = std::ranges::any_of(answer.g->candidates, &SignatureCandidate::is_as_good);
    return "\n" + table.text(layout.colour, layout.table_width()) +
           paragraph(std::string("  *: the simplest that the counts support") +
                         (has_rivals ? "; ~: the counts do not tell it from that" : ""),
                     layout);
}

std::string signature_causes_text(SignatureAnswer const& answer, Layout const& layout) {
    if (answer.causes.empty())
        return {};
    Table table({{"growth"},
                 {"events"},
                 {"grows as", Align::left},
                 {"call", Align::left},
                 {"object", Align::left, Cut::end},
                 {"place", Align::left, Cut::middle}});
    for (auto const& cause : answer.causes) {
        auto const& place = cause.place;
        table.add(
            {{percent_text(cause.growth_share)},
             {count_text(place.events)},
             {cause.growth},
             {place.call},
             {printable(place.object)},
             {printable(place.function +
                        (place.file.empty() ? "" : ", " + place.file + ":" + std::to_string(place.line)))}});
    }
    return "\n" + table.text(layout.colour, layout.table_width()) +
           paragraph(fmt::format("  growth: of the events from P = {} to {}",
                                 answer.recordings.front().threads, answer.recordings.back().threads),
                     layout);
}

}  // namespace parcast::report
