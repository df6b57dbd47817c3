// Where the difference of two executions comes from (answer/difference.h). It reads two answers, and replays
// nothing.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "answer/answer.h"
#include "answer/difference.h"

namespace parcast::analysis {

// The run of one side, and the answer that names its threads and objects.
struct SideOnCount {
    Row const& row;
    Answer const& answer;
};

SideRun side_run(SideOnCount const& side);

// What a measured run has in common with a predicted one is less: docs/compare.md.
enum class SplitBy : std::uint8_t { causes, parts };

// `ratio_range`: of the two times, where both were varied together; none: the sides are taken as independent
// of each other, so that the range is too wide rather than too narrow where they share an error. REQUIRES:
// the same number of CPUs, no deadlock, positive times; replayed_forms.
CountDifference difference_on(SideOnCount const& first, SideOnCount const& second,
                              std::optional<Range> const& ratio_range, SplitBy split);

// Difference::telling.
std::optional<std::size_t> telling_count(std::span<CountDifference const> counts);

// One side with what it rests on: an answer for all numbers of CPUs, or one for each.
struct SideAnswers {
    ComparedSide side;  // its runs are added
    std::vector<Answer> answers;
    // If it is a change that the answer of the first side has tried, too: which one. Then both were varied
    // together.
    std::optional<std::size_t> tried_change = std::nullopt;
};

// Each side against the first or, in a history, against the one before. REQUIRES: two sides at least.
enum class Against : std::uint8_t { the_first, the_one_before };
ComparedSides compare_sides(std::vector<SideAnswers> sides, Against against);

}  // namespace parcast::analysis
