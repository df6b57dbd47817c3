// Programs whose speed-up theory knows, each a mode. They check the emulation, and then the prediction.
//
//   mode                on N processors with N threads, W the work
//   independent         N
//   barriers            N: 40 balanced phases
//   condition_barriers  N: 600 balanced phases that end at a barrier of a mutex and a condition
//   task_queue          N: 400 tasks of one to nine units, handed out by a mutex and a condition
//   cells               N: 60 balanced phases, in which each thread locks a cell of its own again and again,
//                       and its neighbour's once
//   allocator           N: 60 balanced phases, in which the first thread to come locks an allocator twelve
//                       times, the others once
//   lock                N, at most 4: a quarter of the work in one lock
//   memory_map          N at most: 2000 times in all, a thread lets a heap of its own grow by two pages and
//                       touches them, without any lock of the program: the kernel lets one change the map of
//                       the memory at a time
//   imbalance           (N + 1) / 2: thread i has a share of i
//   serial              1 / (1/5 + 4/(5 N)): a fifth by one thread (Amdahl 1967)

#define _DEFAULT_SOURCE

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { most_threads = 64, phases = 40, condition_phases = 600, tasks = 400, mean_units = 5, turns = 320 };
enum { cell_phases = 60, updates = 12, growths = 2000, page_bytes = 4096 };

struct Team {
    long threads;
    long rounds;  // the work, in rounds of the generator
    void (*part)(struct Team* team, long member);
    pthread_barrier_t barrier;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    long arrived;     // at the barrier of the mutex and the condition
    long generation;  // of that barrier
    pthread_mutex_t cells[cell_phases][most_threads];
    long grown;   // phases in which the allocator had a first thread
    long queued;  // tasks: so many were put, and so many taken
    long taken;
};

struct Member {
    struct Team* team;
    long number;
};

static uint64_t volatile sink;

// xorshift64 (Marsaglia 2003): every step needs the one before.
static void work(long rounds) {
    uint64_t state = 88172645463325252u;
    for (long round = 0; round < rounds; ++round) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    sink = state;
}

static void independent(struct Team* team, long member) {
    (void)member;
    work(team->rounds / team->threads);
}

static void barriers(struct Team* team, long member) {
    (void)member;
    for (int phase = 0; phase < phases; ++phase) {
        work(team->rounds / team->threads / phases);
        pthread_barrier_wait(&team->barrier);
    }
}

static void wait_for_all(struct Team* team) {
    pthread_mutex_lock(&team->mutex);
    if (++team->arrived == team->threads) {
        team->arrived = 0;
        ++team->generation;
        pthread_cond_broadcast(&team->condition);
    } else {
        long const generation = team->generation;
        while (team->generation == generation)
            pthread_cond_wait(&team->condition, &team->mutex);
    }
    pthread_mutex_unlock(&team->mutex);
}

static void condition_barriers(struct Team* team, long member) {
    (void)member;
    for (int phase = 0; phase < condition_phases; ++phase) {
        work(team->rounds / team->threads / condition_phases);
        wait_for_all(team);
    }
}

// Member 0 puts every task, and then works as the others do.
static void task_queue(struct Team* team, long member) {
    for (long task = 0; member == 0 && task < tasks; ++task) {
        pthread_mutex_lock(&team->mutex);
        ++team->queued;
        pthread_cond_signal(&team->condition);
        pthread_mutex_unlock(&team->mutex);
    }
    for (;;) {
        pthread_mutex_lock(&team->mutex);
        while (team->taken == team->queued && team->taken < tasks)
            pthread_cond_wait(&team->condition, &team->mutex);
        long const task = team->taken;
        team->taken += task < tasks;
        if (team->taken == tasks)
            pthread_cond_broadcast(&team->condition);
        pthread_mutex_unlock(&team->mutex);
        if (task >= tasks)
            return;
        work(team->rounds / tasks * (1 + 5 * task % (2 * mean_units - 1)) / mean_units);
    }
}

// One place in the code for all cells: the compiler is not to copy it.
static void __attribute__((noinline)) update(pthread_mutex_t* cell) {
    pthread_mutex_lock(cell);
    ++sink;
    pthread_mutex_unlock(cell);
}

static void cells(struct Team* team, long member) {
    for (int phase = 0; phase < cell_phases; ++phase) {
        update(&team->cells[phase][(member + team->threads - 1) % team->threads]);
        for (int turn = 0; turn < updates; ++turn) {
            update(&team->cells[phase][member]);
            work(team->rounds / team->threads / cell_phases / updates);
        }
        pthread_barrier_wait(&team->barrier);
    }
}

static void allocator(struct Team* team, long member) {
    (void)member;
    for (int phase = 0; phase < cell_phases; ++phase) {
        long takes = 1;
        for (long take = 0; take < takes; ++take) {
            pthread_mutex_lock(&team->mutex);
            if (team->grown == phase) {
                team->grown = phase + 1;
                takes = updates;
            }
            pthread_mutex_unlock(&team->mutex);
            work(team->rounds / team->threads / cell_phases / takes);
        }
        pthread_barrier_wait(&team->barrier);
    }
}

static void lock(struct Team* team, long member) {
    (void)member;
    for (long turn = 0; turn < turns / team->threads; ++turn) {
        work(team->rounds / turns * 3 / 4);
        pthread_mutex_lock(&team->mutex);
        work(team->rounds / turns / 4);
        pthread_mutex_unlock(&team->mutex);
    }
}

static void memory_map(struct Team* team, long member) {
    (void)member;
    size_t const bytes = (size_t)growths * 2 * page_bytes;
    char volatile* const heap =
        mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (heap == MAP_FAILED)
        abort();
    for (long growth = 0; growth < growths / team->threads; ++growth) {
        char volatile* const top = heap + growth * 2 * page_bytes;
        if (mprotect((void*)top, 2 * page_bytes, PROT_READ | PROT_WRITE) != 0)
            abort();
        top[0] = 1;
        top[page_bytes] = 1;
        work(team->rounds / growths);
    }
}

static void imbalance(struct Team* team, long member) {
    work(2 * team->rounds * (member + 1) / (team->threads * (team->threads + 1)));
}

static void serial(struct Team* team, long member) {
    if (member == 0)
        work(team->rounds / 5);
    pthread_barrier_wait(&team->barrier);
    work(team->rounds / 5 * 4 / team->threads);
}

struct Mode {
    char const* name;
    void (*part)(struct Team* team, long member);
};

static struct Mode const modes[] = {{"independent", independent},
                                    {"barriers", barriers},
                                    {"condition_barriers", condition_barriers},
                                    {"task_queue", task_queue},
                                    {"cells", cells},
                                    {"allocator", allocator},
                                    {"lock", lock},
                                    {"memory_map", memory_map},
                                    {"imbalance", imbalance},
                                    {"serial", serial}};

static void* run_member(void* argument) {
    struct Member const* const member = argument;
    member->team->part(member->team, member->number);
    return NULL;
}

static void run(struct Team* team) {
    pthread_t thread[most_threads];
    struct Member member[most_threads];
    pthread_barrier_init(&team->barrier, NULL, (unsigned)team->threads);
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->condition, NULL);
    for (int phase = 0; phase < cell_phases; ++phase)
        for (long number = 0; number < team->threads; ++number)
            pthread_mutex_init(&team->cells[phase][number], NULL);
    for (long number = 0; number < team->threads; ++number)
        member[number] = (struct Member){team, number};
    for (long number = 1; number < team->threads; ++number) {
        if (pthread_create(&thread[number], NULL, run_member, &member[number]) != 0) {
            perror("known_speedups");
            exit(1);
        }
    }
    run_member(&member[0]);
    for (long number = 1; number < team->threads; ++number)
        pthread_join(thread[number], NULL);
}

int main(int argc, char** argv) {
    struct Team team = {.threads = argc > 2 ? atol(argv[2]) : 0, .rounds = 15000000};
    for (size_t mode = 0; argc == 3 && mode < sizeof modes / sizeof *modes; ++mode)
        if (strcmp(argv[1], modes[mode].name) == 0)
            team.part = modes[mode].part;
    if (team.part == NULL || team.threads < 1 || team.threads > most_threads) {
        fprintf(stderr, "usage: %s MODE THREADS, MODE one of", argv[0]);
        for (size_t mode = 0; mode < sizeof modes / sizeof *modes; ++mode)
            fprintf(stderr, " %s", modes[mode].name);
        fputc('\n', stderr);
        return 2;
    }
    run(&team);
    return 0;
}
