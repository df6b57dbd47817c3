// Sorting what is nearly sorted: the events of several threads, one thread after the other, each in the order
// of time. Stable. Cost: O(n log(runs)), and half of the values once more.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace parcast {

// A run ends where a value is less than the one before it.
template <class Value, class Less>
void merge_runs(std::vector<Value>& values, Less less) {
    std::vector<std::size_t> bounds{0};
    for (std::size_t i = 1; i < values.size(); ++i)
        if (less(values[i], values[i - 1]))
            bounds.push_back(i);
    bounds.push_back(values.size());
    auto const at = [&](std::size_t bound) {
        return values.begin() + static_cast<std::ptrdiff_t>(bounds[bound]);
    };
    while (bounds.size() > 2) {
        std::vector<std::size_t> left{0};
        for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
            bool const has_partner = i + 2 < bounds.size();
            if (has_partner)
                std::inplace_merge(at(i), at(i + 1), at(i + 2), less);
            left.push_back(bounds[has_partner ? i + 2 : i + 1]);
        }
        bounds = std::move(left);
    }
}

}  // namespace parcast
