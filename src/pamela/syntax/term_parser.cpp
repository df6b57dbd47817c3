#include "pamela/syntax/parser.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace parcast::pamela {

namespace {

// Whether the token cannot go on an operand, but begins another.
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

class TermParser {
public:
    TermParser(TokenReader& reader, Syntax& syntax, EquationKind kind)
        : reader_(reader), syntax_(syntax), kind_(kind), first_node_(syntax.nodes.size()) {}

    SyntaxId term() {
        std::vector<SyntaxId> branches{series()};
        auto const place = reader_.next().place;
        while (!reader_.is_lost() && reader_.next().kind == TokenKind::parallel_bars) {
            reader_.take();
            branches.push_back(series());
        }
        return branches.size() == 1 ? branches[0] : node(SyntaxKind::parallel, place, std::move(branches));
    }

private:
    SyntaxId series() {
        std::vector<SyntaxId> parts{expression()};
        auto const place = reader_.next().place;
        while (!reader_.is_lost()) {
            if (reader_.next().kind == TokenKind::semicolon) {
                reader_.take();
                if (!begins_operand(reader_.next().kind) && ends_series(reader_.next().kind))
                    break;
            } else if (begins_operand(reader_.next().kind) && !reader_.repairs_keyword()) {
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
        reader_.error(
            reader_.next().place,
            is_process ? "expected ';' or '||' before " + reader_.described(reader_.next())
                       : "expected an operator before " + reader_.described(reader_.next()),
            is_process ? "';' separates what is done one after the other, '||' what is done at once" : "");
    }

    // ---- expressions, weakest operator first

    SyntaxId expression() {
        if (!reader_.enter())
            return unreadable();
        auto const result = binary(TokenKind::or_, SyntaxKind::disjunction, [this] {
            return binary(TokenKind::and_, SyntaxKind::conjunction, [this] { return negation(); });
        });
        reader_.leave();
        return result;
    }

    template <class Operand>
    SyntaxId binary(TokenKind sign, SyntaxKind kind, Operand operand) {
        auto left = operand();
        while (!reader_.is_lost() && reader_.next().kind == sign) {
            auto const place = reader_.take().place;
            auto const right = operand();
            left = node(kind, place, {left, right});
        }
        return left;
    }

    SyntaxId negation() {
        if (reader_.next().kind != TokenKind::not_)
            return comparison();
        auto const place = reader_.take().place;
        if (!reader_.enter())
            return unreadable();
        auto const operand = negation();
        reader_.leave();
        return node(SyntaxKind::complement, place, {operand});
    }

    SyntaxId comparison() {
        auto const left = sum();
        auto const kind = operator_in(comparisons, reader_.next().kind);
        if (reader_.is_lost() || !kind)
            return left;
        auto const place = reader_.take().place;
        auto const right = sum();
        auto const result = node(*kind, place, {left, right});
        if (!reader_.is_lost() && operator_in(comparisons, reader_.next().kind))
            reader_.complain("a comparison is no operand of another", "write 'a < b and b < c'");
        return result;
    }

    SyntaxId sum() {
        std::vector<SyntaxId> terms{product()};
        auto const place = reader_.next().place;
        while (!reader_.is_lost() &&
               (reader_.next().kind == TokenKind::plus || reader_.next().kind == TokenKind::minus)) {
            auto const sign = reader_.take();
            auto const each = product();
            terms.push_back(sign.kind == TokenKind::plus ? each
                                                         : node(SyntaxKind::subtracted, sign.place, {each}));
        }
        return terms.size() == 1 ? terms[0] : node(SyntaxKind::sum, place, std::move(terms));
    }

    SyntaxId product() {
        auto left = sign();
        while (!reader_.is_lost()) {
            auto const kind = operator_in(products, reader_.next().kind);
            if (!kind)
                break;
            auto const place = reader_.take().place;
            auto const right = sign();
            left = node(*kind, place, {left, right});
        }
        return left;
    }

    SyntaxId sign() {
        if (reader_.next().kind != TokenKind::minus && reader_.next().kind != TokenKind::plus)
            return power();
        auto const sign_token = reader_.take();
        if (!reader_.enter())
            return unreadable();
        auto const operand = sign();
        reader_.leave();
        return sign_token.kind == TokenKind::plus ? operand
                                                  : node(SyntaxKind::negate, sign_token.place, {operand});
    }

    SyntaxId power() {
        auto const base = postfix();
        if (reader_.is_lost() || reader_.next().kind != TokenKind::caret)
            return base;
        auto const place = reader_.take().place;
        if (!reader_.enter())
            return unreadable();
        auto const exponent = sign();
        reader_.leave();
        return node(SyntaxKind::power, place, {base, exponent});
    }

    SyntaxId postfix() {
        auto result = operand();
        while (!reader_.is_lost() && reader_.next().kind == TokenKind::left_bracket) {
            auto const opened = reader_.take();
            auto const index = expression();
            if (!reader_.is_lost() && reader_.next().kind != TokenKind::right_bracket)
                reader_.complain("expected ']' before " + reader_.described(reader_.next()),
                                 "an element is vector[index]");
            reader_.close(opened, TokenKind::right_bracket);
            result = node(SyntaxKind::element, opened.place, {result, index});
        }
        return result;
    }

    SyntaxId operand() {
        if (reader_.is_lost())
            return unreadable();
        switch (reader_.next().kind) {
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
        if (reader_.next().kind == TokenKind::else_)
            hint = "no ';' stands before 'else'";
        else if (reader_.next().kind == TokenKind::assign)
            hint = "'==' compares";
        reader_.complain("expected " + std::string(what) + " before " + reader_.described(reader_.next()),
                         hint);
    }

    SyntaxId number() {
        auto const token = reader_.take();
        auto const result = node(SyntaxKind::number, token.place, {});
        syntax_.nodes[result.value].number = token.number;
        return result;
    }

    SyntaxId quoted() {
        auto const token = reader_.take();
        auto spelled = reader_.word(token);
        spelled.erase(0, 1);
        if (spelled.ends_with('"'))
            spelled.pop_back();
        return named(SyntaxKind::text, token.place, std::move(spelled), {});
    }

    // A name, a call, or a reduction.
    SyntaxId name() {
        auto const token = reader_.take();
        bool const is_reduction = reader_.next().kind == TokenKind::left_parenthesis &&
                                  reader_.after_next().kind == TokenKind::name &&
                                  reader_.at(2).kind == TokenKind::assign;
        if (is_reduction && (reader_.word(token) == "sum" || reader_.word(token) == "max")) {
            reader_.step_back();
            return loop(reader_.word(token) == "sum" ? SyntaxKind::sum_loop : SyntaxKind::maximum_loop);
        }
        if (reader_.next().kind != TokenKind::left_parenthesis)
            return named(SyntaxKind::name, token.place, reader_.word(token), {});
        auto arguments = call_arguments();
        auto const kind = arguments.empty() ? SyntaxKind::name : SyntaxKind::call;
        return named(kind, token.place, reader_.word(token), std::move(arguments));
    }

    std::vector<SyntaxId> call_arguments() {
        auto const opened = reader_.take();
        std::vector<SyntaxId> result;
        if (reader_.next().kind != TokenKind::right_parenthesis)
            result = listed();
        if (!reader_.is_lost() && reader_.next().kind != TokenKind::right_parenthesis)
            complain_of_argument(opened);
        reader_.close(opened, TokenKind::right_parenthesis);
        return result;
    }

    void complain_of_argument(Token const& opened) {
        std::string hint;
        if (reader_.next().kind == TokenKind::semicolon || reader_.next().kind == TokenKind::parallel_bars)
            hint = "a composed process as an argument stands in braces";
        else if (reader_.next().kind == TokenKind::assign)
            hint = "only the loops seq, par, sum and max have an index; '==' compares";
        else if (closes(reader_.next().kind) || ends_series(reader_.next().kind))
            hint = is_not_closed(opened);
        reader_.complain("expected ',' or ')' before " + reader_.described(reader_.next()), hint);
    }

    std::vector<SyntaxId> listed() {
        std::vector<SyntaxId> result{expression()};
        while (!reader_.is_lost() && reader_.next().kind == TokenKind::comma) {
            reader_.take();
            result.push_back(expression());
        }
        return result;
    }

    SyntaxId grouped(TokenKind closing) {
        auto const opened = reader_.take();
        auto const inner = term();
        if (!reader_.is_lost() && reader_.next().kind != closing)
            complain_of_open(opened, closing);
        reader_.close(opened, closing);
        syntax_.nodes[inner.value].extent = {opened.place.begin, reader_.previous().place.end};
        return inner;
    }

    SyntaxId block() {
        if (reader_.after_next().kind != TokenKind::right_brace)
            return grouped(TokenKind::right_brace);
        auto const opened = reader_.take();
        reader_.take();
        return node(SyntaxKind::sequence, opened.place, {});
    }

    void complain_of_open(Token const& opened, TokenKind closing) {
        auto const sign = "'" + std::string(spelling(closing)) + "'";
        if (reader_.next().kind == TokenKind::else_) {
            reader_.complain("this 'else' has no 'if'", "no ';' stands between the two parts of a condition");
            return;
        }
        bool const is_other_sign = !closes(reader_.next().kind) && reader_.next().kind != TokenKind::end &&
                                   !begins_equation(reader_.next().kind);
        reader_.complain("expected " + sign + (is_other_sign ? " or an operator before " : " before ") +
                             reader_.described(reader_.next()),
                         reader_.next().kind == TokenKind::assign ? "'==' compares" : is_not_closed(opened));
    }

    std::string is_not_closed(Token const& opened) const {
        return reader_.described(opened) + " in line " + std::to_string(reader_.line_of(opened.place)) +
               " is not closed";
    }

    SyntaxId vector() {
        auto const opened = reader_.take();
        std::vector<SyntaxId> elements;
        if (reader_.next().kind != TokenKind::right_bracket)
            elements = listed();
        if (!reader_.is_lost() && reader_.next().kind != TokenKind::right_bracket)
            reader_.complain("expected ',' or ']' before " + reader_.described(reader_.next()),
                             "a vector is written [1, 2, 3]");
        reader_.close(opened, TokenKind::right_bracket);
        return node(SyntaxKind::vector, opened.place, std::move(elements));
    }

    SyntaxId loop(SyntaxKind kind) {
        auto const keyword = reader_.take();
        if (reader_.next().kind != TokenKind::left_parenthesis) {
            reader_.complain("expected '(' after '" + reader_.word(keyword) + "'",
                             "a loop is written " + reader_.word(keyword) + " (i = 1, n) { ... }");
            return unreadable();
        }
        auto const opened = reader_.take();
        std::string index;
        auto first = unreadable();
        auto last = first;
        if (reader_.next().kind == TokenKind::name && reader_.after_next().kind == TokenKind::assign) {
            index = reader_.word(reader_.take());
            reader_.take();
            std::tie(first, last) = bounds(reader_.word(keyword));
        } else {
            reader_.complain("expected an index and '=' before " + reader_.described(reader_.next()),
                             "a loop is written " + reader_.word(keyword) + " (i = 1, n) { ... }");
        }
        reader_.close(opened, TokenKind::right_parenthesis);
        auto const body = reader_.is_lost() ? unreadable() : body_of_loop();
        return named(kind, keyword.place, std::move(index), {first, last, body});
    }

    std::pair<SyntaxId, SyntaxId> bounds(std::string const& keyword) {
        auto const first = expression();
        if (!reader_.is_lost() && reader_.next().kind != TokenKind::comma) {
            reader_.complain(
                "expected ',' and the last value of the index before " + reader_.described(reader_.next()),
                "a loop is written " + keyword + " (i = 1, n) { ... }");
            return {first, first};
        }
        if (reader_.is_lost())
            return {first, first};
        reader_.take();
        auto const last = expression();
        if (!reader_.is_lost() && reader_.next().kind != TokenKind::right_parenthesis)
            reader_.complain("expected ')' before " + reader_.described(reader_.next()),
                             "a loop has an index, a first and a last value");
        return {first, last};
    }

    SyntaxId body_of_loop() {
        if (reader_.next().kind == TokenKind::left_brace)
            return block();
        if (!reader_.enter())
            return unreadable();
        auto const result = sign();
        reader_.leave();
        return result;
    }

    SyntaxId choice() {
        auto const keyword = reader_.take();
        if (reader_.next().kind != TokenKind::left_parenthesis) {
            reader_.complain("expected '(' after 'if'",
                             "a condition stands in parentheses: if (c) ... else ...");
            return unreadable();
        }
        std::vector<SyntaxId> parts{grouped(TokenKind::right_parenthesis)};
        if (reader_.next().kind == TokenKind::then)
            reader_.take();
        parts.push_back(branch());
        if (!reader_.is_lost() && reader_.next().kind == TokenKind::else_) {
            reader_.take();
            parts.push_back(branch());
        }
        return node(SyntaxKind::choice, keyword.place, std::move(parts));
    }

    SyntaxId branch() {
        if (!reader_.is_lost() && reader_.next().kind == TokenKind::left_brace)
            return block();
        return expression();
    }

    // ---- nodes

    SyntaxId node(SyntaxKind kind, TextRange place, std::vector<SyntaxId> children) {
        return named(kind, place, {}, std::move(children));
    }

    SyntaxId named(SyntaxKind kind, TextRange place, std::string word, std::vector<SyntaxId> children) {
        std::uint32_t depth = 1;
        auto extent = TextRange{place.begin, std::max(place.end, reader_.previous().place.end)};
        for (auto const child : children) {
            depth = std::max(depth, depths_[child.value - first_node_] + 1);
            extent.begin = std::min(extent.begin, syntax_[child].extent.begin);
        }
        if (depth > Syntax::deepest) {
            reader_.complain("this is nested too deeply", "give the inner part an equation of its own");
            return unreadable();
        }
        depths_.push_back(depth);
        syntax_.nodes.push_back({kind, place, extent, std::move(word), 0, std::move(children)});
        return {static_cast<std::uint32_t>(syntax_.nodes.size() - 1)};
    }

    SyntaxId unreadable() {
        depths_.push_back(1);
        syntax_.nodes.push_back(
            {SyntaxKind::unreadable, reader_.next().place, reader_.next().place, {}, 0, {}});
        return {static_cast<std::uint32_t>(syntax_.nodes.size() - 1)};
    }

    TokenReader& reader_;
    Syntax& syntax_;
    EquationKind kind_;
    std::size_t first_node_;             // of this term
    std::vector<std::uint32_t> depths_;  // of its nodes
};

}  // namespace

SyntaxId read_term(TokenReader& reader, Syntax& syntax, EquationKind kind) {
    return TermParser(reader, syntax, kind).term();
}

}  // namespace parcast::pamela
