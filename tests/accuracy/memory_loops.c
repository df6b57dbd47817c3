// Three loops that use the memory, by threads that share the rows, with a barrier after each sweep:
//
//     memory_loops triad|stencil|sparse THREADS SWEEPS
//
// triad:   a[i] = b[i] + 3 c[i]                         3 arrays of 32 MB (McCalpin's STREAM)
// stencil: out[i][j] = mean of in[i][j] and four more   2 grids of 2048 x 2048 numbers
// sparse:  y = A x                                      262144 rows of 27 numbers, columns within 2000

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { triad_length = 4 << 20, side = 2048, rows = 1 << 18, row_length = 27, band = 2000 };

static int threads;
static int sweeps;
static pthread_barrier_t barrier;
static double *a, *b, *c;
static int32_t* columns;

static double* numbers(size_t count) {
    double* array = malloc(count * sizeof *array);
    if (!array)
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < count; ++i)
        array[i] = 1.0 + (double)(i % 17);
    return array;
}

static void sweep_triad(int first, int last) {
    for (int i = first; i < last; ++i)
        a[i] = b[i] + 3.0 * c[i];
}

static void sweep_stencil(double* out, double const* in, int first, int last) {
    for (int i = first > 1 ? first : 1; i < (last < side - 1 ? last : side - 1); ++i)
        for (int j = 1; j < side - 1; ++j) {
            size_t const at = (size_t)i * side + (size_t)j;
            out[at] = 0.2 * (in[at] + in[at - 1] + in[at + 1] + in[at - side] + in[at + side]);
        }
}

static void sweep_sparse(double* y, double const* x, int first, int last) {
    for (int i = first; i < last; ++i) {
        double sum = 0;
        for (size_t k = (size_t)i * row_length; k < (size_t)(i + 1) * row_length; ++k)
            sum += a[k] * x[columns[k]];
        y[i] = sum * 1e-3;
    }
}

static char const* kind;

static void* work(void* argument) {
    int const me = (int)(intptr_t)argument;
    int const length = kind[0] == 't' ? triad_length : kind[1] == 't' ? side : rows;
    int const first = (int)((long)length * me / threads);
    int const last = (int)((long)length * (me + 1) / threads);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        double* const to = sweep % 2 ? b : c;
        double* const from = sweep % 2 ? c : b;
        if (kind[0] == 't')
            sweep_triad(first, last);
        else if (kind[1] == 't')
            sweep_stencil(to, from, first, last);
        else
            sweep_sparse(to, from, first, last);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char** argv) {
    if (argc != 4)
        return EXIT_FAILURE;
    kind = argv[1];
    threads = atoi(argv[2]);
    sweeps = atoi(argv[3]);
    if (threads < 1 || threads > 64)
        return EXIT_FAILURE;
    if (strcmp(kind, "triad") == 0) {
        a = numbers(triad_length);
        b = numbers(triad_length);
        c = numbers(triad_length);
    } else if (strcmp(kind, "stencil") == 0) {
        b = numbers((size_t)side * side);
        c = numbers((size_t)side * side);
    } else if (strcmp(kind, "sparse") == 0) {
        a = numbers((size_t)rows * row_length);
        b = numbers(rows);
        c = numbers(rows);
        columns = malloc((size_t)rows * row_length * sizeof *columns);
        if (!columns)
            return EXIT_FAILURE;
        uint32_t seed = 1;
        for (int i = 0; i < rows; ++i)
            for (int k = 0; k < row_length; ++k) {
                seed = seed * 1664525u + 1013904223u;
                int const column = i - band + (int)((seed >> 8) % (2 * band));
                columns[(size_t)i * row_length + (size_t)k] = column < 0       ? 0
                                                              : column >= rows ? rows - 1
                                                                               : column;
            }
    } else {
        return EXIT_FAILURE;
    }
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    pthread_t others[64];
    for (intptr_t i = 1; i < threads; ++i)
        pthread_create(&others[i], NULL, work, (void*)i);
    work(0);
    for (int i = 1; i < threads; ++i)
        pthread_join(others[i], NULL);
    printf("%g\n", b[1000] + c[1000]);
    return EXIT_SUCCESS;
}
