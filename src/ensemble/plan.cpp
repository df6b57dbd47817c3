#include "ensemble/plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/counted.h"
#include "core/three_digits.h"
#include "ensemble/moments_text.h"
#include "program/process_contention.h"
#include "program/process_values.h"
#include "stochastic/maximum.h"

namespace parcast::ensemble {

namespace {

// What is known of steps that were just written: from `begin` to the end of the plan.
struct Part {
    enum class Shape : std::uint8_t {
        nothing,
        constant,  // one wait
        one_draw,  // one draw, which a constant may be added to
        steps,
    };
    std::size_t begin = 0;
    Shape shape = Shape::nothing;
    bool summable = true;     // no contended use and no branches in it: `sum` is its time
    Cumulants sum;
    double dominant = 0;      // the variance of its most variable random time
    double operations = 0;    // expected

    Moments time() const { return moments_of(sum); }
    bool is_one_step() const { return shape == Shape::constant || shape == Shape::one_draw; }
    bool is_smooth() const { return summable && sum.second > 0 && dominant * most_dominant <= sum.second; }
};

Cumulants sum_of(Cumulants const& left, Cumulants const& right) {
    return {left.first + right.first, left.second + right.second, left.third + right.third, left.fourth + right.fourth};
}

Cumulants times(double count, Cumulants const& each) {
    return {count * each.first, count * each.second, count * each.third, count * each.fourth};
}

class Planner {
public:
    Planner(ProcessModel const& model, ProcessValues& values, std::vector<ResourceNeed> const& needs)
        : model_(model), values_(values) {
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

    Part time(Moments const& moments);
    Part in_one_draw(Part const& part);
    void append(Part& whole, Part& last, Part const& more);
    Part settled(Part whole);
    Part choice(Moments const& condition, bool is_random, std::size_t choose, Part const& then, Part const& otherwise);
    void finish_choose(std::size_t choose, std::size_t otherwise);
    void check_condition(Moments const& condition, bool is_random, std::size_t place);
    void look_at_length(ProcessLoop const& loop, double count);

    struct Branch {
        std::size_t begin = 0;  // its branch step
        Part part;
        double copies = 1;
    };
    std::size_t begin_fork();
    Branch begin_branch(double copies);
    void end_branch(Branch& branch, Part const& part);
    bool same_as(Branch const& one, Branch const& other) const;
    bool same_step(Step a, Step b) const;
    Part end_fork(std::size_t fork, std::vector<Branch> const& branches);
    std::optional<Part> joined(std::size_t fork, std::vector<Branch> const& branches);

    std::size_t emit(Step const& step);
    void erase(std::size_t place);
    void cut(std::size_t begin);
    std::uint32_t sampler(Moments const& moments);
    std::uint32_t distance(std::size_t from) const { return static_cast<std::uint32_t>(plan_.steps.size() - from); }
    bool differs(ProcessLoop const& loop);
    void fit_samplers();
    void note(std::string text);

    enum class RemarkKind : std::uint8_t { negative_time, no_probability, unlike_variance, turns_rounded, branches_rounded, random_branches };
    struct Remark {
        RemarkKind kind;
        std::size_t place = 0;  // of the step that it is about
        Moments about;
    };
    static std::string text_of(Remark const& remark);

    ProcessModel const& model_;
    ProcessValues& values_;
    Plan plan_;
    std::map<double, std::uint32_t> resources_;  // contended ones, by index
    std::vector<Moments> laws_;  // of the steps' samplers, before equal ones become one
    std::vector<Remark> remarks_;
    std::map<std::uint32_t, IndexUse> uses_;
};

// Steps

std::size_t Planner::emit(Step const& step) {
    if (plan_.steps.size() == most_plan_steps) {
        values_.refuse(ErrorCode::out_of_range, "the model has more than " + count_text(static_cast<std::int64_t>(most_plan_steps)) +
                                                    " parts that differ: set smaller bounds with --set NAME=VALUE");
        plan_.steps.pop_back();
    }
    plan_.steps.push_back(step);
    return plan_.steps.size() - 1;
}

void Planner::cut(std::size_t begin) {
    for (std::size_t place = begin; place < plan_.steps.size(); ++place) {
        if (plan_.steps[place].sampler < laws_.size())
            laws_.resize(plan_.steps[place].sampler);
    }
    plan_.steps.resize(begin);
    while (!remarks_.empty() && remarks_.back().place >= begin)
        remarks_.pop_back();
}

void Planner::erase(std::size_t place) {
    plan_.steps.erase(plan_.steps.begin() + static_cast<std::ptrdiff_t>(place));
    for (auto remark = remarks_.rbegin(); remark != remarks_.rend() && remark->place > place; ++remark)
        --remark->place;
}

std::uint32_t Planner::sampler(Moments const& moments) {
    laws_.push_back(moments);
    return static_cast<std::uint32_t>(laws_.size() - 1);
}

Part Planner::time(Moments const& moments) {
    Part part{plan_.steps.size(), Part::Shape::constant, true, cumulants_of(moments), 0, 1};
    if (moments.variance > 0) {
        emit({StepKind::draw, 0, sampler(moments), 0, 0});
        part.shape = Part::Shape::one_draw;
        part.dominant = moments.variance;
    } else if (moments.mean < 0) {
        remarks_.push_back({RemarkKind::negative_time, emit({StepKind::wait, 0, no_sampler, 0, 0}), moments});
        part.sum = {};
    } else if (moments.mean > 0) {
        emit({StepKind::wait, 0, no_sampler, 0, moments.mean});
    } else {
        return {part.begin, Part::Shape::nothing, true, {}, 0, 0};
    }
    return part;
}

// The same part, its steps replaced by one.
Part Planner::in_one_draw(Part const& part) {
    cut(part.begin);
    auto one = time(part.time());
    one.dominant = std::min(part.dominant, one.sum.second);
    return one;
}

// Sequences

// Constants are added to the time before or after them.
void Planner::append(Part& whole, Part& last, Part const& more) {
    if (more.shape == Part::Shape::nothing)
        return;
    whole.summable = whole.summable && more.summable;
    whole.sum = sum_of(whole.sum, more.sum);
    whole.dominant = std::max(whole.dominant, more.dominant);
    bool const one_is_constant = last.shape == Part::Shape::constant || more.shape == Part::Shape::constant;
    if (last.is_one_step() && more.is_one_step() && one_is_constant) {
        auto both = last;
        both.sum = sum_of(last.sum, more.sum);
        both.dominant = std::max(last.dominant, more.dominant);
        whole.operations -= last.operations;
        last = in_one_draw(both);
        whole.operations += last.operations;
    } else {
        whole.operations += more.operations;
        last = more;
    }
    whole.shape = last.begin == whole.begin ? last.shape : Part::Shape::steps;
}

Part Planner::settled(Part whole) {
    return whole.shape == Part::Shape::steps && whole.is_smooth() ? in_one_draw(whole) : whole;
}

Part Planner::part(ProcessId process, std::size_t level) {
    values_.count_step();
    if (values_.failed())
        return {plan_.steps.size(), Part::Shape::nothing, true, {}, 0, 0};
    return std::visit([&](auto const& one) { return part(one, level); }, model_[process]);
}

Part Planner::part(Delay const& delay, std::size_t) { return time(values_.moments(delay.time)); }

Part Planner::part(Use const& use, std::size_t) {
    auto const moments = values_.moments(use.time);
    auto const resource = resources_.find(values_.number(use.resource.index));
    if (resource == resources_.end())
        return time(moments);
    auto const begin = emit({StepKind::use, 0, sampler(moments), resource->second, 0});
    return {begin, Part::Shape::steps, false, cumulants_of(moments), 0, 1};
}

Part Planner::part(Sequence const& sequence, std::size_t level) {
    Part whole{plan_.steps.size(), Part::Shape::nothing, true, {}, 0, 0};
    Part last = whole;
    for (auto const process : sequence.parts)
        append(whole, last, part(process, level));
    return settled(whole);
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
    Part const nothing{plan_.steps.size(), Part::Shape::nothing, true, {}, 0, 0};
    if (values_.failed() || (!turns.random && turns.count.mean == 0))
        return nothing;
    bool const unlike = differs(loop);
    if (unlike && turns.random) {
        values_.refuse(ErrorCode::unsupported, "a loop with a random number of turns does something else in each turn: that cannot be simulated");
        return nothing;
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
    for (auto const& equation : model_.numeric_equations) {
        if (plan_.longest_loop.empty() && equation.value == loop.last)
            plan_.longest_loop = equation.name;
    }
}

Part Planner::same_turns(ProcessLoop const& loop, LoopTurns const& turns, std::size_t level) {
    values_.bind(loop.index, turns.first);
    auto const begin = emit({StepKind::loop, static_cast<std::uint16_t>(level), no_sampler, 0, turns.count.mean});
    auto const body = part(loop.body, level + 1);
    if (body.shape == Part::Shape::nothing) {
        cut(begin);
        return {begin, Part::Shape::nothing, true, {}, 0, 0};
    }
    auto whole = turns.random ? random_turns(body, turns.count) : fixed_turns(body, turns.count.mean);
    whole.begin = begin;
    bool const many_random = turns.random && whole.summable && turns.count.mean >= most_dominant;
    if (whole.summable && (whole.sum.second <= 0 || whole.is_smooth() || many_random))
        return in_one_draw(whole);
    if (!turns.random && turns.count.mean == 1) {
        erase(begin);
        return whole;
    }
    if (turns.random)
        plan_.steps[begin].sampler = sampler(turns.count);
    emit({StepKind::next, static_cast<std::uint16_t>(level), no_sampler, distance(begin + 1), 0});
    plan_.steps[begin].target = distance(begin);
    plan_.levels = std::max(plan_.levels, level + 1);
    whole.shape = Part::Shape::steps;
    if (!turns.random && turns.count.mean != std::floor(turns.count.mean))
        remarks_.push_back({RemarkKind::turns_rounded, begin, turns.count});
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
    Part whole{plan_.steps.size(), Part::Shape::nothing, true, {}, 0, 0};
    Part last = whole;
    double const first = values_.turns(loop).first;
    double const turns = std::floor(count);
    for (double turn = 0; turn < turns && !values_.failed(); ++turn) {
        values_.bind(loop.index, first + turn);
        append(whole, last, part(loop.body, level));
    }
    if (count > turns) {
        values_.bind(loop.index, first + turns);
        append(whole, last, last_turn(loop, count - turns, level));
    }
    return settled(whole);
}

// Of a fraction of a turn, made or not.
Part Planner::last_turn(ProcessLoop const& loop, double fraction, std::size_t level) {
    auto const choose = emit({StepKind::choose, 0, no_sampler, 0, fraction});
    auto const then = part(loop.body, level);
    auto const end = emit({StepKind::jump, 0, no_sampler, 1, 0});
    Part const otherwise{end + 1, Part::Shape::nothing, true, {}, 0, 0};
    return choice(deterministic(fraction), false, choose, then, otherwise);
}

// Conditions

Part Planner::part(ProcessChoice const& process, std::size_t level) {
    if (!process.stochastic)
        return part(values_.number(process.condition) != 0 ? process.then : process.otherwise, level);
    bool const is_random = model_.expressions.is_random(process.condition);
    auto const condition = is_random ? values_.moments(process.condition) : deterministic(values_.number(process.condition));
    auto const choose = emit({StepKind::choose, 0, no_sampler, 0, condition.mean});
    check_condition(condition, is_random, choose);
    auto const then = part(process.then, level);
    emit({StepKind::jump, 0, no_sampler, 0, 0});
    auto const otherwise = part(process.otherwise, level);
    return choice(condition, is_random, choose, then, otherwise);
}

Part Planner::choice(Moments const& condition, bool is_random, std::size_t choose, Part const& then, Part const& otherwise) {
    plan_.steps[choose].target = static_cast<std::uint32_t>(otherwise.begin - choose);
    plan_.steps[otherwise.begin - 1].target = distance(otherwise.begin - 1);
    Part whole{choose, Part::Shape::steps, then.summable && otherwise.summable, {}, 0,
               condition.mean * then.operations + (1 - condition.mean) * otherwise.operations};
    if (then.shape == Part::Shape::nothing && otherwise.shape == Part::Shape::nothing) {
        cut(choose);
        whole.shape = Part::Shape::nothing;
    } else if (whole.summable) {
        bool const is_probability = condition.mean >= 0 && condition.mean <= 1;
        auto const time = is_random || !is_probability ? branch(condition, then.time(), otherwise.time())
                                                       : mixture(condition.mean, then.time(), otherwise.time());
        whole.sum = cumulants_of(time);
        whole.dominant = time.variance;
    }
    return whole;
}

// Matters only where the choice is made one by one: a sum over many has the moments as the condition has them.
void Planner::check_condition(Moments const& condition, bool is_random, std::size_t place) {
    double const p = condition.mean;
    if (!(p >= 0 && p <= 1))
        remarks_.push_back({RemarkKind::no_probability, place, condition});
    else if (is_random && std::abs(condition.variance - p * (1 - p)) > 0.01 * p * (1 - p))
        remarks_.push_back({RemarkKind::unlike_variance, place, condition});
}

// Branches

std::size_t Planner::begin_fork() { return emit({StepKind::fork, 0, no_sampler, 0, 0}); }

Planner::Branch Planner::begin_branch(double copies) {
    return {emit({StepKind::branch, 0, no_sampler, 0, copies}), {}, copies};
}

void Planner::end_branch(Branch& branch, Part const& part) {
    branch.part = part;
    emit({StepKind::end, 0, no_sampler, 0, 0});
    plan_.steps[branch.begin].target = distance(branch.begin);
}

bool Planner::same_as(Branch const& one, Branch const& other) const {
    auto const at = [this](std::size_t place) { return plan_.steps.begin() + static_cast<std::ptrdiff_t>(place); };
    return plan_.steps[one.begin].target == plan_.steps[other.begin].target && one.copies >= 1 && other.copies == 1 &&
           std::equal(at(one.begin + 1), at(other.begin), at(other.begin + 1), [this](Step const& a, Step const& b) { return same_step(a, b); });
}

bool Planner::same_step(Step a, Step b) const {
    if ((a.sampler == no_sampler) != (b.sampler == no_sampler) || (a.sampler != no_sampler && !(laws_[a.sampler] == laws_[b.sampler])))
        return false;
    a.sampler = b.sampler = no_sampler;
    return a == b;
}

Part Planner::part(Parallel const& parallel, std::size_t level) {
    auto const fork = begin_fork();
    std::vector<Branch> branches;
    for (auto const process : parallel.branches) {
        auto branch = begin_branch(1);
        end_branch(branch, part(process, level));
        branches.push_back(branch);
        if (branch.part.shape == Part::Shape::nothing) {
            cut(branch.begin);
            branches.pop_back();
        }
    }
    return end_fork(fork, branches);
}

Part Planner::same_branches(ProcessLoop const& loop, LoopTurns const& turns, std::size_t level) {
    values_.bind(loop.index, turns.first);
    auto const fork = begin_fork();
    std::vector<Branch> branches{begin_branch(turns.count.mean)};
    end_branch(branches.front(), part(loop.body, level));
    if (turns.random) {
        plan_.steps[branches.front().begin].sampler = sampler(turns.count);
        remarks_.push_back({RemarkKind::random_branches, fork, turns.count});
    }
    if (branches.front().part.shape == Part::Shape::nothing)
        branches.clear();
    return end_fork(fork, branches);
}

Part Planner::unlike_branches(ProcessLoop const& loop, double count, std::size_t level) {
    auto const fork = begin_fork();
    std::vector<Branch> branches;
    double const first = values_.turns(loop).first;
    for (double turn = 0; turn < count && !values_.failed(); ++turn) {
        values_.bind(loop.index, first + turn);
        auto branch = begin_branch(std::min(1.0, count - turn));
        end_branch(branch, part(loop.body, level));
        if (branch.part.shape == Part::Shape::nothing) {
            cut(branch.begin);
        } else if (!branches.empty() && same_as(branches.back(), branch)) {
            cut(branch.begin);
            plan_.steps[branches.back().begin].value = ++branches.back().copies;
        } else {
            branches.push_back(branch);
        }
    }
    return end_fork(fork, branches);
}

Part Planner::end_fork(std::size_t fork, std::vector<Branch> const& branches) {
    if (auto const one = joined(fork, branches))
        return *one;
    Part whole{fork, Part::Shape::steps, false, {}, 0, 0};
    for (auto const& branch : branches) {
        whole.operations += branch.copies * branch.part.operations;
        if (branch.copies != std::floor(branch.copies))
            remarks_.push_back({RemarkKind::branches_rounded, branch.begin, deterministic(branch.copies)});
    }
    plan_.steps[fork].target = distance(fork);
    return whole;
}

// What needs no strands of its own: no branch, one branch, constants, and the greatest of draws from one law.
std::optional<Part> Planner::joined(std::size_t fork, std::vector<Branch> const& branches) {
    if (branches.empty()) {
        cut(fork);
        return Part{fork, Part::Shape::nothing, true, {}, 0, 0};
    }
    bool all_constant = true;
    double longest = 0;
    for (auto const& branch : branches) {
        bool const fixed = plan_.steps[branch.begin].sampler == no_sampler && branch.copies >= 1;
        all_constant = all_constant && fixed && branch.part.shape == Part::Shape::constant;
        longest = std::max(longest, branch.part.sum.first);
    }
    if (all_constant) {
        cut(fork);
        return time(deterministic(longest));
    }
    auto const& only = branches.front();
    if (branches.size() > 1 || plan_.steps[only.begin].sampler != no_sampler || only.copies != std::floor(only.copies))
        return std::nullopt;
    if (only.copies == 1) {
        plan_.steps.pop_back();
        erase(only.begin);
        erase(fork);
        auto part = only.part;
        part.begin = fork;
        return part;
    }
    if (only.part.shape != Part::Shape::one_draw)
        return std::nullopt;
    auto const each = only.part.time();
    cut(fork);
    emit({StepKind::greatest, 0, sampler(each), 0, only.copies});
    auto const greatest = stochastic::maximum_of(only.copies, each);
    return Part{fork, Part::Shape::steps, true, cumulants_of(greatest), greatest.variance, 1};
}

// All of it

void Planner::fit_samplers() {
    std::map<std::array<double, 4>, std::uint32_t> fitted;
    for (auto& step : plan_.steps) {
        bool const has_fraction = step.value != std::floor(step.value);
        bool const counts = step.kind == StepKind::loop || step.kind == StepKind::branch;
        plan_.random = plan_.random || step.kind == StepKind::choose || (counts && has_fraction);
        if (step.sampler == no_sampler)
            continue;
        auto const& moments = laws_[step.sampler];
        plan_.random = plan_.random || moments.variance > 0;
        std::array const key{moments.mean, moments.variance, moments.skewness, moments.kurtosis};
        auto const [known, fresh] = fitted.emplace(key, static_cast<std::uint32_t>(plan_.samplers.size()));
        if (fresh && !plan_.samplers.emplace_back(moments).matches_all())
            note("times are drawn from a law that has not all of the moments " + moments_text(moments));
        step.sampler = known->second;
    }
}

std::string Planner::text_of(Remark const& remark) {
    auto const mean = three_digits(remark.about.mean);
    auto const rounded = std::string("their number is rounded up or down at random, so that its mean is right");
    switch (remark.kind) {
        case RemarkKind::negative_time: return "a time of " + mean + " is taken as 0";
        case RemarkKind::no_probability:
            return "a condition has the mean " + mean + ", which is no probability: it cannot be simulated one by one";
        case RemarkKind::unlike_variance:
            return "the condition " + moments_text(remark.about) + " is true with probability " + mean + " at each turn: its variance is then " +
                   three_digits(remark.about.mean * (1 - remark.about.mean)) + ", not as the model says";
        case RemarkKind::turns_rounded: return "a loop has " + mean + " turns: " + rounded;
        case RemarkKind::branches_rounded: return "a parallel composition has " + mean + " branches: " + rounded;
        case RemarkKind::random_branches: return "a parallel composition has a random number of branches: each run draws it";
    }
    return {};
}

Result<Plan> Planner::plan(ProcessId root) {
    auto const whole = part(root, 0);
    if (values_.failed())
        return tl::unexpected<Error>(*values_.error());
    emit({StepKind::end, 0, no_sampler, 0, 0});
    plan_.operations = whole.operations;
    fit_samplers();
    for (auto const& remark : remarks_) {
        if (remark.kind == RemarkKind::no_probability)
            return fail(ErrorCode::out_of_range, text_of(remark));
        note(text_of(remark));
    }
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
