// Preloaded into a measured program: marks the span that a recording of it covers, from the first constructor
// of the process to exit, and appends its length in nanoseconds of the guest's clock to the file SPAN_FILE.

#include "mark.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int64_t begin_ns;
static int file = -1;
static pid_t measured;

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

__attribute__((constructor)) static void begin(void) {
    unsetenv("LD_PRELOAD");  // children are not measured
    measured = getpid();
    char const* const name = getenv("SPAN_FILE");
    file = name == NULL ? -1 : open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    mark_begin();
    begin_ns = now_ns();
}

__attribute__((destructor)) static void end(void) {
    if (getpid() != measured)
        return;
    int64_t const end_ns = now_ns();
    mark_end();
    if (file >= 0)
        dprintf(file, "%lld\n", (long long)(end_ns - begin_ns));
}
