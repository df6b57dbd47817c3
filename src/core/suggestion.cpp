#include "core/suggestion.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace parcast {

namespace {

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Letters that are left out, added or replaced, and neighbours that are exchanged (optimal string alignment);
// capitals count as small letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    // Distances from the first i - 2, i - 1 and i letters of a to the first j of b.
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    auto const are_equal = [&](std::size_t i, std::size_t j) { return lower(a[i - 1]) == lower(b[j - 1]); };
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j - 1] + (are_equal(i, j) ? 0 : 1), last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && are_equal(i, j - 1) && are_equal(i - 1, j))
                row[j] = std::min(row[j], before[j - 2] + 1);
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
