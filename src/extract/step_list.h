// The steps of one thread, a byte and a half each; 4 more for a number or a token, 16 for those with another
// value, a mutex to release or to lock, or another object than their event, so that a plan takes a fraction
// of the recording that it is made for.
//
//     list[i] = operation(OperationKind::lock, 3);
//     Step const step = list[i];

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/word_halves.h"
#include "extract/step.h"
#include "timeline/event_list.h"

namespace parcast::extract {

class StepList {
public:
    // A step of the list, to be read as a whole or replaced.
    class Place {
    public:
        Place(StepList& list, std::size_t position) : list_(list), position_(position) {}
        operator Step() const { return list_.get(position_); }
        Place& operator=(Step const& step) {
            list_.set(position_, step);
            return *this;
        }

    private:
        StepList& list_;
        std::size_t position_;
    };

    StepList() = default;
    // Boundaries, one for each of the events. These are the caller's, and do not change.
    explicit StepList(EventList const& events)
        : events_(&events), size_(events.size()), blocks_((size_ + block_size - 1) / block_size) {}

    std::size_t size() const { return size_; }
    Place operator[](std::size_t i) { return {*this, i}; }
    Step operator[](std::size_t i) const { return get(i); }

    // Frees memory of steps before `i`, which must not be read any more.
    void release_before(std::size_t i) {
        for (; (released_ + 1) * block_size <= i; ++released_)
            std::vector<std::uint32_t>().swap(blocks_[released_].words);
    }

private:
    static constexpr std::size_t block_size = 64;
    static_assert(operation_kinds.size() <= 32, "a kind has five bits of a code");
    static constexpr unsigned kind_shift = 2;            // above the form
    static constexpr std::uint8_t kind_mask = 31;        // likewise
    static constexpr std::uint8_t is_special = 1u << 7;  // what that means its words tell

    // What a step has beside its code.
    enum class Words : std::uint8_t {
        none = 0,    // special: the object is its event's
        number = 1,  // the value, and the object is its event's; special: one token, which has that number
        all = 4,     // value, object, a mutex to release; special: that mutex is to be locked
    };

    struct Block {
        std::array<std::uint8_t, block_size> codes = {};
        std::uint64_t have_words = 0;      // bit i: the step i of it has some
        std::uint64_t have_all = 0;        // and these
        std::vector<std::uint32_t> words;  // in their order
    };
    static_assert(static_cast<int>(Step::Form::boundary) == 0 &&
                      static_cast<int>(OperationKind::work_only) == 0,
                  "a code of 0 is a boundary");

    static std::uint64_t bit_of(std::size_t i) { return std::uint64_t{1} << i % block_size; }
    static Words words_of(Block const& block, std::uint64_t bit) {
        return (block.have_all & bit) != 0     ? Words::all
               : (block.have_words & bit) != 0 ? Words::number
                                               : Words::none;
    }
    // Where those of the step begin among those of its block.
    static std::size_t place_of(Block const& block, std::uint64_t bit) {
        auto const before = bit - 1;
        return static_cast<std::size_t>(std::popcount(block.have_words & before) +
                                        3 * std::popcount(block.have_all & before));
    }

    Step get(std::size_t i) const {
        Block const& block = blocks_[i / block_size];
        auto const code = block.codes[i % block_size];
        bool const special = (code & is_special) != 0;
        auto const* words = block.words.data() + place_of(block, bit_of(i));
        Step step;
        step.form = static_cast<Step::Form>(code & 3);
        step.kind = static_cast<OperationKind>(code >> kind_shift & kind_mask);
        switch (words_of(block, bit_of(i))) {
            case Words::none: step.object = special ? events_->object_of(i).value : no_object; break;
            case Words::number:
                step.object = events_->object_of(i).value;
                step.value = special ? from_halves(1, words[0]) : from_halves(words[0], 0);
                break;
            case Words::all:
                step.value = from_halves(words[0], words[1]);
                step.object = words[2];
                (special ? step.locked_mutex : step.released_mutex) = words[3];
                break;
        }
        return step;
    }

    Words words_for(std::size_t i, Step const& step) const {
        bool const is_of_event = step.object != no_object && step.object == events_->object_of(i).value;
        bool const has_mutex = step.released_mutex != no_object || step.locked_mutex != no_object;
        if (has_mutex || (step.object != no_object && !is_of_event))
            return Words::all;
        if (step.value == 0)
            return Words::none;
        return is_of_event && (high_half(step.value) == 0 || low_half(step.value) == 1) ? Words::number
                                                                                        : Words::all;
    }

    static bool is_special_with(Words words, Step const& step) {
        switch (words) {
            case Words::none: return step.object != no_object;
            case Words::number: return high_half(step.value) != 0;
            case Words::all: return step.locked_mutex != no_object;
        }
        return false;
    }

    void set(std::size_t i, Step const& step) {
        Block& block = blocks_[i / block_size];
        auto const bit = bit_of(i);
        auto const words = words_for(i, step);
        bool const special = is_special_with(words, step);
        block.codes[i % block_size] = static_cast<std::uint8_t>(
            static_cast<unsigned>(step.form) | static_cast<unsigned>(step.kind) << kind_shift |
            (special ? is_special : 0));
        std::uint32_t const number[] = {special ? high_half(step.value) : low_half(step.value)};
        std::uint32_t const all[] = {low_half(step.value), high_half(step.value), step.object,
                                     special ? step.locked_mutex : step.released_mutex};
        auto const place = block.words.begin() + static_cast<std::ptrdiff_t>(place_of(block, bit));
        auto const had = static_cast<std::ptrdiff_t>(words_of(block, bit));
        auto const rest = block.words.erase(place, place + had);
        if (words == Words::number)
            block.words.insert(rest, std::begin(number), std::end(number));
        if (words == Words::all)
            block.words.insert(rest, std::begin(all), std::end(all));
        block.have_words = words != Words::none ? block.have_words | bit : block.have_words & ~bit;
        block.have_all = words == Words::all ? block.have_all | bit : block.have_all & ~bit;
    }

    EventList const* events_ = nullptr;
    std::size_t size_ = 0;
    std::vector<Block> blocks_;
    std::size_t released_ = 0;  // blocks
};

}  // namespace parcast::extract
