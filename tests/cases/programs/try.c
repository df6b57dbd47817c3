// Two threads take two of six mutexes at random, by trylock only: they cannot deadlock.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m[6];
static long n[6];
static int take(unsigned* s, int not) {
    for (;;) {
        int j = rand_r(s) % 6;
        if (j != not&&pthread_mutex_trylock(&m[j]) == 0)
            return j;
    }
}
void* w(void* a) {
    unsigned s = (long)a * 7 + 1;
    for (int i = 0; i < 3000; i++) {
        int x = take(&s, -1);
        for (int volatile k = 0; k < 3000; k++)
            ;
        int y = take(&s, x);
        n[x]++;
        n[y]++;
        for (int volatile k = 0; k < 3000; k++)
            ;
        pthread_mutex_unlock(&m[x]);
        pthread_mutex_unlock(&m[y]);
    }
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int j = 0; j < 6; j++)
        pthread_mutex_init(&m[j], 0);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, w, (void*)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    long q = 0;
    for (int j = 0; j < 6; j++)
        q += n[j];
    printf("%ld\n", q);
}
