/* What the small recorded programs share. They print nothing, so that their events are what they show. */
#pragma once

#include <time.h>

/* On one CPU every other thread runs meanwhile until it waits. */
static inline void let_others_wait(void) {
    struct timespec const moment = {0, 50 * 1000 * 1000};
    nanosleep(&moment, 0);
}

/* Long enough for the other thread to try a lock that this one holds, on a busy machine too. */
static inline void hold_for_a_while(void) {
    struct timespec const duration = {0, 300 * 1000 * 1000};
    nanosleep(&duration, 0);
}

static inline struct timespec deadline_in_ms(clockid_t clock, long ms) {
    struct timespec deadline;
    clock_gettime(clock, &deadline);
    deadline.tv_nsec += ms * 1000 * 1000;
    deadline.tv_sec += deadline.tv_nsec / 1000000000;
    deadline.tv_nsec %= 1000000000;
    return deadline;
}
