// The container of what goes to the page: named columns of numbers, laid out so that a JavaScript typed array
// can be laid over each without copying (docs/formats/execution.md has the grammar).
//
// The writer trusts its caller. The reader trusts nobody: every number of the table is checked before use,
// and a column is a view of the bytes, so that nothing is allocated because an input asks for it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace parcast::view {

enum class ElementType : std::uint32_t { u8 = 1, u16, u32, f64, f32, i64, u64 };

template <class Number>
inline constexpr ElementType element_type{};
template <>
inline constexpr ElementType element_type<std::uint8_t> = ElementType::u8;
template <>
inline constexpr ElementType element_type<std::uint16_t> = ElementType::u16;
template <>
inline constexpr ElementType element_type<std::uint32_t> = ElementType::u32;
template <>
inline constexpr ElementType element_type<double> = ElementType::f64;
template <>
inline constexpr ElementType element_type<float> = ElementType::f32;
template <>
inline constexpr ElementType element_type<std::int64_t> = ElementType::i64;
template <>
inline constexpr ElementType element_type<std::uint64_t> = ElementType::u64;

inline constexpr std::uint32_t sections_version = 3;
inline constexpr std::size_t longest_section_name = 24;
inline constexpr std::size_t section_alignment = 8;

// The first four bytes say what the sections are about.
inline constexpr std::string_view execution_magic = "PCEX";
inline constexpr std::string_view program_magic = "PCPG";
inline constexpr std::string_view message_program_magic = "PCMP";
inline constexpr std::string_view weights_magic = "PCWT";

using Bytes = std::vector<std::byte>;

class SectionWriter {
public:
    // `expected_bytes`: of all columns together; a guess that is too small costs copies.
    SectionWriter(std::string_view magic, std::size_t expected_bytes);

    // A column of zeros to be filled in; valid until the next one is added. REQUIRES: the name is new, at
    // most 24 bytes; the whole stays below 4 GiB.
    template <class Number>
    std::span<Number> add(std::string_view name, std::size_t count) {
        auto* const start = add_section(name, element_type<Number>, count, sizeof(Number));
        return {reinterpret_cast<Number*>(start), count};
    }
    template <class Number>
    void add(std::string_view name, std::vector<Number> const& values);

    Bytes finish();

private:
    std::byte* add_section(std::string_view name, ElementType type, std::size_t count, std::size_t width);

    Bytes bytes_;  // the table has room for most_sections until it is finished
    std::uint32_t sections_ = 0;
};

class SectionReader {
public:
    // Errors: unsupported (another format or version), truncated, malformed; with the offset of the byte.
    // REQUIRES: the bytes outlive the reader and begin at a multiple of 8.
    static Result<SectionReader> open(std::span<std::byte const> bytes, std::string_view magic);

    // Errors: not_found (no such column, or of another type).
    template <class Number>
    Result<std::span<Number const>> column(std::string_view name) const {
        auto const found = find(name, element_type<Number>);
        if (!found)
            return missing(name);
        auto const* const start = reinterpret_cast<Number const*>(bytes_.data() + found->offset);
        return std::span<Number const>{start, found->length};
    }

private:
    struct Section {
        char name[longest_section_name];
        ElementType type;
        std::uint32_t length;
        std::uint32_t offset;
        std::uint32_t reserved;
    };
    static_assert(sizeof(Section) == 40);

    explicit SectionReader(std::span<std::byte const> bytes) : bytes_(bytes) {}
    Result<void> check_table() const;
    Section section(std::size_t index) const;
    std::uint32_t section_count() const;
    std::optional<Section> find(std::string_view name, ElementType type) const;
    static tl::unexpected<Error> missing(std::string_view name);

    std::span<std::byte const> bytes_;
    friend class SectionWriter;
};

template <class Number>
void SectionWriter::add(std::string_view name, std::vector<Number> const& values) {
    auto const column = add<Number>(name, values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        column[i] = values[i];
}

}  // namespace parcast::view
