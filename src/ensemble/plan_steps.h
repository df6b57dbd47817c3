// The steps of a plan as they are written, and how few say a time: constants are added up, and the sum of
// many random times is one draw (plan.h).

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/moments.h"
#include "ensemble/plan.h"
#include "ensemble/plan_remark.h"
#include "program/process_values.h"

namespace parcast::ensemble {

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
    bool summable = true;  // no contended use and no branches in it: `sum` is its time
    Cumulants sum;
    double dominant = 0;    // the variance of its most variable random time
    double operations = 0;  // expected

    Moments time() const { return moments_of(sum); }
    bool is_nothing() const { return shape == Shape::nothing; }
    bool is_one_step() const { return shape == Shape::constant || shape == Shape::one_draw; }
    bool is_smooth() const { return summable && sum.second > 0 && dominant * most_dominant <= sum.second; }
};

class PlanSteps {
public:
    // A loan until the steps go. Refuses more than most_plan_steps.
    explicit PlanSteps(ProcessValues& values) : values_(values) {}

    std::size_t size() const { return steps_.size(); }
    Step& operator[](std::size_t place) { return steps_[place]; }
    Step const& operator[](std::size_t place) const { return steps_[place]; }
    std::vector<Moments> const& laws() const { return laws_; }
    std::vector<Remark> const& remarks() const { return remarks_; }
    std::span<Step> all() { return steps_; }
    std::vector<Step> take() && { return std::move(steps_); }

    std::size_t emit(Step const& step);  // its place
    void erase(std::size_t place);
    void cut(std::size_t begin);  // all from there, and what was remarked of them
    std::uint32_t sampler(Moments const& moments);
    void remark(RemarkKind kind, std::size_t place, Moments const& about) {
        remarks_.push_back({kind, place, about});
    }
    std::uint32_t distance(std::size_t from) const {
        return static_cast<std::uint32_t>(steps_.size() - from);
    }
    bool are_same(std::size_t one, std::size_t other) const;  // do the same, with a law of the same moments

    Part nothing() const;
    Part time(Moments const& moments);
    Part in_one_draw(Part const& part);  // the same part, its steps replaced by one
    // `last` is the last part of the whole, which constants before or after it are added to.
    void append(Part& whole, Part& last, Part const& more);
    Part settled(Part const& whole);

private:
    ProcessValues& values_;
    std::vector<Step> steps_;
    std::vector<Moments> laws_;  // of the steps' samplers, before equal ones become one
    std::vector<Remark> remarks_;
};

}  // namespace parcast::ensemble
