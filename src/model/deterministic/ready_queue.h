// Tasks that are ready: a queue of ranges, first in, first out, where a loop of 20,000 tasks is one entry;
// and a set by rank, which gives the task with the lowest rank first.

#pragma once

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

// Which task comes before which. Both arrays are empty if it is the order of their ids.
struct Ranking {
    std::vector<std::uint32_t> rank;  // by task
    std::vector<std::uint32_t> task;  // by rank
};

class RankedQueue {
public:
    RankedQueue(Ranking const& ranking, std::size_t tasks) : ranking_(&ranking), ready_(tasks) {}

    void push(TaskRange range) {
        for (auto task = range.first; task < range.end; ++task)
            ready_.insert(ranking_->rank.empty() ? task : ranking_->rank[task]);
    }

    bool is_empty() const { return ready_.is_empty(); }

    // REQUIRES: not empty.
    std::uint32_t pop() {
        auto const rank = ready_.take_first();
        return ranking_->task.empty() ? rank : ranking_->task[rank];
    }

private:
    Ranking const* ranking_;  // lent
    BitTree ready_;
};

}  // namespace parcast::model
