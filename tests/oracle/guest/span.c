// Preloaded into a measured program: marks the span that a recording of it covers, from the first constructor
// of the process to exit, and appends its length in nanoseconds of the guest's clock to the file SPAN_FILE.
// With SPAN_OF, only the program of that name is measured: who starts it only hands this library on.

#define _GNU_SOURCE  // program_invocation_short_name

#include "mark.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    char const* const whose = getenv("SPAN_OF");
    if (whose != NULL && strcmp(whose, program_invocation_short_name) != 0)
        return;
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
