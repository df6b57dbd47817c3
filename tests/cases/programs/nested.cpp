#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
// three quarters of the work under one lock
static std::mutex m;
static double volatile x;
static void spin(int n) {
    double s = 0;
    for (int i = 0; i < n; ++i)
        s += i * 0.5;
    x = s;
}
static void worker(int n) {
    for (int i = 0; i < n; ++i) {
        spin(2000);
        std::lock_guard<std::mutex> g(m);
        spin(6000);
    }
}
int main(int c, char** v) {
    int t = c > 1 ? atoi(v[1]) : (int)std::thread::hardware_concurrency();
    std::vector<std::thread> p;
    for (int i = 0; i < t; ++i)
        p.emplace_back(worker, 20000 / t);
    for (auto& q : p)
        q.join();
    puts("ok");
}
