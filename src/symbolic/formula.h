// A formula of named parameters: "n * k^2", "max(1, ceil(n / 2)) * 40e3". Grammar, weakest first:
//
//     formula    = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//     sum        = product { ("+" | "-") product }
//     product    = sign { ("*" | "/" | "%") sign }
//     sign       = [ "-" | "+" ] sign | power
//     power      = operand [ "^" sign ]                      to the right: 2^3^2 = 2^9; -2^2 = -4
//     operand    = number | name | name "(" formula { "," formula } ")" | "(" formula ")"
//     name       = letter or "_", then letters, digits, "_" and "."
//
// Functions: operation.h. Numbers are written as in JSON. Blanks do not count.
//
// Invariant: the postfix form leaves one value, and needs no more than most_values places for it.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"
#include "symbolic/operation.h"

namespace parcast::symbolic {

struct ParameterIndex {
    std::uint32_t value = 0;  // into Formula::parameters()
    friend bool operator==(ParameterIndex, ParameterIndex) = default;
};

using Term = std::variant<double, ParameterIndex, Operation>;

class Formula {
public:
    static constexpr std::size_t most_values = 64;  // that wait for their operation at a time

    // Errors: malformed, with what is wrong and its column: "'n*+' has no operand at column 3".
    static Result<Formula> parse(std::string_view text);

    std::string const& text() const { return text_; }
    std::span<std::string const> parameters() const { return parameters_; }  // by their first appearance
    std::span<Term const> postfix() const { return postfix_; }

private:
    Formula() = default;

    std::string text_;
    std::vector<std::string> parameters_;
    std::vector<Term> postfix_;

    friend class FormulaParser;
};

}  // namespace parcast::symbolic
