#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
extern char** environ;
// four threads, each starts a child program and waits for it, five times
static char* work = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done";
static void* crew(void* a) {
    for (int k = 0; k < 5; ++k) {
        pid_t p;
        char* v[] = {"sh", "-c", work, 0};
        posix_spawn(&p, "/bin/sh", 0, 0, v, environ);
        waitpid(p, 0, 0);
    }
    return a;
}
int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; ++i)
        pthread_create(t + i, 0, crew, 0);
    for (int i = 0; i < 4; ++i)
        pthread_join(t[i], 0);
    puts("ok");
    return 0;
}
