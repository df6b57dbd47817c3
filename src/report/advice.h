// The answer of `parcast advise`, for people and as JSON (docs/formats/advise.schema.json).

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "answer/advice.h"
#include "report/layout.h"

namespace parcast::report {

// What to change first on which counts, and what that brings: "On 1 to 4 CPUs, change solve (lu.cpp:88)
// first: it decides 97 % of the time. Half of it brings 41 % on 4 CPUs."
std::vector<std::string> advice_sentences(Advice const& advice);

// `top`: functions and locks in the tables.
std::string advice_text(Advice const& advice, std::size_t top, Layout const& layout);
std::string advice_json(Advice const& advice, std::string_view version);

}  // namespace parcast::report
