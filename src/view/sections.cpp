#include "view/sections.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

#include "core/ensure.h"

namespace parcast::view {

static_assert(std::endian::native == std::endian::little, "columns are little-endian and not converted");

namespace {

constexpr std::size_t most_sections = 128;
constexpr std::size_t head_bytes = 16;  // magic, version, number of sections, 0

std::size_t aligned(std::size_t offset) {
    return (offset + section_alignment - 1) / section_alignment * section_alignment;
}

// 0: there is no such type.
std::size_t width_of(ElementType type) {
    switch (type) {
        case ElementType::u8: return 1;
        case ElementType::u16: return 2;
        case ElementType::u32:
        case ElementType::f32: return 4;
        case ElementType::f64:
        case ElementType::i64:
        case ElementType::u64: return 8;
    }
    return 0;
}

template <class Number>
void write(Bytes& bytes, std::size_t offset, Number value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

std::uint32_t read_u32(std::span<std::byte const> bytes, std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

SourcePosition byte(std::size_t offset) {
    return {.file = {}, .line = {}, .column = {}, .byte_offset = offset};
}

}  // namespace

SectionWriter::SectionWriter(std::string_view magic, std::size_t expected_bytes) {
    auto const table_bytes = head_bytes + most_sections * sizeof(SectionReader::Section);
    bytes_.reserve(table_bytes + expected_bytes + most_sections * section_alignment);
    bytes_.resize(table_bytes);
    std::memcpy(bytes_.data(), magic.data(), magic.size());
    write(bytes_, 4, sections_version);
}

std::byte* SectionWriter::add_section(std::string_view name, ElementType type, std::size_t count,
                                      std::size_t width) {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    auto const offset = aligned(bytes_.size());
    ensure(sections_ < most_sections && name.size() <= longest_section_name,
           "too many sections, or a long name");
    ensure(offset <= most && count <= (most - offset) / width, "sections of less than 4 GiB");
    SectionReader::Section section{.name = {},
                                   .type = type,
                                   .length = static_cast<std::uint32_t>(count),
                                   .offset = static_cast<std::uint32_t>(offset),
                                   .reserved = 0};
    std::copy(name.begin(), name.end(), section.name);
    write(bytes_, head_bytes + sections_ * sizeof section, section);
    ++sections_;
    bytes_.resize(offset + count * width);
    return bytes_.data() + offset;
}

Bytes SectionWriter::finish() {
    write(bytes_, 8, sections_);
    bytes_.resize(aligned(bytes_.size()));
    return std::move(bytes_);
}

Result<SectionReader> SectionReader::open(std::span<std::byte const> bytes, std::string_view magic) {
    if (bytes.size() < head_bytes)
        return fail(ErrorCode::truncated, "it ends inside its head", byte(bytes.size()));
    if (std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
        return fail(ErrorCode::unsupported, "it does not begin with " + std::string(magic) + "", byte(0));
    if (auto const version = read_u32(bytes, 4); version != sections_version) {
        return fail(ErrorCode::unsupported,
                    "it has version " + std::to_string(version) + "; this parcast reads version " +
                        std::to_string(sections_version) + "",
                    byte(4));
    }
    SectionReader reader(bytes);
    if (auto checked = reader.check_table(); !checked)
        return pass_on(checked);
    return reader;
}

std::uint32_t SectionReader::section_count() const {
    return read_u32(bytes_, 8);
}

SectionReader::Section SectionReader::section(std::size_t index) const {
    Section found;
    std::memcpy(&found, bytes_.data() + head_bytes + index * sizeof found, sizeof found);
    return found;
}

Result<void> SectionReader::check_table() const {
    auto const count = section_count();
    if (count > most_sections)
        return fail(ErrorCode::malformed, "it has more than 128 sections", byte(8));
    if (bytes_.size() < head_bytes + count * sizeof(Section))
        return fail(ErrorCode::truncated, "it ends inside the table of its sections", byte(bytes_.size()));
    for (std::size_t index = 0; index < count; ++index) {
        auto const entry = section(index);
        auto const width = width_of(entry.type);
        auto const place = byte(head_bytes + index * sizeof(Section));
        if (width == 0)
            return fail(ErrorCode::malformed, "a section has elements of unknown type", place);
        if (entry.offset % section_alignment != 0)
            return fail(ErrorCode::malformed, "a section does not begin at a multiple of 8", place);
        if (entry.offset > bytes_.size() || entry.length > (bytes_.size() - entry.offset) / width)
            return fail(ErrorCode::truncated, "a section ends after the file does", place);
    }
    return {};
}

std::optional<SectionReader::Section> SectionReader::find(std::string_view name, ElementType type) const {
    for (std::size_t index = 0; index < section_count(); ++index) {
        auto const entry = section(index);
        auto const* const end = std::find(entry.name, entry.name + longest_section_name, '\0');
        if (std::string_view(entry.name, static_cast<std::size_t>(end - entry.name)) == name &&
            entry.type == type)
            return entry;
    }
    return std::nullopt;
}

tl::unexpected<Error> SectionReader::missing(std::string_view name) {
    return fail(ErrorCode::not_found, "it has no section `" + std::string(name) + "` of the right type");
}

}  // namespace parcast::view
