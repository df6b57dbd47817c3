// How wide, how colourful and how complete a text report is.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "report/table.h"

namespace parcast::report {

enum class Detail : std::uint8_t { short_form, all };

// Columns of tables that hold names. For a file or a pipe, nobody knows where a line ends for its reader:
// names are whole there as far as the table stays within a usual wide line.
enum class NameColumns : std::uint8_t { cut_to_width, whole };

inline constexpr std::size_t widest_table_in_file = 119;

struct Layout {
    Colour colour = Colour::off;
    std::size_t width = 100;             // columns of the line
    Detail detail = Detail::short_form;  // all: no row and no name is cut
    NameColumns names = NameColumns::cut_to_width;

    // The most columns that a table may have.
    constexpr std::size_t table_width() const {
        return names == NameColumns::whole ? std::max(width, widest_table_in_file) : width;
    }
};

}  // namespace parcast::report
