#include "pamela/compile.h"

#include <algorithm>

#include "pamela/lowering/lowering.h"
#include "pamela/lowering/names.h"
#include "pamela/syntax/diagnostic_list.h"
#include "pamela/syntax/parser.h"

namespace parcast::pamela {

namespace {

constexpr std::size_t longest_text = 256U << 20U;  // places in it are 32-bit numbers

void check_setting(Setting const& setting, Syntax const& syntax, DiagnosticList& diagnostics) {
    auto const found = std::ranges::find(syntax.equations, setting.name, &Equation::name);
    if (found == syntax.equations.end()) {
        std::vector<std::string_view> known;
        for (auto const& equation : syntax.equations)
            if (equation.kind == EquationKind::numeric && equation.formals.empty())
                known.push_back(equation.name);
        diagnostics.error_without_place("the model has no '" + setting.name + "' to set",
                                        suggestion(setting.name, known));
    } else if (found->kind != EquationKind::numeric || !found->formals.empty()) {
        auto const what = found->formals.empty() ? name_of(found->kind) : "function of its formal parameters";
        diagnostics.error(found->place, "'" + setting.name + "' cannot be set: it is a " + what,
                          "a numeric equation without formal parameters can");
    }
}

// A number, with a sign or without.
bool is_number(Syntax const& syntax, SyntaxId id) {
    auto const& node = syntax[id];
    return node.kind == SyntaxKind::number ||
           (node.kind == SyntaxKind::negate && syntax[node.children.front()].kind == SyntaxKind::number);
}

}  // namespace

std::vector<std::string> named_numbers(std::string_view text) {
    std::vector<std::string> names;
    if (text.size() > longest_text)
        return names;
    DiagnosticList diagnostics(text, "");
    auto const syntax = parse(text, diagnostics);
    if (diagnostics.has_errors())
        return names;
    for (auto const& equation : syntax.equations) {
        bool const may_vary = equation.is_parameter || (equation.body && is_number(syntax, *equation.body));
        if (equation.kind == EquationKind::numeric && equation.formals.empty() && may_vary)
            names.push_back(equation.name);
    }
    return names;
}

bool Compilation::succeeded() const {
    return std::ranges::none_of(diagnostics,
                                [](Diagnostic const& each) { return each.severity == Severity::error; });
}

Compilation compile(std::string_view text, std::string_view name, std::span<Setting const> settings,
                    ReadFile const& read_file) {
    bool const is_too_long = text.size() > longest_text;
    DiagnosticList diagnostics(is_too_long ? std::string_view() : text, name);
    Compilation result;
    if (is_too_long) {
        diagnostics.error_without_place("the model is longer than 256 MB", "");
    } else {
        auto const syntax = parse(text, diagnostics);
        auto const names = resolve(syntax, diagnostics);
        for (auto const& setting : settings)
            check_setting(setting, syntax, diagnostics);
        result.model = lower(syntax, names, settings, read_file, diagnostics);
    }
    result.diagnostics = std::move(diagnostics).in_order_of_the_text();
    return result;
}

}  // namespace parcast::pamela
