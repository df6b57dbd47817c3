// What libgomp is asked for, one kind at a time, but for tasks (openmp_tasks.c). The team is of three
// threads, whatever the machine.
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int volatile sink;
static omp_lock_t lock;

static void work(int amount) {
    for (int i = 0; i < amount * 1000; ++i)
        sink = i;
}

static void regions(void) {
    for (int region = 0; region < 2; ++region) {
#pragma omp parallel
        work(1);
    }
}

static void smaller_region(void) {
#pragma omp parallel
    work(1);
#pragma omp parallel num_threads(2)
    work(1);
#pragma omp parallel
    work(1);
}

static void barriers(void) {
#pragma omp parallel
    {
        work(1);
#pragma omp barrier
        work(1);
    }
}

static void loop_region(void) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 10; ++i)
        work(1);
}

static void chunks(void) {
#pragma omp parallel
    {
        work(1);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 10; ++i)
            work(1);
    }
}

static void critical_sections(void) {
#pragma omp parallel
    {
#pragma omp critical
        work(1);
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
    }
}

static void nested(void) {
    omp_set_max_active_levels(3);
#pragma omp parallel
    {
#pragma omp parallel num_threads(2)
        {
            work(1);
#pragma omp barrier
#pragma omp parallel num_threads(2)
            work(1);
        }
    }
}

// More threads than objects of a team have addresses.
static void large_region(void) {
#pragma omp parallel
    work(1);
#pragma omp parallel num_threads(4096)
    work(1);
#pragma omp parallel
    work(1);
}

int main(int count, char** arguments) {
    char const* const what = count > 1 ? arguments[1] : "";
    omp_set_dynamic(0);
    omp_set_num_threads(3);
    omp_init_lock(&lock);
    if (strcmp(what, "regions") == 0)
        regions();
    else if (strcmp(what, "smaller_region") == 0)
        smaller_region();
    else if (strcmp(what, "barriers") == 0)
        barriers();
    else if (strcmp(what, "loop_region") == 0)
        loop_region();
    else if (strcmp(what, "chunks") == 0)
        chunks();
    else if (strcmp(what, "critical_sections") == 0)
        critical_sections();
    else if (strcmp(what, "nested") == 0)
        nested();
    else if (strcmp(what, "large_region") == 0)
        large_region();
    else
        return 2;
    return 0;
}
