// The answer of `parcast tune`: a search over parameters as text, JSON and curves.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/tuning.h"
#include "report/layout.h"

namespace parcast::report {

// "gaussian-elimination: size 960, ranks 8, network meiko-cs2": what is the same at all points.
std::string tuning_title(Tuning const& tuning);

// The best, what is near it, where methods disagree, what the curves look like, and what a coarse search did
// not look at.
std::vector<std::string> tuning_sentences(Tuning const& tuning);

// A table, then the sentences and a next command. Among many points the fastest are shown.
std::string tuning_text(Tuning const& tuning, Layout const& layout);

// docs/formats/tune.schema.json.
std::string tuning_json(Tuning const& tuning, std::string_view version);

// "block 48, layout diagonal"
std::string point_text(TuningGrid const& grid, std::uint64_t point);

}  // namespace parcast::report
