// Two threads take two mutexes in opposite orders, by std::scoped_lock: they cannot deadlock.
#include <cstdio>
#include <mutex>
#include <thread>
std::mutex a, b;
long n;
void w(bool f) {
    for (int i = 0; i < 3000; i++) {
        {
            if (f) {
                std::scoped_lock g(a, b);
                n++;
                for (int volatile k = 0; k < 3000; k++)
                    ;
            } else {
                std::scoped_lock g(b, a);
                n++;
                for (int volatile k = 0; k < 3000; k++)
                    ;
            }
        }
        for (int volatile k = 0; k < 3000; k++)
            ;
    }
}
int main() {
    std::thread x(w, true), y(w, false);
    x.join();
    y.join();
    printf("%ld\n", n);
}
