#include <algorithm>
#include <array>
#include <numeric>
#include <string>
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

constexpr double told_share = 0.05;       // of the time of all ranks
constexpr double doubtful_incast = 0.05;  // of the bytes
constexpr std::size_t told_unmatched = 5;

constexpr std::array<std::string_view, message_wait_count> wait_names = {"late sender", "rendezvous", "gap",
                                                                         "other CPU"};
constexpr std::array<std::string_view, message_wait_count> wait_sentences = {
    "for messages that their senders send late, or that are on their way",
    "for receives that are posted late: large messages wait for them",
    "for their interface, which is still busy with other messages", "for other CPUs of their own"};

double ratio_of(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

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
            columns.push_back({std::string(wait_names[wait])});
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

std::vector<std::string> what_limits(Row const& row) {
    auto const& times = *row.messages;
    std::vector<std::string> sentences;
    double const all = row.time_ns * row.cpus;
    std::array<double, message_wait_count> waits{};
    double communicating = 0;
    for (auto const& rank : times.ranks) {
        communicating += static_cast<double>(rank.communicating.ns);
        for (std::size_t wait = 0; wait < message_wait_count; ++wait)
            waits[wait] += static_cast<double>(rank.waiting_for[wait].ns);
    }
    auto const most = static_cast<std::size_t>(std::ranges::max_element(waits) - waits.begin());
    if (auto const share = ratio_of(waits[most], all); share >= told_share)
        sentences.push_back(
            fmt::format("Ranks wait for {} of the time {}.", percent_text(share), wait_sentences[most]));
    if (auto const share = ratio_of(communicating, all); share >= told_share)
        sentences.push_back(
            fmt::format("Sending and receiving takes {} of the processors' time.", percent_text(share)));
    if (times.ideal_network && row.time_ns > 0) {
        auto const saved = 1 - static_cast<double>(times.ideal_network->ns) / row.time_ns;
        sentences.push_back(
            saved >= told_share
                ? fmt::format("On a network where messages cost nothing it would take {}, {} less.",
                              time_text(*times.ideal_network), percent_text(saved))
                : "The network hardly matters: without it, the program takes nearly as long.");
    }
    if (times.incast_share >= doubtful_incast)
        sentences.push_back(
            fmt::format("Doubtful: {} of the bytes arrive while another rank's are under way to the same "
                        "one. A real network "
                        "slows these; this model does not.",
                        percent_text(times.incast_share)));
    if (auto const lost = std::ranges::count(times.unmatched, false, &UnmatchedOperation::is_stuck); lost > 0)
        sentences.push_back(
            fmt::format("{} sent and never received.",
                        lost == 1 ? std::string("1 message is") : fmt::format("{} messages are", lost)));
    return sentences;
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
    for (auto const& sentence : what_limits(row))
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
