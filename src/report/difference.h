// `parcast compare` as text and as JSON: docs/formats/compare.schema.json.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/difference.h"
#include "report/layout.h"

namespace parcast::report {

// What the difference is and where it comes from, the first sentence first.
std::vector<std::string> difference_sentences(ComparedSides const& compared, Difference const& difference);

// What is renamed, gone or new, and matters: sentences.
std::vector<std::string> alignment_sentences(ComparedSides const& compared, Difference const& difference);

// A part of the difference on a number of CPUs: "mutex sums (n_body.cpp:111)", "own code".
struct DifferencePart {
    std::string label;
    TwoTimes time;  // wall-clock
};

// The parts that sum to the difference, greatest first: causes, of which objects are named.
std::vector<DifferencePart> difference_parts(CountDifference const& count);

// Why a count shows no difference: "within the ranges", "less than half a per cent". REQUIRES: it is not
// beyond them.
std::string reason_for_none(CountDifference const& count);

std::string difference_text(ComparedSides const& compared, Layout const& layout);

std::string difference_json(ComparedSides const& compared, std::string_view version);

}  // namespace parcast::report
