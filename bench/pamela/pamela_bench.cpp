// Claim: the published model of PSRS is compiled within 5 ms, from its text to the process model with all
// names replaced. Beside it, its tokens alone; and a model of many equations, for the rate.
//
//     pamela_bench [ROUNDS]    (default 5)

#include <cstdlib>
#include <string>

#include "core/ensure.h"
#include "measure/claims.h"
#include "measure/example_model.h"
#include "pamela/compile.h"
#include "pamela/syntax/lexer.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

// All call one numeric equation, each with another argument.
std::string long_model(int equations) {
    std::string text = "numeric parameter N\nnumeric f0(n) = moments(n, n*n, 2, 9)\n";
    for (int i = 1; i < equations; ++i) {
        auto const number = std::to_string(i);
        text += "process work" + number + " = seq (i = 1, N) { delay(f0(" + number + ")) ; use(fcfs(" +
                number + ", 1), " + number + " / N) }\n";
    }
    return text;
}

void compile(std::string const& text) {
    auto const compilation = pamela::compile(text, "model.pam", {}, no_files);
    ensure(compilation.succeeded(), "the model is right");
    keep(compilation.model.processes.size());
}

void read_tokens(std::string const& text) {
    pamela::DiagnosticList diagnostics(text, "model.pam");
    keep(pamela::tokens_of(text, diagnostics).size());
}

template <class Work>
double us_of(int repeats, Work&& work) {
    return 1e6 / repeats * seconds_of([&] {
               for (int i = 0; i < repeats; ++i)
                   work();
           });
}

void print_model(std::string const& what, std::string const& text, int repeats, int rounds,
                 std::optional<Target> target) {
    std::vector<double> whole;
    std::vector<double> tokens;
    for (int round = -1; round < rounds; ++round) {
        double const one = us_of(repeats, [&] { compile(text); });
        double const other = us_of(repeats, [&] { read_tokens(text); });
        if (round >= 0) {
            whole.push_back(one);
            tokens.push_back(other);
        }
    }
    print({what, "us", summary_of(whole), target, "tokens alone", summary_of(tokens)});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    print_title("Models compiled; medians of " + std::to_string(rounds) + " rounds, CPU time of one thread");
    print_model("psrs.pam", example("psrs.pam"), 200, rounds, Target{Target::Kind::at_most, 5000});
    print_model("mrm.pam", example("mrm.pam"), 500, rounds, std::nullopt);
    print_model("10,000 equations", long_model(10'000), 2, rounds, std::nullopt);
}
