#include "symbolic/fraction.h"

#include <cmath>
#include <cstdint>
#include <numeric>

namespace parcast::symbolic {

namespace {

constexpr double greatest_whole = 0x1p53;

Fraction reduced(Fraction fraction) {
    if (fraction.numerator == 0 || !std::isfinite(fraction.numerator) || !std::isfinite(fraction.denominator))
        return {fraction.numerator == 0 ? 0 : fraction.value(), 1};
    if (!is_whole(fraction.denominator))
        return {fraction.value(), 1};
    if (fraction.denominator < 0)
        fraction = {-fraction.numerator, -fraction.denominator};
    if (is_whole(fraction.numerator)) {
        auto const common = greatest_common_divisor(fraction.numerator, fraction.denominator);
        fraction = {fraction.numerator / common, fraction.denominator / common};
    }
    return fraction;
}

}  // namespace

bool is_whole(double value) {
    return std::abs(value) < greatest_whole && value == std::floor(value);
}

double greatest_common_divisor(double left, double right) {
    return static_cast<double>(
        std::gcd(static_cast<std::int64_t>(std::abs(left)), static_cast<std::int64_t>(std::abs(right))));
}

Fraction operator+(Fraction left, Fraction right) {
    if (left.denominator == right.denominator)
        return reduced({left.numerator + right.numerator, left.denominator});
    auto const numerator = left.numerator * right.denominator + right.numerator * left.denominator;
    auto const denominator = left.denominator * right.denominator;
    if (!is_whole(denominator) || !is_whole(numerator))
        return {left.value() + right.value(), 1};
    return reduced({numerator, denominator});
}

Fraction operator*(Fraction left, Fraction right) {
    return reduced({left.numerator * right.numerator, left.denominator * right.denominator});
}

Fraction inverse(Fraction fraction) {
    if (is_whole(fraction.numerator) && fraction.numerator != 0)
        return reduced({fraction.denominator, fraction.numerator});
    return {1 / fraction.value(), 1};
}

}  // namespace parcast::symbolic
