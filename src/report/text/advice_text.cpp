#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "answer/circumstances.h"
#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time_text.h"
#include "report/advice.h"
#include "report/names.h"
#include "report/sentences/sentences.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr double worth_a_sentence = 0.05;  // of the completion
constexpr double parts_ways = 0.05;        // of the time, between what weights promise and replays give
constexpr double tried_in_sentences = 0.5;
constexpr std::size_t widest_name = 44;

bool is_in_tables(OwnerKind kind) {
    return kind == OwnerKind::function || kind == OwnerKind::lock;
}

double share(AdviceOnCpus const& at, AdviceRow const& row) {
    return at.completion_ns > 0 ? row.decided_ns / at.completion_ns : 0;
}

// "solve (lu.cpp:88)", "the work under mutex table (histogram.c:34)"
std::string label(Advice const& advice, std::size_t number) {
    auto const& work = advice.work[number];
    auto const& catalogue = advice.answer.recording().catalogue;
    if (work.kind == OwnerKind::lock)
        return "the work under " + placed_object_label(catalogue, work.object);
    auto const place = work.site.is_none() ? std::string() : innermost(catalogue, work.site);
    auto const comma = place.rfind(", ");
    return printable(work.name) + (comma == std::string::npos ? "" : " (" + place.substr(comma + 2) + ")");
}

std::optional<TriedChange> tried_at(AdviceRow const& row, double factor) {
    auto const found = std::ranges::find(row.tried, factor, &TriedChange::factor);
    return found == row.tried.end() || !found->time_ns ? std::nullopt : std::optional(*found);
}

double gain(AdviceOnCpus const& at, double time_ns) {
    return 1 - time_ns / *at.time_ns;
}

bool parts_from_promise(AdviceOnCpus const& at, TriedChange const& tried) {
    return tried.time_ns && std::abs(*tried.time_ns - tried.promised_ns) > parts_ways * *at.time_ns;
}

// "-41 %", "+2 %"; a mark where the weights promised something else.
std::string gain_text(AdviceOnCpus const& at, AdviceRow const& row, double factor) {
    auto const tried = tried_at(row, factor);
    if (!tried)
        return "deadlock";
    double const gained = gain(at, *tried->time_ns);
    auto const text = (gained > 0 ? "-" : gained < 0 ? "+" : "") + percent_text(std::abs(gained));
    return text + (parts_from_promise(at, *tried) ? " *" : "");
}

bool has_leader(AdviceOnCpus const& at) {
    return at.first && share(at, at.rows[*at.first]) >= worth_a_sentence;
}

std::size_t leader(AdviceOnCpus const& at) {
    return at.rows[*at.first].work;
}

std::string counts_text(std::uint32_t first, std::uint32_t last, bool is_last) {
    if (is_last && first != last)
        return fmt::format("From {} on", counted(first, "CPU"));
    return first == last ? "On " + counted(first, "CPU") : fmt::format("On {} to {} CPUs", first, last);
}

std::string sentence(Advice const& advice, std::size_t first, std::size_t end) {
    auto const& at = advice.counts[end - 1];
    auto const counts =
        counts_text(advice.counts[first].cpus, at.cpus, end == advice.counts.size() && first > 0);
    if (!has_leader(at))
        return counts + ", no function and no lock decides as much as " + percent_text(worth_a_sentence) +
               " of the time.";
    auto const& row = at.rows[*at.first];
    bool const is_one = end == first + 1;
    auto text =
        fmt::format("{}, change {} first: it decides {} of the time{}.", counts, label(advice, row.work),
                    percent_text(share(at, row)), is_one ? "" : " on " + counted(at.cpus, "CPU"));
    if (auto const tried = tried_at(row, tried_in_sentences))
        text += fmt::format(" Half of it {} {}{}.", gain(at, *tried->time_ns) >= 0 ? "brings" : "costs",
                            percent_text(std::abs(gain(at, *tried->time_ns))), is_one ? "" : " there");
    return text;
}

bool same_leader(AdviceOnCpus const& a, AdviceOnCpus const& b) {
    return has_leader(a) == has_leader(b) && (!has_leader(a) || leader(a) == leader(b));
}

// Of each count the first ones, by what they decide on any.
std::vector<std::size_t> work_in_table(Advice const& advice, std::size_t top) {
    std::set<std::size_t> listed;
    std::vector<std::size_t> works;
    for (auto const& at : advice.counts) {
        std::size_t taken = 0;
        for (std::size_t row = 0; row < at.rows.size(); ++row) {
            auto const work = at.rows[row].work;
            bool const is_first = at.first == row;
            if (!is_in_tables(advice.work[work].kind) || (taken >= top && !is_first))
                continue;
            taken += is_first ? 0 : 1;
            if (std::abs(share(at, at.rows[row])) >= 0.005 && listed.insert(work).second)
                works.push_back(work);
        }
    }
    return works;
}

std::string name_cell(Advice const& advice, std::size_t work, Layout const& layout) {
    auto const name = label(advice, work);
    return layout.names == NameColumns::whole ? name : shorten_middle(name, widest_name);
}

std::string shares_table(Advice const& advice, std::vector<std::size_t> const& works, Layout const& layout) {
    std::vector<Column> columns = {{"CPUs:", Align::left, Cut::middle}, {"calls"}, {"CPU time"}};
    for (auto const& at : advice.counts)
        columns.push_back({fmt::format("{}", at.cpus)});
    Table table(std::move(columns));
    for (auto const work : works) {
        std::vector<Cell> cells = {{name_cell(advice, work, layout)},
                                   {fmt::format("{}", advice.work[work].calls)},
                                   {time_text(Duration{advice.work[work].self_ns})}};
        for (auto const& at : advice.counts) {
            auto const row = std::ranges::find(at.rows, work, &AdviceRow::work);
            cells.push_back({row == at.rows.end() ? "" : percent_text(share(at, *row))});
        }
        table.add(std::move(cells));
    }
    return table.text(layout.colour, layout.table_width());
}

std::string tried_table(Advice const& advice, Layout const& layout) {
    Table table(
        {{"CPUs"}, {"time"}, {"with less of", Align::left, Cut::middle}, {"10 % less"}, {"half"}, {"none"}});
    for (auto const& at : advice.counts) {
        bool is_first = true;
        for (auto const& row : at.rows) {
            if (row.tried.empty())
                continue;
            table.add({{is_first ? fmt::format("{}", at.cpus) : ""},
                       {is_first ? time_text(Duration{std::llround(*at.time_ns)}) : ""},
                       {name_cell(advice, row.work, layout)},
                       {gain_text(at, row, 0.9)},
                       {gain_text(at, row, 0.5)},
                       {gain_text(at, row, 0.0)}});
            is_first = false;
        }
    }
    return table.rows() == 0 ? "" : table.text(layout.colour, layout.table_width());
}

bool any_negative(Advice const& advice) {
    return std::ranges::any_of(advice.counts, [](AdviceOnCpus const& at) {
        return std::ranges::any_of(at.rows, [&](AdviceRow const& row) { return share(at, row) <= -0.005; });
    });
}

bool any_parting(Advice const& advice) {
    return std::ranges::any_of(advice.counts, [](AdviceOnCpus const& at) {
        return std::ranges::any_of(at.rows, [&](AdviceRow const& row) {
            return std::ranges::any_of(
                row.tried, [&](TriedChange const& tried) { return parts_from_promise(at, tried); });
        });
    });
}

}  // namespace

std::vector<std::string> advice_sentences(Advice const& advice) {
    auto const circumstances = circumstances_of(advice.answer);
    if (circumstances.is_worthless)
        return {withheld_conclusion};
    if (circumstances.model == "ordered")
        return {
            "Nothing is advised: the replay keeps the order of the recording, which may be all that decides "
            "the time."};
    std::vector<std::string> sentences;
    for (std::size_t first = 0, end = 0; first < advice.counts.size(); first = end) {
        for (end = first + 1; end < advice.counts.size(); ++end)
            if (!same_leader(advice.counts[first], advice.counts[end]))
                break;
        if (!advice.counts[first].rows.empty())
            sentences.push_back(sentence(advice, first, end));
    }
    return sentences;
}

std::string advice_text(Advice const& advice, std::size_t top, Layout const& layout) {
    auto const& basis = advice.answer.recording();
    std::string text = findings_text(advice.answer.findings, basis.catalogue, layout);
    text += (text.empty() ? "" : "\n") + origin_text(advice.answer, layout) +
            paragraph(replayed_by(advice.answer), layout) + '\n';
    for (auto const& sentence : advice_sentences(advice))
        text += paragraph(sentence, layout);
    auto const works = work_in_table(advice, top);
    if (works.empty())
        return text;
    text += '\n' +
            paragraph(
                "How much of the time each decides, by number of CPUs. Where that is 60 %, a tenth less of "
                "it saves "
                "6 % of the time.",
                layout) +
            shares_table(advice, works, layout);
    if (any_negative(advice))
        text += paragraph(
            "Below zero: less of it makes the program slower there, since it lets more threads run at the "
            "wrong "
            "time.",
            layout);
    if (auto const tried = tried_table(advice, layout); !tried.empty()) {
        text += "\nTried by replays: the time with less of it\n" + tried;
        if (any_parting(advice))
            text += paragraph(
                "* not what the shares promise, which hold for small changes: another piece decides the time "
                "before, the scheduler adds its own, or locks are taken in another order.",
                layout);
    }
    return text;
}

}  // namespace parcast::report
