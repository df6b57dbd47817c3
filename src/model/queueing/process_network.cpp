#include "model/queueing/process_network.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/queueing/exact_mva.h"
#include "program/process_contention.h"
#include "program/process_values.h"

namespace parcast::model {

namespace {

struct Demand {
    double visits = 0;
    double work = 0;  // mean, in a turn
    std::string name;
    bool exponential = true;
    bool one_mean = true;
    double mean = 0;  // of the first use
};

// A turn of a client.
struct Turn {
    double think = 0;
    std::map<double, Demand> demands;  // by resource
};

bool is_exponential(Moments const& time) {
    auto const near = [](double one, double other) { return std::abs(one - other) <= 0.01 * other; };
    return near(time.variance, time.mean * time.mean) && near(time.skewness, 2) && near(time.kurtosis, 9);
}

bool same(Turn const& one, Turn const& other) {
    auto const near = [](double a, double b) {
        return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
    };
    return near(one.think, other.think) &&
           std::equal(one.demands.begin(), one.demands.end(), other.demands.begin(), other.demands.end(),
                      [&](auto const& a, auto const& b) {
                          return a.first == b.first && near(a.second.visits, b.second.visits) &&
                                 near(a.second.work, b.second.work);
                      });
}

// Adds up what a client does in a turn.
class TurnWalk {
public:
    TurnWalk(ProcessModel const& model, ProcessValues& values, std::vector<ResourceNeed> const& needs)
        : model_(model), values_(values), needs_(needs) {}

    Turn turn(ProcessId body) {
        turn_ = {};
        add(body, 1);
        return std::move(turn_);
    }

private:
    void add(ProcessId process, double weight) {
        values_.count_step();
        if (!values_.failed())
            std::visit([&](auto const& one) { add(one, weight); }, model_[process]);
    }

    void add(Delay const& delay, double weight) { turn_.think += weight * values_.moments(delay.time).mean; }

    void add(Use const& use, double weight) {
        auto const time = values_.moments(use.time);
        double const index = values_.number(use.resource.index);
        auto const need = std::find_if(needs_.begin(), needs_.end(),
                                       [&](ResourceNeed const& one) { return one.index == index; });
        if (need == needs_.end() || !need->contended()) {
            turn_.think += weight * time.mean;
            return;
        }
        auto& demand = turn_.demands[index];
        if (demand.visits == 0) {
            demand.mean = time.mean;
            demand.name = use.resource.name;
        }
        demand.visits += weight;
        demand.work += weight * time.mean;
        demand.exponential = demand.exponential && is_exponential(time);
        demand.one_mean = demand.one_mean && time.mean == demand.mean;
    }

    void add(Sequence const& sequence, double weight) {
        for (auto const part : sequence.parts)
            add(part, weight);
    }

    void add(Parallel const&, double) { refuse_forks(); }

    void add(ProcessLoop const& loop, double weight) {
        if (loop.parallel)
            return refuse_forks();
        auto const turns = values_.turns(loop);
        if (!index_use(model_, loop.index).anywhere[loop.body.value]) {
            values_.bind(loop.index, turns.first);
            add(loop.body, weight * turns.count.mean);
            return;
        }
        for (double turn = 0; turn < turns.count.mean && !values_.failed(); ++turn) {
            values_.bind(loop.index, turns.first + turn);
            add(loop.body, weight * std::min(1.0, turns.count.mean - turn));
        }
    }

    void add(ProcessChoice const& choice, double weight) {
        if (!choice.stochastic)
            return add(values_.number(choice.condition) != 0 ? choice.then : choice.otherwise, weight);
        double const probability = values_.moments(choice.condition).mean;
        add(choice.then, weight * probability);
        add(choice.otherwise, weight * (1 - probability));
    }

    void refuse_forks() { values_.refuse(ErrorCode::unsupported, "a client forks within a turn"); }

    ProcessModel const& model_;
    ProcessValues& values_;
    std::vector<ResourceNeed> const& needs_;
    Turn turn_;
};

// The process within sequences of a single part.
ProcessId unwrapped(ProcessModel const& model, ProcessId process) {
    while (auto const* const sequence = std::get_if<Sequence>(&model[process])) {
        if (sequence->parts.size() != 1)
            break;
        process = sequence->parts.front();
    }
    return process;
}

ProcessLoop const* loop_at(ProcessModel const& model, ProcessId process, bool parallel) {
    auto const* const loop = std::get_if<ProcessLoop>(&model[unwrapped(model, process)]);
    return loop != nullptr && loop->parallel == parallel ? loop : nullptr;
}

ProcessNetwork network_of(Turn const& turn) {
    ProcessNetwork result;
    result.network.think = turn.think;
    for (auto const& [index, demand] : turn.demands) {
        result.network.stations.push_back(
            {demand.work / demand.visits, demand.visits, StationKind::queue, 1});
        result.names.push_back(demand.name);
        if (!demand.exponential)
            result.assumptions.push_back("the times at " + demand.name +
                                         " are taken as exponential, which they are not");
        if (!demand.one_mean)
            result.assumptions.push_back("the uses of " + demand.name +
                                         " have unlike mean times: all are taken as their mean");
    }
    return result;
}

}  // namespace

Result<ProcessNetwork> process_network(ProcessModel const& model, ProcessId root,
                                       std::span<double const> parameters) {
    auto const* const clients = loop_at(model, root, true);
    if (clients == nullptr)
        return fail(ErrorCode::unsupported, "the model is not a parallel loop over clients");
    auto const* const turns = loop_at(model, clients->body, false);
    if (turns == nullptr)
        return fail(ErrorCode::unsupported, "a client is not a sequential loop over turns");
    auto needs = resource_needs(model, root, parameters);
    if (!needs)
        return pass_on(needs);

    ProcessValues values(model, parameters);
    auto const number = values.turns(*clients);
    if (number.random || number.count.mean < 1 || number.count.mean != std::floor(number.count.mean) ||
        number.count.mean > 1e9)
        return fail(ErrorCode::unsupported, "the number of clients is no whole number from 1");
    if (index_use(model, turns->index).anywhere[turns->body.value])
        return fail(ErrorCode::unsupported, "the turns of a client differ");
    TurnWalk walk(model, values, *needs);
    bool const differ = index_use(model, clients->index).anywhere[clients->body.value];
    values.bind(clients->index, number.first);
    auto const count = values.turns(*turns).count.mean;
    auto const first = walk.turn(turns->body);
    for (double client = 1; differ && client < number.count.mean && !values.failed(); ++client) {
        values.bind(clients->index, number.first + client);
        if (values.turns(*turns).count.mean != count || !same(walk.turn(turns->body), first))
            return fail(ErrorCode::unsupported, "the clients differ");
    }
    if (values.failed())
        return tl::unexpected<Error>(*values.error());

    auto result = network_of(first);
    result.clients = static_cast<std::uint32_t>(number.count.mean);
    result.turns = count;
    std::size_t station = 0;
    for (auto const& [index, demand] : first.demands) {
        auto const need = std::find_if(needs->begin(), needs->end(),
                                       [&](ResourceNeed const& one) { return one.index == index; });
        result.network.stations[station++].servers = static_cast<std::uint32_t>(need->servers);
    }
    return result;
}

Result<LongRun> long_run(ProcessModel const& model, ProcessId root, std::span<double const> parameters) {
    auto const found = process_network(model, root, parameters);
    if (!found)
        return pass_on(found);
    double turn = found->network.think;
    if (!found->network.stations.empty()) {
        auto const solution = exact_mva(found->network, found->clients);
        if (!solution)
            return pass_on(solution);
        turn += solution->response;
    }
    return LongRun{turn, turn * found->turns, found->assumptions};
}

}  // namespace parcast::model
