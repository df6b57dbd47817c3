#include "core/merge_runs.h"

#include <gmock/gmock.h>

#include <functional>
#include <random>
#include <utility>

namespace parcast {
namespace {

TEST(MergeRuns, SortsAndKeepsTheOrderOfEqualValues) {
    std::mt19937_64 random(1);
    for (std::size_t runs = 0; runs < 9; ++runs) {
        std::vector<std::pair<int, int>> values;  // key, place
        for (std::size_t run = 0; run < runs; ++run)
            for (int key = 0; key < 40; key += static_cast<int>(random() % 5))
                values.emplace_back(key, static_cast<int>(values.size()));
        auto expected = values;
        std::ranges::sort(expected);
        merge_runs(values, [](auto const& a, auto const& b) { return a.first < b.first; });
        EXPECT_EQ(values, expected) << runs;
    }
}

TEST(MergeRuns, SortsWhatHasNoRuns) {
    std::vector values{5, 4, 3, 2, 1};
    merge_runs(values, std::less());
    EXPECT_THAT(values, testing::ElementsAre(1, 2, 3, 4, 5));
}

}  // namespace
}  // namespace parcast
