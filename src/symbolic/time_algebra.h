// Number systems that times are composed in. A composition is written once over this concept (an expression
// on its tape, a process in model/composition) and used with real numbers, where nothing is random, and with
// moments.
//
//     add        in sequence: independent              repeat      n independent ones in sequence
//     maximum    in parallel: independent              maximum_of  n independent ones of one law in parallel
//     scale      one quantity, scaled                  branch      one or the other, by a random condition
//
// Source: Gautama and van Gemund, section 3; the laws are tested in expression_tape_test.cpp.

#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <span>
#include <vector>

#include "core/moments.h"
#include "stochastic/maximum.h"

namespace parcast::symbolic {

template <class Algebra>
concept TimeAlgebra = requires(typename Algebra::Time const& time, double number) {
    { Algebra::of(number) } -> std::same_as<typename Algebra::Time>;
    { Algebra::add(time, time) } -> std::same_as<typename Algebra::Time>;
    { Algebra::repeat(time, time) } -> std::same_as<typename Algebra::Time>;
    { Algebra::scale(number, time) } -> std::same_as<typename Algebra::Time>;
    { Algebra::maximum(time, time) } -> std::same_as<typename Algebra::Time>;
    { Algebra::maximum_of(number, time) } -> std::same_as<typename Algebra::Time>;
    { Algebra::branch(time, time, time) } -> std::same_as<typename Algebra::Time>;
    { Algebra::are_alike(time, time) } -> std::same_as<bool>;
};

struct RealTimes {
    using Time = double;
    static double of(double number) { return number; }
    static double add(double left, double right) { return left + right; }
    static double repeat(double count, double each) { return count <= 0 ? 0 : count * each; }
    static double scale(double factor, double time) { return factor * time; }
    static double maximum(double left, double right) { return std::max(left, right); }
    static double maximum_of(double count, double each) { return count < 1 ? 0 : each; }
    // By its mean: with real numbers only the means of a random condition can be told.
    static double branch(double condition, double then, double otherwise) {
        return condition * then + (1 - condition) * otherwise;
    }
    static bool are_alike(double left, double right) { return left == right; }
};

struct MomentTimes {
    using Time = Moments;
    static Moments of(double number) { return deterministic(number); }
    static Moments add(Moments const& left, Moments const& right) { return left + right; }
    static Moments repeat(Moments const& count, Moments const& each) { return repeated(count, each); }
    static Moments scale(double factor, Moments const& time) { return scaled(factor, time); }
    static Moments maximum(Moments const& left, Moments const& right) {
        return stochastic::maximum(left, right);
    }
    static Moments maximum_of(double count, Moments const& each) {
        return stochastic::maximum_of(count, each);
    }
    static Moments branch(Moments const& condition, Moments const& then, Moments const& otherwise) {
        bool const is_probability = condition.variance == 0 && condition.mean >= 0 && condition.mean <= 1;
        return is_probability ? mixture(condition.mean, then, otherwise)
                              : parcast::branch(condition, then, otherwise);
    }
    // Equal but for rounding: times of branches that differ in the order of their additions only.
    static bool are_alike(Moments const& left, Moments const& right) {
        auto const is_close = [](double one, double other) {
            return std::abs(one - other) <= 1e-10 * std::max(std::abs(one), std::abs(other));
        };
        return is_close(left.mean, right.mean) && is_close(left.variance, right.variance) &&
               is_close(left.skewness, right.skewness) && is_close(left.kurtosis, right.kurtosis);
    }
};

static_assert(TimeAlgebra<RealTimes> && TimeAlgebra<MomentTimes>);

// The maximum of many independent times, those of one law together: n of one law at once are more exact, and
// cheaper, than one after the other. None: 0.
template <TimeAlgebra Algebra>
class MaximumOfMany {
public:
    using Time = typename Algebra::Time;

    void add(Time const& time) {
        auto const is_alike = [&](Group const& group) { return Algebra::are_alike(group.each, time); };
        // The latest ones only: many branches that all differ must not cost the square of their number.
        auto const recent = std::span(groups_).last(std::min<std::size_t>(groups_.size(), 8));
        if (auto const found = std::ranges::find_if(recent, is_alike); found != recent.end())
            found->count += 1;
        else
            groups_.push_back({1, time});
    }

    Time value() const {
        if (groups_.empty())
            return Algebra::of(0);
        auto result = Algebra::maximum_of(groups_.front().count, groups_.front().each);
        for (auto const& group : std::span(groups_).subspan(1))
            result = Algebra::maximum(result, Algebra::maximum_of(group.count, group.each));
        return result;
    }

private:
    struct Group {
        double count;
        Time each;
    };
    std::vector<Group> groups_;
};

// Values of an index from first to last, for times that depend on it. Bounds may have a fraction: what is
// left of a turn is not done. But for rounding.
inline double turns_between(double first, double last) {
    return std::max(0.0, std::floor(last - first + 1e-9) + 1);
}

}  // namespace parcast::symbolic
