#include "model/comparators/markov_chain.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/comparators/phases.h"

namespace parcast::model {

namespace {

// Tasks that run, ascending, and those that wait for a processor, the first first.
struct State {
    std::vector<std::uint32_t> running;
    std::vector<std::uint32_t> queue;

    friend auto operator<=>(State const&, State const&) = default;
};

// Of the time until a state is entered, over all ways to it: probability, and the mean of the time and of its
// square where the state is reached.
struct Reached {
    double probability = 0;
    double time = 0;
    double square = 0;
};

// Which group comes after which, on any way: a bit a pair.
class Descendants {
public:
    explicit Descendants(TaskGraph const& graph)
        : words_((graph.groups() + 63) / 64), bits_(graph.groups() * words_) {
        auto order = topological_order(graph);
        std::ranges::reverse(order);
        for (TaskGroupId const group : order) {
            for (TaskGroupId const next : graph.successors_of(group)) {
                row(group)[next.index() / 64] |= std::uint64_t{1} << next.index() % 64;
                for (std::size_t word = 0; word < words_; ++word) {
                    row(group)[word] |= row(next)[word];
                }
            }
        }
    }

    bool follows(TaskGroupId later, TaskGroupId earlier) const {
        return (bits_[earlier.index() * words_ + later.index() / 64] >> later.index() % 64 & 1) != 0;
    }

private:
    std::uint64_t* row(TaskGroupId group) { return &bits_[group.index() * words_]; }

    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

// "1.73e+13"
std::string scientific(double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.3g", value);
    return text;
}

class Chain {
public:
    Chain(TaskGraph const& graph, std::uint32_t processors, ContentionLaw const* contention)
        : graph_(graph),
          processors_(processors),
          contention_(contention),
          descendants_(graph),
          group_of_(group_of_each_task(graph)),
          by_done_(graph.tasks() + 1) {}

    Result<MarkovSolution> solve() {
        State first;
        auto const before = predecessor_groups(graph_);
        for (std::size_t task = 0; task < graph_.tasks(); ++task) {
            if (before[group_of_[task].index()] == 0) {
                first.queue.push_back(static_cast<std::uint32_t>(task));
            }
        }
        enter(std::move(first), 0, {1, 0, 0});
        for (std::size_t done = 0; done < graph_.tasks(); ++done) {
            for (auto const& [state, reached] : by_done_[done]) {
                if (auto left = leave(state, done, reached); !left) {
                    return pass_on(left);
                }
                if (++states_ > most_markov_states) {
                    return fail(ErrorCode::out_of_range,
                                "the Markov chain has more than " + std::to_string(most_markov_states) +
                                    " states before " + std::to_string(done) + " of " +
                                    std::to_string(graph_.tasks()) + " tasks are done");
                }
            }
            by_done_[done].clear();
        }
        Reached const end = by_done_.back().empty() ? Reached{} : by_done_.back().begin()->second;
        return MarkovSolution{{end.time, std::max(0.0, end.square - end.time * end.time)}, states_};
    }

private:
    // Fills idle processors, ends what takes no time, and adds the way into the state to the others.
    void enter(State state, std::size_t done, Reached const& way) {
        for (;;) {
            dispatch(state);
            auto const ended =
                std::ranges::find_if(state.running, [&](std::uint32_t task) { return time_of(task) == 0; });
            if (ended == state.running.end()) {
                break;
            }
            state = without(state, *ended);
            ++done;
        }
        Reached& all = by_done_[done][std::move(state)];
        all.probability += way.probability;
        all.time += way.time;
        all.square += way.square;
    }

    void dispatch(State& state) const {
        auto const idle = processors_ - std::min<std::size_t>(processors_, state.running.size());
        auto const taken = static_cast<std::ptrdiff_t>(std::min(idle, state.queue.size()));
        state.running.insert(state.running.end(), state.queue.begin(), state.queue.begin() + taken);
        state.queue.erase(state.queue.begin(), state.queue.begin() + taken);
        std::ranges::sort(state.running);
    }

    // The state when `task` has ended, before a processor takes another.
    State without(State state, std::uint32_t task) const {
        std::erase(state.running, task);
        TaskGroupId const group = group_of_[task];
        if (has_task_of(state, group)) {
            return state;
        }
        for (TaskGroupId const next : graph_.successors_of(group)) {
            if (!awaits(next, state)) {
                for (std::uint32_t i = graph_.first_task[next.index()];
                     i < graph_.first_task[next.index() + 1]; ++i) {
                    state.queue.push_back(i);
                }
            }
        }
        return state;
    }

    bool has_task_of(State const& state, TaskGroupId group) const {
        auto const is_of_group = [&](std::uint32_t task) { return group_of_[task] == group; };
        return std::ranges::any_of(state.running, is_of_group) ||
               std::ranges::any_of(state.queue, is_of_group);
    }

    // Whatever is not done runs, is queued, or comes after something that does.
    bool awaits(TaskGroupId group, State const& state) const {
        auto const goes_before = [&](std::uint32_t task) {
            return descendants_.follows(group, group_of_[task]);
        };
        return std::ranges::any_of(state.running, goes_before) ||
               std::ranges::any_of(state.queue, goes_before);
    }

    // The state lasts an exponential time; then one of the running tasks has ended.
    Result<void> leave(State const& state, std::size_t done, Reached const& reached) {
        auto rates = rates_in(state);
        if (!rates) {
            return pass_on(rates);
        }
        double all = 0;
        for (double const rate : *rates) {
            all += rate;
        }
        Reached const left{reached.probability, reached.time + reached.probability / all,
                           reached.square + 2 * reached.time / all + 2 * reached.probability / (all * all)};
        for (std::size_t i = 0; i < state.running.size(); ++i) {
            double const share = (*rates)[i] / all;
            enter(without(state, state.running[i]), done + 1,
                  {left.probability * share, left.time * share, left.square * share});
        }
        return {};
    }

    Result<std::vector<double>> rates_in(State const& state) const {
        std::vector<double> rates;
        for (std::uint32_t const task : state.running) {
            rates.push_back(1 / time_of(task));
        }
        if (contention_ == nullptr) {
            return rates;
        }
        std::map<std::uint32_t, std::uint32_t> tasks_by_class;
        for (std::uint32_t const task : state.running) {
            ++tasks_by_class[class_of(task)];
        }
        std::vector<RunningClass> running;
        for (auto const& [klass, tasks] : tasks_by_class) {
            running.push_back({klass, tasks});
        }
        std::vector<double> delays(running.size());
        if (auto solved = contention_->solve(running, delays); !solved) {
            return pass_on(solved);
        }
        for (std::size_t i = 0; i < rates.size(); ++i) {
            auto const klass =
                std::ranges::lower_bound(running, class_of(state.running[i]), {}, &RunningClass::klass);
            rates[i] /= 1 + delays[static_cast<std::size_t>(klass - running.begin())];
        }
        return rates;
    }

    double time_of(std::uint32_t task) const { return graph_.cpu_ns[task]; }

    std::uint32_t class_of(std::uint32_t task) const {
        return contention_->class_of_group.empty() ? 0 : contention_->class_of_group[group_of_[task].index()];
    }

    TaskGraph const& graph_;
    std::size_t processors_;
    ContentionLaw const* contention_;
    Descendants descendants_;
    std::vector<TaskGroupId> group_of_;
    std::vector<std::map<State, Reached>> by_done_;  // those that may still be entered or left
    std::size_t states_ = 0;
};

}  // namespace

std::optional<double> markov_states(TaskGraph const& graph, std::uint32_t processors) {
    auto const phases = phases_of(graph);
    if (!phases) {
        return std::nullopt;
    }
    double states = 0;
    for (Phase const& phase : *phases) {
        double chosen = 1;
        double const tasks = static_cast<double>(phase.tasks);
        for (double running = 1; running <= processors && running <= tasks; ++running) {
            chosen *= (tasks - running + 1) / running;
            states += chosen;
            if (!std::isfinite(states)) {
                return states;
            }
        }
    }
    return states;
}

Result<MarkovSolution> markov_chain(TaskGraph const& graph, std::uint32_t processors,
                                    ContentionLaw const* contention) {
    auto const needed = markov_states(graph, processors);
    if (needed && *needed > static_cast<double>(most_markov_states)) {
        return fail(ErrorCode::out_of_range, "the Markov chain would have " + scientific(*needed) +
                                                 " states, more than " + std::to_string(most_markov_states));
    }
    if (graph.groups() > most_markov_groups) {
        return fail(ErrorCode::out_of_range,
                    "the Markov chain takes at most " + std::to_string(most_markov_groups) +
                        " groups of tasks, and there are " + std::to_string(graph.groups()));
    }
    return Chain(graph, processors, contention).solve();
}

}  // namespace parcast::model
