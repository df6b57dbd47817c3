#include "pamela/syntax/diagnostic.h"

#include <algorithm>
#include <vector>

namespace parcast::pamela {

namespace {

constexpr std::size_t longest_line = 160;  // that is shown: generated models have longer ones

std::string_view name_of(Severity severity) {
    switch (severity) {
        case Severity::error: return "error";
        case Severity::warning: return "warning";
        case Severity::note: return "note";
    }
    return "";
}

bool is_inside_a_letter(char byte) {  // of UTF-8
    return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
}

// The line without what a terminal would take for commands, and blanks below it up to the column.
struct ShownLine {
    std::string text;
    std::string indent;
    std::size_t shown_from;
};

ShownLine shown(std::string_view line, std::size_t column) {
    std::size_t const from = column > longest_line ? column - longest_line / 2 : 0;
    auto const part = line.substr(std::min(from, line.size()), longest_line);
    ShownLine result{from == 0 ? "" : "...", from == 0 ? "" : "   ", from};
    for (std::size_t i = 0; i < part.size(); ++i) {
        bool const is_control = static_cast<unsigned char>(part[i]) < 0x20 || part[i] == 0x7f;
        result.text += is_control && part[i] != '\t' ? '?' : part[i];
        if (from + i + 1 < column && !is_inside_a_letter(part[i]))
            result.indent += part[i] == '\t' ? '\t' : ' ';
    }
    if (from + part.size() < line.size())
        result.text += "...";
    return result;
}

// The column, counted in letters, as one that is counted in bytes.
std::size_t byte_column(std::string_view line, std::size_t column) {
    std::size_t byte = 0;
    for (std::size_t letter = 1; letter < column && byte < line.size(); ++letter) {
        ++byte;
        while (byte < line.size() && is_inside_a_letter(line[byte]))
            ++byte;
    }
    return byte + 1;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    while (true) {
        auto const end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return lines;
        text.remove_prefix(end + 1);
    }
}

std::string excerpt(Diagnostic const& diagnostic, std::vector<std::string_view> const& lines) {
    if (!diagnostic.place.line || *diagnostic.place.line > lines.size())
        return {};
    auto line = lines[*diagnostic.place.line - 1];
    auto const column = byte_column(line, diagnostic.place.column.value_or(1));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    auto const part = shown(line, column);
    auto const number = std::to_string(*diagnostic.place.line);
    auto const margin = std::string(number.size() < 5 ? 5 - number.size() : 0, ' ');
    auto const end = part.shown_from + longest_line;
    auto const carets = std::min<std::size_t>(diagnostic.length, end > column ? end - column + 1 : 1);
    return margin + number + " | " + part.text + "\n" + std::string(margin.size() + number.size(), ' ') +
           " | " + part.indent + "^" + std::string(carets > 1 ? carets - 1 : 0, '~') + "\n";
}

}  // namespace

std::string describe(std::span<Diagnostic const> diagnostics, std::string_view text) {
    auto const lines = lines_of(text);
    std::string result;
    for (auto const& diagnostic : diagnostics) {
        auto const& place = diagnostic.place;
        result += place.file;
        if (place.line)
            result += ":" + std::to_string(*place.line) + ":" + std::to_string(place.column.value_or(1));
        result += ": " + std::string(name_of(diagnostic.severity)) + ": " + diagnostic.message + "\n";
        result += excerpt(diagnostic, lines);
        if (!diagnostic.hint.empty())
            result += "        " + diagnostic.hint + "\n";
    }
    return result;
}

}  // namespace parcast::pamela
