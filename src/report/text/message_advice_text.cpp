// What to change first in a program of messages or steps, for people.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "answer/advice_sentences.h"
#include "answer/message_advice.h"
#include "core/bytes_text.h"
#include "report/advice.h"
#include "report/format.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr double worth_telling = 0.01;  // of the time
constexpr double in_table = 0.005;      // of the time: less is no row

// The trial that says what it brings: half, or none where there is no half.
std::optional<TriedChange> telling_trial(AdviceRow const& row) {
    auto const half = tried_at(row, 0.5);
    return half ? half : tried_at(row, 0);
}

double told_gain(AdviceOnCpus const& at, AdviceRow const& row) {
    auto const tried = telling_trial(row);
    return tried ? gain(at, *tried) : 0;
}

std::string path_sentence(MessagePath const& path) {
    double const all = path.computing_ns + path.communicating_ns + path.in_flight_ns + path.gap_ns;
    if (all <= 0)
        return "The program takes no time.";
    return fmt::format(
        "The critical path is {} computing, {} sending and receiving, {} messages in flight and {} waiting "
        "for a busy interface.",
        percent_text(path.computing_ns / all), percent_text(path.communicating_ns / all),
        percent_text(path.in_flight_ns / all), percent_text(path.gap_ns / all));
}

// Steps by the standard algorithm: how much of the time is which.
std::string steps_sentence(Row const& standard) {
    auto const computing = static_cast<double>(standard.messages->computation.ns);
    return standard.time_ns > 0
               ? fmt::format(
                     "By the standard algorithm, computing takes {} of the time and communicating {}.",
                     percent_text(computing / standard.time_ns),
                     percent_text(1 - computing / standard.time_ns))
               : "The program takes no time.";
}

// "Make messages with tag 1 smaller first: half as many bytes take 20 % off the time."
std::string leader_sentence(ChangeableWork const& work, double gained) {
    auto const label = message_work_label(work);
    auto const share = percent_text(gained);
    if (work.kind == OwnerKind::tag || work.kind == OwnerKind::collective)
        return fmt::format("Make {} smaller first: half as many bytes take {} off the time.", label, share);
    if (work.kind == OwnerKind::network)
        return work.name.ends_with('S')
                   ? fmt::format("A network without rendezvous takes {} off the time.", share)
                   : fmt::format("A network with half the {} takes {} off the time.", label, share);
    return fmt::format("Make the {} faster first: half of it takes {} off the time.", label, share);
}

std::string amount_text(ChangeableWork const& work) {
    if (work.kind == OwnerKind::tag)
        return fmt::format("{} in {}", bytes_text(work.bytes), counted(work.calls, "message"));
    if (work.kind == OwnerKind::collective)
        return counted(work.calls, "call");
    if (work.kind == OwnerKind::network)
        if (auto const parameter = parameter_named(work.name))
            return value_text(*parameter, work.value);
    return time_text(Duration{std::llround(work.self_ns)});
}

// The same work on another count.
AdviceRow const& row_of_work(AdviceOnCpus const& at, std::size_t work) {
    return *std::ranges::find(at.rows, work, &AdviceRow::work);
}

std::string change_cell(AdviceOnCpus const& at, AdviceRow const& row, double factor) {
    auto const found = std::ranges::find(row.tried, factor, &TriedChange::factor);
    if (found == row.tried.end())
        return "";
    if (!found->time_ns)
        return "deadlock";
    double const gained = gain(at, *found);
    return (gained > 0   ? "-"
            : gained < 0 ? "+"
                         : "") +
           percent_text(std::abs(gained)) + (found->parts_by == PartsBy::path ? " *" : "");
}

bool matters(AdviceOnCpus const& at, AdviceRow const& row) {
    return std::ranges::any_of(row.tried, [&](TriedChange const& tried) {
        return !tried.time_ns || std::abs(gain(at, tried)) >= in_table;
    });
}

// Of steps, columns for the other methods stand beside those of the standard algorithm.
std::string tried_changes_table(Answer const& basis, Advice const& advice, Layout const& layout) {
    auto const& at = advice.counts.front();
    std::vector<Column> columns = {
        {"with less of", Align::left, Cut::middle}, {"that is"}, {"10 % less"}, {"half"}, {"none"}};
    for (std::size_t count = 1; count < advice.counts.size(); ++count)
        columns.push_back({fmt::format("half, {}", name_of(basis.rows[count].messages->method))});
    Table table(std::move(columns));
    std::size_t left_out = 0;
    bool has_marks = false;
    bool has_erratic = false;
    bool const has_collectives =
        std::ranges::any_of(advice.work, [](auto const& work) { return work.kind == OwnerKind::collective; });
    for (auto const& row : at.rows) {
        if (std::ranges::none_of(advice.counts, [&](AdviceOnCpus const& each) {
                return matters(each, row_of_work(each, row.work));
            })) {
            ++left_out;
            continue;
        }
        auto const& work = advice.work[row.work];
        bool const is_doubtful = is_erratic(at, row);
        has_erratic = has_erratic || is_doubtful;
        std::vector<Cell> cells = {{printable(message_work_label(work)) + (is_doubtful ? " ~" : "")},
                                   {amount_text(work)}};
        for (double const factor : {0.9, 0.5, 0.0})
            cells.push_back({change_cell(at, row, factor)});
        for (auto const& other : advice.counts | std::views::drop(1))
            cells.push_back({change_cell(other, row_of_work(other, row.work), 0.5)});
        has_marks = has_marks ||
                    std::ranges::any_of(cells, [](Cell const& cell) { return cell.text.ends_with(" *"); });
        table.add(std::move(cells));
    }
    auto text = table.rows() == 0
                    ? ""
                    : "\nTried: the time with less of it" +
                          std::string(basis.messages().is_steps ? ", by the standard algorithm" : "") + "\n" +
                          table.text(layout.colour, layout.table_width());
    if (has_marks)
        text += paragraph(
            std::string("* not what the first tenth promises: before so much is gone, something else decides "
                        "the time") +
                (has_collectives ? ", or smaller collective operations get another algorithm." : "."),
            layout);
    if (has_erratic)
        text += paragraph(
            "~ doubtful: without any of it less is gained than with a part of it. The order in which "
            "messages "
            "arrive changes, and with it the time.",
            layout);
    if (left_out > 0)
        text += paragraph(fmt::format("{} brought less than 0.5 %, whatever was left of it: --json.",
                                      counted(static_cast<std::int64_t>(left_out), "thing was tried and",
                                              "things were tried and")),
                          layout);
    return text;
}

// Where half of something else brings more by another method.
std::vector<std::string> other_leader_sentences(Answer const& basis, Advice const& advice) {
    std::vector<std::string> sentences;
    auto const& standard = advice.counts.front();
    for (std::size_t count = 1; count < advice.counts.size() && !advice.work.empty(); ++count) {
        auto const& at = advice.counts[count];
        auto const& own = at.rows.front();
        auto const usual = standard.rows.front().work;
        auto const gained = told_gain(at, own);
        if (own.work == usual || gained - told_gain(at, row_of_work(at, usual)) < worth_telling)
            continue;
        sentences.push_back(printable(fmt::format(
            "{}, half of the {} brings most: {}.",
            basis.rows[count].messages->method == MessageMethod::overlapped ? "Overlapped"
                                                                            : "By the overestimate",
            message_work_label(advice.work[own.work]), percent_text(gained))));
    }
    return sentences;
}

}  // namespace

std::vector<std::string> message_advice_sentences(Answer const& basis, Advice const& advice) {
    auto const& at = advice.counts.front();
    bool const is_steps = basis.messages().is_steps;
    std::vector<std::string> sentences;
    if (!at.time_ns)
        return sentences;
    sentences.push_back(is_steps ? steps_sentence(basis.rows.front()) : path_sentence(*advice.message_path));
    bool has_own = false;
    bool has_network = false;
    // Rows are in the order of what half of them brings.
    for (auto const& row : at.rows) {
        auto const& work = advice.work[row.work];
        bool& is_told = work.kind == OwnerKind::network ? has_network : has_own;
        auto const gained = told_gain(at, row);
        if (is_told || gained < worth_telling || is_erratic(at, row))
            continue;
        is_told = true;
        sentences.push_back(printable(leader_sentence(work, gained)));
    }
    if (!has_own)
        sentences.emplace_back(
            is_steps ? "Computing does not decide the time: half of it brings less than 1 %."
                     : "No rank, tag or collective operation decides the time by itself: half of any of them "
                       "brings less than 1 %.");
    if (!has_network)
        sentences.emplace_back(
            "No value of the network decides the time: half of any of them brings less than 1 %.");
    std::ranges::move(other_leader_sentences(basis, advice), std::back_inserter(sentences));
    return sentences;
}

std::string message_advice_text(Answer const& basis, Advice const& advice, Layout const& layout) {
    auto text = messages_origin_text(basis, layout);
    for (auto const& sentence : message_advice_sentences(basis, advice))
        text += paragraph(sentence, layout);
    text += tried_changes_table(basis, advice, layout) + compared_collectives_text(basis, layout);
    auto const& at = advice.counts.front();
    auto const best = std::ranges::find_if(at.rows, [&](AdviceRow const& each) {
        return told_gain(at, each) >= worth_telling && !is_erratic(at, each);
    });
    if (best == at.rows.end())
        return text;
    auto const& row = *best;
    return text + "\nNext: " + message_command("predict", basis) + " --what-if " +
           command_line({change_text(advice.work[row.work], telling_trial(row)->factor)}) + '\n';
}

}  // namespace parcast::report
