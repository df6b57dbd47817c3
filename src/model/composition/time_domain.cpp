#include "model/composition/time_domain.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <variant>

#include "model/composition/composition.h"
#include "model/composition/resource_contention.h"

namespace parcast::model {

namespace {

using symbolic::Expression;
using symbolic::ExpressionKind;

// What happens at once: only the longest counts for the critical path, everything for the work.
enum class AtOnce : bool { longest, all };

// Expressions, with `nothing` for what takes no time or no work. Times are not negative: it vanishes in
// maxima too.
class ExpressionCalculus {
public:
    using Value = Expression;
    static constexpr bool is_timeless = true;

    ExpressionCalculus(symbolic::ExpressionPool& pool, AtOnce at_once, Expression nothing)
        : pool_(pool), at_once_(at_once), nothing_(nothing) {}

    Expression in_sequence(std::vector<Expression> const& values) {
        return together(ExpressionKind::add, values);
    }
    Expression at_once(std::vector<Expression> const& values) {
        return together(at_once_ == AtOnce::all ? ExpressionKind::add : ExpressionKind::maximum, values);
    }

    template <class Body>
    Expression in_sequence_over(ProcessLoop const& loop, Body const& body) {
        return over(ExpressionKind::sum_over, loop, body());
    }

    template <class Body>
    Expression at_once_over(ProcessLoop const& loop, Body const& body) {
        bool const adds = at_once_ == AtOnce::all;
        return over(adds ? ExpressionKind::sum_over : ExpressionKind::maximum_over, loop, body());
    }

    template <class Then, class Otherwise>
    Expression choose(Expression condition, Then const& then, Otherwise const& otherwise) {
        return one_of(ExpressionKind::choose, condition, then(), otherwise());
    }

    Expression branch(Expression condition, Expression then, Expression otherwise) {
        return one_of(ExpressionKind::branch, condition, then, otherwise);
    }

private:
    Expression together(ExpressionKind kind, std::vector<Expression> values) {
        std::erase(values, nothing_);
        return values.empty() ? nothing_ : values.size() == 1 ? values.front() : pool_.make(kind, values);
    }

    Expression over(ExpressionKind kind, ProcessLoop const& loop, Expression body) {
        return body == nothing_ ? nothing_ : pool_.loop(kind, loop.index, loop.first, loop.last, body);
    }

    Expression one_of(ExpressionKind kind, Expression condition, Expression then, Expression otherwise) {
        bool const is_nothing = then == nothing_ && otherwise == nothing_;
        return is_nothing ? nothing_ : pool_.make(kind, {condition, then, otherwise});
    }

    symbolic::ExpressionPool& pool_;
    AtOnce at_once_;
    Expression nothing_;
};

Expression critical_path(ProcessModel& model, ProcessId root) {
    ExpressionCalculus calculus(model.expressions, AtOnce::longest, model.expressions.number(0));
    auto const time = [](auto const& leaf) { return leaf.time; };
    return Composition(model, calculus, time).of(root);
}

Expression no_work(ProcessModel& model) {
    return model.expressions.make(ExpressionKind::vector, {model.expressions.number(0)});
}

// The work of uses, each as `load` says; of one that it has no time for, none.
template <class Load>
Expression work(ProcessModel& model, ProcessId root, Load const& load) {
    struct Leaf {
        symbolic::ExpressionPool& pool;
        Expression nothing;
        Load const& load;

        Expression operator()(Delay const&) const { return nothing; }
        Expression operator()(Use const& use) const {
            auto const time = load(use);
            if (!time)
                return nothing;
            auto const unit = pool.make(ExpressionKind::unit_vector, {use.resource.index});
            return pool.make(ExpressionKind::multiply, {*time, unit});
        }
    };
    auto const nothing = no_work(model);
    ExpressionCalculus calculus(model.expressions, AtOnce::all, nothing);
    return Composition(model, calculus, Leaf{model.expressions, nothing, load}).of(root);
}

// A draw of the time that each of a resource's places is busy, if they share the work evenly.
Expression time_per_place(symbolic::ExpressionPool& pool, Use const& use) {
    auto const places = use.resource.multiplicity;
    if (pool.kind(places) == ExpressionKind::number && pool.value(places) == 1)
        return use.time;
    if (!pool.is_random(use.time))
        return pool.make(ExpressionKind::divide, {use.time, places});
    auto const share = pool.make(ExpressionKind::divide, {pool.number(1), places});
    return pool.make(ExpressionKind::scale, {share, use.time});
}

}  // namespace

TimeDomain time_domain(ProcessModel& model, ProcessId root, BoundBy bound_by) {
    auto& pool = model.expressions;
    TimeDomain result;
    std::vector<std::string> left_out;
    if (bound_by == BoundBy::contended_resources) {
        for (auto const& verdict : resource_contention(model, root)) {
            if (!verdict.is_contended) {
                result.uncontended.push_back({verdict.name, verdict.reason});
                left_out.push_back(verdict.name);
            }
        }
    }
    result.phi = critical_path(model, root);
    result.delta = work(model, root, [](Use const& use) { return std::optional(use.time); });
    auto const load = work(model, root, [&](Use const& use) -> std::optional<Expression> {
        bool const counts = std::ranges::find(left_out, use.resource.name) == left_out.end();
        return counts ? std::optional(time_per_place(pool, use)) : std::nullopt;
    });
    bool const is_bound = load != no_work(model);
    result.omega = is_bound ? pool.make(ExpressionKind::largest, {load}) : pool.number(0);
    result.total = is_bound ? pool.make(ExpressionKind::maximum, {result.phi, result.omega}) : result.phi;
    return result;
}

std::vector<PhaseTimes> phases(ProcessModel& model, ProcessId root) {
    std::vector<ProcessId> parts{root};
    for (std::size_t place = 0; place < parts.size();) {
        auto const* sequence = std::get_if<Sequence>(&model[parts[place]]);
        if (sequence == nullptr) {
            ++place;
            continue;
        }
        auto const inner = sequence->parts;
        auto const at = parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(place));
        parts.insert(at, inner.begin(), inner.end());
    }
    std::vector<PhaseTimes> result;
    for (auto const part : parts)
        result.push_back({"phase " + std::to_string(result.size() + 1), time_domain(model, part)});
    return result;
}

}  // namespace parcast::model
