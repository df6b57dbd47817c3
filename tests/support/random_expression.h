// Random expressions of the parameters P and N for property tests: scalars with loops, conditions and vectors
// in them. The same seed gives the same expression.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "symbolic/expression.h"

namespace parcast::symbolic {

enum class RandomKind : std::uint8_t { number, time_without_maxima, time };

class RandomExpressions {
public:
    RandomExpressions(ExpressionPool& pool, unsigned seed, RandomKind kind)
        : pool_(pool), state_(seed * 2654435761u + 1), kind_(kind) {}

    Expression some_number(int depth) {
        using enum ExpressionKind;
        if (depth == 0)
            return leaf();
        switch (below(14)) {
            case 0:
            case 1: return pool_.make(add, {some_number(depth - 1), some_number(depth - 1), leaf()});
            case 2:
            case 3: return pool_.make(multiply, {some_number(depth - 1), some_number(depth - 1)});
            case 4:
                return pool_.make(add,
                                  {some_number(depth - 1), pool_.make(negate, {some_number(depth - 1)})});
            case 5: return pool_.make(divide, {some_number(depth - 1), positive()});
            case 6: return pool_.make(power, {some_number(depth - 1), pool_.number(below(4))});
            case 7: return pool_.make(maximum, {some_number(depth - 1), some_number(depth - 1)});
            case 8:
                return pool_.make(choose, {pool_.make(less, {leaf(), leaf()}), some_number(depth - 1),
                                           some_number(depth - 1)});
            case 9:
            case 10: return loop(sum_over, [&] { return some_number(depth - 1); });
            case 11: return loop(maximum_over, [&] { return some_number(depth - 1); });
            case 12: return pool_.make(quotient, {some_number(depth - 1), positive()});
            default: return pool_.make(element, {vector_of_numbers(depth - 1), pool_.number(below(3))});
        }
    }

    Expression some_time(int depth) {
        using enum ExpressionKind;
        if (depth == 0)
            return below(3) == 0 ? positive() : law();
        switch (below(kind_ == RandomKind::time ? 12 : 9)) {
            case 0:
            case 1: return pool_.make(add, {some_time(depth - 1), some_time(depth - 1)});
            case 2: return pool_.make(repeat, {positive(), some_time(depth - 1)});
            case 3: return pool_.make(scale, {positive(), some_time(depth - 1)});
            case 4:
            case 5: return loop(sum_over, [&] { return some_time(depth - 1); });
            case 6:
                return pool_.make(branch, {pool_.number(0.25), some_time(depth - 1), some_time(depth - 1)});
            case 7: return pool_.make(repeat, {law(), some_time(depth - 1)});
            case 8:
                return pool_.make(
                    choose, {pool_.make(less, {leaf(), leaf()}), some_time(depth - 1), some_time(depth - 1)});
            case 9: return pool_.make(maximum, {some_time(depth - 1), some_time(depth - 1)});
            case 10: return loop(maximum_over, [&] { return some_time(depth - 1); });
            default: return pool_.make(largest, {work(depth - 1)});
        }
    }

private:
    std::uint32_t below(std::uint32_t limit) {  // a linear congruential generator: Knuth's MMIX constants
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<std::uint32_t>(state_ >> 33) % limit;
    }

    Expression leaf() {
        switch (below(4)) {
            case 0: return pool_.number(below(4));
            case 1: return pool_.parameter("P");
            case 2: return pool_.parameter("N");
            default:
                return open_.empty() ? pool_.number(2)
                                     : pool_.index(open_[below(static_cast<std::uint32_t>(open_.size()))]);
        }
    }

    Expression positive() {
        std::array const all = {pool_.number(1 + below(3)), pool_.parameter("P"), pool_.parameter("N")};
        return all[below(3)];
    }

    Expression law() {
        using enum ExpressionKind;
        double const mean = 1 + below(3);
        std::array const laws = {pool_.make(moments, {pool_.number(mean), pool_.number(mean * mean),
                                                      pool_.number(2), pool_.number(9)}),
                                 pool_.make(moments, {pool_.number(mean), pool_.number(1. / 3),
                                                      pool_.number(0), pool_.number(1.8)})};
        return laws[below(2)];
    }

    template <class Body>
    Expression loop(ExpressionKind kind, Body const& body) {
        static constexpr std::array names = {"i", "j", "P"};
        auto const index = pool_.new_index(names[below(3)]);
        auto const first = pool_.number(below(3));  // P and N are 2 or more: not more than empty
        auto const last = positive();
        open_.push_back(index);
        auto const of_body = body();
        open_.pop_back();
        auto const least = pool_.make(ExpressionKind::add, {last, first});
        return pool_.loop(kind, index, first, least, of_body);
    }

    Expression vector_of_numbers(int depth) {
        using enum ExpressionKind;
        auto const unit = pool_.make(unit_vector, {pool_.number(below(3))});
        return pool_.make(add, {pool_.make(multiply, {some_number(depth), unit}),
                                pool_.make(vector, {some_number(depth), leaf()})});
    }

    Expression work(int depth) {
        using enum ExpressionKind;
        auto const unit = pool_.make(unit_vector, {pool_.number(below(3))});
        auto const part = pool_.make(multiply, {some_time(depth), unit});
        return pool_.make(
            add, {part, loop(sum_over, [&] {
                      return pool_.make(
                          multiply, {some_time(depth), pool_.make(unit_vector, {pool_.index(open_.back())})});
                  })});
    }

    ExpressionPool& pool_;
    std::uint64_t state_;
    RandomKind kind_;
    std::vector<IndexId> open_;
};

inline Expression random_expression(ExpressionPool& pool, unsigned seed, RandomKind kind) {
    RandomExpressions expressions(pool, seed, kind);
    auto const depth = static_cast<int>(1 + seed % 4);
    return kind == RandomKind::number ? expressions.some_number(depth) : expressions.some_time(depth);
}

}  // namespace parcast::symbolic
