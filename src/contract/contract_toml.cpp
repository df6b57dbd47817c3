#include "contract/contract_toml.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "machine/toml_reader.h"

namespace parcast::contract {

namespace {

constexpr std::array<std::string_view, 2> top_keys = {"version", "assertions"};
constexpr std::array<std::string_view, 2> assertion_keys = {"that", "because"};

std::string_view line_of(std::string_view text, std::uint32_t line) {
    for (; line > 1; --line)
        text.remove_prefix(std::min(
            text.size(), text.find('\n') == std::string_view::npos ? text.size() : text.find('\n') + 1));
    auto found = text.substr(0, text.find('\n'));
    if (found.ends_with('\r'))
        found.remove_suffix(1);
    return found;
}

// The byte of a line that is its letter number `column`, from 1 on.
std::size_t byte_of(std::string_view line, std::size_t column) {
    std::size_t byte = 0;
    for (std::size_t letter = 1; letter < column && byte < line.size(); ++letter)
        for (++byte; byte < line.size() && (static_cast<unsigned char>(line[byte]) & 0xc0U) == 0x80;)
            ++byte;
    return byte;
}

class ContractReader {
public:
    ContractReader(std::string_view text, std::string const& file)
        : text_(text), file_(file), reader_(file) {}

    Read<std::vector<Assertion>> read() {
        auto const document = toml_document(text_, file_);
        if (!document)
            return tl::unexpected(fault_of(document.error()));
        reader_.version(*document);
        reader_.only(*document, top_keys);
        auto const* const list = document->get("assertions");
        if (list == nullptr || !list->is_array() || list->as_array()->empty())
            reader_.complain(ErrorCode::malformed,
                             "a contract has assertions: assertions = ['speed_up(16) >= 11']",
                             list == nullptr ? toml::source_position{1, 1} : list->source().begin);
        if (auto error = reader_.take_error())
            return tl::unexpected(fault_of(*error));
        std::vector<Assertion> assertions;
        for (auto const& node : *list->as_array()) {
            auto assertion = read_one(node);
            if (!assertion)
                return tl::unexpected(std::move(assertion.error()));
            assertions.push_back(std::move(*assertion));
        }
        return assertions;
    }

private:
    Fault fault_of(Error error) const {
        if (error.advice.empty())
            error.advice = "The format of contracts: docs/formats/check.md.";
        Fault fault{std::move(error), "", 1, 1};
        if (auto const& place = fault.error.place; place && place->line) {
            auto const line = line_of(text_, *place->line);
            fault.line = std::string(line);
            fault.column = static_cast<std::uint32_t>(byte_of(line, place->column.value_or(1)) + 1);
        }
        return fault;
    }

    Read<Assertion> read_one(toml::node const& node) {
        if (auto const* const that = node.as_string())
            return read_text(*that);
        auto const* const table = node.as_table();
        if (table == nullptr)
            reader_.complain(
                ErrorCode::malformed,
                "an assertion is a text or a table: { that = 'speed_up(16) >= 11', because = '...' }",
                node.source().begin);
        else
            reader_.only(*table, assertion_keys);
        auto const* const that = table != nullptr ? table->get_as<std::string>("that") : nullptr;
        if (table != nullptr && that == nullptr)
            reader_.complain(ErrorCode::malformed, "the key 'that' is missing: the text of the assertion",
                             node.source().begin);
        auto because = table != nullptr ? reader_.string(*table, "because") : std::nullopt;
        if (auto error = reader_.take_error())
            return tl::unexpected(fault_of(*error));
        auto assertion = read_text(*that);
        if (assertion && because)
            assertion->because = std::move(*because);
        return assertion;
    }

    // Faults are marked in the line of the file, where the text stands in it as it is.
    Read<Assertion> read_text(toml::value<std::string> const& that) const {
        auto const begin = that.source().begin;
        auto const line = line_of(text_, begin.line);
        auto const quote = byte_of(line, begin.column);
        bool const stands_there = line.substr(std::min(line.size(), quote + 1)).starts_with(that.get());
        SourcePosition const place{file_, begin.line, begin.column + (stands_there ? 1 : 0), std::nullopt};
        auto assertion = parse_assertion(that.get(), place);
        if (!assertion && stands_there) {
            assertion.error().line = std::string(line);
            assertion.error().column += static_cast<std::uint32_t>(quote + 1);
        } else if (!assertion) {
            assertion.error().error.place = place;
        }
        return assertion;
    }

    std::string_view text_;
    std::string const& file_;
    TomlReader reader_;
};

}  // namespace

Read<std::vector<Assertion>> read_contract(std::string_view text, std::string const& file) {
    return ContractReader(text, file).read();
}

}  // namespace parcast::contract
