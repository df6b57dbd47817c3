// Claims: the formulas of psrs.pam are there within 5 ms of its text; a point of the simplified machine
// repair model takes at most 50 us, a deterministic point at most 1 us; a sweep uses all CPUs. Beside a
// point, the model turn by turn, which is what the unsimplified formula costs where no rule for n alike is
// used.
//
//     formula_bench [ROUNDS]    (default 5)

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "core/ensure.h"
#include "measure/claims.h"
#include "measure/example_model.h"
#include "model/composition/time_domain.h"
#include "pamela/compile.h"
#include "support/direct_composition.h"
#include "symbolic/simplify/simplify.h"
#include "symbolic/tape/expression_tape.h"

namespace {

using namespace parcast;
using namespace parcast::bench;
using symbolic::ExpressionTape;

ProcessModel model_of(std::string const& text, std::vector<pamela::Setting> const& settings) {
    auto compilation = pamela::compile(text, "model.pam", settings, no_files);
    ensure(compilation.succeeded(), "the model is right");
    return std::move(compilation.model);
}

symbolic::Expression formula_of(ProcessModel& model) {
    auto const root = model.process_equations.front().root;
    return simplify(model.expressions, model::time_domain(model, root).total);
}

ExpressionTape tape_of(ProcessModel& model) {
    std::vector<std::string> names;
    for (auto const& parameter : model.parameters)
        names.push_back(parameter.name);
    auto const total = formula_of(model);
    auto tape = ExpressionTape::compile(model.expressions, total, names);
    ensure(tape.has_value(), "the formula is one of the parameters");
    return std::move(*tape);
}

// Microseconds of one call.
template <class Work>
double us_of(int repeats, Work&& work) {
    return 1e6 / repeats * seconds_of([&] {
               for (int i = 0; i < repeats; ++i)
                   work(i);
           });
}

template <class Subject, class Baseline>
Pair in_turn(int rounds, Subject&& subject, Baseline&& baseline) {
    std::vector<double> subjects;
    std::vector<double> baselines;
    for (int round = -1; round < rounds; ++round) {
        double const one = subject();
        double const other = baseline();
        if (round >= 0) {
            subjects.push_back(one);
            baselines.push_back(other);
        }
    }
    return {summary_of(subjects), summary_of(baselines)};
}

constexpr Target at_most(double value) {
    return {Target::Kind::at_most, value};
}

void print_compilation(int rounds) {
    auto const text = example("psrs.pam");
    auto const times = in_turn(
        rounds,
        [&] {
            return us_of(20, [&](int) {
                auto model = model_of(text, {});
                keep(tape_of(model));
            });
        },
        [&] { return us_of(20, [&](int) { keep(model_of(text, {}).processes.size()); }); });
    print({"psrs.pam, text to evaluable formula", "us", times.subject, at_most(5000), "text to process model",
           times.baseline});
}

void print_points(int rounds) {
    auto model = model_of(example("mrm.pam"), {{"P", 100, true}, {"N", 1e6, true}});
    auto const tape = tape_of(model);
    auto const root = model.process_equations.front().root;
    auto const clients = [](int i) { return static_cast<double>(2 + i % 300); };
    auto const point = [&] {
        return us_of(2000, [&](int i) { keep(tape.moments(std::array{clients(i), 1e6})); });
    };

    // 100 clients of 10,000 iterations: the whole of it, and by its turns what P N = 10^6 and 10^9 would
    // cost.
    std::array const feasible{100.0, 10'000.0};
    auto const small = in_turn(
        rounds, [&] { return us_of(2000, [&](int) { keep(tape.moments(feasible)); }); },
        [&] {
            return us_of(1, [&](int) {
                keep(model::direct_critical_path<symbolic::MomentTimes>(model, root, feasible,
                                                                        model::Turns::each));
            });
        });
    print({"machine repair, P = 100, N = 10^4", "us", small.subject, at_most(50), "the same, each turn",
           small.baseline});
    auto const large = in_turn(rounds, point, [&] {
        return us_of(2000, [&](int i) {
            keep(stochastic::maximum_of(clients(i), {1.01e7, 1.0001e8, 0.002, 3.000006}));
        });
    });
    print({"machine repair, P = 2..301, N = 10^6", "us", large.subject, at_most(50), "its one maximum alone",
           large.baseline});
}

void print_deterministic(int rounds) {
    std::vector<pamela::Setting> settings{{"t_f", 1}, {"t_m", 10}, {"c1", 1}, {"c2", 1}, {"c3", 1}};
    auto model = model_of(example("psrs.pam"), settings);
    auto const tape = tape_of(model);
    ensure(!tape.is_random(), "all times are numbers");
    auto const by_hand = [](double n, double p) {
        auto const length = n / p;
        auto const sorting = 2 * (length * (length - 1) / 2 + (length - 1) * 10) + p * 10;
        auto const blocks = (n - n / p) / (p * p);
        return sorting + p * p * (p * p - 1) / 2 + (p * p - 1) * 10 + (p - 1) * 10 + p * blocks * 21;
    };
    ensure(*tape.number(std::array{16.0, 2.0}) == by_hand(16, 2), "the formula is the one by hand");
    auto const times = in_turn(
        rounds,
        [&] { return us_of(200'000, [&](int i) { keep(tape.number(std::array{81920.0, 2.0 + i % 126})); }); },
        [&] { return us_of(200'000, [&](int i) { keep(by_hand(81920.0, 2.0 + i % 126)); }); });
    print({"sorting, deterministic", "us", times.subject, at_most(1), "by hand in C++", times.baseline});
}

// Points a second by the clock, since it is about all CPUs.
double sweep(ExpressionTape const& tape, std::size_t points, unsigned threads) {
    std::vector<Moments> results(points);
    auto const begin = std::chrono::steady_clock::now();
    std::vector<std::jthread> workers;
    for (unsigned worker = 0; worker < threads; ++worker) {
        workers.emplace_back([&, worker] {
            for (std::size_t point = worker; point < points; point += threads) {
                auto const clients = 1 + static_cast<double>(point % 1000);
                results[point] = *tape.moments(std::array{clients, 1e6 + static_cast<double>(point)});
            }
        });
    }
    workers.clear();
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - begin;
    keep(results.data());
    return static_cast<double>(points) / passed.count();
}

void print_sweep(int rounds) {
    auto model = model_of(example("mrm.pam"), {{"P", 100, true}, {"N", 1e6, true}});
    auto const tape = tape_of(model);
    auto const cpus = std::max(1U, std::thread::hardware_concurrency());
    constexpr std::size_t points = 100'000;
    auto const rates =
        in_turn(rounds, [&] { return sweep(tape, points, cpus); }, [&] { return sweep(tape, points, 1); });
    print({"sweep, machine repair, " + std::to_string(cpus) + " threads", "points/s", rates.subject,
           std::nullopt, "1 thread", rates.baseline});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    print_title("Formulas of models; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread");
    print_compilation(rounds);
    print_points(rounds);
    print_deterministic(rounds);
    print_sweep(rounds);
}
