// The characteristic function of a computation: its number of events E = g(P) for P threads of control
// (Marinescu, Rice and Vavalis 1990, section 2), as a formula of P with its two derivatives.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "symbolic/formula.h"
#include "symbolic/parameters.h"

namespace parcast::model {

// Value, slope and curvature at one P. Not finite where g is not.
struct Jet {
    double value = 0;
    double slope = 0;
    double curvature = 0;
};

class Characteristic {
public:
    // "P^2", "3*P*log2(P) + c" with c among the parameters. A formula without P is constant.
    // Errors: malformed, not_found (a parameter without a value).
    static Result<Characteristic> parse(std::string_view formula,
                                        symbolic::Parameters const& parameters = {});

    std::string const& text() const { return text_; }

    // REQUIRES: threads > 0. Cost: linear in the formula, no allocation.
    Jet at(double threads) const;
    double operator()(double threads) const { return at(threads).value; }

private:
    Characteristic() = default;

    std::string text_;
    std::vector<symbolic::Term> postfix_;  // its parameters but P are numbers
};

// How g grows for many threads. The words of the paper: section 1 (optimal, little hope), 2.4 and 2.5.
enum class Growth : std::uint8_t {
    constant,
    below_linear,
    linear,
    above_linear,  // between linear and quadratic: P log P, P^1.5
    quadratic,
    polynomial,  // above quadratic
    exponential,
};

struct GrowthWords {
    std::string_view word;      // "linear", in JSON too
    std::string_view sentence;  // "quadratic: each thread has events in proportion to ..."
};
GrowthWords words_of(Growth growth);

// By P g' / g at the largest P for which g is finite. REQUIRES: g > 0 for many threads, or constant.
Growth growth_of(Characteristic const& characteristic);

}  // namespace parcast::model
