#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "model/queueing/exact_mva.h"

namespace parcast::model {

namespace {

// Populations are numbered like a clock with a wheel a class: one customer less is always an earlier number.
struct Populations {
    std::vector<std::uint64_t> step;  // by class: between numbers that differ by one customer
    std::uint64_t count = 1;
};

Populations populations_of(ClassesNetwork const& network) {
    Populations populations;
    for (std::uint32_t const customers : network.customers) {
        populations.step.push_back(populations.count);
        populations.count *= std::uint64_t{customers} + 1;
    }
    return populations;
}

// Stations with several servers at which somebody can wait.
std::vector<std::size_t> several_of(ClassesNetwork const& network) {
    std::vector<std::size_t> several;
    for (std::size_t k = 0; k < network.kinds.size(); ++k)
        if (network.servers_at(k) > 1 && !is_waitless(network, k))
            several.push_back(k);
    return several;
}

// The stations with several servers are in the network or not by the bits of a subset; all others always are.
// Subsets are solved in ascending order, so that those with a station less are known.
class ClassRecursion {
public:
    explicit ClassRecursion(ClassesNetwork const& network)
        : network_(network), populations_(populations_of(network)), several_(several_of(network)) {
        bit_.assign(network.kinds.size(), absent_never);
        first_held_.assign(network.kinds.size(), 0);
        for (std::size_t i = 0; i < several_.size(); ++i) {
            bit_[several_[i]] = i;
            first_held_[several_[i]] = held_width_;
            held_width_ += network.servers_at(several_[i]) - 1;
        }
        for (std::size_t k = 0; k < network.kinds.size(); ++k)
            waitless_.push_back(is_waitless(network, k));
        throughput_.assign(subsets() * populations_.count * classes(), 0);
    }

    std::vector<ClassSolution> solve() {
        for (subset_ = 0; subset_ < subsets(); ++subset_)
            solve_subset();
        return std::move(solution_);
    }

private:
    static constexpr std::size_t absent_never = std::numeric_limits<std::size_t>::max();

    std::size_t subsets() const { return std::size_t{1} << several_.size(); }
    std::size_t classes() const { return network_.customers.size(); }
    std::size_t stations() const { return network_.kinds.size(); }
    bool is_several(std::size_t k) const { return bit_[k] != absent_never; }
    bool is_present(std::size_t k) const { return !is_several(k) || (subset_ >> bit_[k] & 1) != 0; }

    std::uint64_t customers_in(std::uint64_t number, std::size_t c) const {
        return number / populations_.step[c] % (std::uint64_t{network_.customers[c]} + 1);
    }
    double& throughput(std::size_t subset, std::uint64_t number, std::size_t c) {
        return throughput_[(subset * populations_.count + number) * classes() + c];
    }
    double& customers_at(std::uint64_t number, std::size_t k) { return queues_[number * stations() + k]; }
    double& held(std::uint64_t number, std::size_t k, std::size_t by) {
        return held_[number * held_width_ + first_held_[k] + by];
    }

    void solve_subset() {
        queues_.assign(populations_.count * stations(), 0);
        held_.assign(populations_.count * held_width_, 0);
        solution_.assign(classes(), {});
        for (std::size_t const k : several_)
            held(0, k, 0) = 1;
        for (std::uint64_t number = 1; number < populations_.count; ++number) {
            for (std::size_t c = 0; c < classes(); ++c)
                if (customers_in(number, c) > 0)
                    solve_class(number, c);
            for (std::size_t const k : several_)
                if (is_present(k))
                    shift(number, k);
        }
    }

    void solve_class(std::uint64_t number, std::size_t c) {
        std::uint64_t const seen = number - populations_.step[c];
        ClassSolution one;
        for (std::size_t k = 0; k < stations(); ++k) {
            one.residence.push_back(is_present(k) ? residence(c, k, seen) : 0);
            one.response += one.residence.back();
        }
        one.throughput = static_cast<double>(customers_in(number, c)) / (network_.think[c] + one.response);
        throughput(subset_, number, c) = one.throughput;
        for (std::size_t k = 0; k < stations(); ++k)
            if (one.residence[k] > 0)
                customers_at(number, k) += one.throughput * one.residence[k];
        solution_[c] = std::move(one);
    }

    // As if one server were so many times as fast, but for the idle ones, which cannot help.
    double residence(std::size_t c, std::size_t k, std::uint64_t seen) {
        double const demand = network_.demands[c][k];
        if (waitless_[k])
            return demand;
        double ahead = customers_at(seen, k);
        if (!is_several(k))
            return demand * (1 + ahead);
        double const servers = network_.servers_at(k);
        for (std::size_t j = 0; j + 1 < network_.servers_at(k); ++j)
            ahead += (servers - static_cast<double>(j) - 1) * held(seen, k, j);
        return demand / servers * (1 + ahead);
    }

    // The probabilities that station k holds 0 to servers - 2 customers, from those with one customer less.
    void shift(std::uint64_t number, std::size_t k) {
        bool is_visited = false;
        for (std::size_t c = 0; c < classes(); ++c) {
            double const demand = network_.demands[c][k];
            if (customers_in(number, c) == 0 || demand == 0)
                continue;
            std::uint64_t const seen = number - populations_.step[c];
            double const through = throughput(subset_, number, c);
            if (!is_visited) {
                double const without =
                    throughput(subset_ & ~(std::size_t{1} << bit_[k]), number, c);  // may be infinite
                held(number, k, 0) = held(seen, k, 0) * through / without;
            }
            is_visited = true;
            for (std::size_t j = 1; j + 1 < network_.servers_at(k); ++j)
                held(number, k, j) += through * demand / static_cast<double>(j) * held(seen, k, j - 1);
        }
        if (!is_visited)
            held(number, k, 0) = 1;
    }

    ClassesNetwork const& network_;
    Populations populations_;
    std::vector<std::size_t> several_;
    std::vector<std::size_t> bit_;  // by station: of a subset
    std::vector<std::size_t> first_held_;
    std::size_t held_width_ = 0;
    std::vector<bool> waitless_;
    std::size_t subset_ = 0;
    std::vector<double> throughput_;  // by subset, population and class
    std::vector<double> queues_;      // of this subset: mean customers by population and station
    std::vector<double> held_;        // probabilities by population, station and number of customers there
    std::vector<ClassSolution> solution_;
};

}  // namespace

double populations_to_solve(ClassesNetwork const& network) {
    double populations = std::exp2(static_cast<double>(several_of(network).size()));
    for (std::uint32_t const customers : network.customers)
        populations *= customers + 1.0;
    return populations;
}

Result<std::vector<ClassSolution>> exact_mva(ClassesNetwork const& network) {
    if (auto sound = check(network); !sound)
        return pass_on(sound);
    if (populations_to_solve(network) > most_populations) {
        return fail(ErrorCode::out_of_range,
                    "the exact analysis of several classes takes at most " +
                        std::to_string(static_cast<std::uint64_t>(most_populations)) +
                        " combinations of customers; the approximate one takes these");
    }
    return ClassRecursion(network).solve();
}

}  // namespace parcast::model
