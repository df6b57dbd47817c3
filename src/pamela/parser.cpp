#include "pamela/parser.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "core/suggestion.h"
#include "pamela/lexer.h"

namespace parcast::pamela {

namespace {

std::optional<EquationKind> equation_kind(TokenKind token) {
    switch (token) {
        case TokenKind::numeric: return EquationKind::numeric;
        case TokenKind::process: return EquationKind::process;
        case TokenKind::resource: return EquationKind::resource;
        default: return std::nullopt;
    }
}

bool begins_equation(TokenKind token) {
    return equation_kind(token).has_value();
}

// Of tokens that cannot go on an operand: one that begins another.
bool begins_operand(TokenKind token) {
    constexpr std::array all = {TokenKind::number,
                                TokenKind::text,
                                TokenKind::name,
                                TokenKind::seq,
                                TokenKind::par,
                                TokenKind::if_,
                                TokenKind::left_parenthesis,
                                TokenKind::left_brace};
    return std::ranges::find(all, token) != all.end();
}

struct Operator {
    TokenKind token;
    SyntaxKind kind;
};
constexpr std::array comparisons = {
    Operator{TokenKind::less, SyntaxKind::less},
    Operator{TokenKind::less_or_equal, SyntaxKind::less_or_equal},
    Operator{TokenKind::greater, SyntaxKind::greater},
    Operator{TokenKind::greater_or_equal, SyntaxKind::greater_or_equal},
    Operator{TokenKind::equal, SyntaxKind::equal},
    Operator{TokenKind::not_equal, SyntaxKind::not_equal},
};
constexpr std::array products = {
    Operator{TokenKind::times, SyntaxKind::multiply},
    Operator{TokenKind::divided_by, SyntaxKind::divide},
    Operator{TokenKind::div, SyntaxKind::quotient},
    Operator{TokenKind::mod, SyntaxKind::remainder},
};

std::optional<SyntaxKind> operator_in(std::span<Operator const> operators, TokenKind token) {
    auto const found = std::ranges::find(operators, token, &Operator::token);
    return found == operators.end() ? std::nullopt : std::optional(found->kind);
}

// Recursive descent, a function a rule. After an error `lost_` is set, and every rule returns at once until
// one that has a bracket to close, or the model itself, finds its end.
class Parser {
public:
    Parser(std::string_view text, DiagnosticList& diagnostics)
        : text_(text), diagnostics_(diagnostics), tokens_(tokens_of(text, diagnostics)) {}

    Syntax model() {
        while (next().kind != TokenKind::end && !diagnostics_.is_full()) {
            if (begins_equation(next().kind) || repairs_keyword())
                equation();
            else
                no_equation();
            go_to_next_equation();
        }
        return std::move(syntax_);
    }

private:
    static constexpr std::uint32_t deepest =
        200;  // rules in each other: a hostile text does not use up the stack
    static constexpr std::size_t most_formals = 100;

    // ---- equations

    void equation() {
        Equation result;
        auto const first = take();
        result.kind = *equation_kind(first.kind);
        if (next().kind == TokenKind::parameter)
            result.is_parameter = parameter_modifier(result.kind);
        if (next().kind != TokenKind::name) {
            complain_of_equation_name();
            return;
        }
        result.name = word(take());
        result.place = previous().place;
        if (next().kind == TokenKind::left_parenthesis)
            result.formals = formals();
        kind_ = result.kind;
        if (!lost_)
            right_side(result);
        syntax_.equations.push_back(std::move(result));
    }

    bool parameter_modifier(EquationKind kind) {
        auto const modifier = take();
        if (kind == EquationKind::numeric)
            return true;
        diagnostics_.error(modifier.place, "only a numeric equation is a parameter",
                           "a parameter is a number; write 'numeric parameter'");
        return false;
    }

    void complain_of_equation_name() {
        syntax_.has_lost_equations = true;
        bool const is_word = next().kind > TokenKind::name && next().kind < TokenKind::left_parenthesis;
        complain("expected a name before " + described(next(), text_),
                 is_word ? "'" + word(next()) + "' is a word of the language and cannot be a name" : "");
    }

    void right_side(Equation& equation) {
        if (next().kind == TokenKind::assign) {
            take();
            equation.body = term();
            if (!lost_ && next().kind != TokenKind::end && !begins_equation(next().kind))
                complain_of_rest();
            return;
        }
        bool const ends_here = next().kind == TokenKind::end || begins_equation(next().kind);
        if (ends_here && equation.kind == EquationKind::numeric && equation.formals.empty())
            equation.is_parameter = true;
        else
            complain("expected '=' before " + described(next(), text_));
    }

    void complain_of_rest() {
        if (next().kind == TokenKind::else_)
            complain("this 'else' has no 'if'", "no ';' stands between the two parts of a condition");
        else if (closes(next().kind))
            complain("there is nothing open for this " + described(next(), text_) + " to close");
        else if (next().kind == TokenKind::assign)
            complain("expected the next equation before '='",
                     "an equation begins with numeric, process or resource");
        else
            complain("expected an operator or the next equation before " + described(next(), text_));
    }

    void no_equation() {
        syntax_.has_lost_equations = true;
        complain("expected an equation before " + described(next(), text_),
                 "an equation begins with numeric, process or resource");
    }

    // `proces main = ...`: a keyword with a typing error, before a name. It is said, and taken for the
    // keyword.
    bool repairs_keyword() {
        static constexpr std::array<std::string_view, 3> keywords = {"numeric", "process", "resource"};
        static constexpr std::array kinds = {TokenKind::numeric, TokenKind::process, TokenKind::resource};
        bool const precedes_name =
            after_next().kind == TokenKind::name || after_next().kind == TokenKind::parameter;
        if (next().kind != TokenKind::name || !precedes_name)
            return false;
        auto const meant = nearest(word(next()), keywords);
        if (!meant)
            return false;
        diagnostics_.error(next().place, "expected an equation before " + described(next(), text_),
                           "did you mean '" + std::string(*meant) + "'?");
        auto const which = std::ranges::find(keywords, *meant) - keywords.begin();
        tokens_[position_].kind = kinds[static_cast<std::size_t>(which)];
        return true;
    }

    void go_to_next_equation() {
        while (next().kind != TokenKind::end && !begins_equation(next().kind))
            take();
        lost_ = false;
        depth_ = 0;
    }

    std::vector<Formal> formals() {
        std::vector<Formal> result;
        auto const opened = take();
        while (next().kind == TokenKind::name) {
            take();
            auto const twice = std::ranges::find(result, word(previous()), &Formal::name) != result.end();
            if (twice)
                diagnostics_.error(previous().place,
                                   "'" + word(previous()) + "' is a formal parameter twice");
            result.push_back({word(previous()), previous().place});
            if (result.size() > most_formals) {
                complain("an equation has at most " + std::to_string(most_formals) + " formal parameters");
                break;
            }
            if (next().kind != TokenKind::comma)
                break;
            take();
            if (next().kind != TokenKind::name)
                complain("expected a formal parameter before " + described(next(), text_), "it is a name");
        }
        if (!lost_ && next().kind != TokenKind::right_parenthesis)
            complain("expected ',' or ')' before " + described(next(), text_),
                     next().kind == TokenKind::number ? "formal parameters are names" : "");
        close(opened, TokenKind::right_parenthesis);
        return result;
    }

    // ---- processes

    SyntaxId term() {
        std::vector<SyntaxId> branches{series()};
        auto const place = next().place;
        while (!lost_ && next().kind == TokenKind::parallel_bars) {
            take();
            branches.push_back(series());
        }
        return branches.size() == 1 ? branches[0] : node(SyntaxKind::parallel, place, std::move(branches));
    }

    SyntaxId series() {
        std::vector<SyntaxId> parts{expression()};
        auto const place = next().place;
        while (!lost_) {
            if (next().kind == TokenKind::semicolon) {
                take();
                if (!begins_operand(next().kind) && ends_series(next().kind))
                    break;
            } else if (begins_operand(next().kind) && !repairs_keyword()) {
                complain_of_missing_separator();
            } else {
                break;
            }
            parts.push_back(expression());
        }
        return parts.size() == 1 ? parts[0] : node(SyntaxKind::sequence, place, std::move(parts));
    }

    static bool ends_series(TokenKind kind) {
        return closes(kind) || kind == TokenKind::end || kind == TokenKind::parallel_bars ||
               begins_equation(kind);
    }

    // Goes on as if it were there.
    void complain_of_missing_separator() {
        bool const is_process = kind_ == EquationKind::process;
        diagnostics_.error(
            next().place,
            is_process ? "expected ';' or '||' before " + described(next(), text_)
                       : "expected an operator before " + described(next(), text_),
            is_process ? "';' separates what is done one after the other, '||' what is done at once" : "");
    }

    // ---- expressions, weakest operator first

    SyntaxId expression() {
        if (!enter())
            return unreadable();
        auto const result = binary(TokenKind::or_, SyntaxKind::disjunction, [this] {
            return binary(TokenKind::and_, SyntaxKind::conjunction, [this] { return negation(); });
        });
        --depth_;
        return result;
    }

    template <class Operand>
    SyntaxId binary(TokenKind sign, SyntaxKind kind, Operand operand) {
        auto left = operand();
        while (!lost_ && next().kind == sign) {
            auto const place = take().place;
            auto const right = operand();
            left = node(kind, place, {left, right});
        }
        return left;
    }

    SyntaxId negation() {
        if (next().kind != TokenKind::not_)
            return comparison();
        auto const place = take().place;
        if (!enter())
            return unreadable();
        auto const operand = negation();
        --depth_;
        return node(SyntaxKind::complement, place, {operand});
    }

    SyntaxId comparison() {
        auto const left = sum();
        auto const kind = operator_in(comparisons, next().kind);
        if (lost_ || !kind)
            return left;
        auto const place = take().place;
        auto const right = sum();
        auto const result = node(*kind, place, {left, right});
        if (!lost_ && operator_in(comparisons, next().kind))
            complain("a comparison is no operand of another", "write 'a < b and b < c'");
        return result;
    }

    SyntaxId sum() {
        std::vector<SyntaxId> terms{product()};
        auto const place = next().place;
        while (!lost_ && (next().kind == TokenKind::plus || next().kind == TokenKind::minus)) {
            auto const sign = take();
            auto const each = product();
            terms.push_back(sign.kind == TokenKind::plus ? each
                                                         : node(SyntaxKind::subtracted, sign.place, {each}));
        }
        return terms.size() == 1 ? terms[0] : node(SyntaxKind::sum, place, std::move(terms));
    }

    SyntaxId product() {
        auto left = sign();
        while (!lost_) {
            auto const kind = operator_in(products, next().kind);
            if (!kind)
                break;
            auto const place = take().place;
            auto const right = sign();
            left = node(*kind, place, {left, right});
        }
        return left;
    }

    SyntaxId sign() {
        if (next().kind != TokenKind::minus && next().kind != TokenKind::plus)
            return power();
        auto const sign_token = take();
        if (!enter())
            return unreadable();
        auto const operand = sign();
        --depth_;
        return sign_token.kind == TokenKind::plus ? operand
                                                  : node(SyntaxKind::negate, sign_token.place, {operand});
    }

    SyntaxId power() {
        auto const base = postfix();
        if (lost_ || next().kind != TokenKind::caret)
            return base;
        auto const place = take().place;
        if (!enter())
            return unreadable();
        auto const exponent = sign();
        --depth_;
        return node(SyntaxKind::power, place, {base, exponent});
    }

    SyntaxId postfix() {
        auto result = operand();
        while (!lost_ && next().kind == TokenKind::left_bracket) {
            auto const opened = take();
            auto const index = expression();
            if (!lost_ && next().kind != TokenKind::right_bracket)
                complain("expected ']' before " + described(next(), text_), "an element is vector[index]");
            close(opened, TokenKind::right_bracket);
            result = node(SyntaxKind::element, opened.place, {result, index});
        }
        return result;
    }

    SyntaxId operand() {
        if (lost_)
            return unreadable();
        switch (next().kind) {
            case TokenKind::number: return number();
            case TokenKind::text: return quoted();
            case TokenKind::name: return name();
            case TokenKind::left_parenthesis: return grouped(TokenKind::right_parenthesis);
            case TokenKind::left_brace: return block();
            case TokenKind::left_bracket: return vector();
            case TokenKind::seq: return loop(SyntaxKind::sequential_loop);
            case TokenKind::par: return loop(SyntaxKind::parallel_loop);
            case TokenKind::if_: return choice();
            default: break;
        }
        complain_of_missing_operand();
        return unreadable();
    }

    void complain_of_missing_operand() {
        auto const what = kind_ == EquationKind::process ? "a process or an expression" : "an expression";
        std::string hint;
        if (next().kind == TokenKind::else_)
            hint = "no ';' stands before 'else'";
        else if (next().kind == TokenKind::assign)
            hint = "'==' compares";
        complain("expected " + std::string(what) + " before " + described(next(), text_), hint);
    }

    SyntaxId number() {
        auto const token = take();
        auto const result = node(SyntaxKind::number, token.place, {});
        syntax_.nodes[result.value].number = token.number;
        return result;
    }

    SyntaxId quoted() {
        auto const token = take();
        auto spelled = word(token);
        spelled.erase(0, 1);
        if (spelled.ends_with('"'))
            spelled.pop_back();
        return named(SyntaxKind::text, token.place, std::move(spelled), {});
    }

    // A name, a call, or a reduction.
    SyntaxId name() {
        auto const token = take();
        bool const is_reduction = next().kind == TokenKind::left_parenthesis &&
                                  after_next().kind == TokenKind::name &&
                                  tokens_[position_ + 2].kind == TokenKind::assign;
        if (is_reduction && (word(token) == "sum" || word(token) == "max")) {
            --position_;
            return loop(word(token) == "sum" ? SyntaxKind::sum_loop : SyntaxKind::maximum_loop);
        }
        if (next().kind != TokenKind::left_parenthesis)
            return named(SyntaxKind::name, token.place, word(token), {});
        auto arguments = call_arguments();
        auto const kind = arguments.empty() ? SyntaxKind::name : SyntaxKind::call;
        return named(kind, token.place, word(token), std::move(arguments));
    }

    std::vector<SyntaxId> call_arguments() {
        auto const opened = take();
        std::vector<SyntaxId> result;
        if (next().kind != TokenKind::right_parenthesis)
            result = listed();
        if (!lost_ && next().kind != TokenKind::right_parenthesis)
            complain_of_argument();
        close(opened, TokenKind::right_parenthesis);
        return result;
    }

    void complain_of_argument() {
        std::string hint;
        if (next().kind == TokenKind::semicolon || next().kind == TokenKind::parallel_bars)
            hint = "a composed process as an argument stands in braces";
        else if (next().kind == TokenKind::assign)
            hint = "only the loops seq, par, sum and max have an index; '==' compares";
        complain("expected ',' or ')' before " + described(next(), text_), hint);
    }

    std::vector<SyntaxId> listed() {
        std::vector<SyntaxId> result{expression()};
        while (!lost_ && next().kind == TokenKind::comma) {
            take();
            result.push_back(expression());
        }
        return result;
    }

    SyntaxId grouped(TokenKind closing) {
        auto const opened = take();
        auto const inner = term();
        if (!lost_ && next().kind != closing)
            complain_of_open(opened, closing);
        close(opened, closing);
        syntax_.nodes[inner.value].extent = {opened.place.begin, previous().place.end};
        return inner;
    }

    SyntaxId block() {
        if (after_next().kind != TokenKind::right_brace)
            return grouped(TokenKind::right_brace);
        auto const opened = take();
        take();
        return node(SyntaxKind::sequence, opened.place, {});
    }

    void complain_of_open(Token const& opened, TokenKind closing) {
        auto const sign = "'" + std::string(spelling(closing)) + "'";
        auto const line = std::to_string(diagnostics_.line_of(opened.place));
        if (next().kind == TokenKind::else_) {
            complain("this 'else' has no 'if'", "no ';' stands between the two parts of a condition");
            return;
        }
        bool const is_other_sign =
            !closes(next().kind) && next().kind != TokenKind::end && !begins_equation(next().kind);
        complain("expected " + sign + (is_other_sign ? " or an operator before " : " before ") +
                     described(next(), text_),
                 next().kind == TokenKind::assign
                     ? "'==' compares"
                     : described(opened, text_) + " in line " + line + " is not closed");
    }

    SyntaxId vector() {
        auto const opened = take();
        std::vector<SyntaxId> elements;
        if (next().kind != TokenKind::right_bracket)
            elements = listed();
        if (!lost_ && next().kind != TokenKind::right_bracket)
            complain("expected ',' or ']' before " + described(next(), text_),
                     "a vector is written [1, 2, 3]");
        close(opened, TokenKind::right_bracket);
        return node(SyntaxKind::vector, opened.place, std::move(elements));
    }

    SyntaxId loop(SyntaxKind kind) {
        auto const keyword = take();
        if (next().kind != TokenKind::left_parenthesis) {
            complain("expected '(' after '" + word(keyword) + "'",
                     "a loop is written " + word(keyword) + " (i = 1, n) { ... }");
            return unreadable();
        }
        auto const opened = take();
        std::string index;
        auto first = unreadable();
        auto last = first;
        if (next().kind == TokenKind::name && after_next().kind == TokenKind::assign) {
            index = word(take());
            take();
            std::tie(first, last) = bounds(word(keyword));
        } else {
            complain("expected an index and '=' before " + described(next(), text_),
                     "a loop is written " + word(keyword) + " (i = 1, n) { ... }");
        }
        close(opened, TokenKind::right_parenthesis);
        auto const body = lost_ ? unreadable() : body_of_loop();
        return named(kind, keyword.place, std::move(index), {first, last, body});
    }

    std::pair<SyntaxId, SyntaxId> bounds(std::string const& keyword) {
        auto const first = expression();
        if (!lost_ && next().kind != TokenKind::comma) {
            complain("expected ',' and the last value of the index before " + described(next(), text_),
                     "a loop is written " + keyword + " (i = 1, n) { ... }");
            return {first, first};
        }
        if (lost_)
            return {first, first};
        take();
        auto const last = expression();
        if (!lost_ && next().kind != TokenKind::right_parenthesis)
            complain("expected ')' before " + described(next(), text_),
                     "a loop has an index, a first and a last value");
        return {first, last};
    }

    SyntaxId body_of_loop() {
        if (next().kind == TokenKind::left_brace)
            return block();
        if (!enter())
            return unreadable();
        auto const result = sign();
        --depth_;
        return result;
    }

    SyntaxId choice() {
        auto const keyword = take();
        if (next().kind != TokenKind::left_parenthesis) {
            complain("expected '(' after 'if'", "a condition stands in parentheses: if (c) ... else ...");
            return unreadable();
        }
        std::vector<SyntaxId> parts{grouped(TokenKind::right_parenthesis)};
        if (next().kind == TokenKind::then)
            take();
        parts.push_back(branch());
        if (!lost_ && next().kind == TokenKind::else_) {
            take();
            parts.push_back(branch());
        }
        return node(SyntaxKind::choice, keyword.place, std::move(parts));
    }

    SyntaxId branch() {
        if (!lost_ && next().kind == TokenKind::left_brace)
            return block();
        return expression();
    }

    // ---- errors

    void complain(std::string message, std::string hint = {}) {
        if (!lost_)
            diagnostics_.error(next().place, std::move(message), std::move(hint));
        lost_ = true;
    }

    // Takes the closing bracket. After an error: skips to it, unless an equation begins before, and is at
    // home again.
    void close(Token const& opened, TokenKind closing) {
        if (!lost_) {
            take();
            return;
        }
        auto const end = matching(opened, closing);
        if (!end)
            return;
        position_ = *end + 1;
        lost_ = false;
    }

    std::optional<std::size_t> matching(Token const& opened, TokenKind closing) const {
        std::size_t open = 0;
        auto const first = std::ranges::upper_bound(tokens_, opened.place.begin, {},
                                                    [](Token const& each) { return each.place.begin; });
        for (auto i = static_cast<std::size_t>(first - tokens_.begin()); i < tokens_.size(); ++i) {
            auto const kind = tokens_[i].kind;
            if (begins_equation(kind))
                return std::nullopt;
            if (kind == opened.kind) {
                ++open;
            } else if (kind == closing) {
                if (open == 0 && i >= position_)
                    return i;
                if (open == 0)
                    return std::nullopt;
                --open;
            }
        }
        return std::nullopt;
    }

    static bool closes(TokenKind kind) {
        return kind == TokenKind::right_parenthesis || kind == TokenKind::right_brace ||
               kind == TokenKind::right_bracket;
    }

    bool enter() {
        if (depth_ < deepest) {
            ++depth_;
            return true;
        }
        complain("this is nested too deeply", "give the inner part an equation of its own");
        return false;
    }

    // ---- nodes

    SyntaxId node(SyntaxKind kind, TextRange place, std::vector<SyntaxId> children) {
        return named(kind, place, {}, std::move(children));
    }

    SyntaxId named(SyntaxKind kind, TextRange place, std::string word, std::vector<SyntaxId> children) {
        std::uint32_t depth = 1;
        auto extent = TextRange{place.begin, std::max(place.end, previous().place.end)};
        for (auto const child : children) {
            depth = std::max(depth, depths_[child.value] + 1);
            extent.begin = std::min(extent.begin, syntax_[child].extent.begin);
        }
        if (depth > Syntax::deepest) {
            complain("this is nested too deeply", "give the inner part an equation of its own");
            return unreadable();
        }
        depths_.push_back(depth);
        syntax_.nodes.push_back({kind, place, extent, std::move(word), 0, std::move(children)});
        return {static_cast<std::uint32_t>(syntax_.nodes.size() - 1)};
    }

    SyntaxId unreadable() {
        depths_.push_back(1);
        syntax_.nodes.push_back({SyntaxKind::unreadable, next().place, next().place, {}, 0, {}});
        return {static_cast<std::uint32_t>(syntax_.nodes.size() - 1)};
    }

    // ---- tokens

    Token const& next() const { return tokens_[position_]; }
    Token const& after_next() const { return tokens_[std::min(position_ + 1, tokens_.size() - 1)]; }
    Token const& previous() const { return tokens_[position_ == 0 ? 0 : position_ - 1]; }

    Token take() {
        auto const token = next();
        if (token.kind != TokenKind::end)
            ++position_;
        return token;
    }

    std::string word(Token const& token) const {
        return std::string(text_.substr(token.place.begin, token.place.end - token.place.begin));
    }

    std::string_view text_;
    DiagnosticList& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t position_ = 0;
    bool lost_ = false;
    std::uint32_t depth_ = 0;
    EquationKind kind_ = EquationKind::numeric;
    std::vector<std::uint32_t> depths_;  // of the nodes
    Syntax syntax_;
};

}  // namespace

Syntax parse(std::string_view text, DiagnosticList& diagnostics) {
    return Parser(text, diagnostics).model();
}

}  // namespace parcast::pamela
