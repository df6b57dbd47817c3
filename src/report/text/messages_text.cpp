#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "answer/message_sentences.h"
#include "core/bytes_text.h"
#include "report/format.h"
#include "report/prediction.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"
#include "timeline/run_of_messages.h"

namespace parcast::report {

namespace {

constexpr std::size_t told_unmatched = 5;

// Unfinished ranks, and whom each waits for.
std::string deadlock_of(Answer const& prediction, Layout const& layout) {
    auto const& times = *prediction.rows.front().messages;
    auto text = paragraph(
        "The program deadlocks: these ranks wait for each other, or for messages that nobody "
        "sends.",
        layout);
    std::size_t told = 0;
    std::size_t stuck = 0;
    for (auto const& each : times.unmatched) {
        if (!each.is_stuck)
            continue;
        ++stuck;
        if (told == told_unmatched)
            continue;
        ++told;
        text += paragraph(
            fmt::format("rank {}, operation {}: waits for {}{}, {}", each.rank, each.operation,
                        each.peer == any_peer ? std::string("any rank") : fmt::format("rank {}", each.peer),
                        each.tag == any_tag ? std::string(", any tag") : fmt::format(", tag {}", each.tag),
                        bytes_text(each.bytes)),
            layout);
    }
    if (stuck > told)
        text += paragraph(fmt::format("... and {} more: --json", stuck - told), layout);
    return text;
}

std::string efficiencies(Row const& row, Layout const& layout) {
    auto const& times = *row.messages;
    auto const work = static_cast<double>(row.run.accounts.busy.ns);
    auto const busiest = static_cast<double>(times.computation.ns);
    Table table({{"time"}, {"efficiency"}, {"load balance"}, {"serialisation"}, {"transfer"}});
    auto const cell = [](double part, double whole) {
        return whole > 0 ? percent_text(part / whole) : std::string("-");
    };
    auto const ideal = times.ideal_network ? static_cast<double>(times.ideal_network->ns) : 0;
    table.add({{time_text(row.run.accounts.completion)},
               {cell(work, row.time_ns * row.cpus)},
               {cell(work, busiest * row.cpus)},
               {cell(busiest, ideal)},
               {ideal > 0 ? cell(ideal, row.time_ns) : std::string("-")}});
    return table.text(layout.colour, layout.table_width());
}

std::vector<std::uint32_t> order_of(std::vector<RankTimes> const& ranks) {
    std::vector<std::uint32_t> order(ranks.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t rank) { return ranks[rank].finish; });
    return order;
}

std::string ranks_table(MessageTimes const& times, Layout const& layout, bool every_rank) {
    std::vector<Column> columns = {{"rank", Align::left}, {"ends"}, {"computing"}, {"communicating"}};
    std::vector<std::size_t> waits;
    for (std::size_t wait = 0; wait < message_wait_count; ++wait)
        if (std::ranges::any_of(times.ranks,
                                [&](RankTimes const& rank) { return rank.waiting_for[wait].ns > 0; })) {
            waits.push_back(wait);
            columns.push_back({std::string(message_waits[wait].name)});
        }
    Table table(std::move(columns));
    auto const add = [&](std::uint32_t rank, std::string const& which) {
        auto const& each = times.ranks[rank];
        std::vector<Cell> cells = {{std::to_string(rank) + which},
                                   {time_text(each.finish)},
                                   {time_text(each.computing)},
                                   {time_text(each.communicating)}};
        for (auto const wait : waits)
            cells.push_back({time_text(each.waiting_for[wait])});
        table.add(std::move(cells));
    };
    if (every_rank || times.ranks.size() <= 2) {
        for (std::uint32_t rank = 0; rank < times.ranks.size(); ++rank)
            add(rank, "");
    } else {
        auto const order = order_of(times.ranks);
        add(order.front(), " (last)");
        add(order[order.size() / 2], " (median)");
        add(order.back(), " (first)");
    }
    return std::string("\n") + (every_rank ? "Every rank" : "Ranks by when they end") +
           ", and what they wait for\n" + table.text(layout.colour, layout.table_width()) + '\n';
}

}  // namespace

std::string messages_text(Answer const& prediction, Layout const& layout, bool every_rank) {
    auto const& row = prediction.rows.front();
    auto text = messages_origin_text(prediction, layout);
    if (!prediction.messages().swept.empty())
        return text + network_points_text(prediction, layout) + what_if_text(prediction, layout) +
               assumptions_text(prediction, layout);
    if (row.messages->is_deadlocked)
        return text + deadlock_of(prediction, layout) + assumptions_text(prediction, layout);
    text += message_jobs_text(prediction, layout) + efficiencies(row, layout) +
            ranks_table(*row.messages, layout, every_rank);
    for (auto const& sentence : message_sentences(row.run.accounts, *row.messages))
        text += paragraph(sentence, layout);
    if (auto const sentence = network_effects_sentence(row); !sentence.empty())
        text += paragraph(sentence, layout);
    text += compared_collectives_text(prediction, layout);
    for (auto const& note : prediction.notes)
        text += paragraph(note, layout);
    text += what_if_text(prediction, layout);
    auto const& basis = prediction.messages();
    if (prediction.what_if.empty() && basis.jobs.empty() && basis.nodes.nodes == 0 && basis.cpu_speed == 1)
        text += "What to change first: " + message_command("advise", prediction) + '\n';
    return text + assumptions_text(prediction, layout);
}

}  // namespace parcast::report
