#include "pamela/syntax/syntax.h"

#include <algorithm>

namespace parcast::pamela {

namespace {

bool same(Syntax const& left, SyntaxId a, Syntax const& right, SyntaxId b) {
    auto const& x = left[a];
    auto const& y = right[b];
    return x.kind == y.kind && x.word == y.word && x.number == y.number &&
           std::ranges::equal(x.children, y.children,
                              [&](SyntaxId p, SyntaxId q) { return same(left, p, right, q); });
}

}  // namespace

char const* name_of(EquationKind kind) {
    switch (kind) {
        case EquationKind::numeric: return "numeric";
        case EquationKind::process: return "process";
        case EquationKind::resource: return "resource";
    }
    return "";
}

bool same(Syntax const& left, Syntax const& right) {
    return std::ranges::equal(left.equations, right.equations, [&](Equation const& a, Equation const& b) {
        return a.kind == b.kind && a.is_parameter == b.is_parameter && a.name == b.name &&
               std::ranges::equal(a.formals, b.formals, {}, &Formal::name, &Formal::name) &&
               a.body.has_value() == b.body.has_value() && (!a.body || same(left, *a.body, right, *b.body));
    });
}

}  // namespace parcast::pamela
