// Text on a terminal: how wide it is, and how to keep text that came from a recording (names of threads
// and functions) from steering the terminal or breaking a table.
//
// Width is counted in columns: one a code point, two for East Asian wide ones, none for combining marks.
// Invalid UTF-8 counts one column a byte.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parcast::report {

struct Layout;

std::size_t display_width(std::string_view text);

// Control characters and invalid UTF-8 replaced by '?'.
std::string printable(std::string_view text);

// The same signs as a shell reads them between $' and ' (bash, POSIX 2024): "\n", "\033"; backslashes and
// quotes too.
std::string escaped(std::string_view text);

// At most `columns` wide; what was longer ends in an ellipsis. REQUIRES: columns >= 1.
std::string shorten(std::string_view text, std::size_t columns);

// A word of more than `longest` columns loses its middle: "aaaa…aaaa". What somebody typed, or a file has,
// may be any number of kilobytes long.
std::string with_short_middle(std::string_view word, std::size_t longest = 160);

// So do all words and quoted texts of a message.
std::string with_short_words(std::string_view message, std::size_t longest = 160);

// The same for places, whose end (the line number) matters as much as their begin: "push, long_fi…e.h:41".
// The last third of the columns is kept for the end.
std::string shorten_middle(std::string_view text, std::size_t columns);

// Breaks at spaces so that no line is wider than `columns` where a space allows it; every line after the
// first starts with `indent` spaces. No break between a number and its unit. No line end after the last.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent = 0);

// The same over the layout's width, with an indent of 4 and a line end.
std::string paragraph(std::string_view text, Layout const& layout);

}  // namespace parcast::report
