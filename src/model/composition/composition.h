// A process composed of its parts, written once: over a calculus of values (expressions, real numbers,
// moments), each of two measures, the critical path and the work.
//
//     ;           the sum                    seq   the sum over its index
//     ||, par     the maximum of critical paths, the sum of works
//     if          one side, or by the condition's law a mixture
//
// A Calculus has a type Value and in_sequence(values), at_once(values), in_sequence_over(loop, body),
// at_once_over(loop, body), choose(condition, then, otherwise), whose sides are functions, as the bodies of
// loops are, and branch(condition, then, otherwise). It is timeless if no index has a value: then each
// process is composed once.
//
// Source: Gautama and van Gemund, section 5.2.

#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "program/process_model.h"

namespace parcast::model {

template <class Calculus, class Leaf>
class Composition {
public:
    using Value = typename Calculus::Value;

    // `leaf` gives the value of a Delay and of a Use.
    Composition(ProcessModel const& model, Calculus& calculus, Leaf leaf)
        : model_(model), calculus_(calculus), leaf_(std::move(leaf)) {
        if constexpr (Calculus::is_timeless)
            known_.resize(model.processes.size());
    }

    Value of(ProcessId process) {
        if constexpr (Calculus::is_timeless) {
            auto& known = known_[process.value];
            if (!known)
                known = composed(process);
            return *known;
        } else {
            return composed(process);
        }
    }

private:
    Value composed(ProcessId process) {
        return std::visit([&](auto const& form) { return composed(form); }, model_[process]);
    }

    Value composed(Delay const& delay) { return leaf_(delay); }
    Value composed(Use const& use) { return leaf_(use); }
    Value composed(Sequence const& sequence) { return calculus_.in_sequence(all_of(sequence.parts)); }

    Value composed(Parallel const& parallel) { return calculus_.at_once(all_of(parallel.branches)); }

    Value composed(ProcessLoop const& loop) {
        auto const body = [&] { return of(loop.body); };
        return loop.parallel ? calculus_.at_once_over(loop, body) : calculus_.in_sequence_over(loop, body);
    }

    Value composed(ProcessChoice const& choice) {
        auto const then = [&] { return of(choice.then); };
        auto const otherwise = [&] { return of(choice.otherwise); };
        return choice.stochastic ? calculus_.branch(choice.condition, then(), otherwise())
                                 : calculus_.choose(choice.condition, then, otherwise);
    }

    std::vector<Value> all_of(std::vector<ProcessId> const& processes) {
        std::vector<Value> values;
        for (auto const process : processes)
            values.push_back(of(process));
        return values;
    }

    ProcessModel const& model_;
    Calculus& calculus_;
    Leaf leaf_;
    std::vector<std::optional<Value>> known_;  // of each process, where no index has a value
};

}  // namespace parcast::model
