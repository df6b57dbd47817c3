#include "pamela/syntax/diagnostic_list.h"

#include <algorithm>
#include <utility>

namespace parcast::pamela {

namespace {

// In UTF-8. At the end of the text there is a place without a letter.
std::uint32_t letters_in(std::string_view text) {
    auto const is_first_byte = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80; };
    return static_cast<std::uint32_t>(std::ranges::count_if(text, is_first_byte));
}

}  // namespace

DiagnosticList::DiagnosticList(std::string_view text, std::string_view name) : text_(text), name_(name) {
    line_starts_.push_back(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n')
            line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
}

void DiagnosticList::error(TextRange where, std::string message, std::string hint) {
    add(Severity::error, where, std::move(message), std::move(hint));
}

void DiagnosticList::warning(TextRange where, std::string message, std::string hint) {
    add(Severity::warning, where, std::move(message), std::move(hint));
}

void DiagnosticList::note(TextRange where, std::string message, std::string hint) {
    add(Severity::note, where, std::move(message), std::move(hint));
}

void DiagnosticList::error_without_place(std::string message, std::string hint) {
    ++errors_;
    diagnostics_.push_back(
        {.severity = Severity::error,
         .place = {.file = std::string(name_), .line = {}, .column = {}, .byte_offset = {}},
         .length = 0,
         .message = std::move(message),
         .hint = std::move(hint)});
}

std::uint32_t DiagnosticList::line_of(TextRange where) const {
    auto const next = std::ranges::upper_bound(line_starts_, where.begin);
    return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(1, next - line_starts_.begin()));
}

void DiagnosticList::add(Severity severity, TextRange where, std::string message, std::string hint) {
    bool const is_error = severity == Severity::error;
    bool const is_room = is_error ? !is_full() : diagnostics_.size() < most_diagnostics;
    if (!is_room || !said_.emplace(where.begin, where.end, message).second)
        return;
    errors_ += is_error ? 1 : 0;
    if (call_)
        hint += (hint.empty() ? "in the call in line " : "; in the call in line ") + std::to_string(*call_);
    auto const line = line_of(where);
    auto const start = line_starts_[line - 1];
    auto const before = text_.substr(start, where.begin - start);
    auto const end_of_line = std::min(text_.find('\n', where.begin), text_.size());
    auto const end = std::clamp<std::size_t>(where.end, where.begin + std::size_t{1},
                                             std::max(end_of_line, where.begin + std::size_t{1}));
    diagnostics_.push_back({.severity = severity,
                            .place = {.file = std::string(name_),
                                      .line = line,
                                      .column = letters_in(before) + 1,
                                      .byte_offset = where.begin},
                            .length = std::max(1U, letters_in(text_.substr(where.begin, end - where.begin))),
                            .message = std::move(message),
                            .hint = std::move(hint)});
}

std::vector<Diagnostic> DiagnosticList::in_order_of_the_text() && {
    std::ranges::stable_sort(diagnostics_, {}, [](Diagnostic const& each) {
        return std::pair(each.place.line.value_or(0), each.place.column.value_or(0));
    });
    return std::move(diagnostics_);
}

}  // namespace parcast::pamela
