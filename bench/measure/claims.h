// How a benchmark says what it found: a row for each claim, with the target, whether it is met, and beside it
// a named baseline that was measured in turn with it. On a shared machine a rate says little and a ratio
// much.

#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parcast::bench {

// CPU time of the calling thread, s: other programs on the machine do not count, their use of caches does.
double thread_cpu_s();

struct Measured {
    double median = 0;
    double lowest = 0;
    double highest = 0;
};
Measured summary_of(std::vector<double> values);

// CPU seconds of one call.
template <class Work>
double seconds_of(Work&& work) {
    double const begin = thread_cpu_s();
    work();
    return thread_cpu_s() - begin;
}

struct Pair {
    Measured subject;
    Measured baseline;
};

// Rates in items a CPU second. One round to warm up, then subject and baseline in turn.
template <class Subject, class Baseline>
Pair rates_in_turn(double items, int rounds, Subject&& subject, Baseline&& baseline) {
    std::vector<double> subjects;
    std::vector<double> baselines;
    for (int round = -1; round < rounds; ++round) {
        double const one = items / seconds_of(subject);
        double const other = items / seconds_of(baseline);
        if (round >= 0) {
            subjects.push_back(one);
            baselines.push_back(other);
        }
    }
    return {summary_of(subjects), summary_of(baselines)};
}

struct Target {
    enum class Kind { at_least, at_most };
    Kind kind = Kind::at_least;
    double value = 0;
};

struct Claim {
    std::string what;
    std::string unit;  // of all three
    Measured measured;
    std::optional<Target> target;
    std::string baseline;  // its name; empty: none
    Measured baseline_measured;
};

// A line about the run, then the columns' names.
void print_title(std::string_view title);
void print(Claim const& claim);

// What the measured code returns, so that it is not optimised away.
template <class Value>
void keep(Value const& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace parcast::bench
