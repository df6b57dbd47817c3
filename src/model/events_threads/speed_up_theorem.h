// What the characteristic function g and alpha = W(1) / theta say about speed-up, if nobody is ever blocked
// (theorem 2.1 of Marinescu, Rice and Vavalis 1990, as corrected):
//
//     S(P) = P / (1 + g(P) / alpha)        b(P) = W(P) / (P W(1)) = (1 + g(P) / alpha) / P
//
// For an increasing convex g, P g' - g does not fall, so S has at most one maximum, where P g' = alpha + g;
// and exactly one if P g' - g ever exceeds alpha. Otherwise (linear g) S rises to a limit. The same P has the
// least work per thread b. S is concave up to its inflection beyond the maximum, and convex from there.
//
// Scaled execution: W(1) grows as P does, so that alpha is multiplied by P (2.33).

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/result.h"
#include "model/events_threads/characteristic.h"

namespace parcast::model {

enum class Execution : std::uint8_t { fixed_size, scaled };

struct ThreadRange {
    double from = 1;
    std::optional<double> to;  // none: for all P from `from` on

    friend bool operator==(ThreadRange const&, ThreadRange const&) = default;
};

// The best number of threads, P >= 1.
struct SpeedUpMaximum {
    double threads = 1;               // P_smax; 1 if more than one thread is never faster
    double speed_up = 1;              // S_max
    std::uint64_t whole_threads = 1;  // the best whole number
    double whole_speed_up = 1;
    std::optional<double> inflection;  // beyond it S is convex; none: it never is
};

// W(P) / P, the signature (section 2.4).
struct SignatureShape {
    double least = 0;                 // of b(P) = W(P) / (P W(1)); the limit where there is no minimum
    std::optional<ThreadRange> flat;  // where b is within 5 % of it; none: it falls to 0
};

struct Optimum {
    std::optional<SpeedUpMaximum> maximum;  // none: S rises for all P
    std::optional<double> limit;            // of S for many threads where it has no maximum; none: no limit
    SignatureShape signature;
};

// What the theorem assumes: g is not negative, does not fall and is convex from P = 1 on. Looked at 32 times
// an octave, as far as g is finite and at most to P = 2^50. Errors: out_of_range, inconsistent: which of them
// does not hold, and where.
Result<void> check_theorem(Characteristic const& g);

// Of any g that is not negative, also where the theorem does not hold (a g below linear has no maximum).
// Errors: out_of_range (alpha is not above 0; g is negative, or not finite at P = 1), inconsistent (S has
// more than one maximum). Cost: some thousand evaluations of g.
Result<Optimum> optimum(Characteristic const& g, double alpha, Execution execution = Execution::fixed_size);

// At one P. Holds for every g that is not negative.
struct Efficiency {
    double threads = 1;
    double a = 1;           // share of the threads that run: 1, nobody is blocked
    double work = 1;        // W(P) / W(1)
    double b = 1;           // W(P) / (P W(1))
    double speed_up = 1;    // a / b
    double efficiency = 1;  // S / P
};
// Errors: out_of_range (g negative or not finite at P).
Result<Efficiency> efficiency(Characteristic const& g, double alpha, double threads,
                              Execution execution = Execution::fixed_size, double a = 1);

// What becomes of the speed-up for many threads: (a), (b) of section 2.5; scaled: (sa) to (sc).
enum class Prospect : std::uint8_t { unlimited, limited, vanishes };
struct Outlook {
    Prospect prospect = Prospect::unlimited;
    std::string_view paper_class;  // "a", "b", "sa", "sb", "sc"; empty: the paper has none
    std::string_view sentence;     // "S stays below a constant"
};
Outlook outlook(Characteristic const& g, Execution execution);

// Scaled speed-up of divide and conquer with W(P) <= W(1) log2 P and E = O(P) events, at least: T(P) <= 2
// T(1) log2 P / P (2.35 as corrected), so P / (2 log2 P). REQUIRES: threads >= 2.
double divide_and_conquer_speed_up(double threads);

}  // namespace parcast::model
