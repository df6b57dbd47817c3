// Tasks that are ready: a queue of ranges, first in, first out, where a loop of 20,000 tasks is one entry;
// a set of ids; a heap by value, and that heap with buckets below it for what will not be taken soon.

#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
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

// The order of PriorityQueue, faster where values fall while tasks are taken, as ways to the end of a graph
// do. Only tasks of the best values are in the heap; the others wait in buckets by value, unsorted, and a
// bucket goes to the heap when what is better is gone: so a task meets the few of its own bucket. (Of
// processing times, which do not fall, the heap alone is as fast.)
//
//     value  high |  bucket 0 .. reached_-1: in the heap  | reached_: list | ... | last: list |  low
//
// Cost: 9 bytes a task of the graph; time as the heap at worst.
class BucketQueue {
public:
    // by task, >= 0; lent
    explicit BucketQueue(std::vector<double> const& value)
        : value_(&value),
          best_(value.empty() ? 0 : std::ranges::max(value)),
          head_(value.size() / tasks_in_bucket + 1),
          next_(value.size()),
          filled_(head_.size()),
          heap_(value) {
        // Values between which no buckets fit are all in bucket 0.
        auto const buckets_in_a_unit = static_cast<double>(head_.size()) / best_;
        buckets_in_a_unit_ = std::isfinite(buckets_in_a_unit) ? buckets_in_a_unit : 0;
    }

    void push(TaskRange range) {
        for (auto task = range.first; task < range.end; ++task) {
            auto const bucket = bucket_of(task);
            if (bucket < reached_)
                heap_.push({task, task + 1});
            else
                keep(task, bucket);
        }
    }

    bool is_empty() const { return heap_.is_empty() && filled_.is_empty(); }

    // REQUIRES: not empty.
    std::uint32_t pop() {
        if (heap_.is_empty())
            reach(filled_.take_first());
        return heap_.pop();
    }

private:
    static constexpr std::size_t tasks_in_bucket =
        4;  // if values are uniform and all tasks are ready at once

    // Never lower for a lower value, since rounding keeps order.
    std::uint32_t bucket_of(std::uint32_t task) const {
        auto const place = static_cast<std::size_t>((best_ - (*value_)[task]) * buckets_in_a_unit_);
        return static_cast<std::uint32_t>(std::min(place, head_.size() - 1));
    }

    // In front of the others; the last one of a bucket is followed by itself.
    void keep(std::uint32_t task, std::uint32_t bucket) {
        next_[task] = filled_.contains(bucket) ? head_[bucket] : task;
        head_[bucket] = task;
        filled_.insert(bucket);
    }

    void reach(std::uint32_t bucket) {
        auto task = head_[bucket];
        heap_.push({task, task + 1});
        while (next_[task] != task) {
            task = next_[task];
            heap_.push({task, task + 1});
        }
        reached_ = bucket + 1;
    }

    std::vector<double> const* value_;
    double best_;
    double buckets_in_a_unit_ = 0;
    std::vector<std::uint32_t> head_;  // by bucket, where that is filled
    std::vector<std::uint32_t> next_;  // by task in a bucket
    BitTree filled_;
    PriorityQueue heap_;
    std::uint32_t reached_ = 0;  // buckets
};

}  // namespace parcast::model
