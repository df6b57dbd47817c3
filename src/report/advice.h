// The answer of `parcast advise`, for people and as JSON (docs/formats/advise.schema.json).

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/advice.h"
#include "answer/answer.h"
#include "report/layout.h"

namespace parcast::report {

// What to change first on which counts, and what that brings: "On 1 to 4 CPUs, change solve (lu.cpp:88)
// first: it decides 97 % of the time on 4 CPUs. Half of that work takes 41 % off the time there." `basis`:
// the answer that it is about.
std::vector<std::string> advice_sentences(Answer const& basis, Advice const& advice);

// The first sentence of an answer that has advice, if it names something.
std::optional<std::string> first_advice(Answer const& prediction);

// For a program of messages or steps: what its critical path, or its time, is made of, and what of the
// program and of the network is to be changed first.
std::vector<std::string> message_advice_sentences(Answer const& basis, Advice const& advice);
std::string message_advice_text(Answer const& basis, Advice const& advice, Layout const& layout);

// `top`: functions and locks, or groups, in the tables.
std::string advice_text(Answer const& basis, Advice const& advice, std::size_t top, Layout const& layout);
// In pieces, since there may be millions of segments; until `print` is false.
void print_advice_json(Answer const& basis, Advice const& advice, std::string_view version,
                       std::function<bool(std::string const&)> const& print);

}  // namespace parcast::report
