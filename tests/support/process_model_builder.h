// Process models in a few lines of C++, for tests and benchmarks: what a text of the PAMELA language would
// give.

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/moments.h"
#include "program/process_model.h"

namespace parcast {

class ProcessModelBuilder {
public:
    using Expression = symbolic::Expression;
    using Kind = symbolic::ExpressionKind;

    Expression number(double value) { return pool().number(value); }
    Expression parameter(std::string const& name) {
        model_.parameters.push_back({name, std::nullopt});
        return pool().parameter(name);
    }
    Expression moments(Moments const& moments) {
        return pool().make(Kind::moments, {number(moments.mean), number(moments.variance),
                                           number(moments.skewness), number(moments.kurtosis)});
    }
    Expression exponential(double mean) { return moments({mean, mean * mean, 2, 9}); }
    Expression uniform(double low, double high) {
        return moments({(low + high) / 2, (high - low) * (high - low) / 12, 0, 1.8});
    }
    Expression make(Kind kind, std::initializer_list<Expression> operands) {
        return pool().make(kind, operands);
    }

    symbolic::IndexId new_index(std::string_view name) { return pool().new_index(name); }
    Expression index(symbolic::IndexId index) { return pool().index(index); }

    Resource resource(std::string name, Expression index, Expression multiplicity) {
        return {std::move(name), index, multiplicity};
    }
    Resource resource(std::string name, double index, double multiplicity) {
        return {std::move(name), number(index), number(multiplicity)};
    }

    ProcessId delay(Expression time) { return add(Delay{time}); }
    ProcessId delay(double time) { return delay(number(time)); }
    ProcessId use(Resource const& resource, Expression time) { return add(Use{resource, time}); }
    ProcessId sequence(std::initializer_list<ProcessId> parts) { return add(Sequence{parts}); }
    ProcessId parallel(std::initializer_list<ProcessId> branches) { return add(Parallel{branches}); }
    ProcessId parallel(std::vector<ProcessId> branches) { return add(Parallel{std::move(branches)}); }
    // seq (i = 1, count) body, par (i = 1, count) body; the index is of no use to the body.
    ProcessId repeat(Expression count, ProcessId body) {
        return loop(false, new_index("i"), number(1), count, body);
    }
    ProcessId copies(Expression count, ProcessId body) {
        return loop(true, new_index("p"), number(1), count, body);
    }
    ProcessId repeat(double count, ProcessId body) { return repeat(number(count), body); }
    ProcessId copies(double count, ProcessId body) { return copies(number(count), body); }
    ProcessId loop(bool parallel, symbolic::IndexId index, Expression first, Expression last,
                   ProcessId body) {
        return add(ProcessLoop{parallel, index, first, last, body});
    }
    ProcessId choice(double probability, ProcessId then, ProcessId otherwise) {
        return choice(number(probability), then, otherwise);
    }
    ProcessId choice(Expression condition, ProcessId then, ProcessId otherwise) {
        return add(ProcessChoice{condition, true, then, otherwise});
    }
    ProcessId decision(Expression condition, ProcessId then, ProcessId otherwise) {
        return add(ProcessChoice{condition, false, then, otherwise});
    }
    ProcessId nothing() { return sequence({}); }

    ProcessModel const& model() const { return model_; }
    ProcessModel& model() { return model_; }

private:
    symbolic::ExpressionPool& pool() { return model_.expressions; }
    template <class Made>
    ProcessId add(Made process) {
        model_.processes.emplace_back(std::move(process));
        return {static_cast<std::uint32_t>(model_.processes.size() - 1)};
    }

    ProcessModel model_;
};

}  // namespace parcast
