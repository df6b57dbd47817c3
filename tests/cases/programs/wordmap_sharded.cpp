// Lock contention in a hash map: threads count words in 64 maps, each behind a mutex of its own.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static int const SHARDS = 64;
struct Shard {
    std::mutex m;
    std::unordered_map<std::string, long> map;
};
static Shard shards[SHARDS];

static std::string next_word(uint64_t& state) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    uint64_t r = (state >> 33) % 50000;
    std::string w = "w";
    for (int i = 0; i < 6; ++i) {
        w += char('a' + r % 26);
        r /= 26;
    }
    return w;
}

static uint64_t normalise(std::string const& w) {
    uint64_t h = 1469598103934665603ull;
    for (int k = 0; k < 12; ++k)
        for (char c : w)
            h = (h ^ uint64_t(c)) * 1099511628211ull;
    return h;
}

static void count_words(int id, long n, uint64_t* out) {
    uint64_t state = 12345 + 77 * id, sum = 0;
    for (long i = 0; i < n; ++i) {
        std::string w = next_word(state);
        sum ^= normalise(w);
        Shard& s = shards[std::hash<std::string>{}(w) % SHARDS];
        std::lock_guard<std::mutex> guard(s.m);
        ++s.map[w];
    }
    *out = sum;
}

int main(int argc, char** argv) {
    int threads = argc > 1 ? atoi(argv[1]) : (int)std::thread::hardware_concurrency();
    long total = argc > 2 ? atol(argv[2]) : 2000000;
    std::vector<uint64_t> out(threads);
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t)
        pool.emplace_back(count_words, t, total / threads, &out[t]);
    for (auto& t : pool)
        t.join();
    long n = 0;
    size_t d = 0;
    for (auto& s : shards) {
        d += s.map.size();
        for (auto& [w, c] : s.map)
            n += c;
    }
    printf("%d threads: %ld words, %zu different\n", threads, n, d);
}
