// Two equal workers, and a third thread that waits for something else as long as they run:
//     ticker timer   for a timer, until main tells it to end (the ticker of Haskell's runtime)
//     ticker events  for descriptors, and is woken at the end; the process does not wait for it
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "work_loop.h"

static int volatile is_over;
static int wake_up;

static void* tick(void* unused) {
    (void)unused;
    struct itimerspec const every = {{0, 10000000}, {0, 10000000}};
    int const timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &every, NULL);
    uint64_t ticks = 0;
    while (!is_over)
        if (read(timer, &ticks, sizeof ticks) != sizeof ticks)
            break;
    close(timer);
    return NULL;
}

static void* manage_events(void* unused) {
    (void)unused;
    struct epoll_event event = {.events = EPOLLIN};
    int const all = epoll_create1(0);
    epoll_ctl(all, EPOLL_CTL_ADD, wake_up, &event);
    epoll_wait(all, &event, 1, -1);
    pause();
    return NULL;
}

static void* compute(void* unused) {
    (void)unused;
    work(60000000);
    return NULL;
}

int main(int count, char** words) {
    int const has_timer = count < 2 || strcmp(words[1], "timer") == 0;
    pthread_t other;
    pthread_t workers[2];
    wake_up = eventfd(0, 0);
    pthread_create(&other, NULL, has_timer ? tick : manage_events, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_create(&workers[i], NULL, compute, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(workers[i], NULL);
    is_over = 1;
    uint64_t const one = 1;
    if (write(wake_up, &one, sizeof one) != sizeof one)
        return 1;
    if (has_timer)
        pthread_join(other, NULL);
    return 0;
}
