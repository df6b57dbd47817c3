// Two threads write to files in memory: CPU time, no device.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char* buf;
static void* w(void* x) {
    int f = open(x, O_CREAT | O_RDWR | O_TRUNC, 0600);
    for (int i = 0; i < 20; i++) {
        lseek(f, 0, 0);
        if (write(f, buf, 8 << 20) < 0)
            return 0;
    }
    close(f);
    unlink(x);
    return 0;
}
int main(void) {
    buf = malloc(8 << 20);
    memset(buf, 1, 8 << 20);
    pthread_t a, b;
    pthread_create(&a, 0, w, "/dev/shm/parcast-case.a");
    pthread_create(&b, 0, w, "/dev/shm/parcast-case.b");
    pthread_join(a, 0);
    pthread_join(b, 0);
    puts("ok");
    return 0;
}
