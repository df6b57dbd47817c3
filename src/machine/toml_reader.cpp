#include "machine/toml_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

namespace parcast {

namespace {

// Levenshtein's distance, in one row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto const replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::string nearest(std::string_view unknown, std::span<std::string_view const> known) {
    return std::string(*std::min_element(known.begin(), known.end(), [&](auto a, auto b) {
        return edit_distance(unknown, a) < edit_distance(unknown, b);
    }));
}

}  // namespace

Result<toml::table> toml_document(std::string_view text, std::string const& file) {
    auto parsed = toml::parse(text, file);
    if (!parsed) {
        auto const at = parsed.error().source().begin;
        return fail(ErrorCode::malformed, "not TOML: " + std::string(parsed.error().description()),
                    SourcePosition{file, at.line, at.column, std::nullopt});
    }
    return std::move(parsed).table();
}

void TomlReader::complain(ErrorCode code, std::string message, toml::source_position at) {
    if (error_)
        return;
    error_ = Error{code, std::move(message), SourcePosition{file_, at.line, at.column, std::nullopt}};
}

void TomlReader::only(toml::table const& table, std::span<std::string_view const> known) {
    for (auto const& [key, node] : table) {
        if (std::find(known.begin(), known.end(), key.str()) != known.end())
            continue;
        complain(
            ErrorCode::unsupported,
            fmt::format("the key '{}' is unknown; did you mean '{}'?", key.str(), nearest(key.str(), known)),
            key.source().begin);
    }
}

toml::table const* TomlReader::table(toml::table const& parent, std::string_view key) {
    auto const* node = parent.get(key);
    if (node != nullptr && !node->is_table()) {
        complain(ErrorCode::malformed, fmt::format("'{0}' must be a table: write [{0}]", key),
                 node->source().begin);
    }
    return node != nullptr ? node->as_table() : nullptr;
}

std::vector<toml::table const*> TomlReader::tables(toml::table const& parent, std::string_view key) {
    std::vector<toml::table const*> found;
    auto const* list = array(parent, key, "tables");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
        if (auto const* table = (*list)[i].as_table())
            found.push_back(table);
        else
            complain(ErrorCode::malformed, fmt::format("'{0}' must be tables: write [[{0}]]", key),
                     (*list)[i].source().begin);
    return found;
}

void TomlReader::version(toml::table const& root) {
    if (!root.contains("version")) {
        complain(ErrorCode::unsupported, "the key 'version' is missing; write 'version = 1' first", {1, 1});
        return;
    }
    auto const found = integer(root, "version", {INT64_MIN, INT64_MAX});
    if (found && *found != 1) {
        complain(ErrorCode::unsupported,
                 fmt::format("version {} is unknown; this parcast reads version 1", *found),
                 root.get("version")->source().begin);
    }
}

std::optional<bool> TomlReader::truth(toml::table const& table, std::string_view key) {
    auto const* node = table.get(key);
    if (node == nullptr)
        return std::nullopt;
    if (auto const* found = node->as_boolean())
        return found->get();
    complain(ErrorCode::malformed, fmt::format("'{}' must be true or false", key), node->source().begin);
    return std::nullopt;
}

std::optional<std::int64_t> TomlReader::integer(toml::table const& table, std::string_view key,
                                                LimitsNs limits) {
    auto const* node = table.get(key);
    if (node == nullptr)
        return std::nullopt;
    auto const* found = node->as_integer();
    if (found == nullptr) {
        complain(ErrorCode::malformed, fmt::format("'{}' must be a whole number", key), node->source().begin);
        return std::nullopt;
    }
    if (found->get() < limits.low_ns || found->get() > limits.high_ns) {
        complain(
            ErrorCode::out_of_range,
            fmt::format("'{}' is {}; it must be {} to {}", key, found->get(), limits.low_ns, limits.high_ns),
            node->source().begin);
        return std::nullopt;
    }
    return found->get();
}

std::optional<double> TomlReader::number(toml::table const& table, std::string_view key, RealLimits limits) {
    auto const* node = table.get(key);
    return node != nullptr ? number_in(*node, key, limits) : std::nullopt;
}

std::optional<double> TomlReader::number_in(toml::node const& node, std::string_view key, RealLimits limits) {
    auto const found = node.value<double>();
    if (!node.is_number() || !found || !std::isfinite(*found)) {
        complain(ErrorCode::malformed, fmt::format("'{}' must be a number", key), node.source().begin);
        return std::nullopt;
    }
    if (*found < limits.low || *found > limits.high) {
        complain(ErrorCode::out_of_range,
                 fmt::format("'{}' is {}; it must be {} to {}", key, *found, limits.low, limits.high),
                 node.source().begin);
        return std::nullopt;
    }
    return found;
}

toml::array const* TomlReader::array(toml::table const& table, std::string_view key, std::string_view of) {
    auto const* node = table.get(key);
    if (node != nullptr && !node->is_array()) {
        complain(ErrorCode::malformed, fmt::format("'{}' must be a list of {} in brackets", key, of),
                 node->source().begin);
    }
    return node != nullptr ? node->as_array() : nullptr;
}

std::optional<std::vector<double>> TomlReader::numbers(toml::table const& table, std::string_view key,
                                                       RealLimits limits) {
    auto const* found = array(table, key, "numbers");
    if (found == nullptr)
        return std::nullopt;
    std::vector<double> values;
    for (auto const& node : *found) {
        auto const value = number_in(node, key, limits);
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    return values;
}

std::optional<std::string> TomlReader::string(toml::table const& table, std::string_view key) {
    auto const* node = table.get(key);
    return node != nullptr ? string_in(*node, key) : std::nullopt;
}

std::optional<std::string> TomlReader::string_in(toml::node const& node, std::string_view key) {
    if (auto const* found = node.as_string())
        return found->get();
    complain(ErrorCode::malformed, fmt::format("'{}' must be a string in quotes", key), node.source().begin);
    return std::nullopt;
}

std::optional<std::vector<std::string>> TomlReader::strings(toml::table const& table, std::string_view key) {
    auto const* found = array(table, key, "strings");
    if (found == nullptr)
        return std::nullopt;
    std::vector<std::string> values;
    for (auto const& node : *found) {
        auto value = string_in(node, key);
        if (!value)
            return std::nullopt;
        values.push_back(std::move(*value));
    }
    return values;
}

std::optional<std::size_t> TomlReader::choice(toml::table const& table, std::string_view key,
                                              std::span<std::string_view const> words) {
    auto const word = string(table, key);
    if (!word)
        return std::nullopt;
    auto const found = std::find(words.begin(), words.end(), *word);
    if (found != words.end())
        return static_cast<std::size_t>(found - words.begin());
    complain(
        ErrorCode::unsupported,
        fmt::format("'{}' is '{}', which is unknown; did you mean '{}'?", key, *word, nearest(*word, words)),
        table.get(key)->source().begin);
    return std::nullopt;
}

}  // namespace parcast
