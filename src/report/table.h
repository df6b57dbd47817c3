// Tables of text: numbers to the right, names to the left, columns as wide as their widest cell. The
// heading tells the unit where the cells do not. A table that is wider than the line gives up parts of its
// widest names, never of its numbers.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace parcast::report {

enum class Align : std::uint8_t { left, right };

// Colour only ever repeats what the text says.
enum class Colour : std::uint8_t { off, on };

enum class Emphasis : std::uint8_t { none, worst };

// What a column may lose to make the table fit.
enum class Cut : std::uint8_t {
    nothing,
    end,      // of names
    middle,   // of places, whose line number counts
    heading,  // which is a name, above numbers: loses its middle
};

struct Column {
    std::string heading;
    Align align = Align::right;
    Cut cut = Cut::nothing;
};

struct Cell {
    std::string text;
    Emphasis emphasis = Emphasis::none;
    // Parts of the text, in its order, that lose their middles where the cell is cut; what is between them
    // stays: "mutex a_lo…h:41) 12 %, joining 3 %". None: the text is one name.
    std::vector<std::string> names = {};
};

// What becomes of a name that was cut.
enum class CutNames : std::uint8_t { stay_cut, whole_below_the_row };

inline constexpr std::size_t any_width = std::numeric_limits<std::size_t>::max();

class Table {
public:
    explicit Table(std::vector<Column> columns);

    // REQUIRES: one cell a column. `below`: lines that belong to the row, printed under it and indented.
    void add(std::vector<Cell> row, std::vector<std::string> below = {});

    // Lines of two spaces of margin and two between columns, each ended by a line end, without trailing
    // spaces. Columns whose cells are all empty are left out. At most `width` columns wide, if cutting cells
    // down to their heading or a few letters can do it; lines below a row are not cut.
    std::string text(Colour colour, std::size_t width = any_width,
                     CutNames cut_names = CutNames::stay_cut) const;

    std::size_t rows() const { return rows_.size(); }

private:
    struct Row {
        std::vector<Cell> cells;
        std::vector<std::string> below;
    };
    using Widths = std::vector<std::size_t>;

    Widths natural_widths() const;
    Widths fitting_widths(std::size_t width) const;
    std::string line(std::vector<Cell> const& cells, Widths const& widths, Colour colour) const;
    std::size_t least_width(std::size_t column) const;
    std::string cut_to(std::size_t width, std::size_t column, Cell const& cell) const;

    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

// The text as it is, or in the colour of the worst number.
std::string painted(std::string const& text, Emphasis emphasis, Colour colour);

}  // namespace parcast::report
