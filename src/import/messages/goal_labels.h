// The labels of one rank of a GOAL text: a flat hash table that is emptied by counting up a generation.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace parcast {

class GoalLabels {
public:
    void clear() {
        ++generation_;
        count_ = 0;
    }

    // False: the label is there already. `label` is a loan until clear().
    bool insert(std::string_view label, std::uint32_t operation) {
        if (2 * (count_ + 1) > slots_.size())
            grow();
        auto const key = key_of(label);
        auto& slot = slot_for(key, label);
        if (slot.generation == generation_)
            return false;
        slot = {key, label.data(), operation, generation_};
        ++count_;
        return true;
    }

    std::optional<std::uint32_t> find(std::string_view label) {
        if (count_ == 0)
            return std::nullopt;
        auto const& slot = slot_for(key_of(label), label);
        return slot.generation == generation_ ? std::optional(slot.operation) : std::nullopt;
    }

private:
    struct Slot {
        std::uint64_t key;
        char const* label;
        std::uint32_t operation;
        std::uint32_t generation;
    };

    static constexpr std::uint64_t is_long = std::uint64_t{1} << 63U;

    // Up to eight letters are their own key. Letters have no highest bit, so that it tells longer labels,
    // whose keys may be equal.
    static std::uint64_t key_of(std::string_view label) {
        std::uint64_t key = 0;
        if (label.size() <= 8) {
            std::memcpy(&key, label.data(), label.size());
            return key;
        }
        for (auto rest = label; !rest.empty(); rest.remove_prefix(std::min<std::size_t>(8, rest.size()))) {
            std::uint64_t part = 0;
            std::memcpy(&part, rest.data(), std::min<std::size_t>(8, rest.size()));
            key = (key ^ part) * multiplier;
            key ^= key >> 32U;
        }
        return key | is_long;
    }

    Slot& slot_for(std::uint64_t key, std::string_view label) {
        auto const mask = slots_.size() - 1;
        for (auto i = static_cast<std::size_t>((key * multiplier) >> 20U) & mask;; i = (i + 1) & mask) {
            auto& slot = slots_[i];
            if (slot.generation != generation_ || (slot.key == key && is_label(slot, label)))
                return slot;
        }
    }

    // The text goes on behind a shorter label with another letter, so that equal hashes are told apart.
    static bool is_label(Slot const& slot, std::string_view label) {
        return (slot.key & is_long) == 0 || (std::memcmp(slot.label, label.data(), label.size()) == 0 &&
                                             !is_in_label(slot.label[label.size()]));
    }

    static bool is_in_label(char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '_';
    }

    void grow() {
        std::vector<Slot> old(std::max<std::size_t>(64, 2 * slots_.size()), Slot{0, nullptr, 0, 0});
        std::swap(old, slots_);
        for (auto const& slot : old)
            if (slot.generation == generation_)
                slot_for_moved(slot.key) = slot;
    }

    // All labels that are moved are different.
    Slot& slot_for_moved(std::uint64_t key) {
        auto const mask = slots_.size() - 1;
        auto i = static_cast<std::size_t>((key * multiplier) >> 20U) & mask;
        while (slots_[i].generation == generation_)
            i = (i + 1) & mask;
        return slots_[i];
    }

    static constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio

    std::vector<Slot> slots_;
    std::uint32_t generation_ = 1;
    std::size_t count_ = 0;
};

}  // namespace parcast
