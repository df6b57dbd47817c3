#include "report/text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "report/layout.h"

namespace parcast::report {

namespace {

struct CodePoint {
    std::uint32_t value;
    std::size_t bytes;
    bool valid;
};

CodePoint first_code_point(std::string_view text) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    unsigned const lead = byte(0);
    std::size_t const length = lead < 0x80       ? 1
                               : lead >> 5 == 6  ? 2
                               : lead >> 4 == 14 ? 3
                               : lead >> 3 == 30 ? 4
                                                 : 0;
    if (length == 0 || length > text.size())
        return {lead, 1, false};
    std::uint32_t value = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (byte(i) >> 6 != 2)
            return {lead, 1, false};
        value = value << 6 | (byte(i) & 0x3f);
    }
    static constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    bool const is_surrogate = value >= 0xd800 && value < 0xe000;
    bool const valid = value >= smallest[length] && value <= 0x10ffff && !is_surrogate;
    return valid ? CodePoint{value, length, true} : CodePoint{lead, 1, false};
}

std::size_t columns_of(CodePoint point) {
    auto const within = [&](std::uint32_t first, std::uint32_t last) {
        return point.value >= first && point.value <= last;
    };
    if (within(0x300, 0x36f) || within(0x200b, 0x200f) || within(0xfe00, 0xfe0f))
        return 0;
    bool const is_wide = within(0x1100, 0x115f) || within(0x2e80, 0xa4cf) || within(0xac00, 0xd7a3) ||
                         within(0xf900, 0xfaff) || within(0xfe30, 0xfe6f) || within(0xff00, 0xff60) ||
                         within(0xffe0, 0xffe6) || within(0x1f300, 0x1faff) || within(0x20000, 0x3fffd);
    return is_wide ? 2 : 1;
}

bool is_control(CodePoint point) {
    return point.value < 0x20 || (point.value >= 0x7f && point.value < 0xa0) ||
           (point.value >= 0x202a && point.value <= 0x202e) ||  // these reorder what is shown
           (point.value >= 0x2066 && point.value <= 0x2069);
}

bool is_shown(CodePoint point) {
    return point.valid && !is_control(point);
}

// Three digits, so that a digit that follows is none of them.
std::string octal(char byte) {
    auto const value = static_cast<unsigned char>(byte);
    auto const digit = [&](unsigned shift) { return static_cast<char>('0' + (value >> shift & 7U)); };
    return {'\\', digit(6), digit(3), digit(0)};
}

std::string escaped_sign(char sign) {
    switch (sign) {
        case '\n': return "\\n";
        case '\t': return "\\t";
        case '\r': return "\\r";
        case '\\': return "\\\\";
        case '\'': return "\\'";
        default: return octal(sign);
    }
}

// "12", "(0.1"
bool ends_in_digit(std::string_view word) {
    return !word.empty() && word.back() >= '0' && word.back() <= '9';
}

// "ms", "%,", "µs)."
bool is_unit(std::string_view word) {
    constexpr std::string_view units[] = {"%",     "ns", "µs", "us", "ms",  "s",   "min", "h",   "d",
                                          "bytes", "kB", "MB", "GB", "KiB", "MiB", "GiB", "CPU", "CPUs"};
    std::string_view const unit = word.substr(0, word.find_last_not_of(".,;:)") + 1);
    return std::ranges::find(units, unit) != std::end(units);
}

// A word, or a number with its unit.
std::string_view first_unbroken(std::string_view text) {
    std::size_t const space = text.find(' ');
    std::string_view const word = text.substr(0, space);
    if (space == std::string_view::npos || !ends_in_digit(word))
        return word;
    std::size_t const next = text.find(' ', space + 1);
    bool const is_pair = is_unit(text.substr(space + 1, next - space - 1));
    return is_pair ? text.substr(0, next) : word;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        CodePoint const point = first_code_point(text);
        columns += point.valid ? columns_of(point) : 1;
        text.remove_prefix(point.bytes);
    }
    return columns;
}

std::string printable(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        CodePoint const point = first_code_point(text);
        if (is_shown(point))
            shown += text.substr(0, point.bytes);
        else
            shown += '?';
        text.remove_prefix(point.bytes);
    }
    return shown;
}

std::string escaped(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        CodePoint const point = first_code_point(text);
        bool const stays = is_shown(point) && text[0] != '\\' && text[0] != '\'';
        for (char const sign : text.substr(0, point.bytes))
            shown += stays ? std::string(1, sign) : escaped_sign(sign);
        text.remove_prefix(point.bytes);
    }
    return shown;
}

std::string shorten(std::string_view text, std::size_t columns) {
    if (display_width(text) <= columns)
        return std::string(text);
    std::string shown;
    std::size_t used = 0;
    while (!text.empty()) {
        CodePoint const point = first_code_point(text);
        std::size_t const width = point.valid ? columns_of(point) : 1;
        if (used + width + 1 > columns)  // one for the ellipsis
            break;
        shown += text.substr(0, point.bytes);
        used += width;
        text.remove_prefix(point.bytes);
    }
    return shown + "…";
}

std::string with_short_middle(std::string_view word, std::size_t longest) {
    constexpr std::size_t shown_of_it = 60;
    return display_width(word) > longest ? shorten_middle(word, shown_of_it) : std::string(word);
}

std::string with_short_words(std::string_view message, std::size_t longest) {
    constexpr std::size_t longest_message = 4000;
    std::string text;
    while (!message.empty()) {
        auto const quote = message.front() == '"' ? message.find('"', 1) : std::string_view::npos;
        auto const end = quote != std::string_view::npos ? quote + 1 : message.find_first_of(" \n\"", 1);
        auto const word = message.substr(0, end);
        text += with_short_middle(word, longest);
        message.remove_prefix(word.size());
    }
    return shorten_middle(text, longest_message);
}

std::string shorten_middle(std::string_view text, std::size_t columns) {
    if (display_width(text) <= columns)
        return std::string(text);
    std::size_t const end_columns = columns / 3;
    std::string_view end = text.substr(text.size() - std::min(text.size(), 4 * end_columns));
    while (!end.empty() && (static_cast<unsigned char>(end.front()) & 0xC0U) == 0x80U)
        end.remove_prefix(1);  // the rest of a character
    for (auto width = display_width(end); width > end_columns;) {
        CodePoint const point = first_code_point(end);
        width -= point.valid ? columns_of(point) : 1;
        end.remove_prefix(point.bytes);
    }
    return shorten(text, columns - end_columns) + std::string(end);
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
    std::string lines;
    std::size_t used = 0;
    bool line_is_empty = true;
    while (!text.empty()) {
        std::string_view const word = first_unbroken(text);
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        std::size_t const width = display_width(word);
        if (!line_is_empty && used + 1 + width > columns) {
            lines += '\n' + std::string(indent, ' ');
            used = indent;
            line_is_empty = true;
        }
        if (!line_is_empty) {
            lines += ' ';
            ++used;
        }
        lines += word;
        used += width;
        line_is_empty = false;
    }
    return lines;
}

std::string paragraph(std::string_view text, Layout const& layout) {
    return wrapped(text, layout.width, 4) + '\n';
}

}  // namespace parcast::report
