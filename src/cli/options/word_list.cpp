#include "cli/options/word_list.h"

namespace parcast::cli {

std::string listed(std::span<std::string_view const> words, std::string_view before_last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == words.size() ? before_last : ", ").append(words[i]);
    return text;
}

}  // namespace parcast::cli
