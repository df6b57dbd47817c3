#include "calibrate/statistics.h"

#include <gtest/gtest.h>

namespace parcast::calibrate {
namespace {

struct Row {
    std::vector<double> samples;
    Summary expected;
    char const* because;
};

TEST(Summarize, GivesMedianAndQuartilesInAnyOrderOfTheSamples) {
    Row const rows[] = {
        {{7}, {7, 7, 7, 1}, "one sample has no spread"},
        {{1, 3}, {2, 1.5, 2.5, 2}, "between two samples it interpolates"},
        {{5, 1, 4, 2, 3}, {3, 2, 4, 5}, "five samples have quartiles among them"},
        {{1, 2, 3, 4, 1e9}, {3, 2, 4, 5}, "one disturbed sample moves none of the three"},
    };
    for (auto const& row : rows)
        EXPECT_EQ(summarize(row.samples), row.expected) << row.because;
}

}  // namespace
}  // namespace parcast::calibrate
