#include "model/events_threads/characteristic_fit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "core/three_digits.h"
#include "model/events_threads/over_threads.h"
#include "model/events_threads/power_beside.h"
#include "model/events_threads/sum_fit.h"

namespace parcast::model {

namespace {

constexpr double enough_better = 4;  // of the criterion: less does not tell two forms apart
// A form with as many numbers as counts but one is believed if it is nearly exact, as counts of programs are
// whose threads all do the same.
constexpr double nearly_exact = 1e-3;

// What a count is made of: g(P) = sum of coefficients times terms. Powers and exponentials, whose logarithm
// is linear in the logarithm of the first number and in the second, have one.
struct FormRow {
    CharacteristicForm form;
    std::string_view name;
    std::size_t numbers;
};
constexpr std::array<FormRow, 7> rows{{
    {CharacteristicForm::constant, "constant", 1},
    {CharacteristicForm::linear, "linear", 2},
    {CharacteristicForm::power, "power", 2},
    {CharacteristicForm::p_log_p, "P log P", 2},
    {CharacteristicForm::polynomial, "polynomial", 3},
    {CharacteristicForm::linear_and_power, "linear and power", 3},
    {CharacteristicForm::exponential, "exponential", 2},
}};

std::string text_of(double number) {
    std::array<char, 32> digits;
    auto const written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    return {digits.data(), written.ptr};
}

std::string product_text(double coefficient, std::string const& term) {
    if (term.empty())
        return text_of(coefficient);
    return coefficient == 1 ? term : text_of(coefficient) + "*" + term;
}

// "2 - 3*P + 0.5*P^2" of the terms {"", "P", "P^2"}.
std::string sum_text(Coefficients const& coefficients, std::vector<std::string> const& terms) {
    std::string text;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        if (coefficients[i] == 0)
            continue;
        bool const negative = coefficients[i] < 0;
        text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
        text += product_text(std::abs(coefficients[i]), terms[i]);
    }
    return text.empty() ? "0" : text;
}

double one(double) {
    return 1;
}
double itself(double threads) {
    return threads;
}

double criterion_of(double squares, std::size_t counts, std::size_t numbers) {
    auto const n = static_cast<double>(counts);
    auto const parameters = static_cast<double>(numbers + 1);  // and the deviation
    double const freedom = std::max(n - parameters - 1, 1.0);
    return n * std::log(squares / n + believed_deviation * believed_deviation) + 2 * parameters +
           2 * parameters * (parameters + 1) / freedom;
}

CharacteristicCandidate candidate_of(FormRow const& row, std::string formula, Coefficients coefficients,
                                     std::vector<double> residuals) {
    CharacteristicCandidate candidate;
    candidate.form = row.form;
    candidate.formula = std::move(formula);
    candidate.coefficients = std::move(coefficients);
    double const squares = sum_of_squares(residuals);
    candidate.criterion = criterion_of(squares, residuals.size(), row.numbers);
    candidate.relative_error = std::sqrt(squares / static_cast<double>(residuals.size()));
    candidate.residuals = std::move(residuals);
    return candidate;
}

// A term that nowhere matters is rounding.
void tidy(Coefficients& coefficients, Counts counts, Columns const& terms) {
    constexpr double nothing = 1e-9;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        double largest = 0;
        for (std::size_t row = 0; row < counts.size(); ++row)
            largest = std::max(largest, std::abs(coefficients[i] * terms[i][row]) / counts[row].events);
        coefficients[i] = largest < nothing ? 0 : ten_digits(coefficients[i]);
    }
}

std::optional<CharacteristicCandidate> fit_terms(FormRow const& row, Counts counts, Columns const& terms,
                                                 std::vector<std::string> const& names) {
    auto fit = fit_sum(counts, terms);
    if (!fit)
        return std::nullopt;
    tidy(fit->coefficients, counts, terms);
    return candidate_of(row, sum_text(fit->coefficients, names), fit->coefficients,
                        std::move(fit->residuals));
}

// ln E = first + second x: exact, with Student's interval for the second.
struct LogLine {
    double first = 0;
    double second = 0;
    std::optional<ConfidenceInterval> second_95;
    std::vector<double> residuals;
};
LogLine fit_log_line(Counts counts, auto const& x_of) {
    double mean_x = 0;
    double mean_y = 0;
    auto const n = static_cast<double>(counts.size());
    for (auto const& count : counts) {
        mean_x += x_of(count.threads) / n;
        mean_y += std::log(count.events) / n;
    }
    double squares_x = 0;
    double products = 0;
    for (auto const& count : counts) {
        double const x = x_of(count.threads) - mean_x;
        squares_x += x * x;
        products += x * (std::log(count.events) - mean_y);
    }
    LogLine line;
    line.second = products / squares_x;
    line.first = mean_y - line.second * mean_x;
    for (auto const& count : counts)
        line.residuals.push_back(std::log(count.events) - line.first - line.second * x_of(count.threads));
    if (counts.size() > 2) {
        std::size_t const freedom = counts.size() - 2;
        double const error = std::sqrt(variance_of(sum_of_squares(line.residuals), freedom) / squares_x);
        double const half = student_95(static_cast<double>(freedom)) * error;
        line.second_95 = ConfidenceInterval{line.second - half, line.second + half};
    }
    return line;
}

double log_of(double threads) {
    return std::log(threads);
}

CharacteristicCandidate fit_power(FormRow const& row, Counts counts) {
    auto const line = fit_log_line(counts, log_of);
    double const factor = ten_digits(std::exp(line.first));
    double const exponent = ten_digits(line.second);
    auto candidate =
        candidate_of(row, product_text(factor, "P^" + text_of(exponent)), {factor, exponent}, line.residuals);
    candidate.exponent = exponent;
    candidate.exponent_95 = line.second_95;
    return candidate;
}

CharacteristicCandidate fit_exponential(FormRow const& row, Counts counts) {
    auto const line = fit_log_line(counts, itself);
    double const factor = ten_digits(std::exp(line.first));
    double const base = ten_digits(std::exp(line.second));
    return candidate_of(row, product_text(factor, text_of(base) + "^P"), {factor, base}, line.residuals);
}

constexpr double least_beside_constant = 0.05;
constexpr double least_beside_linear = 1.05;

std::optional<CharacteristicCandidate> fit_linear_and_power(FormRow const& row, Counts counts) {
    PowerBeside const family(counts, {column_of(counts, itself)}, least_beside_linear);
    auto found = family.find();
    if (!found)
        return std::nullopt;
    auto const [exponent, sum] = *found;
    auto coefficients = sum.coefficients;
    tidy(coefficients, counts, family.terms_of(exponent));
    auto candidate = candidate_of(row, sum_text(coefficients, {"P", "P^" + text_of(exponent)}),
                                  {coefficients[0], coefficients[1], exponent}, sum.residuals);
    candidate.exponent = exponent;
    candidate.exponent_95 = family.interval(*found);
    return candidate;
}

std::optional<CharacteristicCandidate> fit_form(FormRow const& row, Counts counts) {
    auto const square = [](double p) { return p * p; };
    auto const p_log_p = [](double p) { return p * std::log2(p); };
    switch (row.form) {
        case CharacteristicForm::constant: return fit_terms(row, counts, {column_of(counts, one)}, {""});
        case CharacteristicForm::linear:
            return fit_terms(row, counts, {column_of(counts, one), column_of(counts, itself)}, {"", "P"});
        case CharacteristicForm::power: return fit_power(row, counts);
        case CharacteristicForm::p_log_p:
            return fit_terms(row, counts, {column_of(counts, one), column_of(counts, p_log_p)},
                             {"", "P*log2(P)"});
        case CharacteristicForm::polynomial:
            return fit_terms(row, counts,
                             {column_of(counts, one), column_of(counts, itself), column_of(counts, square)},
                             {"", "P", "P^2"});
        case CharacteristicForm::linear_and_power: return fit_linear_and_power(row, counts);
        case CharacteristicForm::exponential: return fit_exponential(row, counts);
    }
    return std::nullopt;
}

bool holds(ConfidenceInterval const& interval, double value) {
    return interval.low <= value && value <= interval.high;
}

// A power's exponent is only known within its interval: a whole number in it is taken.
Growth growth_of_fit(CharacteristicCandidate const& candidate) {
    switch (candidate.form) {
        case CharacteristicForm::constant: return Growth::constant;
        case CharacteristicForm::linear: return Growth::linear;
        case CharacteristicForm::p_log_p: return Growth::above_linear;
        case CharacteristicForm::polynomial: return Growth::quadratic;
        case CharacteristicForm::exponential: return Growth::exponential;
        case CharacteristicForm::power:
        case CharacteristicForm::linear_and_power: break;
    }
    double const exponent = *candidate.exponent;
    auto const nearest = std::round(exponent);
    if (candidate.exponent_95 && holds(*candidate.exponent_95, nearest)) {
        if (nearest <= 0)
            return Growth::constant;
        if (nearest == 1)
            return Growth::linear;
        if (nearest == 2)
            return Growth::quadratic;
    }
    return exponent < 1 ? Growth::below_linear : exponent < 2 ? Growth::above_linear : Growth::polynomial;
}

Result<std::vector<EventCount>> checked(std::span<EventCount const> counts) {
    constexpr std::size_t fewest = 3;
    if (counts.size() < fewest)
        return fail(make_error(
            ErrorCode::out_of_range,
            "g(P) needs at least three numbers of threads; there are " + std::to_string(counts.size()),
            "Record more: parcast scale --cpus 1,2,4,8 --keep runs -- COMMAND {cpus}"));
    std::vector<EventCount> sorted(counts.begin(), counts.end());
    std::ranges::sort(sorted, {}, &EventCount::threads);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (!(sorted[i].events > 0) || !(sorted[i].threads > 0))
            return fail(ErrorCode::out_of_range, "there are no events with " + text_of(sorted[i].threads) +
                                                     " threads: relative errors need some in each count");
        if (i > 0 && sorted[i].threads == sorted[i - 1].threads)
            return fail(ErrorCode::inconsistent,
                        "there are two counts of events with " + text_of(sorted[i].threads) + " threads");
    }
    return sorted;
}

bool is_believed(CharacteristicCandidate const& candidate, FormRow const& row) {
    return row.numbers < 3 || row.numbers + 1 < candidate.residuals.size() ||
           candidate.relative_error < nearly_exact;
}

// A simpler form gives way where another one is enough better.
std::size_t simplest(std::vector<CharacteristicCandidate> const& candidates) {
    auto const best = std::ranges::min(candidates, {}, &CharacteristicCandidate::criterion).criterion;
    auto const found = std::ranges::find_if(
        candidates, [&](auto const& candidate) { return candidate.criterion <= best + enough_better; });
    return static_cast<std::size_t>(found - candidates.begin());
}

void set_exponent_of_powers(CharacteristicFit& fit) {
    CharacteristicCandidate const* better = nullptr;
    for (auto const& candidate : fit.candidates)
        if (candidate.exponent && (!better || candidate.criterion < better->criterion - enough_better))
            better = &candidate;
    if (better) {
        fit.exponent = better->exponent;
        fit.exponent_95 = better->exponent_95;
    }
}

// The exponent that the last term of a sum would have if it were free: c + d P of c + d P^n.
void set_exponent(CharacteristicFit& fit, Counts counts) {
    set_exponent_of_powers(fit);
    bool const is_linear = fit.best().form == CharacteristicForm::linear;
    if (!is_linear && fit.best().form != CharacteristicForm::polynomial)
        return;
    Columns lower{column_of(counts, one)};
    if (!is_linear)
        lower.push_back(column_of(counts, itself));
    PowerBeside const family(counts, std::move(lower),
                             is_linear ? least_beside_constant : least_beside_linear);
    auto const found = family.find();
    auto const interval = found ? family.interval(*found) : std::nullopt;
    if (interval) {
        fit.exponent = found->exponent;
        fit.exponent_95 = interval;
    }
}

}  // namespace

std::string growth_text(CharacteristicCandidate const& candidate) {
    switch (candidate.form) {
        case CharacteristicForm::polynomial: return "quadratic";
        case CharacteristicForm::power:
        case CharacteristicForm::linear_and_power: return "P^" + three_digits(*candidate.exponent);
        case CharacteristicForm::constant:
        case CharacteristicForm::linear:
        case CharacteristicForm::p_log_p:
        case CharacteristicForm::exponential: break;
    }
    return std::string(name_of(candidate.form));
}

std::string_view name_of(CharacteristicForm form) {
    return std::ranges::find(rows, form, &FormRow::form)->name;
}

Result<CharacteristicFit> fit_characteristic(std::span<EventCount const> counts) {
    auto const sorted = checked(counts);
    if (!sorted)
        return pass_on(sorted);
    CharacteristicFit fit;
    constexpr std::size_t few = 4;
    fit.few_counts = sorted->size() < few;
    for (auto const& row : rows)
        if (row.numbers < sorted->size())
            if (auto candidate = fit_form(row, *sorted); candidate && is_believed(*candidate, row))
                fit.candidates.push_back(std::move(*candidate));
    fit.chosen = simplest(fit.candidates);
    set_exponent(fit, *sorted);
    for (std::size_t i = 0; i < fit.candidates.size(); ++i)
        if (i != fit.chosen && fit.candidates[i].criterion <= fit.best().criterion + enough_better)
            fit.as_good.push_back(i);
    fit.growth = growth_of_fit(fit.best());
    return fit;
}

std::vector<ThreadRange> fewer_events(Characteristic const& first, Characteristic const& second,
                                      std::uint64_t from, std::uint64_t to) {
    std::vector<ThreadRange> ranges;
    bool inside = false;
    constexpr std::uint64_t every = 4096;
    std::uint64_t last = from;
    for (std::uint64_t threads = from; threads <= to; last = threads, threads += 1 + threads / every) {
        auto const p = static_cast<double>(threads);
        bool const fewer = first(p) < second(p);
        if (fewer && !inside)
            ranges.push_back({p, static_cast<double>(to)});
        if (!fewer && inside)
            ranges.back().to = static_cast<double>(last);
        inside = fewer;
    }
    return ranges;
}

}  // namespace parcast::model
