// Parts of what is said of message programs.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/bytes_text.h"
#include "report/format.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr double worth_changing = 0.01;  // of the time
constexpr std::size_t told_nodes = 5;

std::string nodes_text(MessagesBasis const& basis) {
    if (basis.nodes.nodes == 0)
        return {};
    auto text = " · " + counted(basis.nodes.nodes, "node");
    if (basis.cpus_of_node > 0)
        text += " of " + counted(basis.cpus_of_node, "CPU");
    return basis.node_values.empty() ? text : text + ", inside them: " + basis.node_values;
}

std::string alternative_time(CollectiveAlternative const& each) {
    if (!each.left_out.empty())
        return each.left_out;
    return each.time_ns ? time_text(Duration{static_cast<std::int64_t>(*each.time_ns)}) : "deadlock";
}

// "--collectives mpich,allreduce=ring": the choice that is there, with one kind changed.
std::string option_of(Answer const& prediction, ComparedCollectives const& group,
                      CollectiveAlternative const& alternative) {
    auto const chosen = collective_choice_text(prediction.messages().choice);
    bool const is_usual = chosen == collective_choice_text(CollectiveChoice{});
    return "--collectives " +
           (group.kind.empty() || is_usual ? alternative.choice : chosen + "," + alternative.choice);
}

// The fastest of all, if it is worth the change.
std::string best_sentence(Answer const& prediction) {
    auto const& groups = prediction.messages().compared;
    auto const best_time = [](ComparedCollectives const& group) {
        return group.alternatives.front().time_ns.value_or(std::numeric_limits<double>::infinity());
    };
    auto const& group = *std::ranges::min_element(groups, {}, best_time);
    auto const& best = group.alternatives.front();
    auto const chosen = std::ranges::find(group.alternatives, true, &CollectiveAlternative::is_chosen);
    double const gained = chosen->time_ns && best.time_ns ? 1 - *best.time_ns / *chosen->time_ns : 0;
    return gained < worth_changing ? "No other choice takes 1 % off the time of the program."
                                   : fmt::format("{} takes {} off the time of the program.",
                                                 option_of(prediction, group, best), percent_text(gained));
}

// Nodes on which ranks of both are.
std::vector<std::uint32_t> shared_nodes(RankNodes const& nodes, MessageJob const& one,
                                        MessageJob const& other) {
    auto const of_job = [&](MessageJob const& job) {
        return std::set(nodes.node_of_rank.begin() + job.first_rank,
                        nodes.node_of_rank.begin() + job.first_rank + job.ranks);
    };
    std::vector<std::uint32_t> shared;
    if (nodes.node_of_rank.empty())
        return shared;
    std::ranges::set_intersection(of_job(one), of_job(other), std::back_inserter(shared));
    return shared;
}

std::string node_names(RankNodes const& nodes, std::vector<std::uint32_t> const& which) {
    std::string text;
    for (std::size_t i = 0; i < std::min(which.size(), told_nodes); ++i)
        text += (text.empty() ? "" : ", ") +
                (nodes.names.empty() ? std::to_string(which[i]) : nodes.names[which[i]]);
    return which.size() > told_nodes ? text + ", ..." : text;
}

// "app.goal and lu.goal share node a.", a sentence for each two that share one.
std::string sharing_of(Answer const& prediction, Layout const& layout) {
    auto const& basis = prediction.messages();
    std::string text;
    for (std::size_t i = 0; i < basis.jobs.size(); ++i)
        for (std::size_t j = i + 1; j < basis.jobs.size(); ++j)
            if (auto const nodes = shared_nodes(basis.nodes, basis.jobs[i], basis.jobs[j]); !nodes.empty())
                text += paragraph(
                    fmt::format("{} and {} share {} {}.", basis.jobs[i].file, basis.jobs[j].file,
                                nodes.size() == 1 ? "node" : "nodes", node_names(basis.nodes, nodes)),
                    layout);
    if (text.empty())
        text = paragraph("They share no node.", layout);
    return text + paragraph(
                      "They do not slow each other in this prediction: each rank has its processor and its "
                      "interface, and nothing is slowed inside the network. On a real one they may.",
                      layout);
}

std::string steps_origin_text(Answer const& prediction, Layout const& layout) {
    auto const& basis = prediction.messages();
    auto const count = [](std::uint64_t number, char const* what) {
        return counted(static_cast<std::int64_t>(number), what);
    };
    auto const name = basis.name.empty() ? prediction.file : basis.name;
    auto const size = fmt::format("{}, {}, {} with {} in all, {} of computing", count(basis.ranks, "rank"),
                                  count(basis.steps, "step"), count(basis.messages, "message"),
                                  bytes_text(basis.bytes), time_text(basis.work));
    auto const network = fmt::format(
        "network {}: {} · {}", basis.network.name.empty() ? basis.network_source : basis.network.name,
        basis.network_values,
        basis.carries_clocks ? "clocks are carried from step to step" : "a barrier behind each step");
    return paragraph(printable(name), layout) + paragraph(size, layout) + wrapped(network, layout.width, 4) +
           "\n\n";
}

}  // namespace

std::string messages_origin_text(Answer const& prediction, Layout const& layout) {
    auto const& basis = prediction.messages();
    if (basis.is_steps)
        return steps_origin_text(prediction, layout);
    auto const count = [](std::uint64_t number, char const* what) {
        return counted(static_cast<std::int64_t>(number), what);
    };
    auto name = basis.name.empty() ? prediction.file : basis.name;
    if (!basis.jobs.empty())
        name = counted(static_cast<std::int64_t>(basis.jobs.size()), "program") + " side by side";
    auto const size = fmt::format("{}, {}, {} with {} in all, {} of computing", count(basis.ranks, "rank"),
                                  count(basis.operations, "operation"), count(basis.messages, "message"),
                                  bytes_text(basis.bytes), time_text(basis.work));
    std::string network = fmt::format("replayed · network {}: {}",
                                      basis.network.name.empty() ? basis.network_source : basis.network.name,
                                      basis.network_values);
    network += nodes_text(basis);
    if (basis.cpu_speed != 1)
        network += fmt::format(" · computing {} times as fast", three_digits(basis.cpu_speed));
    std::string used;
    for (auto const& each : basis.collectives)
        used += fmt::format("{}{} {} by {}", used.empty() ? "" : ", ", each.operations, each.kind,
                            each.algorithm);
    return paragraph(printable(name), layout) + paragraph(size, layout) + wrapped(network, layout.width, 4) +
           "\n" + (used.empty() ? "" : paragraph("collective operations: " + used, layout)) + "\n";
}

std::string message_command(std::string const& verb, Answer const& prediction) {
    return "parcast " + verb + " " + command_line(input_words(prediction));
}

std::string compared_collectives_text(Answer const& prediction, Layout const& layout) {
    auto const& groups = prediction.messages().compared;
    if (groups.empty())
        return {};
    auto const& row = prediction.rows.front();
    Table table({{"collective", Align::left}, {"algorithm", Align::left}, {"time"}, {"than now"}});
    for (auto const& group : groups) {
        bool is_first = true;
        for (auto const& each : group.alternatives) {
            auto const sign = each.choice.find('=');
            bool const is_name = !each.is_chosen && !group.kind.empty();
            double const change = each.time_ns && row.time_ns > 0 ? *each.time_ns / row.time_ns - 1 : 0;
            table.add(
                {{!is_first            ? ""
                  : group.kind.empty() ? std::string("all")
                                       : counted(static_cast<std::int64_t>(group.operations), group.kind)},
                 {(is_name ? each.choice.substr(sign + 1) : each.choice) + (each.is_chosen ? " (now)" : "")},
                 {alternative_time(each)},
                 {each.is_chosen || !each.time_ns ? ""
                                                  : (change > 0   ? "+"
                                                     : change < 0 ? "-"
                                                                  : "") +
                                                        percent_text(std::abs(change))}});
            is_first = false;
        }
    }
    return "\nOther algorithms of collective operations, one kind at a time\n" +
           table.text(layout.colour, layout.table_width()) + '\n' +
           paragraph(best_sentence(prediction), layout);
}

std::string message_jobs_text(Answer const& prediction, Layout const& layout) {
    auto const& jobs = prediction.messages().jobs;
    if (jobs.empty())
        return {};
    auto const& ranks = prediction.rows.front().messages->ranks;
    Table table({{"program", Align::left, Cut::middle}, {"ranks"}, {"time"}, {"computing"}, {"waiting"}});
    MessageJob const* slowest = &jobs.front();
    Duration longest{-1};
    for (auto const& job : jobs) {
        RankTimes sum;
        sum.finish = job_time(job, *prediction.rows.front().messages);
        for (auto rank = job.first_rank; rank < job.first_rank + job.ranks; ++rank) {
            sum.computing += ranks[rank].computing;
            sum.waiting += ranks[rank].waiting;
        }
        double const all = static_cast<double>(sum.finish.ns) * job.ranks;
        auto const share = [&](Duration part) {
            return all > 0 ? percent_text(static_cast<double>(part.ns) / all) : std::string("-");
        };
        table.add({{printable(job.file)},
                   {job.ranks == 1 ? std::to_string(job.first_rank)
                                   : fmt::format("{}-{}", job.first_rank, job.first_rank + job.ranks - 1)},
                   {time_text(sum.finish)},
                   {share(sum.computing)},
                   {share(sum.waiting)}});
        if (sum.finish > longest) {
            longest = sum.finish;
            slowest = &job;
        }
    }
    return table.text(layout.colour, layout.table_width()) + '\n' +
           paragraph(fmt::format("{} ends last, after {}.", printable(slowest->file), time_text(longest)),
                     layout) +
           sharing_of(prediction, layout) + '\n';
}

}  // namespace parcast::report
