#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "answer/advice_sentences.h"
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

constexpr double shown_share = 0.005;  // of the completion: 1 %
constexpr std::size_t widest_name = 44;

// The recording says whose the work is.
bool has_functions(Advice const& advice) {
    return std::ranges::any_of(advice.work,
                               [](ChangeableWork const& work) { return work.total_ns.has_value(); });
}

bool is_in_tables(OwnerKind kind) {
    return kind == OwnerKind::function || kind == OwnerKind::lock || kind == OwnerKind::group;
}

std::string label(Answer const& basis, Advice const& advice, std::size_t number) {
    static Catalogue const nothing;
    return printable(
        work_label(basis.is_replayed() ? basis.recording().catalogue : nothing, advice.work[number]));
}

char const* mark(PartsBy parts) {
    switch (parts) {
        case PartsBy::nothing: break;
        case PartsBy::path: return " *";
        case PartsBy::scheduler: return " ~";
    }
    return "";
}

// "-41 %", "+2 %"; a mark where the weights promised something else.
std::string tried_text(AdviceOnCpus const& at, AdviceRow const& row, double factor) {
    auto const tried = tried_at(row, factor);
    if (!tried)
        return "deadlock";
    return change_of_time_text(gain(at, *tried), tried->gain_range) + mark(tried->parts_by);
}

// "Making solve (lu.cpp:88) faster makes the program slower on 4 CPUs".
std::string warning_of_negative(Answer const& basis, Advice const& advice,
                                std::vector<std::size_t> const& works) {
    AdviceOnCpus const* where = nullptr;
    AdviceRow const* worst = nullptr;
    for (auto const& at : advice.counts)
        for (auto const& row : at.rows)
            if (std::ranges::find(works, row.work) != works.end() && decided_share(at, row) <= -shown_share &&
                (worst == nullptr || decided_share(at, row) < decided_share(*where, *worst))) {
                where = &at;
                worst = &row;
            }
    if (worst == nullptr)
        return {};
    return fmt::format(
        "Below zero: making {} faster makes the program slower on {}, since threads that it lets go on "
        "then want CPUs while others need them.",
        label(basis, advice, worst->work), counted(where->cpus, "CPU"));
}

// The first `top` of each count that decide enough to be shown.
std::vector<std::size_t> work_in_table(Advice const& advice, std::size_t top) {
    std::set<std::size_t> listed;
    std::vector<std::size_t> works;
    for (auto const& at : advice.counts) {
        std::size_t taken = 0;
        for (std::size_t row = 0; row < at.rows.size(); ++row) {
            auto const work = at.rows[row].work;
            bool const is_first = at.first == row;
            if (!is_in_tables(advice.work[work].kind) || (taken >= top && !is_first) ||
                std::abs(decided_share(at, at.rows[row])) < shown_share)
                continue;
            taken += is_first ? 0 : 1;
            if (listed.insert(work).second)
                works.push_back(work);
        }
    }
    return works;
}

std::string name_cell(Answer const& basis, Advice const& advice, std::size_t work, Layout const& layout) {
    auto const name = label(basis, advice, work);
    return layout.names == NameColumns::whole ? name : shorten_middle(name, widest_name);
}

std::string shares_table(Answer const& basis, Advice const& advice, std::vector<std::size_t> const& works,
                         Layout const& layout) {
    std::vector<Column> columns = {{"CPUs:", Align::left, Cut::middle}, {"calls"}, {"CPU time"}};
    for (auto const& at : advice.counts)
        columns.push_back({fmt::format("{}", at.cpus)});
    Table table(std::move(columns));
    for (auto const work : works) {
        std::vector<Cell> cells = {
            {name_cell(basis, advice, work, layout)},
            {advice.work[work].calls == 0 ? "" : fmt::format("{}", advice.work[work].calls)},
            {time_text(Duration{std::llround(advice.work[work].self_ns)})}};
        for (auto const& at : advice.counts) {
            auto const row = std::ranges::find(at.rows, work, &AdviceRow::work);
            cells.push_back({row != at.rows.end() ? percent_text(decided_share(at, *row))
                             : at.time_ns         ? ""
                                                  : "deadlock"});
        }
        table.add(std::move(cells));
    }
    return table.text(layout.colour, layout.table_width());
}

std::string tried_table(Answer const& basis, Advice const& advice, Layout const& layout) {
    Table table(
        {{"CPUs"}, {"time"}, {"with less of", Align::left, Cut::middle}, {"10 % less"}, {"half"}, {"none"}});
    for (auto const& at : advice.counts) {
        bool is_first = true;
        for (auto const& row : at.rows) {
            if (row.tried.empty())
                continue;
            table.add({{is_first ? fmt::format("{}", at.cpus) : ""},
                       {is_first ? time_text(Duration{std::llround(*at.time_ns)}) : ""},
                       {name_cell(basis, advice, row.work, layout)},
                       {tried_text(at, row, 0.9)},
                       {tried_text(at, row, 0.5)},
                       {tried_text(at, row, 0.0)}});
            is_first = false;
        }
    }
    return table.rows() == 0 ? "" : table.text(layout.colour, layout.table_width());
}

bool any_parts_by(Advice const& advice, PartsBy parts) {
    return std::ranges::any_of(advice.counts, [&](AdviceOnCpus const& at) {
        return std::ranges::any_of(at.rows, [&](AdviceRow const& row) {
            return std::ranges::find(row.tried, parts, &TriedChange::parts_by) != row.tried.end();
        });
    });
}

std::string marks_text(Advice const& advice, Layout const& layout) {
    std::string text;
    if (any_parts_by(advice, PartsBy::path))
        text += paragraph(
            "* not what the shares promise, which hold for small changes: before all of it is gone, other "
            "work decides the time, or locks are taken in another order.",
            layout);
    if (any_parts_by(advice, PartsBy::scheduler))
        text += paragraph(
            "~ not what the shares promise: the scheduler adds what they do not have, such as wake-ups, "
            "slices and the order in which threads get CPUs.",
            layout);
    return text;
}

std::string segments_table(Answer const& basis, Advice const& advice, Layout const& layout) {
    std::vector<Column> columns = {{basis.is_replayed() ? "thread" : "task"},
                                   {"before", Align::left, Cut::middle},
                                   {"begins"},
                                   {"ends"}};
    for (auto const& at : advice.counts)
        columns.push_back({fmt::format("{}", at.cpus)});
    Table table(std::move(columns));
    for (std::size_t number = 0; number < advice.segments.size(); ++number) {
        auto const& segment = advice.segments[number];
        auto const place = segment.site.is_none() ? "" : innermost(basis.recording().catalogue, segment.site);
        std::vector<Cell> cells = {{fmt::format("{}", segment.who)},
                                   {place},
                                   {time_text(Duration{std::llround(segment.begin_ns)})},
                                   {time_text(Duration{std::llround(segment.end_ns)})}};
        for (auto const& at : advice.counts)
            cells.push_back(
                {at.time_ns ? fmt::format("{:.2f}", at.weight_times_cpus[number] / at.cpus) : "deadlock"});
        table.add(std::move(cells));
    }
    return "\nThe weight of each piece of work by number of CPUs, in a run with a CPU for each\n" +
           table.text(layout.colour, layout.table_width());
}

std::string head_text(Answer const& basis, Layout const& layout) {
    if (basis.is_replayed())
        return origin_text(basis, layout) + paragraph(replayed_by(basis), layout);
    auto const& graph = basis.graph();
    auto const text = graph_origin_text(basis, layout) + "schedule " + graph.schedules.front().name + '\n';
    bool const is_left_out = graph.contention || !graph.overhead_ns.empty();
    return text + (is_left_out
                       ? paragraph("The shares leave out contention and the price of taking tasks; what is "
                                   "tried has both.",
                                   layout)
                       : "");
}

}  // namespace

std::vector<std::string> advice_sentences(Answer const& basis, Advice const& advice) {
    if (basis.has_messages())
        return message_advice_sentences(basis, advice);
    if (basis.is_replayed()) {
        auto const circumstances = circumstances_of(basis);
        if (circumstances.is_worthless)
            return {withheld_conclusion};
        if (circumstances.model == "ordered")
            return {
                "Nothing is advised: the replay keeps the order of the recording, which may be all that "
                "decides the time."};
    }
    std::vector<std::string> sentences;
    for (auto const& each : leader_sentences(advice.work, advice.counts,
                                             basis.is_replayed() ? basis.recording().catalogue : Catalogue()))
        sentences.push_back(printable(each.text));
    return sentences;
}

std::optional<std::string> first_advice(Answer const& prediction) {
    if (!prediction.advice || prediction.advice->counts.empty() ||
        !has_leader(prediction.advice->counts.back()))
        return std::nullopt;
    // To change the only work that there is is no advice.
    auto const choices = std::ranges::count_if(
        prediction.advice->counts.back().rows,
        [&](AdviceRow const& row) { return is_in_tables(prediction.advice->work[row.work].kind); });
    if (choices < 2)
        return std::nullopt;
    auto sentences = advice_sentences(prediction, *prediction.advice);
    return sentences.empty() ? std::nullopt : std::optional(std::move(sentences.front()));
}

std::string first_advice_text(Answer const& prediction, Layout const& layout) {
    auto const sentence = first_advice(prediction);
    bool const is_withheld = prediction.is_replayed() && circumstances_of(prediction).is_worthless;
    if (!sentence || is_withheld)
        return {};
    if (works_in_one_thread(prediction.advice->work))
        return paragraph(*sentence, layout);
    return paragraph(*sentence + " On other numbers of CPUs:", layout) + "    parcast advise " +
           command_line(input_words(prediction)) + '\n';
}

std::string advice_text(Answer const& basis, Advice const& advice, std::size_t top, Layout const& layout) {
    if (basis.has_messages())
        return message_advice_text(basis, advice, layout);
    std::string text;
    if (basis.is_replayed())
        text = findings_text(basis.findings, basis.recording().catalogue, layout);
    text += (text.empty() ? "" : "\n") + head_text(basis, layout) + '\n';
    for (auto const& sentence : advice_sentences(basis, advice))
        text += paragraph(sentence, layout);
    if (auto const works = work_in_table(advice, top); !works.empty()) {
        text += '\n' +
                paragraph(
                    "How much of the time each decides, by number of CPUs. Where that is 60 %, a tenth less "
                    "of it saves 6 % of the time.",
                    layout) +
                shares_table(basis, advice, works, layout);
        if (basis.is_replayed())
            text +=
                paragraph(std::string(has_functions(advice)
                                          ? ""
                                          : "What a thread does before a call counts for the function "
                                            "that makes the call. ") +
                              "A lock comes before a function where the work under it brings nearly as much.",
                          layout);
        if (auto const warning = warning_of_negative(basis, advice, works); !warning.empty())
            text += paragraph(warning, layout);
    }
    if (auto const tried = tried_table(basis, advice, layout); !tried.empty())
        text += std::string("\nTried: the time with less of it") +
                (basis.ranges ? ", half of it with a 90 % range" : "") + "\n" + tried +
                marks_text(advice, layout);
    return text + (advice.segments.empty() ? "" : segments_table(basis, advice, layout));
}

}  // namespace parcast::report
