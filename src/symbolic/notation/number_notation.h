// Numbers in formulas: whole numbers exactly, others with ten significant digits, or with as many as give the
// same number again.

#pragma once

#include <cstdint>
#include <string>

namespace parcast::symbolic {

enum class Digits : std::uint8_t { ten, all };

std::string number_notation(double value, Digits digits);

}  // namespace parcast::symbolic
