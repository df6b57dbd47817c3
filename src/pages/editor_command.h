// The command that opens a place of the source in an editor: a template of words, as "code -g {file}:{line}".

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace parcast::pages {

struct EditorCommand {
    std::vector<std::string> words;  // the program first; {file} and {line} stand for the place

    friend bool operator==(EditorCommand const&, EditorCommand const&) = default;
};

// Splits the words as a shell does: at blanks, outside quotes and behind no backslash. Nothing else of a
// shell has a meaning. Errors: malformed (no words, an open quote, no {file}, another name in braces, a
// placeholder in the name of the program).
Result<EditorCommand> parse_editor_command(std::string_view text);

std::vector<std::string> words_for(EditorCommand const& command, std::string const& file, std::uint32_t line);

}  // namespace parcast::pages
