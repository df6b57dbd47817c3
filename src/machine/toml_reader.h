// Reads the values of a TOML table with their types and limits, and keeps the first error, so that the code
// which reads a format is a list of its fields. Private to the readers of this room.

#pragma once

// Compiled as part of this room, since Debian's library reports bad syntax by an exception.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "machine/limits.h"

namespace parcast {

class TomlReader {
public:
    explicit TomlReader(std::string file) : file_(std::move(file)) {}

    void complain(ErrorCode code, std::string message, toml::source_position at);
    // Complains about the first key that is not among `known`, and names the nearest.
    void only(toml::table const& table, std::span<std::string_view const> known);

    // Each is none where the key is missing, or its value is wrong and complained about.
    toml::table const* table(toml::table const& parent, std::string_view key);
    std::vector<toml::table const*> tables(toml::table const& parent, std::string_view key);
    std::optional<std::int64_t> integer(toml::table const& table, std::string_view key, LimitsNs limits);
    // Whole numbers too; neither infinite nor NaN.
    std::optional<double> number(toml::table const& table, std::string_view key, RealLimits limits);
    std::optional<std::vector<double>> numbers(toml::table const& table, std::string_view key,
                                               RealLimits limits);
    std::optional<std::string> string(toml::table const& table, std::string_view key);
    std::optional<std::vector<std::string>> strings(toml::table const& table, std::string_view key);
    // The index of the word among `words`.
    std::optional<std::size_t> choice(toml::table const& table, std::string_view key,
                                      std::span<std::string_view const> words);

    // Complains unless `version` is there and 1, the only one of each of our formats.
    void version(toml::table const& root);
    std::optional<bool> truth(toml::table const& table, std::string_view key);

    std::optional<Error> take_error() { return std::move(error_); }

private:
    std::optional<double> number_in(toml::node const& node, std::string_view key, RealLimits limits);
    std::optional<std::string> string_in(toml::node const& node, std::string_view key);
    toml::array const* array(toml::table const& table, std::string_view key, std::string_view of);

    std::string file_;
    std::optional<Error> error_;
};

}  // namespace parcast
