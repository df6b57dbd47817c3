// What a page must show and never run: names of threads, words of the command line and paths of source files
// that are HTML. Its own name and arguments come from who runs it.

#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int volatile work;

#line 7 "</script><img src=x onerror=ran('path')>/it's \"here\".c"
static void* run(void* name) {
    pthread_setname_np(pthread_self(), name);
    for (int i = 0; i < 20; ++i) {
        pthread_mutex_lock(&lock);
        for (int j = 0; j < 20000; ++j)
            ++work;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    // The longest name that a thread can have is 15 letters.
    static char* const names[] = {"<img src=x>", "<svg/onload=a()", "'\"><b>bold</b>", "\xff\xfe\x1b[31m"};
    enum { threads = sizeof names / sizeof *names };
    pthread_t ids[threads];
    for (int i = 0; i < threads; ++i)
        pthread_create(&ids[i], NULL, run, names[i]);
    for (int i = 0; i < threads; ++i)
        pthread_join(ids[i], NULL);
}
