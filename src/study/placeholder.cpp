#include "study/placeholder.h"

#include <algorithm>
#include <string_view>

namespace parcast::study {

namespace {

constexpr std::string_view placeholder = "{cpus}";

}  // namespace

bool has_placeholder(std::vector<std::string> const& command) {
    return std::any_of(command.begin(), command.end(),
                       [](std::string const& word) { return word.find(placeholder) != std::string::npos; });
}

std::string with_count(std::string text, std::uint32_t cpus) {
    std::string const count = std::to_string(cpus);
    for (std::size_t at = text.find(placeholder); at != std::string::npos;
         at = text.find(placeholder, at + count.size())) {
        text.replace(at, placeholder.size(), count);
    }
    return text;
}

std::vector<std::string> with_count(std::vector<std::string> command, std::uint32_t cpus) {
    for (std::string& word : command)
        word = with_count(std::move(word), cpus);
    return command;
}

}  // namespace parcast::study
