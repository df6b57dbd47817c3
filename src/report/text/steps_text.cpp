#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/core.h>

#include "core/bytes_text.h"
#include "report/format.h"
#include "report/prediction.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr double much = 0.2;  // of the time

double share_of(Duration part, Duration whole) {
    return whole.ns > 0 ? static_cast<double>(part.ns) / static_cast<double>(whole.ns) : 0;
}

Duration time_of(Row const& row) {
    return row.run.accounts.completion;
}

Duration communication_of(Row const& row) {
    return time_of(row) - row.messages->computation;
}

std::string methods_table(Answer const& prediction, Layout const& layout) {
    Table table({{"method", Align::left}, {"time"}, {"computation"}, {"communication"}, {"efficiency"}});
    for (auto const& row : prediction.rows)
        table.add({{std::string(name_of(row.messages->method))},
                   {time_text(time_of(row))},
                   {time_text(row.messages->computation)},
                   {time_text(communication_of(row)) + "  " +
                    percent_text(share_of(communication_of(row), time_of(row)))},
                   {percent_text(row.efficiency)}});
    return table.text(layout.colour, layout.table_width());
}

std::vector<std::uint32_t> by_finish(std::vector<RankTimes> const& ranks) {
    std::vector<std::uint32_t> order(ranks.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t rank) { return ranks[rank].finish; });
    return order;
}

std::string ranks_of(Answer const& prediction, Layout const& layout, bool every_rank) {
    auto const& times = *prediction.rows.front().messages;
    Table table({{"rank", Align::left}, {"ends"}, {"computing"}, {"communicating"}, {"waiting"}});
    auto const add = [&](std::uint32_t rank, std::string const& which) {
        auto const& each = times.ranks[rank];
        table.add({{std::to_string(rank) + which},
                   {time_text(each.finish)},
                   {time_text(each.computing)},
                   {time_text(each.communicating)},
                   {time_text(each.waiting)}});
    };
    if (every_rank) {
        for (std::uint32_t rank = 0; rank < times.ranks.size(); ++rank)
            add(rank, "");
    } else {
        auto const order = by_finish(times.ranks);
        add(order.front(), " (last)");
        if (order.size() > 2)
            add(order[order.size() / 2], " (median)");
        if (order.size() > 1)
            add(order.back(), " (first)");
    }
    return std::string("\n") + (every_rank ? "Every rank" : "Ranks by when they end") +
           ", by the standard algorithm\n" + table.text(layout.colour, layout.table_width());
}

std::vector<std::string> meaning_of(Answer const& prediction) {
    auto const& standard = prediction.rows.front();
    auto const& worst = prediction.rows[1];
    std::vector<std::string> sentences;
    if (worst.time_ns >= standard.time_ns)
        sentences.push_back(fmt::format(
            "It takes {} where messages arrive as LogGP says, and some {} where they come late: ranks then "
            "receive all before they send.",
            time_text(time_of(standard)), time_text(time_of(worst))));
    if (auto const share = share_of(communication_of(standard), time_of(standard)); share >= much)
        sentences.push_back(fmt::format(
            "Communication takes {} of the time: fewer and larger messages help, or a layout that "
            "sends less.",
            percent_text(share)));
    if (auto const& overlapping = prediction.rows.back(); overlapping.time_ns < 0.98 * standard.time_ns)
        sentences.push_back(fmt::format("Overlapping computation and communication would bring {}.",
                                        percent_text(1 - overlapping.time_ns / standard.time_ns)));
    auto const& ranks = standard.messages->ranks;
    Duration most;
    Duration sum;
    for (auto const& rank : ranks) {
        most = std::max(most, rank.computing);
        sum += rank.computing;
    }
    auto const balance = most.ns > 0 ? static_cast<double>(sum.ns) / static_cast<double>(most.ns) /
                                           static_cast<double>(ranks.size())
                                     : 1.0;
    auto const idle_in_steps = standard.messages->computation - most;
    if (balance < 1 - much)
        sentences.push_back(
            fmt::format("The ranks do not share the work evenly: load balance {}.", percent_text(balance)));
    if (share_of(idle_in_steps, time_of(standard)) >= much)
        sentences.push_back(
            fmt::format("{} of the time goes to steps in which some ranks compute more than others, each "
                        "time other ones.",
                        percent_text(share_of(idle_in_steps, time_of(standard)))));
    return sentences;
}

}  // namespace

std::string steps_text(Answer const& prediction, Layout const& layout, bool every_rank) {
    auto text = messages_origin_text(prediction, layout);
    if (prediction.messages().swept.empty()) {
        text += methods_table(prediction, layout) + ranks_of(prediction, layout, every_rank) + '\n';
        for (auto const& sentence : meaning_of(prediction))
            text += paragraph(sentence, layout);
        if (auto const sentence = network_effects_sentence(prediction.rows.front()); !sentence.empty())
            text += paragraph(sentence, layout);
    } else {
        text += network_points_text(prediction, layout);
    }
    for (auto const& note : prediction.notes)
        text += paragraph(note, layout);
    text += what_if_text(prediction, layout);
    if (prediction.messages().swept.empty() && prediction.what_if.empty())
        text += "What to change first: " + message_command("advise", prediction) + '\n';
    return text + assumptions_text(prediction, layout);
}

}  // namespace parcast::report
