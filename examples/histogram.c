// Threads make items and count them in a table. One lock guards the table, and a quarter of the work on an
// item is done under it: no number of CPUs makes that more than four times as fast. With a table for each
// thread, added up at the end, the program scales: a last argument of 1.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "work.h"

enum { bins = 64 };

struct Table {
    long counts[bins];
};

struct Share {
    long first_item;
    long items;
    struct Table own;
};

static struct Table shared;
static pthread_mutex_t shared_mutex = PTHREAD_MUTEX_INITIALIZER;
static long rounds;  // of work on an item without the lock; a third of that to count it
static long has_own_tables;

static void count(struct Table* table, uint64_t item) {
    ++table->counts[work(item, rounds / 3) % bins];
}

static void count_in_shared(uint64_t item) {
    pthread_mutex_lock(&shared_mutex);
    count(&shared, item);
    pthread_mutex_unlock(&shared_mutex);
}

static void* count_share(void* argument) {
    struct Share* const share = argument;
    for (long i = 0; i < share->items; ++i) {
        uint64_t const item = work((uint64_t)(share->first_item + i), rounds);
        if (has_own_tables)
            count(&share->own, item);
        else
            count_in_shared(item);
    }
    return NULL;
}

static void add_up(struct Share const* shares, long threads) {
    for (long i = 0; i < threads; ++i)
        for (int bin = 0; bin < bins; ++bin)
            shared.counts[bin] += shares[i].own.counts[bin];
}

static void run_threads(struct Share* shares, long threads) {
    pthread_t* const team = calloc((size_t)threads, sizeof *team);
    for (long i = 0; i < threads; ++i) {
        if (team == NULL || pthread_create(&team[i], NULL, count_share, &shares[i]) != 0) {
            fprintf(stderr, "cannot create a thread\n");
            exit(1);
        }
    }
    for (long i = 0; i < threads; ++i)
        pthread_join(team[i], NULL);
    free(team);
}

int main(int argc, char** argv) {
    struct Argument arguments[] = {
        {"threads", "threads that count", 16, 1, 1000},
        {"items", "items in all", 480, 1, 100000000},
        {"rounds", "rounds of work on an item without the lock", 400000, 3, 100000000},
        {"own", "1: a table for each thread instead of one for all", 0, 0, 1},
    };
    read_arguments(argc, argv, "A histogram, counted by threads in one table or in one each.", arguments, 4);
    long const threads = arguments[0].value;
    long const items = arguments[1].value;
    rounds = arguments[2].value;
    has_own_tables = arguments[3].value;
    struct Share* const shares = calloc((size_t)threads, sizeof *shares);
    if (shares == NULL) {
        fprintf(stderr, "cannot get memory for %ld threads\n", threads);
        return 1;
    }
    for (long i = 0; i < threads; ++i) {
        shares[i].first_item = items * i / threads;
        shares[i].items = items * (i + 1) / threads - shares[i].first_item;
    }
    run_threads(shares, threads);
    add_up(shares, threads);

    long counted = 0;
    for (int bin = 0; bin < bins; ++bin)
        counted += shared.counts[bin];
    printf("%ld threads, %s: %ld items counted, %s\n", threads, has_own_tables ? "a table each" : "one table",
           counted, counted == items ? "all right" : "SOME LOST");
    free(shares);
    return counted == items ? 0 : 1;
}
