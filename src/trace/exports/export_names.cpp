#include "trace/exports/names_and_text.h"

#include <algorithm>

namespace parcast::trace {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view ellipsis = "\xE2\x80\xA6";     // U+2026

unsigned byte_at(std::string_view text, std::size_t position) {
    return static_cast<unsigned char>(text[position]);
}

// Bytes of the code point that `text` begins with; 0 if it is none (Unicode 15, table 3-7).
std::size_t code_point_size(std::string_view text) {
    unsigned const lead = byte_at(text, 0);
    if (lead < 0x80)
        return 1;
    std::size_t const size = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
    if (size == 0 || text.size() < size)
        return 0;
    unsigned const lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned const highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte_at(text, 1) < lowest || byte_at(text, 1) > highest)
        return 0;
    for (std::size_t i = 2; i < size; ++i)
        if ((byte_at(text, i) & 0xC0) != 0x80)
            return 0;
    return size;
}

// C0, DEL and C1; and the line and paragraph separators, which end a line for some readers.
bool is_control(std::string_view point) {
    if (point.size() == 1)
        return byte_at(point, 0) < 0x20 || byte_at(point, 0) == 0x7F;
    if (point.size() == 2)
        return byte_at(point, 0) == 0xC2 && byte_at(point, 1) < 0xA0;
    return point == "\xE2\x80\xA8" || point == "\xE2\x80\xA9";
}

}  // namespace

std::string plain_name(std::string_view text) {
    std::string name;
    while (!text.empty()) {
        auto const size = code_point_size(text);
        auto const point = text.substr(0, size);
        auto const shown = size == 0 || is_control(point) ? replacement : point;
        bool const is_last = text.size() <= std::max<std::size_t>(size, 1);
        if (name.size() + shown.size() + (is_last ? 0 : ellipsis.size()) > longest_name)
            return name += ellipsis;
        name += shown;
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return name;
}

ExportNames export_names(Catalogue const& catalogue) {
    ExportNames names;
    for (std::size_t i = 0; i < catalogue.threads.size(); ++i)
        names.threads.push_back(plain_name(display_name(catalogue, ThreadId(i))));
    for (std::size_t i = 0; i < catalogue.objects.size(); ++i)
        names.objects.push_back(plain_name(display_name(catalogue, ObjectId(i))));
    for (std::size_t i = 0; i < catalogue.sites.size(); ++i)
        names.sites.push_back(plain_name(display_name(catalogue, SiteId(i))));
    return names;
}

}  // namespace parcast::trace
