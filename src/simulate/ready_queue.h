// Threads, or what runs them, that are ready: by level, the highest first, and first come, first served
// within a level.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/id.h"

namespace parcast::simulate {

template <class Id>
class ReadyQueue {
public:
    // Where one stands. `order` compares those of several queues: the least came first.
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
    std::size_t size() const { return size_; }

    void push_back(int level, Id one, std::int64_t order) {
        row_of(level).entries.push_back({order, one});
        ++size_;
    }
    void push_front(int level, Id one, std::int64_t order) {
        row_of(level).entries.push_front({order, one});
        ++size_;
    }

    // The first one that is_wanted(one).
    template <class IsWanted>
    std::optional<Position> first(IsWanted const& is_wanted) const {
        for (std::size_t row = 0; size_ > 0 && row < rows_.size(); ++row) {
            auto const& [level, entries] = rows_[row];
            for (std::size_t place = 0; place < entries.size(); ++place)
                if (is_wanted(entries[place].one))
                    return Position{level, entries[place].order, row, place};
        }
        return std::nullopt;
    }

    // REQUIRES: nothing was added or taken since the position was found.
    Id take(Position const& position) {
        auto& entries = rows_[position.row].entries;
        auto const one = entries[position.place].one;
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(position.place));
        --size_;
        return one;
    }

private:
    struct Entry {
        std::int64_t order;
        Id one;
    };
    struct Row {
        int level;
        std::deque<Entry> entries;
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
