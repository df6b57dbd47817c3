// "Did you mean": the nearest of some words, for typing errors.

#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace parcast {

// The word with the least edit distance (Levenshtein 1966) if that is at most a third of its length, so
// that only words that look alike are offered; of several the first. Cost: O(words * length^2).
std::optional<std::string_view> nearest(std::string_view typed, std::span<std::string_view const> words);

}  // namespace parcast
