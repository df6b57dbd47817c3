// Claim: a closed network with 5 stations and 100,000 customers is solved exactly within 5 ms, and
// approximately within 10 us for any number. Beside the first, the bare recursion over the same numbers,
// which is what its divide and its chain of dependent steps allow; beside the second, the exact solution.
//
//     queueing_bench [ROUNDS]    (default 5)

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "measure/claims.h"
#include "model/queueing/approximate_mva.h"
#include "model/queueing/exact_mva.h"
#include "model/queueing/shared_bus.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr std::uint32_t many = 100'000;
constexpr std::array<double, 5> demands{0.0100, 0.0099, 0.0120, 0.0070, 0.0042};
constexpr double think = 100;

model::ClosedNetwork network() {
    model::ClosedNetwork network{think, {}};
    for (double const demand : demands)
        network.stations.push_back({demand, 1, model::StationKind::queue, 1});
    return network;
}

double bare_recursion(std::uint32_t customers) {
    std::array<double, demands.size()> queues{};
    double throughput = 0;
    for (std::uint32_t n = 1; n <= customers; ++n) {
        std::array<double, demands.size()> residences;
        double cycle = think;
        for (std::size_t k = 0; k < demands.size(); ++k) {
            residences[k] = demands[k] * (1 + queues[k]);
            cycle += residences[k];
        }
        throughput = n / cycle;
        for (std::size_t k = 0; k < demands.size(); ++k)
            queues[k] = throughput * residences[k];
    }
    return throughput;
}

// Seconds of one call times `scale`, of `repeats` calls in a row.
template <class Subject, class Baseline>
Pair times_in_turn(double scale, int repeats, int rounds, Subject&& subject, Baseline&& baseline) {
    std::vector<double> subjects;
    std::vector<double> baselines;
    auto const repeated = [&](auto& work) {
        return scale / repeats * seconds_of([&] {
                   for (int i = 0; i < repeats; ++i)
                       work();
               });
    };
    for (int round = -1; round < rounds; ++round) {
        double const one = repeated(subject);
        double const other = repeated(baseline);
        if (round >= 0) {
            subjects.push_back(one);
            baselines.push_back(other);
        }
    }
    return {summary_of(subjects), summary_of(baselines)};
}

void print_exact(int rounds) {
    auto const plain = network();
    auto several = plain;
    several.stations[2].servers = 8;
    auto const bare = [] { keep(bare_recursion(many)); };
    auto const one = times_in_turn(1e3, 5, rounds, [&] { keep(model::exact_mva(plain, many)); }, bare);
    print({"exact, 5 stations, 100,000 customers", "ms", one.subject, Target{Target::Kind::at_most, 5},
           "bare recursion", one.baseline});
    auto const eight = times_in_turn(1e3, 5, rounds, [&] { keep(model::exact_mva(several, many)); }, bare);
    print({"the same, one station with 8 servers", "ms", eight.subject, std::nullopt, "bare recursion",
           eight.baseline});
}

void print_approximate(int rounds) {
    auto const plain = network();
    for (std::uint32_t const customers : {100U, 1000U, many}) {
        auto const time = times_in_turn(
            1e6, 20, rounds, [&] { keep(model::approximate_mva(plain, customers)); },
            [&] { keep(model::exact_mva(plain, customers)); });
        print({"approximate, " + std::to_string(customers) + " customers", "us", time.subject,
               Target{Target::Kind::at_most, 10}, "exact", time.baseline});
    }
}

void print_bus(int rounds) {
    model::BusRequests const requests{0.015, 0.15, 0.4, 0.3};
    auto const time = times_in_turn(
        1e6, 100, rounds, [&] { keep(model::solve_shared_bus({}, requests, 16)); },
        [&] { keep(model::approximate_mva(network(), 16)); });
    print({"shared bus, 16 processors", "us", time.subject, std::nullopt, "approximate, 16 customers",
           time.baseline});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    print_title("Closed queueing networks; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread");
    print_exact(rounds);
    print_approximate(rounds);
    print_bus(rounds);
}
