// A program that makes explicit tasks, which is recorded as such from its first region on.
#include <omp.h>
#include <string.h>

static int volatile sink;

static void work(int amount) {
    for (int i = 0; i < amount * 1000; ++i)
        sink = i;
}

// One task makes another. More than half of the program's time is theirs.
static void tasks(void) {
    int text[3] = {20, 20, 20};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; ++i) {
#pragma omp task firstprivate(text)
        {
            work(text[i % 3] * 50);
#pragma omp task
            work(100);
        }
    }
}

// The tasks are left to the barrier that ends the region.
static void tasks_at_the_end(void) {
#pragma omp parallel
#pragma omp single nowait
    for (int i = 0; i < 30; ++i) {
#pragma omp task
        work(1000);
    }
}

static void cancelled(void) {
#pragma omp parallel
    {
        if (omp_get_thread_num() == 2) {
#pragma omp cancel parallel
        }
#pragma omp barrier
#pragma omp task
        work(1);
    }
}

int main(int count, char** arguments) {
    char const* const what = count > 1 ? arguments[1] : "";
    omp_set_dynamic(0);
    omp_set_num_threads(3);
    if (strcmp(what, "tasks") == 0)
        tasks();
    else if (strcmp(what, "tasks_at_the_end") == 0)
        tasks_at_the_end();
    else if (strcmp(what, "cancelled") == 0)
        cancelled();
    else
        return 2;
    return 0;
}
