#include "programs.h"

#include <cstdint>
#include <fstream>
#include <random>

namespace parcast::bench {
namespace {

constexpr std::size_t text_bytes = 4 << 20;
constexpr std::size_t vocabulary_words = 20'000;

std::vector<std::string> vocabulary(std::mt19937_64& random) {
    std::vector<std::string> words(vocabulary_words);
    for (std::string& word : words) {
        for (std::uint64_t letters = 2 + random() % 9; letters > 0; --letters)
            word += static_cast<char>('a' + random() % 26);
        word += ' ';
    }
    return words;
}

}  // namespace

std::vector<Program> const& programs() {
    static std::vector<Program> const all = {{"pigz", "-p4 -c"},
                                             {"pbzip2", "-p4 -c"},
                                             {"xz", "-0 -T4 --block-size=1MiB -c"},
                                             {"zstd", "-9 -T4 -q -c"}};
    return all;
}

void write_text(std::string const& path) {
    std::mt19937_64 random(1);
    std::vector<std::string> const words = vocabulary(random);
    std::string text;
    while (text.size() < text_bytes) {
        // The product of two choices prefers the first words, as languages do.
        std::uint64_t const choice = random() % vocabulary_words * (random() % vocabulary_words);
        text += words[choice / vocabulary_words];
    }
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace parcast::bench
