// The shares of a thread's work, while its words are read (src/wire/record.h: define_stack, stack_time).

#pragma once

#include <cstdint>
#include <vector>

#include "core/work_share.h"
#include "trace/raw/raw_threads.h"
#include "trace/raw/tick_scale.h"

namespace parcast::trace {

class RawShares {
public:
    // Both return what is wrong with the word, or null. `number` is the stream's, `used_ns` what the CPU
    // clock of the thread shows since the last event, if that divides the rest.
    char const* define(std::uint32_t number, std::uint64_t function, std::uint64_t caller,
                       RawNumbers& numbers);
    char const* add(std::uint32_t number, std::int64_t ns, std::uint64_t calls);
    char const* add_rest(std::uint32_t number, std::int64_t used_ns);

    // An event ends the piece of work: its number.
    void end_piece(std::uint32_t piece);
    void begin_thread();

    // The shares of the pieces before `end`.
    std::span<WorkShare const> before(std::uint32_t end) const;
    void drop_before(std::uint32_t end);

private:
    struct Known {
        bool is_defined = false;
        std::uint32_t number = 0;  // in RawNumbers::stacks; all ones: outside of all functions
        std::uint32_t row = 0;     // of piece_, if that is of this stack
    };
    WorkShare* row_of(std::uint32_t number);

    std::vector<Known> known_;      // by the stream's number
    std::vector<WorkShare> piece_;  // the one that is not over
    std::size_t last_row_ = 0;
    std::int64_t piece_ns_ = 0;
    std::vector<WorkShare> done_;
};

}  // namespace parcast::trace
