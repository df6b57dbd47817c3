// Words in a sentence.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace parcast::cli {

// "record, info and help"
std::string listed(std::span<std::string_view const> words, std::string_view before_last);

}  // namespace parcast::cli
