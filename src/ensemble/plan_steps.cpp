#include "ensemble/plan_steps.h"

#include <algorithm>

#include "core/counted.h"

namespace parcast::ensemble {

namespace {

Cumulants sum_of(Cumulants const& left, Cumulants const& right) {
    return {left.first + right.first, left.second + right.second, left.third + right.third,
            left.fourth + right.fourth};
}

}  // namespace

std::size_t PlanSteps::emit(Step const& step) {
    if (steps_.size() == most_plan_steps) {
        values_.refuse(ErrorCode::out_of_range,
                       "the model has more than " + count_text(static_cast<std::int64_t>(most_plan_steps)) +
                           " parts that differ: set smaller bounds with --set NAME=VALUE");
        steps_.pop_back();
    }
    steps_.push_back(step);
    return steps_.size() - 1;
}

void PlanSteps::cut(std::size_t begin) {
    for (std::size_t place = begin; place < steps_.size(); ++place)
        if (steps_[place].sampler < laws_.size())
            laws_.resize(steps_[place].sampler);
    steps_.resize(begin);
    while (!remarks_.empty() && remarks_.back().place >= begin)
        remarks_.pop_back();
}

void PlanSteps::erase(std::size_t place) {
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(place));
    for (auto remark = remarks_.rbegin(); remark != remarks_.rend() && remark->place > place; ++remark)
        --remark->place;
}

std::uint32_t PlanSteps::sampler(Moments const& moments) {
    laws_.push_back(moments);
    return static_cast<std::uint32_t>(laws_.size() - 1);
}

bool PlanSteps::are_same(std::size_t one, std::size_t other) const {
    auto a = steps_[one];
    auto b = steps_[other];
    if ((a.sampler == no_sampler) != (b.sampler == no_sampler) ||
        (a.sampler != no_sampler && !(laws_[a.sampler] == laws_[b.sampler])))
        return false;
    a.sampler = b.sampler = no_sampler;
    return a == b;
}

Part PlanSteps::nothing() const {
    return {size(), Part::Shape::nothing, true, {}, 0, 0};
}

Part PlanSteps::time(Moments const& moments) {
    Part part{size(), Part::Shape::constant, true, cumulants_of(moments), 0, 1};
    if (moments.variance > 0) {
        emit({StepKind::draw, 0, sampler(moments), 0, 0});
        part.shape = Part::Shape::one_draw;
        part.dominant = moments.variance;
    } else if (moments.mean < 0) {
        remark(RemarkKind::negative_time, emit({StepKind::wait, 0, no_sampler, 0, 0}), moments);
        part.sum = {};
    } else if (moments.mean > 0) {
        emit({StepKind::wait, 0, no_sampler, 0, moments.mean});
    } else {
        return nothing();
    }
    return part;
}

Part PlanSteps::in_one_draw(Part const& part) {
    cut(part.begin);
    auto one = time(part.time());
    one.dominant = std::min(part.dominant, one.sum.second);
    return one;
}

void PlanSteps::append(Part& whole, Part& last, Part const& more) {
    if (more.is_nothing())
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

Part PlanSteps::settled(Part const& whole) {
    return whole.shape == Part::Shape::steps && whole.is_smooth() ? in_one_draw(whole) : whole;
}

}  // namespace parcast::ensemble
