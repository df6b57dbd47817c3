// Producers and consumers share one buffer under one mutex; a semaphore counts the items in it.
// The work of inserting and fetching is done while the mutex is held, so more CPUs gain almost nothing.
// After Broberg 2002, paper I, section 5: 150 producers of ten items, 75 consumers, 1.022 on 8 CPUs.

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "work.h"

enum { items_per_producer = 10 };

struct Item {
    uint64_t value;
    uint64_t seed;   // made from the value without a lock, checked without a lock
    uint64_t stamp;  // made from the seed while inserting, checked while fetching
};

static struct Item* buffer;  // room for every item, so that no producer ever waits for space
static long inserted;
static long fetched;
static long rounds;          // of work while the mutex is held
static long private_rounds;  // of work without it
static long items_per_consumer;
static pthread_mutex_t buffer_mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t items_in_buffer;

static void insert(uint64_t value) {
    uint64_t const seed = work(value, private_rounds);
    pthread_mutex_lock(&buffer_mutex);
    buffer[inserted++] = (struct Item){value, seed, work(seed, rounds)};
    pthread_mutex_unlock(&buffer_mutex);
    sem_post(&items_in_buffer);
}

// The value of the oldest item, or 0 if it is damaged.
static uint64_t fetch(void) {
    sem_wait(&items_in_buffer);
    pthread_mutex_lock(&buffer_mutex);
    struct Item const item = buffer[fetched++];
    int const is_genuine = work(item.seed, rounds) == item.stamp;
    pthread_mutex_unlock(&buffer_mutex);
    return is_genuine && work(item.value, private_rounds) == item.seed ? item.value : 0;
}

static void* producer(void* first_value) {
    uint64_t const first = (uint64_t)(uintptr_t)first_value;
    for (uint64_t i = 0; i < items_per_producer; ++i)
        insert(first + i);
    return NULL;
}

// Adds up what it fetches; the sum does not depend on the order.
static void* consumer(void* sum) {
    for (long i = 0; i < items_per_consumer; ++i)
        *(uint64_t*)sum += fetch();
    return NULL;
}

static void* zeroed(long count, size_t size) {
    void* const memory = calloc((size_t)count, size);
    if (memory == NULL) {
        fprintf(stderr, "cannot get memory for %ld elements\n", count);
        exit(1);
    }
    return memory;
}

static void start(pthread_t* thread, void* (*function)(void*), void* argument) {
    if (pthread_create(thread, NULL, function, argument) != 0) {
        fprintf(stderr, "cannot create a thread\n");
        exit(1);
    }
}

int main(int argc, char** argv) {
    struct Argument arguments[] = {
        {"consumers", "threads that fetch; twice as many insert", 75, 1, 1000},
        {"rounds", "rounds of work on an item under the lock", 50000, 50, 100000000},
    };
    read_arguments(argc, argv, "Producers and consumers with one buffer and one lock.", arguments, 2);
    long const consumers = arguments[0].value;
    long const producers = 2 * consumers;
    long const items = producers * items_per_producer;
    rounds = arguments[1].value;
    private_rounds = rounds / 50;
    items_per_consumer = items / consumers;
    sem_init(&items_in_buffer, 0, 0);
    buffer = zeroed(items, sizeof *buffer);
    pthread_t* const threads = zeroed(producers + consumers, sizeof *threads);
    uint64_t* const sums = zeroed(consumers, sizeof *sums);

    for (long i = 0; i < producers; ++i)
        start(&threads[i], producer, (void*)(uintptr_t)(1 + i * items_per_producer));
    for (long i = 0; i < consumers; ++i)
        start(&threads[producers + i], consumer, &sums[i]);
    for (long i = 0; i < producers + consumers; ++i)
        pthread_join(threads[i], NULL);

    uint64_t sum = 0;
    for (long i = 0; i < consumers; ++i)
        sum += sums[i];
    int const is_right = sum == (uint64_t)(items * (items + 1) / 2) && fetched == items;
    printf("%ld producers, %ld consumers, one lock: %ld items, %s\n", producers, consumers, fetched,
           is_right ? "all genuine" : "SOME LOST OR DAMAGED");
    free(sums);
    free(threads);
    free(buffer);
    return is_right ? 0 : 1;
}
