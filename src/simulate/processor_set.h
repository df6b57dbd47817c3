// A set of processors, with the smallest member that a thread may use found a word at a time.

#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace parcast::simulate {

// Which processors may run a thread: those of a mask within one word of 64, or all.
struct AllowedProcessors {
    std::uint64_t mask = 0;  // bit i allows processor 64 * word + i; no bit: all are allowed
    std::uint32_t word = 0;

    bool are_all() const { return mask == 0; }
    bool contain(std::uint32_t processor) const {
        return mask == 0 || (processor / 64 == word && (mask >> processor % 64 & 1) != 0);
    }
};

// Bit i allows processor 64 * word + i; no bit, or no bit below the number of processors, allows all.
// A recording may name processors that the target does not have: no thread may be left without one.
inline AllowedProcessors usable_affinity(std::uint64_t mask, std::uint32_t processors,
                                         std::uint32_t word = 0) {
    auto const first = std::uint64_t{64} * word;
    auto const left = processors > first ? processors - first : 0;
    auto const existing = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    auto const usable = mask & existing;
    return {usable, usable == 0 ? 0 : word};
}

inline AllowedProcessors only_processor(std::uint32_t processor) {
    return {std::uint64_t{1} << processor % 64, processor / 64};
}

class ProcessorSet {
public:
    explicit ProcessorSet(std::uint32_t processors) : words_(processors / 64 + 1) {}

    void insert(std::uint32_t processor) {
        words_[processor / 64] |= std::uint64_t{1} << processor % 64;
        ++size_;
    }
    void erase(std::uint32_t processor) {
        words_[processor / 64] &= ~(std::uint64_t{1} << processor % 64);
        --size_;
    }

    std::optional<std::uint32_t> first_allowed(AllowedProcessors const& allowed) const {
        if (size_ == 0)
            return std::nullopt;
        if (!allowed.are_all())
            return lowest_of(allowed.word, words_[allowed.word] & allowed.mask);
        for (std::uint32_t word = 0; word < words_.size(); ++word)
            if (words_[word] != 0)
                return lowest_of(word, words_[word]);
        return std::nullopt;
    }

    bool contains(std::uint32_t processor) const {
        return (words_[processor / 64] >> processor % 64 & 1) != 0;
    }

    bool is_empty() const { return size_ == 0; }

    // From `start` on, going round.
    std::optional<std::uint32_t> next_allowed(AllowedProcessors const& allowed, std::uint32_t start) const {
        auto from = ~std::uint64_t{0} << start % 64;
        for (std::uint32_t word = start / 64; word < words_.size(); ++word, from = ~std::uint64_t{0}) {
            if (!allowed.are_all() && word != allowed.word)
                continue;
            auto const members = words_[word] & from;
            if (auto const found = lowest_of(word, allowed.are_all() ? members : members & allowed.mask))
                return found;
        }
        return first_allowed(allowed);
    }

private:
    static std::optional<std::uint32_t> lowest_of(std::uint32_t word, std::uint64_t members) {
        if (members == 0)
            return std::nullopt;
        return word * 64 + static_cast<std::uint32_t>(std::countr_zero(members));
    }

    std::vector<std::uint64_t> words_;
    std::uint32_t size_ = 0;
};

}  // namespace parcast::simulate
