#include "core/suggestion.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace parcast {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);  // distances from the first i letters of a
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view typed, std::span<std::string_view const> words) {
    std::optional<std::string_view> best;
    std::size_t least = 0;
    for (std::string_view const word : words) {
        std::size_t const distance = edit_distance(typed, word);
        std::size_t const most = std::max<std::size_t>(1, word.size() / 3);
        if (distance <= most && (!best || distance < least)) {
            best = word;
            least = distance;
        }
    }
    return best;
}

}  // namespace parcast
