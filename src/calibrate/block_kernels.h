// The four operations of Gaussian elimination without pivoting on blocks of b x b numbers, row by row in
// memory: our own, as the elimination that they time would have them (Rugina and Schauser 1998, section 5.1).
// Each takes 2/3 b^3 or b^3 multiplications and additions.
//
// REQUIRES: blocks have edge * edge numbers and do not overlap.

#pragma once

#include <cstddef>

namespace parcast::calibrate {

// Op1: `block` becomes its factors, U with its diagonal and L below it, whose diagonal is 1; their inverses
// are whole blocks, with zeros. No pivot is 0.
void factorise(double const* block, double* factors, double* lower_inverse, double* upper_inverse,
               std::size_t edge);

// Op2: product = block * upper_inverse, and the block becomes 0.
void multiply_by_upper(double* block, double const* upper_inverse, double* product, std::size_t edge);

// Op3: product = lower_inverse * block.
void multiply_by_lower(double const* lower_inverse, double const* block, double* product, std::size_t edge);

// Op4: block -= left * right.
void subtract_product(double* block, double const* left, double const* right, std::size_t edge);

}  // namespace parcast::calibrate
