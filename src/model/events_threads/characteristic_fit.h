// Which function of P are counted events? Six classes are fitted, and the simplest that the data support is
// taken: by the corrected Akaike criterion (Hurvich and Tsai 1989), and the simpler one where two differ by
// less than 4.
//
// Assumptions: (1) errors of counts are relative (log-normal), with equal deviation for all P; (2) counts
// themselves are whole, so no fit is believed to be better than 1e-4. The criterion needs two counts more
// than a form has numbers; with fewer its correction is held at the last value that exists, and the fit has
// the warning `few_counts`.
//
// Cost: some hundred logarithms a count; below 1 ms for 100 counts.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/moments.h"
#include "core/result.h"
#include "model/events_threads/characteristic.h"
#include "model/events_threads/speed_up_theorem.h"
#include "model/events_threads/sum_fit.h"

namespace parcast::model {

// In the order from simple to complicated.
enum class CharacteristicForm : std::uint8_t {
    constant,          // c
    linear,            // c + d P
    power,             // c P^n
    p_log_p,           // c + d P log2 P
    polynomial,        // c + d P + e P^2
    linear_and_power,  // c P + d P^n: what threads have anyway, and what they have with each other
    exponential,       // c r^P
};
std::string_view name_of(CharacteristicForm form);  // "power"

struct CharacteristicCandidate {
    CharacteristicForm form = CharacteristicForm::constant;
    std::string formula;                            // of P, with all its digits: for Characteristic::parse
    std::vector<double> coefficients;               // in the order in which they are written above
    std::optional<double> exponent;                 // n of the powers
    std::optional<ConfidenceInterval> exponent_95;  // none where no freedom is left
    double criterion = 0;                           // AICc; the least is the best
    double relative_error = 0;                      // root mean square of ln(E / g(P))
    std::vector<double> residuals;                  // ln(E / g(P)), a count each
};

// How a form grows, as it was chosen: "linear", "P log P", "P^1.26".
std::string growth_text(CharacteristicCandidate const& candidate);

struct CharacteristicFit {
    std::vector<CharacteristicCandidate> candidates;  // those that could be fitted, in the order of forms
    std::size_t chosen = 0;                           // into candidates
    // The exponent of the growth: of a sum c + d P or c + d P + e P^2 that of its last term, if it were free;
    // otherwise that of the better one of the two powers. None: nothing with an exponent could be fitted.
    std::optional<double> exponent;
    std::optional<ConfidenceInterval> exponent_95;
    std::vector<std::size_t> as_good;  // other candidates that the data do not tell from the chosen one
    bool few_counts = false;           // fewer than four
    Growth growth = Growth::constant;  // of the chosen one

    CharacteristicCandidate const& best() const { return candidates[chosen]; }
};

// Errors: out_of_range (fewer than three counts, a count that is not above 0), inconsistent (a P twice).
// REQUIRES: finite values. The order of the counts does not matter.
Result<CharacteristicFit> fit_characteristic(std::span<EventCount const> counts);

// In which range of P, among whole numbers from `from` to `to`, has the first fewer events than the second?
// Ascending ranges. Cost: linear in to - from up to 4096 numbers, then geometric steps.
std::vector<ThreadRange> fewer_events(Characteristic const& first, Characteristic const& second,
                                      std::uint64_t from, std::uint64_t to);

}  // namespace parcast::model
