#include "model/bounds/reachable_time.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <string>

namespace parcast::model {

namespace {

using Allocation = std::vector<std::uint32_t>;

constexpr double tolerance = 1e-9;  // of a profile's sum

// C(n, j) / 2^n for j = 0..n: how many subsets of n have j members, in parts of all.
std::vector<double> parts_of_subsets(std::uint32_t n) {
    std::vector<double> parts(n + 1);
    parts[0] = std::ldexp(1.0, -static_cast<int>(n));
    for (std::uint32_t j = 0; j < n; ++j)
        parts[j + 1] = parts[j] * (n - j) / (j + 1);
    return parts;
}

// Multiplies polynomials, of the second one up to x^most, up to x^last.
void multiply(std::vector<double>& product, std::vector<double> const& factor, std::uint32_t most,
              std::size_t last) {
    auto const terms = std::min<std::size_t>(factor.size(), most + 1);
    std::vector<double> result(std::min(product.size() + terms - 1, last + 1));
    for (std::size_t i = 0; i < product.size(); ++i) {
        auto const end = std::min(terms, result.size() - i);
        for (std::size_t j = 0; j < end; ++j)
            result[i + j] += product[i] * factor[j];
    }
    product = std::move(result);
}

// `processes` over `processors`, as even as possible: falling.
void add_even(Allocation& allocation, std::uint32_t processes, std::uint32_t processors) {
    for (; processes > 0; --processors) {
        auto const share = (processes + processors - 1) / processors;
        allocation.push_back(share);
        processes -= share;
    }
}

void add_packed(Allocation& allocation, std::uint32_t processes, std::uint32_t most) {
    for (; processes > 0; processes -= std::min(processes, most))
        allocation.push_back(std::min(processes, most));
}

// Allocations that begin with `prefix`, and go on with at least `next` processes on the next processor.
struct Branch {
    double bound = 0;
    double thick = 0;  // of the prefix, with the rest as even as possible
    Allocation prefix;
    std::uint32_t next = 0;
    bool is_whole = false;  // all processes are in the prefix

    bool operator<(Branch const& other) const { return bound > other.bound; }  // the least on top
};

class BranchAndBound {
public:
    BranchAndBound(SynchronisedProgram const& program, std::uint32_t processors)
        : program_(program),
          processes_(static_cast<std::uint32_t>(program.profile.size())),
          processors_(std::min(processors, processes_)) {}

    ReachableTime best() {
        add({}, thick({}));
        while (true) {
            auto branch = open_.top();
            open_.pop();
            if (branch.is_whole)
                return {branch.bound, std::move(branch.prefix), evaluations_};
            add_next_child(std::move(branch));
        }
    }

private:
    std::uint32_t left(Allocation const& prefix) const {
        return processes_ - std::accumulate(prefix.begin(), prefix.end(), std::uint32_t{0});
    }
    std::uint32_t most_of_next(Allocation const& prefix) const {
        return std::min(left(prefix), prefix.empty() ? processes_ : prefix.back());
    }
    std::uint32_t least_of_next(Allocation const& prefix) const {
        auto const processors = processors_ - static_cast<std::uint32_t>(prefix.size());
        return (left(prefix) + processors - 1) / processors;
    }

    double thick(Allocation allocation) {
        ++evaluations_;
        add_even(allocation, left(allocation), processors_ - static_cast<std::uint32_t>(allocation.size()));
        return expected_most_active(allocation, program_.profile);
    }
    double thin(Allocation allocation) const {
        add_packed(allocation, left(allocation), most_of_next(allocation));
        return program_.granularity * program_.latency * latencies_paid(allocation, program_.profile);
    }

    void add(Allocation prefix, double thick_value) {
        bool const is_whole = left(prefix) == 0;
        auto const next = is_whole ? 0 : least_of_next(prefix);
        auto const bound = thick_value + thin(prefix);
        open_.push({bound, thick_value, std::move(prefix), next, is_whole});
    }

    // s does not fall as the next processor gets more, and packing the rest does not depend on it: the child
    // bounds those behind it.
    void add_next_child(Branch branch) {
        auto child = branch.prefix;
        child.push_back(branch.next);
        bool const is_even = branch.next == least_of_next(branch.prefix);
        auto const thick_value = is_even ? branch.thick : thick(child);
        auto const packed = thin(branch.prefix);
        add(std::move(child), thick_value);
        if (branch.next++ < most_of_next(branch.prefix)) {
            branch.bound = thick_value + packed;
            open_.push(std::move(branch));
        }
    }

    SynchronisedProgram const& program_;
    std::uint32_t processes_;
    std::uint32_t processors_;
    std::priority_queue<Branch> open_;
    std::uint64_t evaluations_ = 0;
};

Result<void> check(SynchronisedProgram const& program, std::uint32_t processors) {
    if (program.profile.empty() || program.profile.size() > most_reachable_processes)
        return fail(ErrorCode::out_of_range, "there must be 1 to " +
                                                 std::to_string(most_reachable_processes) +
                                                 " processes, not " + std::to_string(program.profile.size()));
    if (processors == 0)
        return fail(ErrorCode::out_of_range, "there must be a processor");
    if (!(program.granularity >= 0) || !(program.latency >= 0) ||
        !std::isfinite(program.granularity * program.latency))
        return fail(ErrorCode::out_of_range, "granularity and latency must be numbers from 0 on");
    double sum = 0;
    for (double const part : program.profile) {
        if (!(part >= 0))
            return fail(ErrorCode::out_of_range, "a profile has no negative parts");
        sum += part;
    }
    if (!(std::abs(sum - 1) <= tolerance))
        return fail(ErrorCode::inconsistent,
                    "the parts of the profile sum to " + std::to_string(sum) + ", and must sum to 1");
    return {};
}

}  // namespace

double expected_most_active(Allocation const& allocation, std::vector<double> const& profile) {
    auto const processes = static_cast<std::uint32_t>(profile.size());
    std::vector<std::vector<double>> factors;  // by processor
    for (auto const each : allocation)
        factors.push_back(parts_of_subsets(each));
    auto const all = parts_of_subsets(processes);
    auto last = profile.size();  // of those that are ever active at once
    while (last > 1 && profile[last - 1] == 0)
        --last;
    double expected = 0;
    // The expected maximum is the sum of the odds that it exceeds 0, 1, ...
    for (std::uint32_t most = 0; most < std::min<std::size_t>(allocation.front(), last); ++most) {
        std::vector<double> within{1.0};
        for (auto const& factor : factors)
            multiply(within, factor, most, last);
        for (std::size_t active = 1; active <= last; ++active)
            expected +=
                profile[active - 1] * (active < within.size() ? 1 - within[active] / all[active] : 1.0);
    }
    return expected;
}

double latencies_paid(Allocation const& allocation, std::vector<double> const& profile) {
    auto const n = static_cast<double>(profile.size());
    if (profile.size() == 1)
        return 0;
    double together = 0;
    for (double const each : allocation)
        together += each * (each - 1);
    double active = 0;
    for (std::size_t q = 1; q <= profile.size(); ++q)
        active += static_cast<double>(q) * profile[q - 1];
    return active * (n * (n - 1) - together) / (n * (n - 1));
}

Result<ReachableTime> reachable_time(SynchronisedProgram const& program, std::uint32_t processors) {
    if (auto const checked = check(program, processors); !checked)
        return pass_on(checked);
    return BranchAndBound(program, processors).best();
}

}  // namespace parcast::model
