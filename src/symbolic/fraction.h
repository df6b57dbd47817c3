// Numbers as fractions of whole numbers where they can be: exact until they are too large.

#pragma once

namespace parcast::symbolic {

// numerator / denominator: both whole where the numbers of the expression are; else the denominator is 1 or
// what the expression divides by.
struct Fraction {
    double numerator = 0;
    double denominator = 1;
    double value() const { return numerator / denominator; }
    friend bool operator==(Fraction const&, Fraction const&) = default;
};
Fraction operator+(Fraction left, Fraction right);
Fraction operator*(Fraction left, Fraction right);
Fraction inverse(Fraction fraction);

bool is_whole(double value);
// REQUIRES: both whole.
double greatest_common_divisor(double left, double right);

}  // namespace parcast::symbolic
