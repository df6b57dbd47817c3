// How wide, how colourful and how complete a text report is.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "report/table.h"

namespace parcast::report {

enum class Detail : std::uint8_t { short_form, all };

// Columns of tables that hold names. For a file or a pipe, nobody knows where a line ends for its reader.
enum class NameColumns : std::uint8_t { cut_to_width, whole };

struct Layout {
    Colour colour = Colour::off;
    std::size_t width = 100;             // columns of the line
    Detail detail = Detail::short_form;  // all: no row and no name is cut
    NameColumns names = NameColumns::cut_to_width;

    // The most columns that a table may have.
    constexpr std::size_t table_width() const {
        return names == NameColumns::whole ? std::numeric_limits<std::size_t>::max() : width;
    }
};

}  // namespace parcast::report
