// Any model can be printed, and read again as the same tree.

#include <gtest/gtest.h>

#include <random>

#include "pamela/syntax/parser.h"
#include "support/syntax_printer.h"

namespace parcast::pamela {
namespace {

// Models that no person writes: any construct in any other, as far as the grammar goes.
class RandomModel {
public:
    explicit RandomModel(std::uint32_t seed) : random_(seed) {}

    Syntax model() {
        auto const equations = below(4) + 1;
        for (std::uint32_t i = 0; i < equations; ++i) {
            Equation equation;
            equation.kind = static_cast<EquationKind>(below(3));
            equation.name = name();
            for (std::uint32_t formal = below(3); formal > 0; --formal)
                equation.formals.push_back({"f" + std::to_string(formal), {}});
            equation.is_parameter =
                equation.kind == EquationKind::numeric && equation.formals.empty() && below(4) == 0;
            equation.body = node(4);
            if (equation.is_parameter && below(2) == 0)
                equation.body.reset();
            syntax_.equations.push_back(std::move(equation));
        }
        return std::move(syntax_);
    }

private:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

    std::string name() {
        return std::string(1, static_cast<char>('a' + below(6))) + (below(2) == 0 ? "_1" : "");
    }

    SyntaxId add(SyntaxKind kind, std::vector<SyntaxId> children, std::string word = {}, double number = 0) {
        syntax_.nodes.push_back({kind, {}, {}, std::move(word), number, std::move(children)});
        return {static_cast<std::uint32_t>(syntax_.nodes.size() - 1)};
    }

    std::vector<SyntaxId> nodes(std::uint32_t count, std::uint32_t depth) {
        std::vector<SyntaxId> result;
        for (std::uint32_t i = 0; i < count; ++i)
            result.push_back(node(depth));
        return result;
    }

    double number() {
        switch (below(4)) {
            case 0: return below(10);
            case 1: return below(1000) / 8.0;
            case 2: return 1e-7 * below(1000);
            default: return 1e21 * (1 + below(1000));
        }
    }

    SyntaxId leaf() {
        if (below(8) == 0)
            return add(SyntaxKind::text, {}, "times.txt");
        return below(2) == 0 ? add(SyntaxKind::number, {}, {}, number()) : add(SyntaxKind::name, {}, name());
    }

    SyntaxId node(std::uint32_t depth) {
        if (depth == 0 || below(5) == 0)
            return leaf();
        constexpr SyntaxKind unary[] = {SyntaxKind::negate, SyntaxKind::complement};
        constexpr SyntaxKind binary[] = {SyntaxKind::element,     SyntaxKind::multiply,
                                         SyntaxKind::divide,      SyntaxKind::quotient,
                                         SyntaxKind::power,       SyntaxKind::remainder,
                                         SyntaxKind::less,        SyntaxKind::less_or_equal,
                                         SyntaxKind::greater,     SyntaxKind::greater_or_equal,
                                         SyntaxKind::equal,       SyntaxKind::not_equal,
                                         SyntaxKind::conjunction, SyntaxKind::disjunction};
        constexpr SyntaxKind loops[] = {SyntaxKind::sequential_loop, SyntaxKind::parallel_loop,
                                        SyntaxKind::sum_loop, SyntaxKind::maximum_loop};
        switch (below(8)) {
            case 0: return add(unary[below(2)], nodes(1, depth - 1));
            case 1:
            case 2: return add(binary[below(std::size(binary))], nodes(2, depth - 1));
            case 3: return add(loops[below(4)], nodes(3, depth - 1), name());
            case 4: return add(SyntaxKind::choice, nodes(2 + below(2), depth - 1));
            case 5:
                return below(2) == 0 ? add(SyntaxKind::call, nodes(1 + below(3), depth - 1), name())
                                     : add(SyntaxKind::vector, nodes(below(4), depth - 1));
            case 6: return sum(depth - 1);
            default: return composition(depth - 1);
        }
    }

    SyntaxId sum(std::uint32_t depth) {
        auto terms = nodes(2 + below(2), depth);
        for (std::size_t i = 1; i < terms.size(); ++i)
            if (below(2) == 0)
                terms[i] = add(SyntaxKind::subtracted, {terms[i]});
        return add(SyntaxKind::sum, std::move(terms));
    }

    SyntaxId composition(std::uint32_t depth) {
        auto const kind = below(2) == 0 ? SyntaxKind::sequence : SyntaxKind::parallel;
        auto const parts = kind == SyntaxKind::sequence && below(5) == 0 ? 0 : 2 + below(2);
        return add(kind, nodes(parts, depth));
    }

    std::mt19937 random_;
    Syntax syntax_;
};

TEST(Printer, PrintingThenParsingIsIdentity) {
    for (std::uint32_t seed = 0; seed < 5000; ++seed) {
        auto const model = RandomModel(seed).model();
        auto const text = print(model);
        DiagnosticList diagnostics(text, "printed");
        auto const again = parse(text, diagnostics);
        auto const said = std::move(diagnostics).in_order_of_the_text();
        ASSERT_TRUE(said.empty()) << "seed " << seed << "\n" << describe(said, text);
        ASSERT_TRUE(same(model, again)) << "seed " << seed << "\n" << text << "\nagain\n" << print(again);
    }
}

TEST(Printer, ComposedProcessesStandOnLinesOfTheirOwn) {
    std::string const text =
        "process main = par (p = 1, P) {\n"
        "    seq (i = 1, N) {\n"
        "        delay(t_l) ;\n"
        "        if (c) { use(s, t_s) } else { }\n"
        "    }\n"
        "}\n";
    DiagnosticList diagnostics(text, "printed");
    EXPECT_EQ(print(parse(text, diagnostics)), text);
}

}  // namespace
}  // namespace parcast::pamela
