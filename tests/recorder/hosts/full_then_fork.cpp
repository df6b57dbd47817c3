// More locks than a small file can hold, then a child that locks once.

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i < 200000; ++i) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    pid_t const child = fork();
    if (child == 0) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status;
}
