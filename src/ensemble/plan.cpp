#include "ensemble/plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "ensemble/fork_steps.h"
#include "ensemble/plan_remark.h"
#include "ensemble/plan_steps.h"
#include "program/process_contention.h"
#include "program/process_values.h"

namespace parcast::ensemble {

namespace {

Cumulants times(double count, Cumulants const& each) {
    return {count * each.first, count * each.second, count * each.third, count * each.fourth};
}

class Planner {
public:
    Planner(ProcessModel const& model, ProcessValues& values, std::vector<ResourceNeed> const& needs)
        : model_(model), values_(values), steps_(values) {
        for (auto const& need : needs) {
            if (need.contended()) {
                resources_.emplace(need.index, static_cast<std::uint32_t>(plan_.servers.size()));
                plan_.servers.push_back(static_cast<std::uint32_t>(need.servers));
            }
        }
    }

    Result<Plan> plan(ProcessId root);

private:
    Part part(ProcessId process, std::size_t level);
    Part part(Delay const& delay, std::size_t level);
    Part part(Use const& use, std::size_t level);
    Part part(Sequence const& sequence, std::size_t level);
    Part part(Parallel const& parallel, std::size_t level);
    Part part(ProcessLoop const& loop, std::size_t level);
    Part part(ProcessChoice const& choice, std::size_t level);

    Part same_turns(ProcessLoop const& loop, LoopTurns const& turns, std::size_t level);
    Part random_turns(Part body, Moments const& count);
    Part fixed_turns(Part body, double count);
    Part unlike_turns(ProcessLoop const& loop, double count, std::size_t level);
    Part last_turn(ProcessLoop const& loop, double fraction, std::size_t level);
    Part same_branches(ProcessLoop const& loop, LoopTurns const& turns, std::size_t level);
    Part unlike_branches(ProcessLoop const& loop, double count, std::size_t level);

    Part choice(Moments const& condition, bool is_random, std::size_t choose, Part const& then,
                Part const& otherwise);
    void check_condition(Moments const& condition, bool is_random, std::size_t place);
    bool differs(ProcessLoop const& loop);
    void look_at_length(ProcessLoop const& loop, double count);
    void fit_samplers();
    void note(std::string text);

    ProcessModel const& model_;
    ProcessValues& values_;
    Plan plan_;
    PlanSteps steps_;
    std::map<double, std::uint32_t> resources_;  // contended ones, by index
    std::map<std::uint32_t, IndexUse> uses_;
};

Part Planner::part(ProcessId process, std::size_t level) {
    values_.count_step();
    if (values_.failed())
        return steps_.nothing();
    return std::visit([&](auto const& one) { return part(one, level); }, model_[process]);
}

Part Planner::part(Delay const& delay, std::size_t) {
    return steps_.time(values_.moments(delay.time));
}

Part Planner::part(Use const& use, std::size_t) {
    auto const moments = values_.moments(use.time);
    auto const resource = resources_.find(values_.number(use.resource.index));
    if (resource == resources_.end())
        return steps_.time(moments);
    auto const begin = steps_.emit({StepKind::use, 0, steps_.sampler(moments), resource->second, 0});
    return {begin, Part::Shape::steps, false, cumulants_of(moments), 0, 1};
}

Part Planner::part(Sequence const& sequence, std::size_t level) {
    auto whole = steps_.nothing();
    Part last = whole;
    for (auto const process : sequence.parts)
        steps_.append(whole, last, part(process, level));
    return steps_.settled(whole);
}

// Loops

bool Planner::differs(ProcessLoop const& loop) {
    auto known = uses_.find(loop.index.value);
    if (known == uses_.end())
        known = uses_.emplace(loop.index.value, index_use(model_, loop.index)).first;
    return known->second.anywhere[loop.body.value];
}

Part Planner::part(ProcessLoop const& loop, std::size_t level) {
    auto const turns = values_.turns(loop);
    if (values_.failed() || (!turns.random && turns.count.mean == 0))
        return steps_.nothing();
    bool const unlike = differs(loop);
    if (unlike && turns.random) {
        values_.refuse(ErrorCode::unsupported,
                       "a loop with a random number of turns does something else in each turn: that cannot "
                       "be simulated");
        return steps_.nothing();
    }
    if (loop.parallel)
        return unlike ? unlike_branches(loop, turns.count.mean, level) : same_branches(loop, turns, level);
    return unlike ? unlike_turns(loop, turns.count.mean, level) : same_turns(loop, turns, level);
}

// Which number to set smaller, should a run turn out to be too long.
void Planner::look_at_length(ProcessLoop const& loop, double count) {
    if (count <= plan_.longest_turns)
        return;
    plan_.longest_turns = count;
    plan_.longest_loop.clear();
    auto const& pool = model_.expressions;
    if (pool.kind(loop.last) == symbolic::ExpressionKind::parameter)
        plan_.longest_loop = pool.name(loop.last);
    for (auto const& equation : model_.numeric_equations)
        if (plan_.longest_loop.empty() && equation.value == loop.last)
            plan_.longest_loop = equation.name;
}

Part Planner::same_turns(ProcessLoop const& loop, LoopTurns const& turns, std::size_t level) {
    values_.bind(loop.index, turns.first);
    auto const begin =
        steps_.emit({StepKind::loop, static_cast<std::uint16_t>(level), no_sampler, 0, turns.count.mean});
    auto const body = part(loop.body, level + 1);
    if (body.is_nothing()) {
        steps_.cut(begin);
        return steps_.nothing();
    }
    auto whole = turns.random ? random_turns(body, turns.count) : fixed_turns(body, turns.count.mean);
    whole.begin = begin;
    bool const many_random = turns.random && whole.summable && turns.count.mean >= most_dominant;
    if (whole.summable && (whole.sum.second <= 0 || whole.is_smooth() || many_random))
        return steps_.in_one_draw(whole);
    if (!turns.random && turns.count.mean == 1) {
        steps_.erase(begin);
        return whole;
    }
    if (turns.random)
        steps_[begin].sampler = steps_.sampler(turns.count);
    steps_.emit(
        {StepKind::next, static_cast<std::uint16_t>(level), no_sampler, steps_.distance(begin + 1), 0});
    steps_[begin].target = steps_.distance(begin);
    plan_.levels = std::max(plan_.levels, level + 1);
    whole.shape = Part::Shape::steps;
    if (!turns.random && turns.count.mean != std::floor(turns.count.mean))
        steps_.remark(RemarkKind::turns_rounded, begin, turns.count);
    look_at_length(loop, turns.count.mean);
    return whole;
}

Part Planner::fixed_turns(Part body, double count) {
    body.sum = times(count, body.sum);
    body.operations *= count;
    return body;
}

Part Planner::random_turns(Part body, Moments const& count) {
    // One number of turns: a random time of its own.
    double const of_count = count.variance * body.sum.first * body.sum.first;
    body.dominant = std::max(body.dominant, of_count);
    body.sum = cumulants_of(repeated(count, body.time()));
    body.operations *= count.mean;
    return body;
}

Part Planner::unlike_turns(ProcessLoop const& loop, double count, std::size_t level) {
    auto whole = steps_.nothing();
    Part last = whole;
    double const first = values_.turns(loop).first;
    double const turns = std::floor(count);
    for (double turn = 0; turn < turns && !values_.failed(); ++turn) {
        values_.bind(loop.index, first + turn);
        steps_.append(whole, last, part(loop.body, level));
    }
    if (count > turns) {
        values_.bind(loop.index, first + turns);
        steps_.append(whole, last, last_turn(loop, count - turns, level));
    }
    return steps_.settled(whole);
}

// A turn that is made with the probability `fraction`.
Part Planner::last_turn(ProcessLoop const& loop, double fraction, std::size_t level) {
    auto const choose = steps_.emit({StepKind::choose, 0, no_sampler, 0, fraction});
    auto const then = part(loop.body, level);
    steps_.emit({StepKind::jump, 0, no_sampler, 1, 0});
    return choice(deterministic(fraction), false, choose, then, steps_.nothing());
}

// Conditions

Part Planner::part(ProcessChoice const& process, std::size_t level) {
    if (!process.stochastic)
        return part(values_.number(process.condition) != 0 ? process.then : process.otherwise, level);
    bool const is_random = model_.expressions.is_random(process.condition);
    auto const condition =
        is_random ? values_.moments(process.condition) : deterministic(values_.number(process.condition));
    auto const choose = steps_.emit({StepKind::choose, 0, no_sampler, 0, condition.mean});
    check_condition(condition, is_random, choose);
    auto const then = part(process.then, level);
    steps_.emit({StepKind::jump, 0, no_sampler, 0, 0});
    auto const otherwise = part(process.otherwise, level);
    return choice(condition, is_random, choose, then, otherwise);
}

Part Planner::choice(Moments const& condition, bool is_random, std::size_t choose, Part const& then,
                     Part const& otherwise) {
    steps_[choose].target = static_cast<std::uint32_t>(otherwise.begin - choose);
    steps_[otherwise.begin - 1].target = steps_.distance(otherwise.begin - 1);
    Part whole{choose,
               Part::Shape::steps,
               then.summable && otherwise.summable,
               {},
               0,
               condition.mean * then.operations + (1 - condition.mean) * otherwise.operations};
    if (then.is_nothing() && otherwise.is_nothing()) {
        steps_.cut(choose);
        whole.shape = Part::Shape::nothing;
    } else if (whole.summable) {
        bool const is_probability = condition.mean >= 0 && condition.mean <= 1;
        auto const time = is_random || !is_probability
                              ? branch(condition, then.time(), otherwise.time())
                              : mixture(condition.mean, then.time(), otherwise.time());
        whole.sum = cumulants_of(time);
        whole.dominant = time.variance;
    }
    return whole;
}

// Matters only where the choice is made one by one: a sum over many has the moments as the condition has
// them.
void Planner::check_condition(Moments const& condition, bool is_random, std::size_t place) {
    double const p = condition.mean;
    if (!(p >= 0 && p <= 1))
        steps_.remark(RemarkKind::no_probability, place, condition);
    else if (is_random && std::abs(condition.variance - p * (1 - p)) > 0.01 * p * (1 - p))
        steps_.remark(RemarkKind::unlike_variance, place, condition);
}

// Branches

Part Planner::part(Parallel const& parallel, std::size_t level) {
    ForkSteps fork(steps_);
    for (auto const process : parallel.branches) {
        fork.begin_branch(1);
        fork.end_branch(part(process, level));
    }
    return fork.end();
}

Part Planner::same_branches(ProcessLoop const& loop, LoopTurns const& turns, std::size_t level) {
    values_.bind(loop.index, turns.first);
    ForkSteps fork(steps_);
    fork.begin_branch(turns.count.mean);
    fork.end_branch(part(loop.body, level));
    if (turns.random)
        fork.draw_copies(turns.count);
    return fork.end();
}

Part Planner::unlike_branches(ProcessLoop const& loop, double count, std::size_t level) {
    ForkSteps fork(steps_);
    double const first = values_.turns(loop).first;
    for (double turn = 0; turn < count && !values_.failed(); ++turn) {
        values_.bind(loop.index, first + turn);
        fork.begin_branch(std::min(1.0, count - turn));
        fork.end_branch_or_count_it(part(loop.body, level));
    }
    return fork.end();
}

// All of it

void Planner::fit_samplers() {
    std::map<std::array<double, 4>, std::uint32_t> fitted;
    for (auto& step : steps_.all()) {
        bool const has_fraction = step.value != std::floor(step.value);
        bool const counts = step.kind == StepKind::loop || step.kind == StepKind::branch;
        plan_.random = plan_.random || step.kind == StepKind::choose || (counts && has_fraction);
        if (step.sampler == no_sampler)
            continue;
        auto const& moments = steps_.laws()[step.sampler];
        plan_.random = plan_.random || moments.variance > 0;
        std::array const key{moments.mean, moments.variance, moments.skewness, moments.kurtosis};
        auto const [known, fresh] = fitted.emplace(key, static_cast<std::uint32_t>(plan_.samplers.size()));
        if (fresh && !plan_.samplers.emplace_back(moments).matches_all())
            note("times are drawn from a law that has not all of the moments " + moments_text(moments));
        step.sampler = known->second;
    }
}

Result<Plan> Planner::plan(ProcessId root) {
    auto const whole = part(root, 0);
    steps_.emit({StepKind::end, 0, no_sampler, 0, 0});
    if (values_.failed())
        return tl::unexpected<Error>(*values_.error());
    plan_.operations = whole.operations;
    fit_samplers();
    for (auto const& remark : steps_.remarks()) {
        if (remark.kind == RemarkKind::no_probability)
            return fail(ErrorCode::out_of_range, text_of(remark));
        note(text_of(remark));
    }
    plan_.steps = std::move(steps_).take();
    return std::move(plan_);
}

// Once, however often it is to be said.
void Planner::note(std::string text) {
    if (std::find(plan_.notes.begin(), plan_.notes.end(), text) == plan_.notes.end())
        plan_.notes.push_back(std::move(text));
}

}  // namespace

Result<Plan> plan_of(ProcessModel const& model, ProcessId root, std::span<double const> parameters) {
    auto needs = resource_needs(model, root, parameters);
    if (!needs)
        return pass_on(needs);
    ProcessValues values(model, parameters);
    return Planner(model, values, *needs).plan(root);
}

}  // namespace parcast::ensemble
