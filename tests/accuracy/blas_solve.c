// Solves a dense linear system with OpenBLAS: LAPACK's dgesv on a random matrix of a fixed seed.
// usage: blas_solve THREADS ORDER

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void dgesv_(int const* order, int const* columns, double* matrix, int const* stride, int* pivots,
            double* right, int const* right_stride, int* info);
void openblas_set_num_threads(int threads);

int main(int argc, char** argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s THREADS ORDER\n", argv[0]);
        return 2;
    }
    openblas_set_num_threads(atoi(argv[1]));
    int const order = atoi(argv[2]);
    size_t const n = (size_t)order;
    double* const matrix = malloc(n * n * sizeof *matrix);
    double* const right = calloc(n, sizeof *right);
    int* const pivots = malloc(n * sizeof *pivots);
    if (!matrix || !right || !pivots)
        return 1;
    srand48(1);
    for (size_t column = 0; column < n; ++column) {
        for (size_t row = 0; row < n; ++row) {
            matrix[column * n + row] = drand48() - 0.5;
            right[row] += matrix[column * n + row];  // so that every unknown is one
        }
    }
    int info = 0;
    int const one = 1;
    dgesv_(&order, &one, matrix, &order, pivots, right, &order, &info);
    double error = 0;
    for (size_t row = 0; row < n; ++row)
        error = fmax(error, fabs(right[row] - 1));
    printf("largest error %g\n", error);
    return info == 0 && error < 1e-6 ? 0 : 1;
}
