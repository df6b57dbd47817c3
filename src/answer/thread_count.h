// The argument of a command that says how many threads the program makes: "-p 8", "-j8", "--threads=8", "8".
// It is found by its number, which is about that of the threads, so it may be another argument: sentences
// about it begin with "if".

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parcast {

using CommandWords = std::vector<std::string>;

// Which word of the command. `threads` were recorded, with the initial one. None if no number is near theirs.
std::optional<std::size_t> thread_count_word(CommandWords const& command, std::size_t threads);

// "-p 8"
std::string thread_count_text(CommandWords const& command, std::size_t word);

// The command with something else in place of that number.
CommandWords with_thread_count(CommandWords command, std::size_t word, std::string const& count);

}  // namespace parcast
