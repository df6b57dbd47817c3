#include "pages/editor_command.h"

#include <algorithm>
#include <optional>

namespace parcast::pages {

namespace {

constexpr std::string_view file_name = "{file}";
constexpr std::string_view line_name = "{line}";

tl::unexpected<Error> wrong(std::string message) {
    return fail(
        ErrorCode::malformed,
        std::move(message) + "; a command with {file} and {line} is expected, as 'code -g {file}:{line}'");
}

bool is_blank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\n';
}

// POSIX shell, 2.2: in double quotes a backslash is one but before these.
bool is_escaped_in_quotes(char letter) {
    return letter == '"' || letter == '\\' || letter == '$' || letter == '`';
}

// None: a quote, or a backslash, has no end.
std::optional<std::vector<std::string>> shell_words(std::string_view text) {
    std::vector<std::string> words;
    std::optional<std::string> word;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const letter = text[i];
        bool const has_next = i + 1 < text.size();
        if (quote == '\0' && is_blank(letter)) {
            if (word)
                words.push_back(std::move(*word));
            word.reset();
            continue;
        }
        if (!word)
            word.emplace();
        if (quote == '\0' && (letter == '\'' || letter == '"'))
            quote = letter;
        else if (letter == quote)
            quote = '\0';
        else if (letter == '\\' && quote != '\'' && !has_next)
            return std::nullopt;
        else if (letter == '\\' && (quote == '\0' || (quote == '"' && is_escaped_in_quotes(text[i + 1]))))
            *word += text[++i];
        else
            *word += letter;
    }
    if (quote != '\0')
        return std::nullopt;
    if (word)
        words.push_back(std::move(*word));
    return words;
}

// The first name in braces that stands for nothing: "{column}". Empty: none.
std::string unknown_name_in(std::string_view word) {
    for (auto begin = word.find('{'); begin != word.npos; begin = word.find('{', begin + 1)) {
        auto const end = word.find('}', begin);
        auto const name = word.substr(begin, end == word.npos ? end : end - begin + 1);
        if (name != file_name && name != line_name)
            return std::string(name);
    }
    return {};
}

bool holds(std::string_view word, std::string_view name) {
    return word.find(name) != word.npos;
}

// What a place puts in is not looked at again.
std::string with_place(std::string_view word, std::string const& file, std::string const& line) {
    std::string text;
    while (!word.empty()) {
        if (word.starts_with(file_name)) {
            text += file;
            word.remove_prefix(file_name.size());
        } else if (word.starts_with(line_name)) {
            text += line;
            word.remove_prefix(line_name.size());
        } else {
            text += word.front();
            word.remove_prefix(1);
        }
    }
    return text;
}

}  // namespace

Result<EditorCommand> parse_editor_command(std::string_view text) {
    auto words = shell_words(text);
    if (!words)
        return wrong("\"" + std::string(text) + "\" has a quote or a backslash without an end");
    if (words->empty() || words->front().empty())
        return wrong("it names no program");
    if (holds(words->front(), "{"))
        return wrong("its first word is the program, and no place");
    for (auto const& word : *words)
        if (auto const name = unknown_name_in(word); !name.empty())
            return wrong("\"" + name + "\" stands for nothing");
    if (std::ranges::none_of(*words, [](auto const& word) { return holds(word, file_name); }))
        return wrong("\"" + std::string(text) + "\" does not say where the file belongs");
    return EditorCommand{std::move(*words)};
}

std::vector<std::string> words_for(EditorCommand const& command, std::string const& file,
                                   std::uint32_t line) {
    std::vector<std::string> words;
    for (auto const& word : command.words)
        words.push_back(with_place(word, file, std::to_string(line)));
    return words;
}

}  // namespace parcast::pages
