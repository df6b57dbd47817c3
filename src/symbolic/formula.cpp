#include "symbolic/formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

namespace parcast::symbolic {

namespace {

bool is_start_of_name(char letter) {
    return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool is_in_name(char letter) {
    return is_start_of_name(letter) || std::isdigit(static_cast<unsigned char>(letter)) != 0 || letter == '.';
}

struct Symbol {
    std::string_view text;
    Operation operation;
};

constexpr std::array comparisons = {
    Symbol{"<=", Operation::less_or_equal}, Symbol{">=", Operation::greater_or_equal},
    Symbol{"==", Operation::equal},         Symbol{"!=", Operation::not_equal},
    Symbol{"<", Operation::less},           Symbol{">", Operation::greater},
};
constexpr std::array sums = {Symbol{"+", Operation::add}, Symbol{"-", Operation::subtract}};
constexpr std::array products = {Symbol{"*", Operation::multiply}, Symbol{"/", Operation::divide},
                                 Symbol{"%", Operation::remainder}};

}  // namespace

// Recursive descent, a function a rule. Keeps the first complaint, and goes on as if all had ended.
class FormulaParser {
public:
    explicit FormulaParser(std::string_view text) : text_(text) { formula_.text_ = text; }

    Result<Formula> parse() {
        formula();
        skip_blanks();
        if (position_ < text_.size())
            complain("has something unexpected");
        if (complaint_)
            return fail(ErrorCode::malformed, *complaint_);
        return std::move(formula_);
    }

private:
    static constexpr std::size_t deepest =
        200;  // calls in each other: a hostile text does not use up the stack

    void formula() {
        if (++depth_ > deepest)
            complain("is nested too deeply");
        sum();
        if (auto const operation = take_one_of(comparisons)) {
            sum();
            push(*operation);
        }
        --depth_;
    }

    void sum() {
        product();
        while (auto const operation = take_one_of(sums)) {
            product();
            push(*operation);
        }
    }

    void product() {
        sign();
        while (auto const operation = take_one_of(products)) {
            sign();
            push(*operation);
        }
    }

    void sign() {
        bool is_negative = false;
        while (auto const operation = take_one_of(sums))
            is_negative ^= *operation == Operation::subtract;
        power();
        if (is_negative)
            push(Operation::negate);
    }

    void power() {
        operand();
        if (!take("^"))
            return;
        if (++depth_ > deepest)
            complain("is nested too deeply");
        sign();
        push(Operation::power);
        --depth_;
    }

    void operand() {
        skip_blanks();
        if (take("(")) {
            formula();
            expect(")", "lacks a ')'");
        } else if (position_ < text_.size() && is_start_of_name(text_[position_])) {
            parameter_or_call();
        } else {
            number();
        }
    }

    void parameter_or_call() {
        auto const start = position_;
        while (position_ < text_.size() && is_in_name(text_[position_]))
            ++position_;
        auto const name = text_.substr(start, position_ - start);
        if (!take("(")) {
            push(index_of(name));
            return;
        }
        if (auto const function = function_named(name)) {
            arguments(*function);
        } else {
            position_ = start;
            complain("calls '" + std::string(name) +
                     "', which is none of min, max, ceil, floor, round, abs, log2, log, exp, sqrt and if,");
        }
    }

    void arguments(Function const& function) {
        std::size_t given = 0;
        do {
            formula();
            ++given;
            bool const is_one_of_many = function.takes_more && given >= function.operands;
            if (is_one_of_many || given == function.operands)
                push(function.operation);
        } while (take(","));
        if (given < function.operands || (given > function.operands && !function.takes_more)) {
            complain("gives " + std::string(function.name) + " " + std::to_string(given) + " instead of " +
                     std::to_string(function.operands) + " values");
        }
        expect(")", "lacks a ')'");
    }

    void number() {
        double value = 0;
        auto const rest = text_.substr(position_);
        auto const read = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        bool const is_number =
            read.ec == std::errc() && !rest.empty() &&
            (std::isdigit(static_cast<unsigned char>(rest.front())) != 0 || rest.front() == '.');
        if (!is_number) {
            complain("has no operand");
            return;
        }
        position_ += static_cast<std::size_t>(read.ptr - rest.data());
        push(value);
    }

    ParameterIndex index_of(std::string_view name) {
        auto const found = std::ranges::find(formula_.parameters_, name);
        auto const index = static_cast<std::uint32_t>(found - formula_.parameters_.begin());
        if (found == formula_.parameters_.end())
            formula_.parameters_.emplace_back(name);
        return {index};
    }

    void push(Term term) {
        if (auto const* operation = std::get_if<Operation>(&term))
            values_ -= std::min(values_, operands_of(*operation));
        if (++values_ > Formula::most_values)
            complain("is nested too deeply");
        formula_.postfix_.push_back(term);
    }

    void skip_blanks() {
        while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t'))
            ++position_;
    }

    bool take(std::string_view symbol) {
        skip_blanks();
        if (!text_.substr(position_).starts_with(symbol))
            return false;
        position_ += symbol.size();
        return true;
    }

    template <std::size_t Size>
    std::optional<Operation> take_one_of(std::array<Symbol, Size> const& symbols) {
        for (auto const& symbol : symbols)
            if (take(symbol.text))
                return symbol.operation;
        return std::nullopt;
    }

    void expect(std::string_view symbol, char const* complaint) {
        if (!take(symbol))
            complain(complaint);
    }

    void complain(std::string const& what) {
        if (!complaint_) {
            complaint_ = "the formula '" + std::string(text_) + "' " + what + " at column " +
                         std::to_string(position_ + 1);
        }
        text_ = text_.substr(0, position_);
    }

    std::string_view text_;
    std::size_t position_ = 0;
    std::size_t depth_ = 0;
    std::size_t values_ = 0;  // that the postfix form leaves so far
    Formula formula_;
    std::optional<std::string> complaint_;
};

Result<Formula> Formula::parse(std::string_view text) {
    return FormulaParser(text).parse();
}

}  // namespace parcast::symbolic
