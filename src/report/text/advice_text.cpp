#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "answer/advice_sentences.h"
#include "answer/circumstances.h"
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

constexpr double parts_ways = 0.05;  // of the time, between what weights promise and replays give
constexpr std::size_t widest_name = 44;

bool is_in_tables(OwnerKind kind) {
    return kind == OwnerKind::function || kind == OwnerKind::lock;
}

std::string label(Advice const& advice, std::size_t number) {
    return printable(work_label(advice.answer.recording().catalogue, advice.work[number]));
}

bool parts_from_promise(AdviceOnCpus const& at, TriedChange const& tried) {
    return tried.time_ns && std::abs(*tried.time_ns - tried.promised_ns) > parts_ways * *at.time_ns;
}

// "-41 %", "+2 %"; a mark where the weights promised something else.
std::string gain_text(AdviceOnCpus const& at, AdviceRow const& row, double factor) {
    auto const tried = tried_at(row, factor);
    if (!tried)
        return "deadlock";
    double const gained = gain(at, *tried);
    auto const text = (gained > 0 ? "-" : gained < 0 ? "+" : "") + percent_text(std::abs(gained));
    return text + (parts_from_promise(at, *tried) ? " *" : "");
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
            if (std::abs(decided_share(at, at.rows[row])) >= 0.005 && listed.insert(work).second)
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
            cells.push_back({row == at.rows.end() ? "" : percent_text(decided_share(at, *row))});
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
        return std::ranges::any_of(at.rows,
                                   [&](AdviceRow const& row) { return decided_share(at, row) <= -0.005; });
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
    auto sentences = leader_sentences(advice.work, advice.counts, advice.answer.recording().catalogue);
    for (auto& sentence : sentences)
        sentence = printable(sentence);
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
