// A set of processors, with the smallest member that an affinity mask allows found a word at a time.

#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace parcast::simulate {

// Bit i allows processor i; no bit, or no bit below the number of processors, allows all.
// A recording may name processors that the target does not have: no thread may be left without one.
inline std::uint64_t usable_affinity(std::uint64_t mask, std::uint32_t processors) {
    auto const existing = processors >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << processors) - 1;
    return mask & existing;
}

inline bool allows(std::uint64_t usable_mask, std::uint32_t processor) {
    return usable_mask == 0 || (processor < 64 && (usable_mask >> processor & 1) != 0);
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

    std::optional<std::uint32_t> first_allowed(std::uint64_t usable_mask) const {
        if (size_ == 0)
            return std::nullopt;
        auto const words = usable_mask == 0 ? words_.size() : 1;
        for (std::size_t word = 0; word < words; ++word) {
            auto const candidates = usable_mask == 0 ? words_[word] : words_[word] & usable_mask;
            if (candidates != 0) {
                return static_cast<std::uint32_t>(word * 64) +
                       static_cast<std::uint32_t>(std::countr_zero(candidates));
            }
        }
        return std::nullopt;
    }

    bool contains(std::uint32_t processor) const {
        return (words_[processor / 64] >> processor % 64 & 1) != 0;
    }

    // From `start` on, going round.
    std::optional<std::uint32_t> next_allowed(std::uint64_t usable_mask, std::uint32_t start) const {
        auto const words = usable_mask == 0 ? words_.size() : 1;
        auto from = ~std::uint64_t{0} << start % 64;
        for (std::size_t word = start / 64; word < words; ++word, from = ~std::uint64_t{0}) {
            auto const candidates =
                words_[word] & from & (usable_mask == 0 ? ~std::uint64_t{0} : usable_mask);
            if (candidates != 0)
                return static_cast<std::uint32_t>(word * 64) +
                       static_cast<std::uint32_t>(std::countr_zero(candidates));
        }
        return first_allowed(usable_mask);
    }

private:
    std::vector<std::uint64_t> words_;
    std::uint32_t size_ = 0;
};

}  // namespace parcast::simulate
