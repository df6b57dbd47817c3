// Prime numbers by a pipeline of filter threads: a generator feeds numbers into a chain in which every
// filter holds one prime, drops its multiples and passes on the rest. A number that leaves the last filter
// is prime and gets a filter, and a thread, of its own. Channels are a mutex and two conditions.
// After Broberg 2002, paper VII, section 7.2 (79 threads for the primes up to 397).

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "work.h"

enum { channel_capacity = 16, end_of_numbers = 0 };

struct Channel {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    long numbers[channel_capacity];
    int count;
    int first;
};

struct Filter {
    long prime;
    struct Channel input;
    pthread_t thread;
    struct Filter* next;  // NULL until a number passes this filter
};

static long work_per_test;

static void send_number(struct Channel* channel, long number) {
    pthread_mutex_lock(&channel->mutex);
    while (channel->count == channel_capacity)
        pthread_cond_wait(&channel->not_full, &channel->mutex);
    channel->numbers[(channel->first + channel->count) % channel_capacity] = number;
    ++channel->count;
    pthread_cond_signal(&channel->not_empty);
    pthread_mutex_unlock(&channel->mutex);
}

static long receive_number(struct Channel* channel) {
    pthread_mutex_lock(&channel->mutex);
    while (channel->count == 0)
        pthread_cond_wait(&channel->not_empty, &channel->mutex);
    long const number = channel->numbers[channel->first];
    channel->first = (channel->first + 1) % channel_capacity;
    --channel->count;
    pthread_cond_signal(&channel->not_full);
    pthread_mutex_unlock(&channel->mutex);
    return number;
}

// The work stands for a costlier test; its result is odd or even at random and must not change the answer.
static int divides(long prime, long number) {
    uint64_t const noise = work((uint64_t)(prime * number), work_per_test);
    return (number + (long)(noise & 1)) % prime == (long)(noise & 1) % prime;
}

static void* filter(void* argument);

static struct Filter* new_filter(long prime) {
    struct Filter* const made = calloc(1, sizeof *made);
    if (made == NULL) {
        fprintf(stderr, "cannot get memory for a filter\n");
        exit(1);
    }
    made->prime = prime;
    pthread_mutex_init(&made->input.mutex, NULL);
    pthread_cond_init(&made->input.not_empty, NULL);
    pthread_cond_init(&made->input.not_full, NULL);
    if (pthread_create(&made->thread, NULL, filter, made) != 0) {
        fprintf(stderr, "cannot create a thread for the filter of %ld\n", prime);
        exit(1);
    }
    return made;
}

static void* filter(void* argument) {
    struct Filter* const self = argument;
    for (;;) {
        long const number = receive_number(&self->input);
        if (number == end_of_numbers)
            break;
        if (divides(self->prime, number))
            continue;
        if (self->next == NULL)
            self->next = new_filter(number);
        else
            send_number(&self->next->input, number);
    }
    if (self->next != NULL) {
        send_number(&self->next->input, end_of_numbers);
        pthread_join(self->next->thread, NULL);
    }
    return NULL;
}

static void* generate(void* argument) {
    long const largest = *(long const*)argument;
    struct Filter* const first = new_filter(2);
    for (long number = 3; number <= largest; ++number)
        send_number(&first->input, number);
    send_number(&first->input, end_of_numbers);
    pthread_join(first->thread, NULL);
    return first;
}

static int is_prime(long number) {
    for (long divisor = 2; divisor * divisor <= number; ++divisor)
        if (number % divisor == 0)
            return 0;
    return 1;
}

// Walks the chain once more by trial division; number of primes found, or 0 if one is missing or wrong.
static long checked_count(struct Filter const* chain, long largest) {
    long count = 0;
    for (long number = 2; number <= largest; ++number) {
        if (!is_prime(number))
            continue;
        if (chain == NULL || chain->prime != number)
            return 0;
        chain = chain->next;
        ++count;
    }
    return chain == NULL ? count : 0;
}

int main(int argc, char** argv) {
    struct Argument arguments[] = {
        {"largest", "largest number that is tested", 397, 2, 20000},
        {"rounds", "rounds of work of a test", 40000, 0, 100000000},
    };
    read_arguments(argc, argv, "Prime numbers by a pipeline of filter threads.", arguments, 2);
    long largest = arguments[0].value;
    work_per_test = arguments[1].value;

    pthread_t generator;
    void* chain = NULL;
    if (pthread_create(&generator, NULL, generate, &largest) != 0) {
        fprintf(stderr, "cannot create a thread\n");
        return 1;
    }
    pthread_join(generator, &chain);
    long const count = checked_count(chain, largest);
    printf("prime numbers up to %ld: %ld found, %s\n", largest, count,
           count > 0 ? "all right" : "NOT ALL RIGHT");
    return count > 0 ? 0 : 1;
}
