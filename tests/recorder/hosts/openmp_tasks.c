// A program that makes explicit tasks, which is recorded as such from its first region on.
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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

static long thread_cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000 + now.tv_nsec;
}

// The tasks are left to the barrier that ends the region. Prints the CPU time in ns that they took.
static void tasks_at_the_end(void) {
    long taken = 0;
#pragma omp parallel
#pragma omp single nowait
    for (int i = 0; i < 30; ++i) {
#pragma omp task shared(taken)
        {
            long const begin = thread_cpu_ns();
            work(1000);
            long const used = thread_cpu_ns() - begin;
#pragma omp atomic
            taken += used;
        }
    }
    printf("%ld\n", taken);
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

static int wrong = 0;
static void expect(long value, long expected) {
    if (value != expected)
        wrong = 1;
}

// Each index is met once, whatever travels with the pieces: values, an array whose size is known when it runs
// (copied by a function of the compiler's), what is reduced, indices without a sign.
static void taskloops(int size) {
    long sum = 0, sum_of_array = 0, reduced = 0, unsigned_sum = 0;
    int array[size];
    for (int i = 0; i < size; ++i)
        array[i] = i;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop num_tasks(10) firstprivate(size)
        for (int i = 0; i < 100; ++i) {
            work(size);
#pragma omp atomic
            sum += i;
        }
#pragma omp taskloop num_tasks(10) firstprivate(array)
        for (int i = 0; i < 100; ++i) {
#pragma omp atomic
            sum_of_array += array[i % size];
        }
#pragma omp taskloop num_tasks(10) reduction(+ : reduced)
        for (int i = 0; i < 100; ++i)
            reduced += i;
#pragma omp taskloop num_tasks(10)
        for (unsigned long long i = 1ull << 63; i < (1ull << 63) + 100; ++i) {
#pragma omp atomic
            unsigned_sum += (long)(i - (1ull << 63));
        }
    }
    expect(sum, 4950);
    expect(sum_of_array, size * (size - 1) / 2);
    expect(reduced, 4950);
    expect(unsigned_sum, 4950);
}

// More pieces than libgomp keeps for later: it runs them at once, one after the other.
static void many_pieces(void) {
    long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 100000; ++i) {
#pragma omp atomic
        sum += i;
    }
    expect(sum, 4999950000);
}

static void reductions(void) {
    long of_region = 0, of_loop = 0, of_sections = 0;
    for (int repeat = 0; repeat < 2; ++repeat) {
#pragma omp parallel reduction(task, + : of_region)
        {
            work(100);
#pragma omp task in_reduction(+ : of_region)
            of_region += 1;
        }
    }
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 5) reduction(task, + : of_loop)
        for (int i = 0; i < 40; ++i) {
#pragma omp task in_reduction(+ : of_loop)
            of_loop += i;
        }
#pragma omp sections reduction(task, + : of_sections)
        {
#pragma omp section
            {
#pragma omp task in_reduction(+ : of_sections)
                of_sections += 1;
            }
#pragma omp section
            of_sections += 2;
        }
    }
    expect(of_region, 2 * 3);
    expect(of_loop, 780);
    expect(of_sections, 3);
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
    else if (strcmp(what, "taskloops") == 0)
        taskloops(100);
    else if (strcmp(what, "many_pieces") == 0)
        many_pieces();
    else if (strcmp(what, "reductions") == 0)
        reductions();
    else
        return 2;
    return wrong;
}
