// How wide, how colourful and how complete a text report is.

#pragma once

#include <cstddef>
#include <cstdint>

#include "report/table.h"

namespace parcast::report {

enum class Detail : std::uint8_t { short_form, all };

struct Layout {
    Colour colour = Colour::off;
    std::size_t width = 100;             // columns of the line
    Detail detail = Detail::short_form;  // all: no row and no name is cut
};

}  // namespace parcast::report
