// Futures that are kept, deferred, or dropped: who drops one waits for its task.
#include <cstdio>
#include <cstring>
#include <future>
#include <vector>
#include "churn.h"
std::uint64_t volatile sink;
void bake() {
    sink = churn(40000000ull);
}
int main(int argc, char** argv) {
    bool keep = argc > 1 && !std::strcmp(argv[1], "keep"), lazy = argc > 1 && !std::strcmp(argv[1], "lazy");
    if (keep) {
        std::vector<std::future<void>> f;
        for (int i = 0; i < 8; ++i)
            f.push_back(std::async(std::launch::async, bake));
        for (auto& x : f)
            x.get();
    } else if (lazy) {
        std::vector<std::future<void>> f;
        for (int i = 0; i < 8; ++i)
            f.push_back(std::async(std::launch::deferred, bake));
        for (auto& x : f)
            x.get();
    } else
        for (int i = 0; i < 8; ++i)
            (void)std::async(std::launch::async, bake);  // the temporary waits for its task
    std::puts("ok");
}
