#include "model/comparators/markov_chain.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/counted.h"
#include "model/comparators/markov_states.h"

namespace parcast::model {

namespace {

// The time until a state is entered, over all ways to it: probability, and the mean of the time and of its
// square where the state is reached.
struct Reached {
    double probability = 0;
    double time = 0;
    double square = 0;
};

// "1,234,567", "1.73e+13"
std::string number_text(double value) {
    constexpr double most_digits = 1e9;
    if (value < most_digits)
        return count_text(std::llround(value));
    if (!std::isfinite(value))
        return "over 1e308";
    char text[32];
    std::snprintf(text, sizeof(text), "%.3g", value);
    return text;
}

// The states of equally many done tasks, and what is known of each.
struct Layer {
    MarkovStates states;
    std::vector<Reached> reached;
};

class Chain {
public:
    Chain(TaskGraph const& graph, std::uint32_t processors, ContentionLaw const* contention)
        : graph_(graph),
          contention_(contention),
          group_of_(group_of_each_task(graph)),
          steps_(graph, processors) {}

    Result<MarkovSolution> solve() {
        enter(0, steps_.first(), {1, 0, 0});
        std::size_t states = 0;
        while (layers_.begin()->first < graph_.tasks()) {
            auto const done = layers_.begin()->first;
            auto const layer = std::move(layers_.extract(layers_.begin()).mapped());
            for (std::size_t i = 0; i < layer.states.size(); ++i) {
                layer.states.copy(i, state_);
                if (auto left = leave(done, layer.reached[i]); !left)
                    return pass_on(left);
            }
            states += layer.states.size();
        }
        Reached const end = layers_.begin()->second.reached.front();
        return MarkovSolution{{end.time, std::max(0.0, end.square - end.time * end.time)}, states};
    }

private:
    // Adds a way into a state to the others.
    void enter(std::size_t done, MarkovSteps::Step const& step, Reached const& way) {
        Layer& layer = layers_[done + step.ended];
        auto const state = layer.states.add(step.to);
        layer.reached.resize(layer.states.size());
        Reached& all = layer.reached[state];
        all.probability += way.probability;
        all.time += way.time;
        all.square += way.square;
    }

    // The state lasts an exponential time; then one of the running tasks has ended.
    Result<void> leave(std::size_t done, Reached const& reached) {
        auto rates = rates_in_state();
        if (!rates)
            return pass_on(rates);
        double all = 0;
        for (double const rate : *rates)
            all += rate;
        Reached const left{reached.probability, reached.time + reached.probability / all,
                           reached.square + 2 * reached.time / all + 2 * reached.probability / (all * all)};
        steps_.leave(state_);
        for (std::size_t i = 0; i < state_.running.size(); ++i) {
            double const share = (*rates)[i] / all;
            enter(done, steps_.after(i), {left.probability * share, left.time * share, left.square * share});
        }
        return {};
    }

    Result<std::vector<double>> rates_in_state() const {
        std::vector<double> rates;
        for (std::uint32_t const task : state_.running)
            rates.push_back(1 / time_of(task));
        if (contention_ == nullptr)
            return rates;
        std::map<std::uint32_t, std::uint32_t> tasks_by_class;
        for (std::uint32_t const task : state_.running)
            ++tasks_by_class[class_of(task)];
        std::vector<RunningClass> running;
        for (auto const& [klass, tasks] : tasks_by_class)
            running.push_back({klass, tasks});
        std::vector<double> delays(running.size());
        if (auto solved = contention_->solve(running, delays); !solved)
            return pass_on(solved);
        for (std::size_t i = 0; i < rates.size(); ++i) {
            auto const klass =
                std::ranges::lower_bound(running, class_of(state_.running[i]), {}, &RunningClass::klass);
            rates[i] /= 1 + delays[static_cast<std::size_t>(klass - running.begin())];
        }
        return rates;
    }

    double time_of(std::uint32_t task) const { return graph_.cpu_ns[task]; }

    std::uint32_t class_of(std::uint32_t task) const {
        return contention_->class_of_group.empty() ? 0 : contention_->class_of_group[group_of_[task].index()];
    }

    TaskGraph const& graph_;
    ContentionLaw const* contention_;
    std::vector<TaskGroupId> group_of_;
    MarkovSteps steps_;
    std::map<std::size_t, Layer> layers_;  // by number of done tasks: those that may still be entered or left
    MarkovState state_;                    // that is being left
};

// 2,345,678: 2,340,000
double down_to_three_digits(double value) {
    if (!std::isfinite(value))
        return value;
    auto const unit = std::pow(10, std::max(0.0, std::floor(std::log10(value)) - 2));
    return std::floor(value / unit) * unit;
}

std::string refusal_of(MarkovSize const& size) {
    // Counting ends where solving does.
    if (!size.is_exact && size.states < 1.1 * static_cast<double>(most_markov_states))
        return "the Markov chain would have more than " + count_text(most_markov_states) +
               " states, the most that are solved";
    auto const states = size.is_exact ? number_text(size.states)
                                      : "at least " + number_text(down_to_three_digits(size.states));
    return "the Markov chain would have " + states + " states, and " + count_text(most_markov_states) +
           " are the most that are solved";
}

}  // namespace

bool is_too_large(MarkovSize const& size) {
    return size.states > static_cast<double>(most_markov_states);
}

Result<MarkovSolution> markov_chain(TaskGraph const& graph, std::uint32_t processors,
                                    ContentionLaw const* contention) {
    auto const size_by_formula = markov_size_by_formula(graph, processors);
    if (graph.groups() > most_markov_groups && !is_too_large(size_by_formula)) {
        return fail(ErrorCode::out_of_range, "the Markov chain takes at most " +
                                                 count_text(most_markov_groups) +
                                                 " groups of tasks, and there are " +
                                                 count_text(static_cast<std::int64_t>(graph.groups())));
    }
    auto const size = graph.groups() > most_markov_groups ? size_by_formula : markov_size(graph, processors);
    if (is_too_large(size))
        return fail(ErrorCode::out_of_range, refusal_of(size));
    return Chain(graph, processors, contention).solve();
}

}  // namespace parcast::model
