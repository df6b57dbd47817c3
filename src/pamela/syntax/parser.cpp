#include "pamela/syntax/parser.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/suggestion.h"
#include "pamela/syntax/token_reader.h"

namespace parcast::pamela {

namespace {

class Parser {
public:
    Parser(std::string_view text, DiagnosticList& diagnostics) : reader_(text, diagnostics) {}

    Syntax model() {
        while (reader_.next().kind != TokenKind::end && !reader_.is_hopeless()) {
            has_lost_equation_ = false;
            auto const start = reader_.position();
            if (begins_equation(reader_.next().kind) || reader_.repairs_keyword())
                equation();
            else
                no_equation();
            reader_.go_to_next_equation();
            if (has_lost_equation_)
                syntax_.lost_words.merge(reader_.words_since(start));
        }
        return std::move(syntax_);
    }

private:
    static constexpr std::size_t most_formals = 100;

    void equation() {
        Equation result;
        auto const first = reader_.take();
        result.kind = *equation_kind(first.kind);
        if (reader_.next().kind == TokenKind::parameter || repairs_modifier())
            result.is_parameter = parameter_modifier(result.kind);
        if (reader_.next().kind != TokenKind::name) {
            complain_of_equation_name();
            return;
        }
        result.name = reader_.word(reader_.take());
        result.place = reader_.previous().place;
        if (reader_.next().kind == TokenKind::left_parenthesis)
            result.formals = formals();
        if (!reader_.is_lost())
            right_side(result);
        syntax_.equations.push_back(std::move(result));
    }

    // `numeric parametr N`: said, and taken for the modifier.
    bool repairs_modifier() {
        static constexpr std::array<std::string_view, 1> modifier = {"parameter"};
        bool const are_two_names =
            reader_.next().kind == TokenKind::name && reader_.after_next().kind == TokenKind::name;
        if (!are_two_names || !nearest(reader_.word(reader_.next()), modifier))
            return false;
        reader_.error(reader_.next().place, "expected '=' behind " + reader_.described(reader_.next()),
                      "did you mean 'parameter'?");
        return true;
    }

    bool parameter_modifier(EquationKind kind) {
        auto const modifier = reader_.take();
        if (kind == EquationKind::numeric)
            return true;
        reader_.error(modifier.place, "only a numeric equation is a parameter",
                      "a parameter is a number; write 'numeric parameter'");
        return false;
    }

    void complain_of_equation_name() {
        has_lost_equation_ = true;
        bool const is_word =
            reader_.next().kind > TokenKind::name && reader_.next().kind < TokenKind::left_parenthesis;
        reader_.complain(
            "expected a name before " + reader_.described(reader_.next()),
            is_word ? "'" + reader_.word(reader_.next()) + "' is a word of the language and cannot be a name"
                    : "");
    }

    void right_side(Equation& equation) {
        if (reader_.next().kind == TokenKind::assign) {
            reader_.take();
            equation.body = read_term(reader_, syntax_, equation.kind);
            if (!reader_.is_lost() && reader_.next().kind != TokenKind::end &&
                !begins_equation(reader_.next().kind))
                complain_of_rest();
            return;
        }
        bool const ends_here = reader_.next().kind == TokenKind::end || begins_equation(reader_.next().kind);
        if (ends_here && equation.kind == EquationKind::numeric && equation.formals.empty())
            equation.is_parameter = true;
        else
            reader_.complain("expected '=' before " + reader_.described(reader_.next()));
    }

    void complain_of_rest() {
        if (reader_.next().kind == TokenKind::else_)
            reader_.complain("this 'else' has no 'if'", "no ';' stands between the two parts of a condition");
        else if (closes(reader_.next().kind))
            reader_.complain("there is nothing open for this " + reader_.described(reader_.next()) +
                             " to close");
        else if (reader_.next().kind == TokenKind::assign)
            reader_.complain("expected the next equation before '='",
                             "an equation begins with numeric, process or resource");
        else
            reader_.complain("expected an operator or the next equation before " +
                             reader_.described(reader_.next()));
    }

    void no_equation() {
        has_lost_equation_ = true;
        reader_.complain("expected an equation before " + reader_.described(reader_.next()),
                         "an equation begins with numeric, process or resource");
    }

    std::vector<Formal> formals() {
        std::vector<Formal> result;
        auto const opened = reader_.take();
        while (reader_.next().kind == TokenKind::name) {
            reader_.take();
            auto const twice =
                std::ranges::find(result, reader_.word(reader_.previous()), &Formal::name) != result.end();
            if (twice)
                reader_.error(reader_.previous().place,
                              "'" + reader_.word(reader_.previous()) + "' is a formal parameter twice");
            result.push_back({reader_.word(reader_.previous()), reader_.previous().place});
            if (result.size() > most_formals) {
                reader_.complain("an equation has at most " + std::to_string(most_formals) +
                                 " formal parameters");
                break;
            }
            if (reader_.next().kind != TokenKind::comma)
                break;
            reader_.take();
            if (reader_.next().kind != TokenKind::name)
                reader_.complain("expected a formal parameter before " + reader_.described(reader_.next()),
                                 "it is a name");
        }
        if (!reader_.is_lost() && reader_.next().kind != TokenKind::right_parenthesis)
            reader_.complain("expected ',' or ')' before " + reader_.described(reader_.next()),
                             reader_.next().kind == TokenKind::number ? "formal parameters are names" : "");
        reader_.close(opened, TokenKind::right_parenthesis);
        return result;
    }

    TokenReader reader_;
    Syntax syntax_;
    bool has_lost_equation_ = false;  // the one that is read
};

}  // namespace

Syntax parse(std::string_view text, DiagnosticList& diagnostics) {
    return Parser(text, diagnostics).model();
}

}  // namespace parcast::pamela
