// Counts the words of a text in parallel: the program of a scalability contract (parcast.check.toml).
//
// Each thread counts in a table of its own, and adds it to the shared one at the end. Built with
// -DSHARED_TABLE, threads count in the shared table under its lock: quite as correct, and no error on a small
// machine. The contract notices: cc -O2 -g -pthread -DSHARED_TABLE word_count.c -o word_count

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { buckets = 1 << 12, most_threads = 256 };

struct table {
    long counts[buckets];
};

static struct table shared;
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static long threads = 8;
static long words_of_a_thread;

// A text of any length that is the same on every machine.
static uint64_t letters_of_word(uint64_t number) {
    uint64_t x = number * 0x9e3779b97f4a7c15u;
    for (int round = 0; round < 8000; ++round) {
        x ^= x >> 31;
        x *= 0xbf58476d1ce4e5b9u;
    }
    return x;
}

static void count(struct table* table, uint64_t letters) {
    uint64_t hash = letters;
    for (int round = 0; round < 4000; ++round)
        hash = (hash ^ hash >> 29) * 0x94d049bb133111ebu;
    ++table->counts[hash % buckets];
}

static void* count_words(void* argument) {
    uint64_t const first = (uint64_t)(intptr_t)argument * (uint64_t)words_of_a_thread;
#ifdef SHARED_TABLE
    for (uint64_t i = 0; i < (uint64_t)words_of_a_thread; ++i) {
        uint64_t const letters = letters_of_word(first + i);
        pthread_mutex_lock(&shared_lock);
        count(&shared, letters);
        pthread_mutex_unlock(&shared_lock);
    }
#else
    struct table* const own = calloc(1, sizeof *own);
    if (own == NULL)
        abort();
    for (uint64_t i = 0; i < (uint64_t)words_of_a_thread; ++i)
        count(own, letters_of_word(first + i));
    pthread_mutex_lock(&shared_lock);
    for (int bucket = 0; bucket < buckets; ++bucket)
        shared.counts[bucket] += own->counts[bucket];
    pthread_mutex_unlock(&shared_lock);
    free(own);
#endif
    return NULL;
}

int main(int argc, char** argv) {
    if (argc > 1)
        threads = strtol(argv[1], NULL, 10);
    long const words = argc > 2 ? strtol(argv[2], NULL, 10) : 40000;
    if (threads < 1 || threads > most_threads || words < threads) {
        fprintf(stderr, "usage: word_count [THREADS [WORDS]]\n");
        return 2;
    }
    words_of_a_thread = words / threads;
    pthread_t team[most_threads];
    for (long i = 0; i < threads; ++i)
        if (pthread_create(&team[i], NULL, count_words, (void*)(intptr_t)i) != 0)
            return 1;
    for (long i = 0; i < threads; ++i)
        pthread_join(team[i], NULL);
    long most = 0;
    for (int bucket = 0; bucket < buckets; ++bucket)
        most = shared.counts[bucket] > most ? shared.counts[bucket] : most;
    printf("%ld words, at most %ld in a bucket\n", words_of_a_thread * threads, most);
    return 0;
}
