#include "report/codes/codes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ranges>

#include <fmt/format.h>

#include "report/codes/code_rows.h"
#include "report/json/json_parts.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr std::size_t margin = 2;

// Words of a row are alternatives between bars.
bool has_words(std::string_view text, std::string_view words) {
    return std::ranges::any_of(words | std::views::split('|'), [&](auto const& each) {
        std::string_view const word(each.begin(), each.end());
        return !word.empty() && text.find(word) != std::string_view::npos;
    });
}

std::string_view code_with_words(std::span<CodeRow const> rows, std::string_view text) {
    auto const found =
        std::ranges::find_if(rows, [&](CodeRow const& row) { return has_words(text, row.words); });
    return found == rows.end() ? std::string_view() : found->code;
}

std::string section(std::string_view head, std::string_view text, std::size_t width) {
    std::string const start = fmt::format("{:<14}", head);
    return wrapped(start + std::string(text), width, start.size()) + "\n";
}

std::string example_of(CodeRow const& row, std::size_t width) {
    if (row.example.empty())
        return section("Example", fmt::format("none here: {}.", row.without), width);
    std::string text;
    for (auto const& line : row.example | std::views::split('\n'))
        text += fmt::format("{:<14}{}\n", text.empty() ? "Example" : "",
                            std::string_view(line.begin(), line.end()));
    return text;
}

}  // namespace

std::span<CodeTable const> code_tables() {
    static std::array const tables{
        CodeTable{CodeKind::finding, "findings", finding_codes()},
        CodeTable{CodeKind::assumption, "assumptions", assumption_codes()},
        CodeTable{CodeKind::error, "errors", error_codes()},
    };
    return tables;
}

FoundCode find_code(std::string_view code) {
    for (auto const& table : code_tables())
        if (auto const row = std::ranges::find(table.rows, code, &CodeRow::code); row != table.rows.end())
            return {table.kind, &*row};
    return {CodeKind::error, nullptr};
}

std::string_view code_of_assumption(std::string_view sentence) {
    return code_with_words(assumption_codes(), sentence);
}

std::string_view code_of(Error const& error) {
    auto const closer = code_with_words(error_codes(), error.message);
    return closer.empty() ? error_codes()[static_cast<std::size_t>(error.code)].code : closer;
}

std::string sentence_with_code(std::string_view sentence, std::string_view code) {
    return code.empty() ? std::string(sentence) : fmt::format("{} [{}]", sentence, code);
}

std::vector<std::string> codes_of_assumptions(std::span<std::string const> sentences) {
    std::vector<std::string> codes;
    for (auto const& sentence : sentences)
        codes.emplace_back(code_of_assumption(sentence));
    return codes;
}

std::string_view one_of(CodeKind kind) {
    switch (kind) {
        case CodeKind::finding: return "a finding about a recording";
        case CodeKind::assumption: return "an assumption of a forecast";
        case CodeKind::error: return "an error";
    }
    return "";
}

std::string code_text(FoundCode const& found, std::size_t width) {
    CodeRow const& row = *found.row;
    return fmt::format("{}: {}\n\n", row.code, one_of(found.kind)) + section("Meaning", row.meaning, width) +
           section("Noticed", row.noticed, width) + section("What to do", row.remedy, width) +
           example_of(row, width);
}

std::string code_list_text(std::size_t width) {
    std::string text;
    for (auto const& table : code_tables()) {
        std::size_t widest = 0;
        for (auto const& row : table.rows)
            widest = std::max(widest, row.code.size());
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n", table.plural);
        for (auto const& row : table.rows) {
            std::string const start = fmt::format("{:{}}{:{}}  ", "", margin, row.code, widest);
            text += wrapped(start + std::string(row.meaning), width, start.size()) + "\n";
        }
    }
    return text + "\nMore about one: parcast help CODE\n";
}

std::string code_list_json(std::string_view parcast_version) {
    Json json{{"schema", "parcast.codes/1"}, {"parcast", parcast_version}, {"codes", Json::array()}};
    constexpr std::array kinds{"finding", "assumption", "error"};
    for (auto const& table : code_tables())
        for (auto const& row : table.rows)
            json["codes"].push_back({{"code", row.code},
                                     {"kind", kinds[static_cast<std::size_t>(table.kind)]},
                                     {"meaning", row.meaning},
                                     {"noticed", row.noticed},
                                     {"remedy", row.remedy},
                                     {"example", row.example},
                                     {"without_example", row.without}});
    return json.dump(2) + "\n";
}

}  // namespace parcast::report
