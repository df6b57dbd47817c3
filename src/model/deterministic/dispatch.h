// Brings idle processes and ready tasks together, one class a family of policies. Each is told which process
// is free and which tasks are ready, and then asked for assignments until there is none: always of the lowest
// process that can take something.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "machine/ready_policy.h"
#include "model/deterministic/allocation.h"
#include "model/deterministic/bit_tree.h"
#include "model/deterministic/ready_queue.h"

namespace parcast::model {

struct Assignment {
    std::uint32_t task = 0;
    std::uint32_t process = 0;
    bool is_fetched = false;  // from a queue that processes share
};

// One queue for all.
template <class Queue>
class OneQueue {
public:
    OneQueue(Queue queue, std::uint32_t processes) : queue_(std::move(queue)), idle_(processes) {}

    void free(std::uint32_t process) { idle_.insert(process); }
    void ready(TaskRange range, std::uint32_t /*group*/) { queue_.push(range); }

    std::optional<Assignment> next() {
        if (queue_.is_empty() || idle_.is_empty())
            return std::nullopt;
        auto const process = idle_.take_first();
        return Assignment{queue_.pop(), process, true};
    }

private:
    Queue queue_;
    BitTree idle_;
};

// One queue from which a process takes several tasks at once and runs them in their order.
class QueueOfBatches {
public:
    QueueOfBatches(ready::Batch policy, std::uint32_t processes)
        : policy_(policy), idle_(processes), has_more_(processes), taken_(processes) {}

    void free(std::uint32_t process) { (taken_[process].is_empty() ? idle_ : has_more_).insert(process); }
    void ready(TaskRange range, std::uint32_t /*group*/) { queue_.push(range); }

    std::optional<Assignment> next() {
        bool const can_take = !queue_.is_empty() && !idle_.is_empty();
        if (!has_more_.is_empty() && (!can_take || has_more_.first() < idle_.first())) {
            auto const process = has_more_.take_first();
            return Assignment{taken_[process].pop(), process, false};
        }
        if (!can_take)
            return std::nullopt;
        auto const process = idle_.take_first();
        for (auto left = batch_size(); left > 0; --left) {
            auto const task = queue_.pop();
            taken_[process].push({task, task + 1});
        }
        return Assignment{taken_[process].pop(), process, true};
    }

private:
    std::size_t batch_size() const {
        auto const queued = queue_.size();
        auto const processes = taken_.size();
        auto const share =
            policy_.kind == ready::Batch::Kind::guided ? (queued + processes - 1) / processes : 0;
        return std::min(queued, std::max<std::size_t>(policy_.size, share));
    }

    ready::Batch policy_;
    FifoQueue queue_;
    BitTree idle_;
    BitTree has_more_;              // free, with tasks of its batch left
    std::vector<FifoQueue> taken_;  // by process: what is left of its batch
};

// A queue a process, and one for the tasks of any process. The first that is ready starts first.
class OwnQueues {
public:
    OwnQueues(Allocation allocation, std::uint32_t processes)
        : allocation_(std::move(allocation)),
          next_(allocation_.process.size()),
          queues_(processes),
          idle_(processes),
          can_start_(processes) {}

    void free(std::uint32_t process) {
        idle_.insert(process);
        if (!queues_[process].is_empty)
            can_start_.insert(process);
    }

    void ready(TaskRange range, std::uint32_t /*group*/) {
        for (auto task = range.first; task < range.end; ++task) {
            auto const process = allocation_.process[task];
            if (process == any_process)
                shared_.push({task, task + 1});
            else
                enqueue(task, process);
        }
    }

    std::optional<Assignment> next() {
        bool const can_share = !shared_.is_empty() && !idle_.is_empty();
        if (!can_start_.is_empty() && (!can_share || can_start_.first() <= idle_.first())) {
            auto const process = can_start_.take_first();
            idle_.erase(process);
            return Assignment{dequeue(process), process, false};
        }
        if (!can_share)
            return std::nullopt;
        auto const process = idle_.take_first();
        return Assignment{shared_.pop(), process, true};
    }

private:
    struct Queue {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        bool is_empty = true;
    };

    void enqueue(std::uint32_t task, std::uint32_t process) {
        auto& queue = queues_[process];
        (queue.is_empty ? queue.first : next_[queue.last]) = task;
        queue.last = task;
        queue.is_empty = false;
        if (idle_.contains(process))
            can_start_.insert(process);
    }

    std::uint32_t dequeue(std::uint32_t process) {
        auto& queue = queues_[process];
        auto const task = queue.first;
        queue.is_empty = task == queue.last;
        queue.first = next_[task];
        return task;
    }

    Allocation allocation_;
    std::vector<std::uint32_t> next_;  // by task: behind it in its queue
    std::vector<Queue> queues_;        // by process
    FifoQueue shared_;
    BitTree idle_;
    BitTree can_start_;  // idle, and its own queue has a task
};

// A list a process: it starts its tasks strictly in order, and waits for the next one if that is not ready.
class OwnLists {
public:
    // REQUIRES: every task has a process.
    OwnLists(Allocation const& allocation, std::span<std::uint32_t const> order, std::uint32_t processes)
        : lists_(processes),
          task_(order.size()),
          place_(order.size()),
          is_ready_(order.size()),
          idle_(processes),
          can_start_(processes) {
        for (auto const process : allocation.process)
            ++lists_[process].end;
        std::uint32_t begin = 0;
        for (auto& list : lists_) {
            auto const size = list.end;
            list.next = list.end = begin;
            begin += size;
        }
        owner_ = allocation.process;
        for (auto const task : order) {
            place_[task] = lists_[owner_[task]].end++;
            task_[place_[task]] = task;
        }
    }

    void free(std::uint32_t process) {
        idle_.insert(process);
        look_at(process);
    }

    void ready(TaskRange range, std::uint32_t /*group*/) {
        for (auto task = range.first; task < range.end; ++task) {
            is_ready_[place_[task]] = true;
            if (place_[task] == lists_[owner_[task]].next && idle_.contains(owner_[task]))
                can_start_.insert(owner_[task]);
        }
    }

    std::optional<Assignment> next() {
        if (can_start_.is_empty())
            return std::nullopt;
        auto const process = can_start_.take_first();
        idle_.erase(process);
        return Assignment{task_[lists_[process].next++], process, false};
    }

private:
    struct List {
        std::uint32_t next = 0;
        std::uint32_t end = 0;
    };

    void look_at(std::uint32_t process) {
        auto const& list = lists_[process];
        if (list.next < list.end && is_ready_[list.next])
            can_start_.insert(process);
    }

    std::vector<List> lists_;
    std::vector<std::uint32_t> task_;   // of the lists, one after the other
    std::vector<std::uint32_t> place_;  // by task: where in task_
    std::vector<std::uint32_t> owner_;  // by task
    std::vector<bool> is_ready_;        // by place
    BitTree idle_;
    BitTree can_start_;
};

// Several queues; a process that finds its own empty moves to another one.
template <class Queue>
class ManyQueues {
public:
    // queue_of: by group. REQUIRES: queues is not empty.
    ManyQueues(std::vector<Queue> queues, std::span<std::uint16_t const> queue_of, std::uint32_t processes)
        : queues_(std::move(queues)),
          queue_of_(queue_of),
          members_(queues_.size()),
          own_(processes),
          idle_(processes) {
        go_home();
    }

    void free(std::uint32_t process) {
        idle_.insert(process);
        ++idle_count_;
    }

    void ready(TaskRange range, std::uint32_t group) {
        if (tasks_ == 0 && idle_count_ == own_.size())
            go_home();
        queues_[queue_of_[group]].push(range);
        tasks_ += range.end - range.first;
    }

    std::optional<Assignment> next() {
        if (tasks_ == 0 || idle_.is_empty())
            return std::nullopt;
        auto const process = idle_.take_first();
        --idle_count_;
        --tasks_;
        if (queues_[own_[process]].is_empty())
            move(process);
        return Assignment{queues_[own_[process]].pop(), process, true};
    }

private:
    void go_home() {
        std::ranges::fill(members_, 0U);
        for (std::uint32_t process = 0; process < own_.size(); ++process)
            ++members_[own_[process] = process % queues_.size()];
    }

    void move(std::uint32_t process) {
        std::optional<std::size_t> best;
        for (std::size_t queue = 0; queue < queues_.size(); ++queue)
            if (!queues_[queue].is_empty() && (!best || members_[queue] < members_[*best]))
                best = queue;
        --members_[own_[process]];
        own_[process] = *best;
        ++members_[*best];
    }

    std::vector<Queue> queues_;
    std::span<std::uint16_t const> queue_of_;  // lent
    std::vector<std::uint32_t> members_;       // by queue: processes that belong to it
    std::vector<std::size_t> own_;             // by process: the queue that it belongs to
    BitTree idle_;
    std::size_t idle_count_ = 0;
    std::size_t tasks_ = 0;  // in all queues
};

}  // namespace parcast::model
