// Streams of stdio: one that two threads use, and one that the main thread has for itself.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

extern "C" int __fprintf_chk(FILE* file, int flag, char const* text, ...);

static FILE* together;
static int failures;

static void* write_and_hold(void*) {
    failures += fprintf(together, "%d %s\n", 17, "of 4") != 8;
    failures += putc('x', together) != 'x';
    flockfile(together);
    failures += fputs_unlocked("held\n", together) < 0;
    failures += fputc('y', together) != 'y';
    hold_for_a_while();
    funlockfile(together);
    return nullptr;
}

int main() {
    char* written = nullptr;
    size_t size = 0;
    together = open_memstream(&written, &size);
    FILE* const alone = fopen("/dev/null", "w");
    fputs("alone\n", together);
    pthread_t thread;
    pthread_create(&thread, nullptr, write_and_hold, nullptr);
    let_others_wait();
    failures += fprintf(alone, "%d", 1) != 1;
    failures += fwrite("waited\n", 1, 7, together) != 7;
    pthread_join(thread, nullptr);
    failures += __fprintf_chk(together, 1, "%c", 'z') != 1;
    fclose(alone);
    fflush(together);
    failures += strcmp(written, "alone\n17 of 4\nxheld\nywaited\nz") != 0;
    fclose(together);
    free(written);
    return failures;
}
