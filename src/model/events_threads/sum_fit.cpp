#include "model/events_threads/sum_fit.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace parcast::model {

namespace {

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

}  // namespace

double sum_of_squares(std::vector<double> const& values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

double variance_of(double squares, std::size_t freedom) {
    return std::max(squares / static_cast<double>(freedom), believed_deviation * believed_deviation);
}

double ten_digits(double number) {
    std::array<char, 32> digits;
    auto const written =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::general, 10);
    *written.ptr = 0;
    return std::strtod(digits.data(), nullptr);
}

std::vector<double> column_of(Counts counts, double (*function)(double)) {
    std::vector<double> column;
    column.reserve(counts.size());
    for (auto const& count : counts)
        column.push_back(function(count.threads));
    return column;
}

std::optional<SumFit> sum_of_least_errors(Counts counts, Columns const& terms) {
    auto const relative = weighted(terms, [&](std::size_t row) { return 1 / counts[row].events; });
    auto coefficients = least_squares(relative, std::vector<double>(counts.size(), 1.0));
    return coefficients ? sum_with(counts, terms, std::move(*coefficients)) : std::nullopt;
}

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

}  // namespace parcast::model
