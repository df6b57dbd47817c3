#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
// each thread builds and frees long lists of small nodes
struct Node {
    long a, b, c;
    Node* next;
};
long volatile sink;
void build(int rounds) {
    long s = 0;
    for (int r = 0; r < rounds; ++r) {
        Node* h = nullptr;
        for (int i = 0; i < 20000; ++i) {
            Node* n = (Node*)std::malloc(200);
            n->a = i;
            n->next = h;
            h = n;
        }
        while (h) {
            Node* n = h->next;
            s += h->a;
            std::free(h);
            h = n;
        }
    }
    sink = s;
}
int main(int argc, char** argv) {
    int n = std::atoi(argv[1]), rounds = 160;
    std::vector<std::thread> t;
    for (int i = 0; i < n; ++i)
        t.emplace_back(build, rounds / n);
    for (auto& x : t)
        x.join();
    std::puts("ok");
}
