#include "report/signature.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "answer/signature_sentences.h"
#include "report/format.h"
#include "report/names.h"
#include "report/sentences/sentences.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

std::string time_cell(double ns) {
    constexpr double most = longest_ns / 2;
    auto const text = time_text(Duration{whole_ns(std::min(std::abs(ns), most))});
    return ns < 0 ? "-" + text : text;
}

std::string optional_cell(std::optional<double> const& value) {
    return value ? three_digits(*value) : "";
}

std::string interval_cell(std::optional<ConfidenceInterval> const& interval) {
    return interval ? fmt::format("{} to {}", three_digits(interval->low), three_digits(interval->high)) : "";
}

// A finding that several recordings share is said once, for the first of them.
std::string findings_of_series(SignatureAnswer const& answer, Layout const& layout) {
    std::string text;
    std::set<FindingKind> said;
    for (auto const& recording : answer.recordings) {
        std::vector<Finding> news;
        for (auto const& finding : recording.findings)
            if (finding.severity == Severity::warning && said.insert(finding.kind).second)
                news.push_back(finding);
        if (!news.empty())
            text += printable(recording.file) + ":\n" + findings_text(news, recording.catalogue, layout);
    }
    return text.empty() ? text : text + '\n';
}

std::string origin_of_series(SignatureAnswer const& answer, Layout const& layout) {
    auto const& last = answer.recordings.back();
    std::string numbers;
    for (auto const& recording : answer.recordings)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(recording.threads);
    std::set<std::string> models;
    bool has_cpu_each = true;
    for (auto const& recording : answer.recordings) {
        models.insert(recording.model);
        has_cpu_each = has_cpu_each && recording.cpus >= recording.rows.size();
    }
    std::string names;
    for (auto const& model : models)
        names += (names.empty() ? "" : " and ") + model;
    return paragraph(command_line(last.command), layout) +
           paragraph(
               fmt::format("{} with P = {} threads that work, each recorded on one CPU and replayed on "
                           "{} by the {} model · {}",
                           counted(static_cast<std::int64_t>(answer.recordings.size()), "recording"), numbers,
                           has_cpu_each ? std::string("a CPU for each thread")
                                        : counted(std::int64_t{last.cpus}, "CPU"),
                           names, last.machine),
               layout);
}

std::string dynamic_table(SignatureAnswer const& answer, Layout const& layout) {
    Table table({{"P"},
                 {"events"},
                 {"κ"},
                 {"active α"},
                 {"event β"},
                 {"write"},
                 {"read"},
                 {"algorithmic"},
                 {"other"},
                 {"γ"},
                 {"η"},
                 {"ν active"},
                 {"ν"},
                 {"Δ"},
                 {"data"}});
    for (auto const& recording : answer.recordings) {
        auto const& means = recording.means;
        bool const has_data = recording.data_bytes > 0;
        table.add({{std::to_string(recording.threads)},
                   {count_text(recording.events)},
                   {three_digits(means.events.mean)},
                   {time_cell(means.alpha_ns.mean)},
                   {time_cell(means.beta_ns.mean)},
                   {means.write_ns.mean > 0 ? time_cell(means.write_ns.mean) : ""},
                   {time_cell(means.read_ns.mean)},
                   {time_cell(means.algorithmic_ns.mean)},
                   {time_cell(means.other_blocking_ns.mean)},
                   {optional_cell(recording.gamma)},
                   {three_digits(recording.eta)},
                   {three_digits(recording.nu_active)},
                   {three_digits(recording.nu)},
                   {three_digits(recording.imbalance)},
                   {has_data ? bytes_text(static_cast<std::uint64_t>(recording.data_bytes)) : ""}});
    }
    return table.text(layout.colour, layout.table_width()) +
           paragraph(
               "  κ: events of a thread; α, β: mean active period and event; write, read: an event of that "
               "kind, and of a read its algorithmic and other blocking; γ = β/α; η: share of its life in "
               "which a thread is active (3.37); ν: threads not blocked; Δ: load imbalance",
               layout);
}

std::string speed_up_table(SignatureAnswer const& answer, Layout const& layout) {
    Table table({{"P"},
                 {"time T"},
                 {"work W"},
                 {"W/P"},
                 {"a"},
                 {"b"},
                 {"speed-up"},
                 {"P η"},
                 {"theorem"},
                 {"Amdahl"},
                 {"Gustafson"},
                 {"USL"},
                 {"measured"}});
    for (auto const& recording : answer.recordings) {
        table.add({{std::to_string(recording.threads)},
                   {time_cell(recording.time_ns)},
                   {time_cell(recording.work_ns)},
                   {time_cell(recording.work_ns / recording.threads)},
                   {optional_cell(recording.a)},
                   {optional_cell(recording.b)},
                   {optional_cell(recording.speed_up)},
                   {three_digits(recording.speed_up_bound)},
                   {optional_cell(recording.theorem)},
                   {optional_cell(recording.amdahl)},
                   {optional_cell(recording.gustafson)},
                   {optional_cell(recording.universal)},
                   {recording.measured ? three_digits(recording.measured->median) : ""}});
    }
    std::string const basis = answer.is_scaled || !answer.has_one_thread
                                  ? "the mean number of active threads, ν active: what one thread would take "
                                    "for the active work alone"
                                  : "T(1) over T(P), of the replays";
    return table.text(layout.colour, layout.table_width()) +
           paragraph(
               "  speed-up = a/b: " + basis +
                   "; P η bounds it (3.39); theorem: nobody is blocked; the other laws are fitted to it",
               layout);
}

std::string candidates_table(SignatureAnswer const& answer, Layout const& layout) {
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

std::string work_text(SignatureAnswer const& answer, Layout const& layout) {
    if (!answer.theta_ns || answer.is_scaled)
        return {};
    Table table({{"P"}, {"work W"}, {"θ g(P)"}, {"W alg"}, {"event interval"}});
    for (auto const& recording : answer.recordings)
        table.add({{std::to_string(recording.threads)},
                   {time_cell(recording.work_ns)},
                   {time_cell(recording.event_cost_ns)},
                   {time_cell(recording.algorithmic_work_ns)},
                   {time_cell(recording.event_interval_ns)}});
    std::string constant;
    if (answer.work_variation)
        constant = fmt::format("; θ g + W alg {} (2.43), it varies by {}",
                               answer.work_stays_constant ? "stays constant" : "does not stay constant",
                               percent_text(*answer.work_variation));
    auto const alpha = answer.alpha ? fmt::format("; α = W(1)/θ = {}", three_digits(*answer.alpha)) : "";
    return "\n" + table.text(layout.colour, layout.table_width()) +
           paragraph(fmt::format(
                         "  θ = {} of CPU time an event{}{}{}{}", time_cell(*answer.theta_ns),
                         answer.theta_95 ? fmt::format(" (95 %: {} to {})", time_cell(answer.theta_95->low),
                                                       time_cell(answer.theta_95->high))
                                         : "",
                         answer.machine_theta_ns
                             ? fmt::format(", by the machine's costs {}", time_cell(*answer.machine_theta_ns))
                             : "",
                         alpha, constant),
                     layout);
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
        text += fmt::format("; W/P within 5 % of its least from P = {}{}", three_digits(outlook->flat->from),
                            outlook->flat->to ? " to " + three_digits(*outlook->flat->to) : " on");
    return paragraph("  " + text, layout);
}

std::string laws_text(SignatureAnswer const& answer, Layout const& layout) {
    auto text = outlook_line("theorem 2.1", answer.outlook, layout) +
                outlook_line("scaled execution", answer.scaled, layout);
    if (auto const& laws = answer.other_laws) {
        auto line = fmt::format("  Amdahl: serial {}; Gustafson: serial {}",
                                percent_text(laws->amdahl_serial), percent_text(laws->gustafson_serial));
        if (laws->contention && laws->coherency)
            line += fmt::format("; universal scalability: contention {}, coherency {}{}",
                                three_digits(*laws->contention), three_digits(*laws->coherency),
                                laws->peak ? ", peak at P = " + three_digits(*laws->peak) : ", no peak");
        text += paragraph(line, layout);
    }
    return text.empty() ? text : "\n" + text;
}

std::string identities_text(SignatureAnswer const& answer, Layout const& layout) {
    auto const& last = answer.recordings.back();
    if (!last.speed_up || !last.a || !last.b)
        return {};
    auto const& first = answer.recordings.front();
    double active = 0;
    double communicating = 0;
    for (std::size_t i = 0; i < last.profile.size(); ++i) {
        auto const end = i + 1 < last.profile.size() ? last.profile[i + 1].begin_ns : last.time_ns;
        active += last.profile[i].active * (end - last.profile[i].begin_ns);
        communicating += last.profile[i].communicating * (end - last.profile[i].begin_ns);
    }
    auto const grown = answer.is_scaled || !answer.has_one_thread ? 1 : last.active_ns / first.time_ns;
    return paragraph(
        fmt::format(
            "  identities, P = {}: S = {} = a/b = {}; ν active {} = S x {} (active work over that of one "
            "thread); integrals of the profile: active {} of {}, communicating {} of {}",
            last.threads, three_digits(*last.speed_up), three_digits(*last.a / *last.b),
            three_digits(last.nu_active), three_digits(grown), time_cell(active), time_cell(last.active_ns),
            time_cell(communicating), time_cell(last.work_ns - last.active_ns)),
        layout);
}

std::string causes_text(SignatureAnswer const& answer, Layout const& layout) {
    if (answer.causes.empty())
        return {};
    Table table({{"growth"},
                 {"events"},
                 {"grows as"},
                 {"call", Align::left},
                 {"object", Align::left, Cut::end},
                 {"place", Align::left, Cut::middle}});
    for (auto const& cause : answer.causes) {
        auto const& place = cause.place;
        table.add(
            {{percent_text(cause.growth_share)},
             {count_text(place.events)},
             {cause.exponent ? "P^" + three_digits(*cause.exponent) : ""},
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

// One figure of OverThreads for each column of the table of threads that has one.
using FigureOf = std::optional<double> (*)(OverThreads const&);

void add_figure(std::string const& name, FigureOf figure, SignatureMeans const& means, Table& table) {
    auto const number = [&](OverThreads const& quantity) -> Cell {
        return {optional_cell(figure(quantity))};
    };
    auto const time = [&](OverThreads const& quantity) -> Cell {
        auto const value = figure(quantity);
        return {value ? time_cell(*value) : ""};
    };
    auto const data = figure(means.data_bytes);
    bool const has_data = data && means.data_bytes.most > 0;
    table.add({{""},
               {name},
               number(means.events),
               {""},
               {""},
               time(means.active_ns),
               time(means.alpha_ns),
               time(means.beta_ns),
               {""},
               {""},
               {""},
               {""},
               {""},
               {""},
               {has_data ? bytes_text(static_cast<std::uint64_t>(*data)) : ""}});
}

}  // namespace

std::string signature_text(SignatureAnswer const& answer, Layout const& layout) {
    auto text = findings_of_series(answer, layout) + origin_of_series(answer, layout) + "\n";
    for (auto const& sentence : answer.verdict)
        text += paragraph(printable(sentence), layout);
    for (auto const& note : answer.notes)
        text += paragraph("note: " + printable(note), layout);
    text += "\n" + dynamic_table(answer, layout) + "\n" + speed_up_table(answer, layout);
    return text + laws_text(answer, layout) + identities_text(answer, layout) + work_text(answer, layout) +
           candidates_table(answer, layout) + causes_text(answer, layout);
}

std::string signature_threads_text(SignatureAnswer const& answer, Layout const& layout) {
    std::string text;
    for (auto const& recording : answer.recordings) {
        Table table({{"thread"},
                     {"name", Align::left, Cut::end},
                     {"κ"},
                     {"writes"},
                     {"reads"},
                     {"active"},
                     {"α"},
                     {"β"},
                     {"γ"},
                     {"η"},
                     {"communicating"},
                     {"algorithmic"},
                     {"other"},
                     {"outside"},
                     {"data"}});
        for (auto const& row : recording.rows) {
            auto const alpha = row.alpha_ns();
            table.add({{std::to_string(row.thread.value)},
                       {printable(row.name) + (row.is_counted ? "" : " (not in P)")},
                       {count_text(row.events)},
                       {count_text(row.writes)},
                       {count_text(row.reads)},
                       {time_cell(row.active_ns)},
                       {time_cell(alpha)},
                       {time_cell(row.beta_ns())},
                       {alpha > 0 ? three_digits(row.beta_ns() / alpha) : ""},
                       {recording.time_ns > 0 ? three_digits(row.active_ns / recording.time_ns) : ""},
                       {time_cell(row.communicating_ns)},
                       {time_cell(row.algorithmic_ns)},
                       {time_cell(row.other_blocking_ns)},
                       {time_cell(row.outside_ns)},
                       {row.data_bytes > 0 ? bytes_text(static_cast<std::uint64_t>(row.data_bytes)) : ""}});
        }
        auto const& means = recording.means;
        add_figure("mean", [](OverThreads const& each) { return std::optional(each.mean); }, means, table);
        add_figure("± (95 %)", [](OverThreads const& each) { return each.ci95; }, means, table);
        add_figure("least", [](OverThreads const& each) { return std::optional(each.least); }, means, table);
        add_figure("most", [](OverThreads const& each) { return std::optional(each.most); }, means, table);
        text += fmt::format("\nP = {}, {}\n", recording.threads, printable(recording.file)) +
                table.text(layout.colour, layout.table_width());
    }
    return text;
}

}  // namespace parcast::report
