#include "import/reader_parts.h"

#include <algorithm>

namespace parcast {

SourcePosition place_in(std::string_view text, std::size_t offset, std::string file) {
    auto const before = text.substr(0, std::min(offset, text.size()));
    auto const line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
    auto const line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    auto const column = static_cast<std::uint32_t>(before.size() - line_start + 1);
    return {.file = std::move(file), .line = line, .column = column, .byte_offset = std::nullopt};
}

}  // namespace parcast
