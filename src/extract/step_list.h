// The steps of one thread, a byte and a half each; 16 more for those with a value, a mutex to release, or
// another object than their event, so that a plan takes a fraction of the recording that it is made for.
//
//     list[i] = operation(OperationKind::lock, 3);
//     Step const step = list[i];

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

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
            std::vector<Rest>().swap(blocks_[released_].rests);
    }

private:
    static constexpr std::size_t block_size = 64;
    static_assert(operation_kinds.size() <= 32, "a kind has five bits of a code");
    static constexpr unsigned kind_shift = 2;            // above the form
    static constexpr std::uint8_t kind_mask = 31;        // likewise
    static constexpr std::uint8_t is_special = 1u << 7;  // without rest: the object is its event's; with
                                                         // one: the mutex is to be locked, not released
    struct Rest {
        std::int64_t value;
        std::uint32_t object;
        std::uint32_t mutex;
    };
    static_assert(sizeof(Rest) == 16);

    struct Block {
        std::array<std::uint8_t, block_size> codes = {};
        std::uint64_t have_rests = 0;  // bit i: the step i of it has one
        std::vector<Rest> rests;       // in their order
    };
    static_assert(static_cast<int>(Step::Form::boundary) == 0 &&
                      static_cast<int>(OperationKind::work_only) == 0,
                  "a code of 0 is a boundary");

    // The place of the step's rest among those of its block.
    static std::size_t rest_of(Block const& block, std::uint64_t bit) {
        return static_cast<std::size_t>(std::popcount(block.have_rests & (bit - 1)));
    }
    static std::uint64_t bit_of(std::size_t i) { return std::uint64_t{1} << i % block_size; }

    Step get(std::size_t i) const {
        Block const& block = blocks_[i / block_size];
        auto const code = block.codes[i % block_size];
        auto const form = static_cast<Step::Form>(code & 3);
        auto const kind = static_cast<OperationKind>(code >> kind_shift & kind_mask);
        bool const special = (code & is_special) != 0;
        if ((block.have_rests & bit_of(i)) == 0)
            return {form, kind, special ? events_->object_of(i).value : no_object, no_object, 0, no_object};
        Rest const& rest = block.rests[rest_of(block, bit_of(i))];
        return {form,        kind,
                rest.object, special ? no_object : rest.mutex,
                rest.value,  special ? rest.mutex : no_object};
    }

    void set(std::size_t i, Step const& step) {
        Block& block = blocks_[i / block_size];
        auto const bit = bit_of(i);
        auto const place = block.rests.begin() + static_cast<std::ptrdiff_t>(rest_of(block, bit));
        bool const had_rest = (block.have_rests & bit) != 0;
        bool const locks = step.locked_mutex != no_object;
        bool const is_of_event = step.object != no_object && step.object == events_->object_of(i).value;
        bool const needs_rest = step.value != 0 || step.released_mutex != no_object || locks ||
                                (step.object != no_object && !is_of_event);
        block.codes[i % block_size] = static_cast<std::uint8_t>(
            static_cast<unsigned>(step.form) | static_cast<unsigned>(step.kind) << kind_shift |
            ((needs_rest ? locks : is_of_event) ? is_special : 0));
        Rest const rest{step.value, step.object, locks ? step.locked_mutex : step.released_mutex};
        if (needs_rest && had_rest)
            *place = rest;
        else if (needs_rest)
            block.rests.insert(place, rest);
        else if (had_rest)
            block.rests.erase(place);
        block.have_rests = needs_rest ? block.have_rests | bit : block.have_rests & ~bit;
    }

    EventList const* events_ = nullptr;
    std::size_t size_ = 0;
    std::vector<Block> blocks_;
    std::size_t released_ = 0;  // blocks
};

}  // namespace parcast::extract
