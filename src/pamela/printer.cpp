#include "pamela/printer.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "pamela/syntax/number_text.h"

namespace parcast::pamela {

namespace {

// How strongly a construct holds its parts together; a part that holds less stands in brackets.
enum class Strength : std::uint8_t {
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

Strength strength_of(SyntaxKind kind) {
    switch (kind) {
        case SyntaxKind::parallel: return Strength::parallel;
        case SyntaxKind::sequence: return Strength::sequence;
        case SyntaxKind::disjunction: return Strength::disjunction;
        case SyntaxKind::conjunction: return Strength::conjunction;
        case SyntaxKind::complement: return Strength::complement;
        case SyntaxKind::less:
        case SyntaxKind::less_or_equal:
        case SyntaxKind::greater:
        case SyntaxKind::greater_or_equal:
        case SyntaxKind::equal:
        case SyntaxKind::not_equal: return Strength::comparison;
        case SyntaxKind::sum: return Strength::sum;
        case SyntaxKind::multiply:
        case SyntaxKind::divide:
        case SyntaxKind::quotient:
        case SyntaxKind::remainder: return Strength::product;
        case SyntaxKind::negate: return Strength::sign;
        case SyntaxKind::power: return Strength::power;
        default: return Strength::postfix;
    }
}

std::string_view operator_text(SyntaxKind kind) {
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

std::string_view loop_keyword(SyntaxKind kind) {
    switch (kind) {
        case SyntaxKind::sequential_loop: return "seq";
        case SyntaxKind::parallel_loop: return "par";
        case SyntaxKind::sum_loop: return "sum";
        default: return "max";
    }
}

class Printer {
public:
    enum class Layout : bool { on_a_line, on_lines };

    Printer(Syntax const& model, Layout layout) : model_(model), layout_(layout) {
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
        is_on_lines_ =
            layout_ == Layout::on_lines && (kind == SyntaxKind::sequence || kind == SyntaxKind::parallel);
        indent_ = is_on_lines_ ? 1 : 0;
        write(id, Strength::parallel);
    }

    std::string text() && { return std::move(text_); }

private:
    void write(SyntaxId id, Strength least) {
        auto const& node = model_[id];
        auto const own = strength_of(node.kind);
        bool const is_empty_block = node.kind == SyntaxKind::sequence && node.children.empty();
        if (is_empty_block) {
            text_ += "{ }";
        } else if (own >= least) {
            write(node);
        } else if (own <= Strength::sequence) {
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
                write(node.children[0], Strength::postfix);
                text_ += "[";
                write(node.children[1], Strength::disjunction);
                text_ += "]";
                break;
            case SyntaxKind::negate:
                text_ += "-";
                write(node.children[0], Strength::sign);
                break;
            case SyntaxKind::complement:
                text_ += "not ";
                write(node.children[0], Strength::complement);
                break;
            case SyntaxKind::sum: sum(node); break;
            case SyntaxKind::subtracted: break;  // written with its sum
            case SyntaxKind::sequence: joined(node, " ;", Strength::disjunction); break;
            case SyntaxKind::parallel: joined(node, " ||", Strength::sequence); break;
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
            write(node.children[i], Strength::disjunction);
        }
        text_ += closing;
    }

    void sum(SyntaxNode const& node) {
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            auto const& term = model_[node.children[i]];
            bool const is_subtracted = term.kind == SyntaxKind::subtracted;
            if (i != 0)
                text_ += is_subtracted ? " - " : " + ";
            write(is_subtracted ? term.children[0] : node.children[i], Strength::product);
        }
    }

    // Products lean to the left, powers to the right, comparisons to neither side.
    void binary(SyntaxNode const& node) {
        auto const own = strength_of(node.kind);
        auto const stronger = static_cast<Strength>(static_cast<std::uint8_t>(own) + 1);
        bool const leans_left =
            own == Strength::product || own == Strength::conjunction || own == Strength::disjunction;
        write(node.children[0], leans_left ? own : stronger);
        text_ += operator_text(node.kind);
        write(node.children[1], own == Strength::power ? Strength::sign : stronger);
    }

    void joined(SyntaxNode const& node, std::string_view separator, Strength least) {
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
        is_on_lines_ = layout_ == Layout::on_lines && takes_lines_[id.value];
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
        write(node.children[0], Strength::disjunction);
        text_ += ", ";
        write(node.children[1], Strength::disjunction);
        text_ += ") ";
        block(node.children[2]);
    }

    void choice(SyntaxNode const& node) {
        text_ += "if (";
        write(node.children[0], Strength::disjunction);
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
    Layout layout_;
    std::vector<bool> takes_lines_;  // each node: has processes composed in it
    std::size_t indent_ = 0;
    bool is_on_lines_ = false;
    std::string text_;
};

}  // namespace

std::string print(Syntax const& model) {
    Printer printer(model, Printer::Layout::on_lines);
    for (auto const& equation : model.equations)
        printer.equation(equation);
    return std::move(printer).text();
}

std::string print_on_a_line(Syntax const& model, SyntaxId id) {
    Printer printer(model, Printer::Layout::on_a_line);
    printer.right_side(id);
    return std::move(printer).text();
}

}  // namespace parcast::pamela
