// The cure for producer_consumer_one_lock: a hundred buffers, each with a mutex for inserting and one for
// fetching. A mutex for the whole system is held only to choose a buffer, a semaphore counts the items.
// After Broberg 2002, paper I, section 5: predicted 7.75 on 8 CPUs, measured 7.90.

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

struct Buffer {
    pthread_mutex_t insert_mutex;
    pthread_mutex_t fetch_mutex;
    struct Item* items;  // room for every item, so that no producer ever waits for space
    long inserted;       // under insert_mutex
    long fetched;        // under fetch_mutex
};

static struct Buffer* buffers;
static long buffer_count;
static long rounds;          // of work while a buffer's mutex is held
static long private_rounds;  // of work without any
static long items_per_consumer;
static sem_t items_in_buffers;

static pthread_mutex_t system_mutex = PTHREAD_MUTEX_INITIALIZER;
static long next_to_insert;  // under system_mutex: buffers take turns
static long* filled;         // under system_mutex: the buffer of each item, oldest first
static long filled_begin;
static long filled_end;

static struct Buffer* choose_for_insert(void) {
    pthread_mutex_lock(&system_mutex);
    struct Buffer* const buffer = &buffers[next_to_insert++ % buffer_count];
    pthread_mutex_unlock(&system_mutex);
    return buffer;
}

static void insert(uint64_t value) {
    uint64_t const seed = work(value, private_rounds);
    struct Buffer* const buffer = choose_for_insert();
    pthread_mutex_lock(&buffer->insert_mutex);
    buffer->items[buffer->inserted++] = (struct Item){value, seed, work(seed, rounds)};
    pthread_mutex_unlock(&buffer->insert_mutex);

    pthread_mutex_lock(&system_mutex);
    filled[filled_end++] = buffer - buffers;
    pthread_mutex_unlock(&system_mutex);
    sem_post(&items_in_buffers);
}

static struct Buffer* choose_for_fetch(void) {
    sem_wait(&items_in_buffers);
    pthread_mutex_lock(&system_mutex);
    struct Buffer* const buffer = &buffers[filled[filled_begin++]];
    pthread_mutex_unlock(&system_mutex);
    return buffer;
}

// The value of an item, or 0 if it is damaged.
static uint64_t fetch(void) {
    struct Buffer* const buffer = choose_for_fetch();
    pthread_mutex_lock(&buffer->fetch_mutex);
    struct Item const item = buffer->items[buffer->fetched++];
    int const is_genuine = work(item.seed, rounds) == item.stamp;
    pthread_mutex_unlock(&buffer->fetch_mutex);
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

static void make_buffers(long items) {
    buffers = zeroed(buffer_count, sizeof *buffers);
    for (long i = 0; i < buffer_count; ++i) {
        pthread_mutex_init(&buffers[i].insert_mutex, NULL);
        pthread_mutex_init(&buffers[i].fetch_mutex, NULL);
        buffers[i].items = zeroed(items / buffer_count + 1, sizeof(struct Item));
    }
    filled = zeroed(items, sizeof *filled);
}

static void free_buffers(void) {
    for (long i = 0; i < buffer_count; ++i)
        free(buffers[i].items);
    free(buffers);
    free(filled);
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
        {"rounds", "rounds of work on an item under a lock", 50000, 50, 100000000},
        {"buffers", "buffers, each with two locks", 100, 1, 10000},
    };
    read_arguments(argc, argv, "Producers and consumers with many buffers and locks.", arguments, 3);
    long const consumers = arguments[0].value;
    long const producers = 2 * consumers;
    long const items = producers * items_per_producer;
    rounds = arguments[1].value;
    private_rounds = rounds / 50;
    buffer_count = arguments[2].value;
    items_per_consumer = items / consumers;
    sem_init(&items_in_buffers, 0, 0);
    make_buffers(items);
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
    int const is_right = sum == (uint64_t)(items * (items + 1) / 2) && filled_begin == items;
    printf("%ld producers, %ld consumers, %ld buffers: %ld items, %s\n", producers, consumers, buffer_count,
           filled_begin, is_right ? "all genuine" : "SOME LOST OR DAMAGED");
    free(sums);
    free(threads);
    free_buffers();
    return is_right ? 0 : 1;
}
