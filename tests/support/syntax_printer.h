// A syntax tree back as text, laid out and with no more parentheses than needed. Parsing what is printed
// gives the same tree; comments are not kept.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pamela/syntax/number_text.h"
#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

// How strongly a construct holds its parts together; a part that holds less stands in brackets.
enum class SyntaxStrength : std::uint8_t {
    parallel,
    sequence,
    disjunction,
    conjunction,
    complement,
    comparison,
    sum,
    product,
    sign,
    power,
    postfix,
};

inline SyntaxStrength strength_of(SyntaxKind kind) {
    switch (kind) {
        case SyntaxKind::parallel: return SyntaxStrength::parallel;
        case SyntaxKind::sequence: return SyntaxStrength::sequence;
        case SyntaxKind::disjunction: return SyntaxStrength::disjunction;
        case SyntaxKind::conjunction: return SyntaxStrength::conjunction;
        case SyntaxKind::complement: return SyntaxStrength::complement;
        case SyntaxKind::less:
        case SyntaxKind::less_or_equal:
        case SyntaxKind::greater:
        case SyntaxKind::greater_or_equal:
        case SyntaxKind::equal:
        case SyntaxKind::not_equal: return SyntaxStrength::comparison;
        case SyntaxKind::sum: return SyntaxStrength::sum;
        case SyntaxKind::multiply:
        case SyntaxKind::divide:
        case SyntaxKind::quotient:
        case SyntaxKind::remainder: return SyntaxStrength::product;
        case SyntaxKind::negate: return SyntaxStrength::sign;
        case SyntaxKind::power: return SyntaxStrength::power;
        default: return SyntaxStrength::postfix;
    }
}

inline std::string_view operator_text(SyntaxKind kind) {
    switch (kind) {
        case SyntaxKind::multiply: return " * ";
        case SyntaxKind::divide: return " / ";
        case SyntaxKind::quotient: return " div ";
        case SyntaxKind::remainder: return " mod ";
        case SyntaxKind::power: return "^";
        case SyntaxKind::less: return " < ";
        case SyntaxKind::less_or_equal: return " <= ";
        case SyntaxKind::greater: return " > ";
        case SyntaxKind::greater_or_equal: return " >= ";
        case SyntaxKind::equal: return " == ";
        case SyntaxKind::not_equal: return " != ";
        case SyntaxKind::conjunction: return " and ";
        case SyntaxKind::disjunction: return " or ";
        default: return "";
    }
}

inline std::string_view loop_keyword(SyntaxKind kind) {
    switch (kind) {
        case SyntaxKind::sequential_loop: return "seq";
        case SyntaxKind::parallel_loop: return "par";
        case SyntaxKind::sum_loop: return "sum";
        default: return "max";
    }
}

class SyntaxPrinter {
public:
    explicit SyntaxPrinter(Syntax const& model) : model_(model) {
        for (auto const& node : model.nodes) {
            bool const is_composed = is_composition(node.kind);
            bool const has_composed =
                std::ranges::any_of(node.children, [&](SyntaxId child) { return takes_lines_[child.value]; });
            takes_lines_.push_back(is_composed || has_composed);
        }
    }

    void equation(Equation const& equation) {
        text_ += name_of(equation.kind);
        text_ += equation.is_parameter ? " parameter " + equation.name : " " + equation.name;
        for (std::size_t i = 0; i < equation.formals.size(); ++i)
            text_ += (i == 0 ? "(" : ", ") + equation.formals[i].name;
        text_ += equation.formals.empty() ? "" : ")";
        if (equation.body) {
            text_ += " = ";
            right_side(*equation.body);
        }
        text_ += "\n";
    }

    void right_side(SyntaxId id) {
        auto const kind = model_[id].kind;
        is_on_lines_ = kind == SyntaxKind::sequence || kind == SyntaxKind::parallel;
        indent_ = is_on_lines_ ? 1 : 0;
        write(id, SyntaxStrength::parallel);
    }

    std::string text() && { return std::move(text_); }

private:
    void write(SyntaxId id, SyntaxStrength least) {
        auto const& node = model_[id];
        auto const own = strength_of(node.kind);
        bool const is_empty_block = node.kind == SyntaxKind::sequence && node.children.empty();
        if (is_empty_block) {
            text_ += "{ }";
        } else if (own >= least) {
            write(node);
        } else if (own <= SyntaxStrength::sequence) {
            block(id);
        } else {
            text_ += "(";
            write(node);
            text_ += ")";
        }
    }

    void write(SyntaxNode const& node) {
        switch (node.kind) {
            case SyntaxKind::unreadable: text_ += "?"; break;
            case SyntaxKind::number: text_ += number_text(node.number); break;
            case SyntaxKind::text: text_ += "\"" + node.word + "\""; break;
            case SyntaxKind::name: text_ += node.word; break;
            case SyntaxKind::call:
                text_ += node.word;
                list("(", node, ")");
                break;
            case SyntaxKind::vector: list("[", node, "]"); break;
            case SyntaxKind::element:
                write(node.children[0], SyntaxStrength::postfix);
                text_ += "[";
                write(node.children[1], SyntaxStrength::disjunction);
                text_ += "]";
                break;
            case SyntaxKind::negate:
                text_ += "-";
                write(node.children[0], SyntaxStrength::sign);
                break;
            case SyntaxKind::complement:
                text_ += "not ";
                write(node.children[0], SyntaxStrength::complement);
                break;
            case SyntaxKind::sum: sum(node); break;
            case SyntaxKind::subtracted: break;  // written with its sum
            case SyntaxKind::sequence: joined(node, " ;", SyntaxStrength::disjunction); break;
            case SyntaxKind::parallel: joined(node, " ||", SyntaxStrength::sequence); break;
            case SyntaxKind::sequential_loop:
            case SyntaxKind::parallel_loop:
            case SyntaxKind::sum_loop:
            case SyntaxKind::maximum_loop: loop(node); break;
            case SyntaxKind::choice: choice(node); break;
            default: binary(node); break;
        }
    }

    void list(std::string_view opening, SyntaxNode const& node, std::string_view closing) {
        text_ += opening;
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            text_ += i == 0 ? "" : ", ";
            write(node.children[i], SyntaxStrength::disjunction);
        }
        text_ += closing;
    }

    void sum(SyntaxNode const& node) {
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            auto const& term = model_[node.children[i]];
            bool const is_subtracted = term.kind == SyntaxKind::subtracted;
            if (i != 0)
                text_ += is_subtracted ? " - " : " + ";
            write(is_subtracted ? term.children[0] : node.children[i], SyntaxStrength::product);
        }
    }

    // Products lean to the left, powers to the right, comparisons to neither side.
    void binary(SyntaxNode const& node) {
        auto const own = strength_of(node.kind);
        auto const stronger = static_cast<SyntaxStrength>(static_cast<std::uint8_t>(own) + 1);
        bool const leans_left = own == SyntaxStrength::product || own == SyntaxStrength::conjunction ||
                                own == SyntaxStrength::disjunction;
        write(node.children[0], leans_left ? own : stronger);
        text_ += operator_text(node.kind);
        write(node.children[1], own == SyntaxStrength::power ? SyntaxStrength::sign : stronger);
    }

    void joined(SyntaxNode const& node, std::string_view separator, SyntaxStrength least) {
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            if (i != 0) {
                text_ += separator;
                new_line();
            }
            write(node.children[i], least);
        }
    }

    void block(SyntaxId id) {
        auto const& node = model_[id];
        if (node.kind == SyntaxKind::sequence && node.children.empty()) {
            text_ += "{ }";
            return;
        }
        bool const was_on_lines = is_on_lines_;
        is_on_lines_ = takes_lines_[id.value];
        text_ += "{";
        ++indent_;
        new_line();
        write(node);
        --indent_;
        new_line();
        text_ += "}";
        is_on_lines_ = was_on_lines;
    }

    void loop(SyntaxNode const& node) {
        text_ += loop_keyword(node.kind);
        text_ += " (" + node.word + " = ";
        write(node.children[0], SyntaxStrength::disjunction);
        text_ += ", ";
        write(node.children[1], SyntaxStrength::disjunction);
        text_ += ") ";
        block(node.children[2]);
    }

    void choice(SyntaxNode const& node) {
        text_ += "if (";
        write(node.children[0], SyntaxStrength::disjunction);
        text_ += ") ";
        block(node.children[1]);
        if (node.children.size() == 3) {
            text_ += " else ";
            block(node.children[2]);
        }
    }

    void new_line() {
        if (is_on_lines_)
            text_ += "\n" + std::string(indent_ * 4, ' ');
        else
            text_ += " ";
    }

    static bool is_composition(SyntaxKind kind) {
        return kind == SyntaxKind::sequence || kind == SyntaxKind::parallel ||
               kind == SyntaxKind::sequential_loop || kind == SyntaxKind::parallel_loop;
    }

    Syntax const& model_;
    std::vector<bool> takes_lines_;  // each node: has processes composed in it
    std::size_t indent_ = 0;
    bool is_on_lines_ = false;
    std::string text_;
};

inline std::string print(Syntax const& model) {
    SyntaxPrinter printer(model);
    for (auto const& equation : model.equations)
        printer.equation(equation);
    return std::move(printer).text();
}

inline bool same(Syntax const& left, SyntaxId a, Syntax const& right, SyntaxId b) {
    auto const& x = left[a];
    auto const& y = right[b];
    return x.kind == y.kind && x.word == y.word && x.number == y.number &&
           std::ranges::equal(x.children, y.children,
                              [&](SyntaxId p, SyntaxId q) { return same(left, p, right, q); });
}

// Whether both say the same, wherever it stands.
inline bool same(Syntax const& left, Syntax const& right) {
    return std::ranges::equal(left.equations, right.equations, [&](Equation const& a, Equation const& b) {
        return a.kind == b.kind && a.is_parameter == b.is_parameter && a.name == b.name &&
               std::ranges::equal(a.formals, b.formals, {}, &Formal::name, &Formal::name) &&
               a.body.has_value() == b.body.has_value() && (!a.body || same(left, *a.body, right, *b.body));
    });
}

}  // namespace parcast::pamela
