#include "calibrate/block_kernels.h"

#include <algorithm>

namespace parcast::calibrate {

namespace {

// result += factor * left * right. The inner loop goes along rows, which compilers make vectors of.
void add_product(double* result, double const* left, double const* right, double factor, std::size_t edge) {
    for (std::size_t i = 0; i < edge; ++i) {
        double* const row = result + i * edge;
        for (std::size_t k = 0; k < edge; ++k) {
            double const scale = factor * left[i * edge + k];
            double const* const other = right + k * edge;
            for (std::size_t j = 0; j < edge; ++j)
                row[j] += scale * other[j];
        }
    }
}

void become_unit(double* block, std::size_t edge) {
    std::fill_n(block, edge * edge, 0.0);
    for (std::size_t i = 0; i < edge; ++i)
        block[i * edge + i] = 1;
}

}  // namespace

void factorise(double const* block, double* factors, double* lower_inverse, double* upper_inverse,
               std::size_t edge) {
    std::copy_n(block, edge * edge, factors);
    for (std::size_t k = 0; k < edge; ++k) {
        double const* const pivot = factors + k * edge;
        for (std::size_t i = k + 1; i < edge; ++i) {
            double* const row = factors + i * edge;
            double const scale = row[k] /= pivot[k];
            for (std::size_t j = k + 1; j < edge; ++j)
                row[j] -= scale * pivot[j];
        }
    }
    // Row i of L^-1 is row i of 1, less L_ik times its row k; from above.
    become_unit(lower_inverse, edge);
    for (std::size_t i = 0; i < edge; ++i)
        for (std::size_t k = 0; k < i; ++k)
            for (std::size_t j = 0; j <= k; ++j)
                lower_inverse[i * edge + j] -= factors[i * edge + k] * lower_inverse[k * edge + j];
    // The same of U, from below.
    become_unit(upper_inverse, edge);
    for (std::size_t i = edge; i-- > 0;) {
        double* const row = upper_inverse + i * edge;
        for (std::size_t k = i + 1; k < edge; ++k)
            for (std::size_t j = k; j < edge; ++j)
                row[j] -= factors[i * edge + k] * upper_inverse[k * edge + j];
        for (std::size_t j = i; j < edge; ++j)
            row[j] /= factors[i * edge + i];
    }
}

void multiply_by_upper(double* block, double const* upper_inverse, double* product, std::size_t edge) {
    std::fill_n(product, edge * edge, 0.0);
    add_product(product, block, upper_inverse, 1, edge);
    std::fill_n(block, edge * edge, 0.0);
}

void multiply_by_lower(double const* lower_inverse, double const* block, double* product, std::size_t edge) {
    std::fill_n(product, edge * edge, 0.0);
    add_product(product, lower_inverse, block, 1, edge);
}

void subtract_product(double* block, double const* left, double const* right, std::size_t edge) {
    add_product(block, left, right, -1, edge);
}

}  // namespace parcast::calibrate
