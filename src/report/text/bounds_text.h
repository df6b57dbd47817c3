// The bounds beside a speed-up, with a mark where a prediction lies outside them.

#pragma once

#include <string>
#include <string_view>

#include "answer/answer.h"
#include "report/layout.h"

namespace parcast::report {

// As printed: differences that the shown digits do not show are none. REQUIRES: no deadlock.
bool is_outside_bounds(Row const& run);

// Why a prediction can lie there.
inline constexpr std::string_view outside_bounds_note =
    "outside the bounds, which leave out what scheduling costs and assume one order of taking locks";

// With a place for the mark in every row, if one row needs it.
std::string bounds_head(bool has_marks);
std::string bounds_cell(Row const& run, bool has_marks);

// What the mark means, a line below the table; empty without marks.
std::string bounds_key(bool has_marks, Layout const& layout);

}  // namespace parcast::report
