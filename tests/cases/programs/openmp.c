// A dynamic loop of OpenMP, 16 equal iterations 20 times.
#include <omp.h>
#include <stdio.h>
#include "work_loop.h"
int main() {
    double s = 0;
    for (int k = 0; k < 20; k++) {
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 1)
        for (int i = 0; i < 16; i++)
            s += work(500000);
    }
    printf("%g threads %d\n", s, omp_get_max_threads());
}
