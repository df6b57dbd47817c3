// Threads that are ready, by real-time level, and first come, first served within a level.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/id.h"

namespace parcast::simulate {

class ReadyQueue {
public:
    // Where a thread stands. `order` compares those of several queues: the least came first.
    struct Position {
        int level = 0;
        std::int64_t order = 0;
        std::size_t row = 0;
        std::size_t place = 0;

        bool is_before(Position const& other) const {
            return level != other.level ? level > other.level : order < other.order;
        }
    };

    bool empty() const { return size_ == 0; }

    void push_back(int level, ThreadId thread, std::int64_t order) {
        row_of(level).threads.push_back({order, thread});
        ++size_;
    }
    void push_front(int level, ThreadId thread, std::int64_t order) {
        row_of(level).threads.push_front({order, thread});
        ++size_;
    }

    // The first one that is_wanted(thread).
    template <class IsWanted>
    std::optional<Position> first(IsWanted const& is_wanted) const {
        for (std::size_t row = 0; size_ > 0 && row < rows_.size(); ++row) {
            auto const& [level, threads] = rows_[row];
            for (std::size_t place = 0; place < threads.size(); ++place)
                if (is_wanted(threads[place].thread))
                    return Position{level, threads[place].order, row, place};
        }
        return std::nullopt;
    }

    // REQUIRES: nothing was added or taken since the position was found.
    ThreadId take(Position const& position) {
        auto& threads = rows_[position.row].threads;
        auto const thread = threads[position.place].thread;
        threads.erase(threads.begin() + static_cast<std::ptrdiff_t>(position.place));
        --size_;
        return thread;
    }

private:
    struct Entry {
        std::int64_t order;
        ThreadId thread;
    };
    struct Row {
        int level;
        std::deque<Entry> threads;
    };

    Row& row_of(int level) {
        std::size_t row = 0;
        while (row < rows_.size() && rows_[row].level > level)
            ++row;
        if (row == rows_.size() || rows_[row].level != level)
            rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(row), Row{level, {}});
        return rows_[row];
    }

    std::vector<Row> rows_;  // by level, the highest first
    std::size_t size_ = 0;
};

}  // namespace parcast::simulate
