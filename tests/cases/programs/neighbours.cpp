#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
// counters of threads in one cache line, or a line each
struct Wide {
    alignas(64) volatile long v;
};
long volatile tight[16];
Wide wide[16];
int main(int argc, char** argv) {
    int n = std::atoi(argv[1]);
    bool t = !std::strcmp(argv[2], "tight");
    std::vector<std::thread> th;
    for (int i = 0; i < n; ++i)
        th.emplace_back([=] {
            for (long k = 0; k < 400000000 / n; ++k)
                if (t)
                    tight[i] = tight[i] + 1;
                else
                    wide[i].v = wide[i].v + 1;
        });
    for (auto& x : th)
        x.join();
    std::puts("ok");
}
