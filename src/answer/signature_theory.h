// What the events/threads model says about a characteristic function that is given: no recording, no machine
// (theorem 2.1 of Marinescu, Rice and Vavalis 1990, as corrected).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parcast {

struct TheoryPoint {
    double threads = 1;
    double a = 1;                              // share of the threads that run; 1, as nobody is blocked
    double work = 1;                           // W(P) / W(1)
    double b = 1;                              // W(P) / (P W(1))
    double speed_up = 1;                       // a / b
    double efficiency = 1;                     // S / P
    std::optional<double> divide_and_conquer;  // scaled: the least speed-up of such an algorithm
};

// Of fixed size, or scaled.
struct TheoryExecution {
    std::optional<double> p_smax;  // none: the speed-up rises for all P
    std::optional<double> s_max;
    std::optional<std::uint64_t> best_p;
    std::optional<double> best_speed_up;
    std::optional<double> inflection;
    std::optional<double> limit;      // of the speed-up, where it has no maximum
    double least_b = 0;               // its limit where it has no minimum
    std::optional<double> flat_from;  // W(P) / P within 5 % of the least; none: it falls to 0
    std::optional<double> flat_to;    // none: for all P
    std::string paper_class;          // "a", "b", "sa", "sb", "sc"; empty: the paper names none
    std::string outlook;              // for many threads, a sentence
    std::vector<TheoryPoint> points;
};

struct SignatureTheory {
    std::string g;
    double alpha = 0;    // W(1) / theta
    std::string growth;  // "quadratic"
    std::string growth_sentence;
    TheoryExecution fixed_size;
    std::optional<TheoryExecution> scaled;
};

}  // namespace parcast
