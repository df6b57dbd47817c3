// Numbers of a model as text and back: the shortest text that gives the same number again.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parcast::pamela {

std::string number_text(double value);

// Digits with an optional point and exponent: "5e-3", "2e+0", ".5", "1.". None: no number, or none that a
// double can hold. What is nearer to 0 than every double is 0.
std::optional<double> number_in(std::string_view text);

}  // namespace parcast::pamela
