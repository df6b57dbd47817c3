// Two threads of equal work: the second waits for each piece of the first by a pipe, a pair of sockets, or an
// event counter that it polls, as event loops do.
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include "work_loop.h"

enum { pieces = 40, steps = 600000 };
static int ends[2];  // read from the first, written to the second

static void* produce(void* argument) {
    for (int i = 0; i < pieces; ++i) {
        work(steps);
        uint64_t const one = 1;
        if (write(ends[1], &one, sizeof one) != sizeof one)
            return argument;
    }
    return NULL;
}

// An event counter may be read once for several writes.
static uint64_t next_pieces(int polled) {
    struct epoll_event event;
    uint64_t count = 0;
    if (polled >= 0 && epoll_wait(polled, &event, 1, -1) != 1)
        return 0;
    return read(ends[0], &count, sizeof count) == sizeof count ? count : 0;
}

int main(int count, char** arguments) {
    char const* const mode = count > 1 ? arguments[1] : "pipe";
    int polled = -1;
    if (!strcmp(mode, "pipe") && pipe(ends) != 0)
        return 1;
    if (!strcmp(mode, "sockets") && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 1;
    if (!strcmp(mode, "counter")) {
        struct epoll_event event = {.events = EPOLLIN};
        ends[0] = ends[1] = eventfd(0, 0);
        polled = epoll_create1(0);
        epoll_ctl(polled, EPOLL_CTL_ADD, ends[0], &event);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    for (uint64_t done = 0; done < pieces;) {
        uint64_t const ready = next_pieces(polled);
        if (ready == 0)
            return 1;
        for (uint64_t i = 0; i < ready; ++i)
            work(steps);
        done += ready;
    }
    pthread_join(thread, NULL);
    puts("ok");
    return 0;
}
