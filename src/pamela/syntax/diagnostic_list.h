// Collects what is said about a text: each thing once, with line and column made of its range in the text.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "pamela/syntax/diagnostic.h"

namespace parcast::pamela {

// Bytes [begin, end) of the text.
struct TextRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

class DiagnosticList {
public:
    // Both are loans until the list goes.
    DiagnosticList(std::string_view text, std::string_view name);

    void error(TextRange where, std::string message, std::string hint = {});
    void warning(TextRange where, std::string message, std::string hint = {});
    void note(TextRange where, std::string message, std::string hint = {});
    // For what has no place in the text, such as a wrong setting.
    void error_without_place(std::string message, std::string hint);

    // While the body of an equation is looked at for one of its calls: the call's line is told with what is
    // said. Returns the line before. None: not for a call.
    std::optional<std::uint32_t> set_call(std::optional<std::uint32_t> line) {
        return std::exchange(call_, line);
    }

    bool has_errors() const { return errors_ != 0; }
    bool is_full() const { return errors_ >= most_errors; }  // further ones are not kept

    std::uint32_t line_of(TextRange where) const;  // from 1

    std::vector<Diagnostic> in_order_of_the_text() &&;

private:
    static constexpr std::size_t most_errors = 30;
    static constexpr std::size_t most_diagnostics = 200;

    void add(Severity severity, TextRange where, std::string message, std::string hint);

    std::string_view text_;
    std::string_view name_;
    std::vector<std::uint32_t> line_starts_;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> said_;
    std::vector<Diagnostic> diagnostics_;
    std::size_t errors_ = 0;
    std::optional<std::uint32_t> call_;
};

}  // namespace parcast::pamela
