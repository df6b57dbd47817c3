#include "ensemble/fork_steps.h"

#include <algorithm>
#include <cmath>

#include "stochastic/maximum.h"

namespace parcast::ensemble {

ForkSteps::ForkSteps(PlanSteps& steps)
    : steps_(steps), begin_(steps.emit({StepKind::fork, 0, no_sampler, 0, 0})) {}

void ForkSteps::begin_branch(double copies) {
    branches_.push_back({steps_.emit({StepKind::branch, 0, no_sampler, 0, copies}), copies, {}});
}

void ForkSteps::end_branch(Part const& part) {
    auto& branch = branches_.back();
    if (part.is_nothing()) {
        steps_.cut(branch.begin);
        branches_.pop_back();
        return;
    }
    branch.part = part;
    steps_.emit({StepKind::end, 0, no_sampler, 0, 0});
    steps_[branch.begin].target = steps_.distance(branch.begin);
}

void ForkSteps::end_branch_or_count_it(Part const& part) {
    end_branch(part);
    if (part.is_nothing() || branches_.size() < 2)
        return;
    auto const& last = branches_.back();
    auto& before = branches_[branches_.size() - 2];
    if (!has_same_steps(before, last))
        return;
    steps_.cut(last.begin);
    steps_[before.begin].value = ++before.copies;
    branches_.pop_back();
}

bool ForkSteps::has_same_steps(Branch const& one, Branch const& other) const {
    auto const length = steps_[one.begin].target;
    if (length != steps_[other.begin].target || one.copies < 1 || other.copies != 1)
        return false;
    for (std::size_t i = 1; i < length; ++i)
        if (!steps_.are_same(one.begin + i, other.begin + i))
            return false;
    return true;
}

void ForkSteps::draw_copies(Moments const& count) {
    if (branches_.empty())
        return;
    steps_[branches_.front().begin].sampler = steps_.sampler(count);
    steps_.remark(RemarkKind::random_branches, begin_, count);
}

Part ForkSteps::end() {
    if (auto const part = without_strands())
        return *part;
    Part whole{begin_, Part::Shape::steps, false, {}, 0, 0};
    for (auto const& branch : branches_) {
        whole.operations += branch.copies * branch.part.operations;
        if (branch.copies != std::floor(branch.copies))
            steps_.remark(RemarkKind::branches_rounded, branch.begin, deterministic(branch.copies));
    }
    steps_[begin_].target = steps_.distance(begin_);
    return whole;
}

// No branch, constants, one branch, and the greatest of draws from one law.
std::optional<Part> ForkSteps::without_strands() {
    if (branches_.empty()) {
        steps_.cut(begin_);
        return steps_.nothing();
    }
    if (auto const longest = longest_constant()) {
        steps_.cut(begin_);
        return steps_.time(deterministic(*longest));
    }
    auto const only = branches_.front();
    bool const is_known_whole =
        steps_[only.begin].sampler == no_sampler && only.copies == std::floor(only.copies);
    if (branches_.size() > 1 || !is_known_whole)
        return std::nullopt;
    if (only.copies == 1)
        return without_fork(only);
    if (only.part.shape == Part::Shape::one_draw)
        return greatest(only);
    return std::nullopt;
}

// None: not all are constants.
std::optional<double> ForkSteps::longest_constant() const {
    double longest = 0;
    for (auto const& branch : branches_) {
        bool const is_made = steps_[branch.begin].sampler == no_sampler && branch.copies >= 1;
        if (!is_made || branch.part.shape != Part::Shape::constant)
            return std::nullopt;
        longest = std::max(longest, branch.part.sum.first);
    }
    return longest;
}

Part ForkSteps::without_fork(Branch const& only) {
    steps_.cut(steps_.size() - 1);
    steps_.erase(only.begin);
    steps_.erase(begin_);
    auto part = only.part;
    part.begin = begin_;
    return part;
}

Part ForkSteps::greatest(Branch const& only) {
    auto const each = only.part.time();
    steps_.cut(begin_);
    steps_.emit({StepKind::greatest, 0, steps_.sampler(each), 0, only.copies});
    auto const time = stochastic::maximum_of(only.copies, each);
    return {begin_, Part::Shape::steps, true, cumulants_of(time), time.variance, 1};
}

}  // namespace parcast::ensemble
