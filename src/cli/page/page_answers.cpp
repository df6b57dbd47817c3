#include "cli/page/page_answers.h"

#include <charconv>
#include <utility>

namespace parcast::cli {

page::Answer sentence(int status, std::string_view text) {
    return {status, "text/plain; charset=utf-8", page::content_of(text)};
}

page::Answer found(char const* type, page::Content content) {
    return {200, type, std::move(content)};
}

std::string_view value_of(page::Parameters const& parameters, char const* name) {
    auto const entry = parameters.find(name);
    return entry == parameters.end() ? std::string_view() : std::string_view(entry->second);
}

std::optional<std::uint32_t> number_of(page::Parameters const& parameters, char const* name) {
    auto const text = value_of(parameters, name);
    std::uint32_t number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const is_number = !text.empty() && error == std::errc() && end == text.data() + text.size();
    return is_number ? std::optional(number) : std::nullopt;
}

}  // namespace parcast::cli
