// Semaphores, unnamed and named.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>

#include "host.h"

static sem_t semaphore;

static void* post(void*) {
    let_others_wait();
    sem_post(&semaphore);
    return nullptr;
}

int main() {
    int failures = 0;
    sem_init(&semaphore, 0, 1);
    errno = 77;
    failures += sem_wait(&semaphore) != 0;
    failures += sem_trywait(&semaphore) != -1 || errno != EAGAIN;
    timespec deadline = deadline_in_ms(CLOCK_REALTIME, 2);
    failures += sem_timedwait(&semaphore, &deadline) != -1 || errno != ETIMEDOUT;
    deadline = deadline_in_ms(CLOCK_MONOTONIC, 2);
    failures += sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline) != -1 || errno != ETIMEDOUT;
    pthread_t thread;
    pthread_create(&thread, nullptr, post, nullptr);
    errno = 77;
    failures += sem_wait(&semaphore) != 0;
    failures += errno != 77;
    pthread_join(thread, nullptr);
    sem_destroy(&semaphore);

    char name[64];
    snprintf(name, sizeof name, "/parcast-test-%d", static_cast<int>(getpid()));
    sem_t* const named = sem_open(name, O_CREAT | O_EXCL, 0600, 2);
    failures += named == SEM_FAILED || sem_wait(named) != 0;
    sem_close(named);
    sem_unlink(name);
    return failures;
}
