// Tables of text: numbers to the right, names to the left, columns as wide as their widest cell. The
// heading tells the unit where the cells do not.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parcast::report {

enum class Align : std::uint8_t { left, right };

// Colour only ever repeats what the text says.
enum class Colour : std::uint8_t { off, on };

enum class Emphasis : std::uint8_t { none, worst };

struct Column {
    std::string heading;
    Align align = Align::right;
};

struct Cell {
    std::string text;
    Emphasis emphasis = Emphasis::none;
};

class Table {
public:
    explicit Table(std::vector<Column> columns);

    // REQUIRES: one cell a column.
    void add(std::vector<Cell> row);

    // Lines of two spaces of margin and two between columns, each ended by a line end, without trailing
    // spaces. Columns whose cells are all empty are left out.
    std::string text(Colour colour) const;

    std::size_t rows() const { return rows_.size(); }

private:
    std::string line(std::vector<Cell> const& row, std::vector<std::size_t> const& widths,
                     Colour colour) const;

    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

// The text as it is, or in the colour of the worst number.
std::string painted(std::string const& text, Emphasis emphasis, Colour colour);

}  // namespace parcast::report
