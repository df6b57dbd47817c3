#include "program/process_contention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "core/three_digits.h"

namespace parcast {

namespace {

// Paths by resource, ascending.
struct Paths {
    double index = 0;
    double paths = 0;
};
using Needs = std::vector<Paths>;

template <class Combine>
void combine(Needs& all, Needs const& more, Combine&& of) {
    Needs result;
    result.reserve(all.size() + more.size());
    auto left = all.begin();
    auto right = more.begin();
    while (left != all.end() || right != more.end()) {
        if (right == more.end() || (left != all.end() && left->index < right->index)) {
            result.push_back(*left++);
        } else if (left == all.end() || right->index < left->index) {
            result.push_back(*right++);
        } else {
            result.push_back({left->index, of(left->paths, right->paths)});
            ++left;
            ++right;
        }
    }
    all = std::move(result);
}

void add_in_parallel(Needs& all, Needs const& more) {
    combine(all, more, [](double one, double other) { return one + other; });
}

void add_in_turn(Needs& all, Needs const& more) {
    combine(all, more, [](double one, double other) { return std::max(one, other); });
}

class NeedWalk {
public:
    NeedWalk(ProcessModel const& model, ProcessValues& values) : model_(model), values_(values) {}

    Needs needs(ProcessId process) {
        values_.count_step();
        if (values_.failed())
            return {};
        return std::visit([this](auto const& one) { return of(one); }, model_[process]);
    }

    std::map<double, double> const& servers() const { return servers_; }

private:
    Needs of(Delay const&) { return {}; }

    Needs of(Use const& use) {
        double const index = values_.number(use.resource.index);
        double const servers = values_.number(use.resource.multiplicity);
        if (values_.failed())
            return {};
        check(use.resource, index, servers);
        return {{index, 1}};
    }

    void check(Resource const& resource, double index, double servers) {
        auto const name = "resource " + resource.name;
        if (index < 0 || index != std::floor(index))
            values_.refuse(ErrorCode::out_of_range,
                           name + " has the index " + three_digits(index) + ": it must be 0, 1, 2, ...");
        if (!(servers >= 1) || servers != std::floor(servers))
            values_.refuse(ErrorCode::out_of_range, name + " has the multiplicity " + three_digits(servers) +
                                                        ": it must be 1, 2, ...");
        auto const [known, fresh] = servers_.emplace(index, servers);
        if (!fresh && known->second != servers) {
            values_.refuse(ErrorCode::inconsistent,
                           name + " and another one are both fcfs(" + three_digits(index) +
                               ", ...), with multiplicities " + three_digits(servers) + " and " +
                               three_digits(known->second) + ": give them indices of their own");
        }
    }

    Needs of(Sequence const& sequence) {
        Needs all;
        for (auto const part : sequence.parts)
            add_in_turn(all, needs(part));
        return all;
    }

    Needs of(Parallel const& parallel) {
        Needs all;
        for (auto const branch : parallel.branches)
            add_in_parallel(all, needs(branch));
        return all;
    }

    Needs of(ProcessChoice const& choice) {
        if (!choice.stochastic)
            return needs(values_.number(choice.condition) != 0 ? choice.then : choice.otherwise);
        auto all = needs(choice.then);
        add_in_turn(all, needs(choice.otherwise));
        return all;
    }

    Needs of(ProcessLoop const& loop) {
        auto const turns = values_.turns(loop);
        if (values_.failed() || (!turns.random && turns.count.mean == 0))
            return {};
        if (!differs(loop)) {
            values_.bind(loop.index, turns.first);
            auto all = needs(loop.body);
            if (loop.parallel)
                for (auto& one : all)
                    one.paths *=
                        turns.random ? std::numeric_limits<double>::infinity() : std::ceil(turns.count.mean);
            return all;
        }
        if (turns.random) {
            values_.refuse(ErrorCode::unsupported,
                           "a loop with a random number of turns uses another resource in each turn: that "
                           "cannot be simulated");
            return {};
        }
        return turn_by_turn(loop, turns);
    }

    Needs turn_by_turn(ProcessLoop const& loop, LoopTurns const& turns) {
        Needs all;
        auto const count = std::ceil(turns.count.mean);
        std::map<double, double> together;
        for (double turn = 0; turn < count && !values_.failed(); ++turn) {
            values_.bind(loop.index, turns.first + turn);
            for (auto const& one : needs(loop.body)) {
                auto& paths = together[one.index];
                paths = loop.parallel ? paths + one.paths : std::max(paths, one.paths);
            }
        }
        for (auto const& [index, paths] : together)
            all.push_back({index, paths});
        return all;
    }

    bool differs(ProcessLoop const& loop) {
        auto known = uses_.find(loop.index.value);
        if (known == uses_.end())
            known = uses_.emplace(loop.index.value, index_use(model_, loop.index)).first;
        return known->second.in_structure[loop.body.value];
    }

    ProcessModel const& model_;
    ProcessValues& values_;
    std::map<double, double> servers_;
    std::map<std::uint32_t, IndexUse> uses_;
};

}  // namespace

Result<std::vector<ResourceNeed>> resource_needs(ProcessModel const& model, ProcessId root,
                                                 std::span<double const> parameters) {
    ProcessValues values(model, parameters);
    NeedWalk walk(model, values);
    auto const needs = walk.needs(root);
    if (values.failed())
        return tl::unexpected<Error>(*values.error());
    std::vector<ResourceNeed> result;
    for (auto const& one : needs)
        result.push_back({one.index, walk.servers().at(one.index), one.paths});
    return result;
}

}  // namespace parcast
