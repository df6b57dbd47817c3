#include "answer/thread_count.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace parcast {

namespace {

constexpr std::string_view digits = "0123456789";
// pigz makes a thread that writes beside those that compress; a runtime may make one of its own, too.
constexpr std::int64_t most_helpers = 2;

// Where the number begins with which the word ends: "8", "-j8", "--threads=8", but not "file8".
std::optional<std::size_t> number_at(std::string const& word) {
    auto const last_other = word.find_last_not_of(digits);
    auto const begin = last_other == std::string::npos ? 0 : last_other + 1;
    bool const is_short_option = begin == 2 && word.starts_with('-');
    bool const is_a_value = begin == 0 || word[begin - 1] == '=' || is_short_option;
    return begin < word.size() && is_a_value ? std::optional(begin) : std::nullopt;
}

std::optional<std::int64_t> number_in_word(std::string const& word) {
    auto const begin = number_at(word);
    std::int64_t number = 0;
    char const* const end = word.data() + word.size();
    if (!begin || std::from_chars(word.data() + *begin, end, number).ec != std::errc())
        return std::nullopt;
    return number;
}

}  // namespace

std::optional<std::size_t> thread_count_word(CommandWords const& command, std::size_t threads) {
    auto const created = static_cast<std::int64_t>(threads) - 1;
    std::optional<std::size_t> nearest;
    std::int64_t least_distance = most_helpers + 1;
    for (std::size_t i = 1; i < command.size(); ++i) {
        auto const number = number_in_word(command[i]);
        // The initial thread may be one of them.
        bool const fits = number && *number > 1 && *number <= created + 1;
        if (fits && std::abs(created - *number) < least_distance) {
            nearest = i;
            least_distance = std::abs(created - *number);
        }
    }
    return nearest;
}

std::string thread_count_text(CommandWords const& command, std::size_t word) {
    bool const is_number_alone = number_at(command[word]) == std::size_t{0};
    bool const follows_option = word > 1 && command[word - 1].starts_with('-');
    return (is_number_alone && follows_option ? command[word - 1] + " " : "") + command[word];
}

CommandWords with_thread_count(CommandWords command, std::size_t word, std::string const& count) {
    auto& text = command[word];
    text.replace(number_at(text).value_or(text.size()), std::string::npos, count);
    return command;
}

}  // namespace parcast
