#include "forecast/message_advice.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "forecast/network_points.h"
#include "forecast/tried_changes.h"
#include "program/collectives/collectives.h"
#include "program/message_change.h"
#include "simulate/messages/replay_messages.h"

namespace parcast::forecast {

namespace {

using What = MessagePathSegment::What;

// What is on the critical path, by whose it is.
struct PathShares {
    MessagePath path;
    std::map<std::uint32_t, double> of_rank;      // its computing
    std::map<std::uint16_t, double> of_function;  // by name
    std::map<std::uint32_t, double> of_tag;       // in flight, and sent and received
};

class MessageAdviser {
public:
    MessageAdviser(Forecast const& forecast, AdviceQuestion const& question)
        : forecast_(forecast), question_(question), basis_(forecast.answer.messages()) {}

    Result<Advice> advise() {
        auto const& row = forecast_.answer.rows.front();
        Advice advice;
        auto& at = advice.counts.emplace_back();
        at.cpus = row.cpus;
        if (row.run.deadlock)
            return advice;
        at.time_ns = row.time_ns;
        at.completion_ns = row.time_ns;
        auto const shares = path_shares();
        if (!shares)
            return pass_on(shares);
        advice.message_path = shares->path;
        add_ranks(advice, shares->of_rank);
        add_functions(advice, shares->of_function);
        add_tags(advice, shares->of_tag);
        add_collectives(advice);
        add_network(advice);
        auto const tried = try_changes(
            advice, [this](auto const& work, double factor) { return can_try(work, factor); },
            [this](Scenario const& scenario) { return times_after(scenario); }, question_.workers);
        if (!tried)
            return pass_on(tried);
        return advice;
    }

private:
    MessageProgram const& program() const { return std::get<MessageProgram>(forecast_.program); }
    // As it is called: what changes are made of.
    MessageProgram const& called() const { return forecast_.called ? *forecast_.called : program(); }
    simulate::MessageReplayOptions replay_options(bool with_log) const {
        return {basis_.nodes.node_of_rank, basis_.cpu_speed, with_log};
    }

    Result<PathShares> path_shares() const {
        auto const run = simulate::replay_messages(program(), basis_.network, replay_options(true));
        if (!run)
            return pass_on(run);
        PathShares shares;
        for (auto const& segment : run->log->critical_path) {
            auto const ns = static_cast<double>((segment.end - segment.begin).ns);
            switch (segment.what) {
                case What::computing:
                    shares.path.computing_ns += ns;
                    shares.of_rank[segment.rank] += ns;
                    if (!program().name_of.empty())
                        shares.of_function[program().name_of[segment.operation]] += ns;
                    continue;
                case What::communicating: shares.path.communicating_ns += ns; break;
                case What::in_flight: shares.path.in_flight_ns += ns; break;
                case What::gap: shares.path.gap_ns += ns; break;
            }
            if (segment.operation < program().operations() &&
                program().kind[segment.operation].operation() != MessageOperation::calc)
                shares.of_tag[program().tag[segment.operation]] += ns;
        }
        return shares;
    }

    template <class Key>
    std::vector<Key> first_of(std::map<Key, double> const& shares) const {
        std::vector<std::pair<Key, double>> all(shares.begin(), shares.end());
        std::erase_if(all, [](auto const& each) { return each.second <= 0; });
        std::ranges::stable_sort(all, std::greater(), [](auto const& each) { return each.second; });
        all.resize(std::min(all.size(), question_.top));
        std::vector<Key> keys;
        for (auto const& each : all)
            keys.push_back(each.first);
        return keys;
    }

    void add_ranks(Advice& advice, std::map<std::uint32_t, double> const& shares) const {
        auto const& ranks = forecast_.answer.rows.front().messages->ranks;
        auto candidates = first_of(shares);
        auto const busiest = static_cast<std::uint32_t>(
            std::ranges::max_element(ranks, {}, &RankTimes::computing) - ranks.begin());
        if (!ranks.empty() && ranks[busiest].computing.ns > 0 &&
            std::ranges::find(candidates, busiest) == candidates.end())
            candidates.push_back(busiest);
        for (auto const rank : candidates)
            advice.work.push_back({.kind = OwnerKind::rank,
                                   .name = std::to_string(rank),
                                   .self_ns = static_cast<double>(ranks[rank].computing.ns)});
    }

    void add_functions(Advice& advice, std::map<std::uint16_t, double> shares) const {
        shares.erase(0);  // without a name
        for (auto const name : first_of(shares)) {
            auto& work = advice.work.emplace_back();
            work.name = program().names[name];
            for (std::size_t each = 0; each < program().operations(); ++each)
                if (program().name_of[each] == name &&
                    program().kind[each].operation() == MessageOperation::calc) {
                    work.self_ns += static_cast<double>(program().amount[each]) / basis_.cpu_speed;
                    ++work.calls;
                }
        }
    }

    void add_tags(Advice& advice, std::map<std::uint32_t, double> shares) const {
        std::map<std::uint32_t, ChangeableWork> all;
        for (std::size_t each = 0; each < called().operations(); ++each)
            if (called().kind[each].operation() == MessageOperation::send) {
                auto& work = all[called().tag[each]];
                work.bytes += called().amount[each];
                ++work.calls;
            }
        // Those of collective operations are none of the program's.
        std::erase_if(shares, [&](auto const& each) { return !all.contains(each.first); });
        for (auto const tag : first_of(shares)) {
            auto& work = advice.work.emplace_back(all[tag]);
            work.kind = OwnerKind::tag;
            work.name = std::to_string(tag);
        }
    }

    void add_collectives(Advice& advice) const {
        std::map<std::string, std::int64_t> operations;
        for (auto const& used : basis_.collectives)
            operations[used.kind] += static_cast<std::int64_t>(used.operations);
        for (auto const& [kind, count] : operations)
            advice.work.push_back({.kind = OwnerKind::collective, .name = kind, .calls = count});
    }

    void add_network(Advice& advice) const {
        for (auto const& parameter : parameters_of(basis_.network))
            if (auto const value = value_of(basis_.network, parameter); value > 0)
                advice.work.push_back(
                    {.kind = OwnerKind::network, .name = name_of(parameter), .value = value});
    }

    // The last tenths of messages that a receive of any tag may take are their bytes.
    bool can_try(ChangeableWork const& work, double factor) const {
        if (work.kind == OwnerKind::network && work.name.ends_with('S'))
            return factor == 0;
        bool const has_wild_receives = std::ranges::find(called().tag, any_tag) != called().tag.end();
        return factor > 0 || work.kind != OwnerKind::tag || !has_wild_receives;
    }

    Result<std::vector<std::optional<double>>> times_after(Scenario const& scenario) const {
        auto const network = changed(basis_.network, scenario);
        if (!network)
            return pass_on(network);
        bool const is_of_network = std::ranges::all_of(scenario.changes, changes_network);
        if (is_of_network)
            return times_of_run(program(), *network);
        auto after = changed(called(), scenario);
        if (!after)
            return pass_on(after);
        if (!has_collectives(*after))
            return times_of_run(*after, *network);
        auto const messages = lowered(*after, basis_.choice);
        if (!messages)
            return pass_on(messages);
        return times_of_run(messages->program, *network);
    }

    Result<std::vector<std::optional<double>>> times_of_run(MessageProgram const& of,
                                                            Network const& network) const {
        auto const run = simulate::replay_messages(of, network, replay_options(false));
        if (!run)
            return pass_on(run);
        return std::vector{run->is_deadlocked ? std::optional<double>()
                                              : std::optional(static_cast<double>(run->completion.ns))};
    }

    Forecast const& forecast_;
    AdviceQuestion const& question_;
    MessagesBasis const& basis_;
};

}  // namespace

Result<Advice> advise_messages(Forecast const& forecast, AdviceQuestion const& question) {
    return MessageAdviser(forecast, question).advise();
}

}  // namespace parcast::forecast
