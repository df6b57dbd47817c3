// Tasks that are ready: a queue of ranges, first in, first out, where a loop of 20,000 tasks is one entry;
// and a set by rank, which gives the task with the lowest rank first.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/deterministic/bit_tree.h"

namespace parcast::model {

// Tasks of a group: [first, end).
struct TaskRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
};

class FifoQueue {
public:
    void push(TaskRange range) {
        if (head_ == ranges_.size()) {
            ranges_.clear();
            head_ = 0;
        }
        ranges_.push_back(range);
        tasks_ += range.end - range.first;
    }

    bool is_empty() const { return tasks_ == 0; }
    std::size_t size() const { return tasks_; }

    // REQUIRES: not empty.
    std::uint32_t pop() {
        auto& front = ranges_[head_];
        auto const task = front.first++;
        head_ += front.first == front.end;
        --tasks_;
        return task;
    }

private:
    std::vector<TaskRange> ranges_;
    std::size_t head_ = 0;
    std::size_t tasks_ = 0;
};

// The lowest task id first.
class IdQueue {
public:
    explicit IdQueue(std::size_t tasks) : ready_(tasks) {}

    void push(TaskRange range) {
        for (auto task = range.first; task < range.end; ++task)
            ready_.insert(task);
    }

    bool is_empty() const { return ready_.is_empty(); }

    // REQUIRES: not empty.
    std::uint32_t pop() { return ready_.take_first(); }

private:
    BitTree ready_;
};

// The largest value (>= 0) first; of equal ones the lowest task id. A heap of what is ready, which is small
// in most graphs, and no order of all tasks: sorting a million of them takes longer than executing them.
class PriorityQueue {
public:
    // by task; lent
    explicit PriorityQueue(std::vector<double> const& value) : value_(&value) {}

    void push(TaskRange range) {
        for (auto task = range.first; task < range.end; ++task) {
            heap_.push_back(key_of(task));
            std::push_heap(heap_.begin(), heap_.end());
        }
    }

    bool is_empty() const { return heap_.empty(); }

    // REQUIRES: not empty.
    std::uint32_t pop() {
        std::pop_heap(heap_.begin(), heap_.end());
        auto const task = ~static_cast<std::uint32_t>(heap_.back());
        heap_.pop_back();
        return task;
    }

private:
    // Value, then the task from high to low, as one number: a heap of these compares without branches, which
    // could not be predicted. Values are >= 0, so their bits have their order; adding 0 makes -0 to 0.
    __extension__ using Key = unsigned __int128;

    Key key_of(std::uint32_t task) const {
        return Key{std::bit_cast<std::uint64_t>((*value_)[task] + 0.0)} << 32 | ~task;
    }

    std::vector<double> const* value_;
    std::vector<Key> heap_;
};

}  // namespace parcast::model
