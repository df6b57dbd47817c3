#include "model/events_threads/characteristic_fit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include "model/events_threads/over_threads.h"

namespace parcast::model {

namespace {

using Counts = std::span<EventCount const>;
using Coefficients = std::vector<double>;

constexpr double resolution = 1e-4;  // no relative deviation is believed to be smaller
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

// With as many digits as mean something, so that 2 is not written as 1.9999999999999998.
double rounded(double number) {
    std::array<char, 32> digits;
    auto const written =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::general, 10);
    *written.ptr = 0;
    return std::strtod(digits.data(), nullptr);
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

double sum_of_squares(std::vector<double> const& values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

using Columns = std::vector<std::vector<double>>;  // one a coefficient, with a row a count

// The coefficients that bring the columns nearest to the target: modified Gram-Schmidt (Björck 1967). None:
// columns that depend on each other.
std::optional<Coefficients> least_squares(Columns columns, std::vector<double> target) {
    std::size_t const size = columns.size();
    std::vector<Coefficients> upper(size, Coefficients(size));
    Coefficients coefficients(size);
    for (std::size_t i = 0; i < size; ++i) {
        double const before = std::sqrt(sum_of_squares(columns[i]));
        for (std::size_t k = 0; k < i; ++k) {
            double const part =
                std::inner_product(columns[k].begin(), columns[k].end(), columns[i].begin(), 0.0);
            upper[k][i] = part;
            for (std::size_t row = 0; row < target.size(); ++row)
                columns[i][row] -= part * columns[k][row];
        }
        double const length = std::sqrt(sum_of_squares(columns[i]));
        constexpr double dependent = 1e-12;
        if (!(length > dependent * before))
            return std::nullopt;
        upper[i][i] = length;
        for (double& value : columns[i])
            value /= length;
        coefficients[i] = std::inner_product(columns[i].begin(), columns[i].end(), target.begin(), 0.0);
        for (std::size_t row = 0; row < target.size(); ++row)
            target[row] -= coefficients[i] * columns[i][row];
    }
    for (std::size_t i = size; i-- > 0;) {
        for (std::size_t k = i + 1; k < size; ++k)
            coefficients[i] -= upper[i][k] * coefficients[k];
        coefficients[i] /= upper[i][i];
    }
    return coefficients;
}

// A sum of terms, and how far it is from the counts.
struct SumFit {
    Coefficients coefficients;
    std::vector<double> inverses;   // 1 / g at each count
    std::vector<double> residuals;  // ln(E / g)
    double squares = 0;
};

// None: the sum is not above 0 everywhere.
std::optional<SumFit> sum_with(Counts counts, Columns const& terms, Coefficients coefficients) {
    SumFit sum{std::move(coefficients), std::vector<double>(counts.size()),
               std::vector<double>(counts.size()), 0};
    for (std::size_t row = 0; row < counts.size(); ++row) {
        double value = 0;
        for (std::size_t i = 0; i < terms.size(); ++i)
            value += sum.coefficients[i] * terms[i][row];
        if (!(value > 0))
            return std::nullopt;
        sum.inverses[row] = 1 / value;
        sum.residuals[row] = std::log(counts[row].events * sum.inverses[row]);
    }
    sum.squares = sum_of_squares(sum.residuals);
    return sum;
}

Columns weighted(Columns columns, auto const& weight) {
    for (auto& column : columns)
        for (std::size_t row = 0; row < column.size(); ++row)
            column[row] *= weight(row);
    return columns;
}

// The sum with the least relative errors. None: it is not above 0 at all counts, or the terms depend on each
// other.
std::optional<SumFit> sum_of_least_errors(Counts counts, Columns const& terms) {
    auto const relative = weighted(terms, [&](std::size_t row) { return 1 / counts[row].events; });
    auto coefficients = least_squares(relative, std::vector<double>(counts.size(), 1.0));
    return coefficients ? sum_with(counts, terms, std::move(*coefficients)) : std::nullopt;
}

// The sum whose logarithms are nearest to those of the counts: Gauss and Newton, from the least relative
// errors. None: as above.
std::optional<SumFit> fit_sum(Counts counts, Columns const& terms) {
    auto sum = sum_of_least_errors(counts, terms);
    constexpr int most_steps = 50;
    for (int step = 0; sum && step < most_steps; ++step) {
        auto const slopes = weighted(terms, [&](std::size_t row) { return sum->inverses[row]; });
        auto const direction = least_squares(slopes, sum->residuals);
        if (!direction)
            break;
        double const before = sum->squares;
        for (double part = 1; part > 0.1 && sum->squares == before; part /= 2) {
            auto tried = sum->coefficients;
            for (std::size_t i = 0; i < tried.size(); ++i)
                tried[i] += part * (*direction)[i];
            if (auto next = sum_with(counts, terms, std::move(tried)); next && next->squares < before)
                sum = std::move(next);
        }
        constexpr double still = 1e-7;
        if (before - sum->squares <= still * before)
            break;
    }
    return sum;
}

// A column of f(P) for each count.
std::vector<double> column_of(Counts counts, auto const& function) {
    std::vector<double> column;
    column.reserve(counts.size());
    for (auto const& count : counts)
        column.push_back(function(count.threads));
    return column;
}

double one(double) {
    return 1;
}
double itself(double threads) {
    return threads;
}

// The variance of residuals with so many degrees of freedom; no smaller than what is believed.
double variance_of(double squares, std::size_t freedom) {
    return std::max(squares / static_cast<double>(freedom), resolution * resolution);
}

double criterion_of(double squares, std::size_t counts, std::size_t numbers) {
    auto const n = static_cast<double>(counts);
    auto const parameters = static_cast<double>(numbers + 1);  // and the deviation
    double const freedom = std::max(n - parameters - 1, 1.0);
    return n * std::log(squares / n + resolution * resolution) + 2 * parameters +
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
        coefficients[i] = largest < nothing ? 0 : rounded(coefficients[i]);
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
    double const factor = rounded(std::exp(line.first));
    double const exponent = rounded(line.second);
    auto candidate =
        candidate_of(row, product_text(factor, "P^" + text_of(exponent)), {factor, exponent}, line.residuals);
    candidate.exponent = exponent;
    candidate.exponent_95 = line.second_95;
    return candidate;
}

CharacteristicCandidate fit_exponential(FormRow const& row, Counts counts) {
    auto const line = fit_log_line(counts, itself);
    double const factor = rounded(std::exp(line.first));
    double const base = rounded(std::exp(line.second));
    return candidate_of(row, product_text(factor, text_of(base) + "^P"), {factor, base}, line.residuals);
}

// Lower terms and a power, such as c P + d P^n: for each n a sum, and of all n the best. The interval of
// n is that of the profile: those n with which the fit is not worse than Student's law allows.
class PowerBeside {
public:
    struct Found {
        double exponent = 0;
        SumFit sum;  // the power's coefficient is the last
    };

    // The power's exponent is not looked for below `least`, where it would be one of the lower terms.
    PowerBeside(Counts counts, Columns lower, double least)
        : counts_(counts), lower_(std::move(lower)), least_(least), logarithms_(column_of(counts, log_of)) {}

    std::optional<Found> find() const {
        constexpr int steps = 12;
        double const step = (most_exponent - least_) / steps;
        double best = least_;
        double least = INFINITY;
        for (int i = 0; i <= steps; ++i) {
            double const tried = least_ + step * i;
            auto const sum = sum_of_least_errors(counts_, terms_of(tried));
            if (sum && sum->squares < least) {
                best = tried;
                least = sum->squares;
            }
        }
        constexpr int bits = 14;
        best = boost::math::tools::brent_find_minima([&](double n) { return squares(n); },
                                                     std::max(least_, best - step),
                                                     std::min(most_exponent, best + step), bits)
                   .first;
        best = nearest_simple(best);
        auto sum = at(best);
        constexpr double edge = 1e-3;
        // A power that is taken away is no growth.
        if (!sum || best < least_ + edge || best > most_exponent - edge || sum->coefficients.back() <= 0)
            return std::nullopt;
        return Found{best, std::move(*sum)};
    }

    // None: no freedom is left beside the coefficients and the exponent.
    std::optional<ConfidenceInterval> interval(Found const& found) const {
        std::size_t const numbers = lower_.size() + 2;
        if (counts_.size() <= numbers)
            return std::nullopt;
        std::size_t const freedom = counts_.size() - numbers;
        double const t = student_95(static_cast<double>(freedom));
        double const allowed = found.sum.squares + t * t * variance_of(found.sum.squares, freedom);
        return ConfidenceInterval{end(found.exponent, least_, allowed),
                                  end(found.exponent, most_exponent, allowed)};
    }

    Columns terms_of(double exponent) const {
        Columns terms = lower_;
        auto& powers = terms.emplace_back();
        powers.reserve(logarithms_.size());
        for (double const logarithm : logarithms_)
            powers.push_back(std::exp(exponent * logarithm));
        return terms;
    }

private:
    static constexpr double most_exponent = 6;

    std::optional<SumFit> at(double exponent) const { return fit_sum(counts_, terms_of(exponent)); }
    double squares(double exponent) const {
        auto const sum = at(exponent);
        return sum ? sum->squares : INFINITY;
    }
    // The search stops near a minimum that is flat there.
    double nearest_simple(double found) const {
        constexpr double thousand = 1000;
        double const simple = std::round(found * thousand) / thousand;
        constexpr double search_error = 5e-4;
        return std::abs(simple - found) < search_error && squares(simple) <= squares(found) + 1e-12
                   ? simple
                   : rounded(found);
    }
    // Between the best exponent and the last one that is tried, where the squares reach what is allowed.
    double end(double best, double last, double allowed) const {
        auto const above = [&](double n) { return std::min(squares(n), 1e6 * (1 + allowed)) - allowed; };
        double inner = best;
        double step = (last - best) / 512;
        double outer = best + step;
        while (above(outer) <= 0) {
            if (outer == last)
                return last;
            inner = outer;
            step *= 4;
            outer = std::abs(last - outer) > std::abs(step) ? outer + step : last;
        }
        std::uintmax_t iterations = 30;
        constexpr int bits = 12;
        auto const [low, high] =
            boost::math::tools::toms748_solve(above, std::min(inner, outer), std::max(inner, outer),
                                              boost::math::tools::eps_tolerance<double>(bits), iterations);
        return last < best ? low : high;
    }

    Counts counts_;
    Columns lower_;
    double least_;
    std::vector<double> logarithms_;
};

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
