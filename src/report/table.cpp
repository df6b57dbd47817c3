#include "report/table.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/ensure.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr std::size_t least_letters = 12;  // of a cut name
constexpr std::size_t gap = 2;             // before each column
constexpr std::size_t indent_below = 10;

// REQUIRES: the names of the cell are in its text, in their order.
std::string with_short_names(Cell const& cell, std::size_t widest_name) {
    std::string text;
    std::size_t begin = 0;
    for (std::string const& name : cell.names) {
        std::size_t const at = cell.text.find(name, begin);
        ensure(at != std::string::npos, "a cell has its names in its text");
        text += cell.text.substr(begin, at - begin) + shorten_middle(name, widest_name);
        begin = at + name.size();
    }
    return text + cell.text.substr(begin);
}

// As wide as fits; the names keep a few letters whatever the width.
std::string with_fitting_names(Cell const& cell, std::size_t width) {
    std::size_t widest_name = std::max(width, least_letters);
    std::string text = with_short_names(cell, widest_name);
    while (display_width(text) > width && widest_name > least_letters)
        text = with_short_names(cell, --widest_name);
    return text;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<Cell> row, std::vector<std::string> below) {
    ensure(row.size() == columns_.size(), "a table row has a cell a column");
    rows_.push_back({std::move(row), std::move(below)});
}

std::string Table::text(Colour colour, std::size_t width, CutNames cut_names) const {
    Widths const widths = fitting_widths(width);
    std::vector<Cell> headings;
    for (Column const& column : columns_)
        headings.push_back({column.heading, Emphasis::none, {column.heading}});
    std::string const indent(indent_below, ' ');
    std::string lines = line(headings, widths, colour);
    for (Row const& row : rows_) {
        lines += line(row.cells, widths, colour);
        for (std::size_t i = 0; i < columns_.size() && cut_names == CutNames::whole_below_the_row; ++i) {
            bool const is_cut = display_width(row.cells[i].text) > widths[i];
            lines += is_cut ? indent + row.cells[i].text + '\n' : "";
        }
        for (std::string const& below : row.below)
            lines += indent + below + '\n';
    }
    return lines;
}

Table::Widths Table::natural_widths() const {
    Widths widths(columns_.size(), 0);  // 0: a column to leave out
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        for (Row const& row : rows_)
            widths[i] = std::max(widths[i], display_width(row.cells[i].text));
        if (widths[i] > 0)
            widths[i] = std::max(widths[i], display_width(columns_[i].heading));
    }
    return widths;
}

Table::Widths Table::fitting_widths(std::size_t width) const {
    Widths widths = natural_widths();
    std::size_t total = 0;
    for (std::size_t const column : widths)
        total += column == 0 ? 0 : column + gap;
    if (total <= width)
        return widths;
    Widths least(columns_.size(), 0);
    for (std::size_t i = 0; i < columns_.size(); ++i)
        least[i] = columns_[i].cut == Cut::nothing ? widths[i] : least_width(i);
    while (total > width) {
        std::optional<std::size_t> widest;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (widths[i] > least[i] && (!widest || widths[i] > widths[*widest]))
                widest = i;
        if (!widest)
            break;
        --widths[*widest];
        --total;
    }
    return widths;
}

// To which the table may cut a column of names.
std::size_t Table::least_width(std::size_t column) const {
    bool const has_name_above = columns_[column].cut == Cut::heading;
    std::size_t least =
        has_name_above ? least_letters : std::max(least_letters, display_width(columns_[column].heading));
    for (Row const& row : rows_) {
        Cell const& cell = row.cells[column];
        if (has_name_above)
            least = std::max(least, display_width(cell.text));
        else if (!cell.names.empty())
            least = std::max(least, display_width(with_short_names(cell, least_letters)));
    }
    return least;
}

std::string Table::cut_to(std::size_t width, std::size_t column, Cell const& cell) const {
    if (display_width(cell.text) <= width)
        return cell.text;
    if (!cell.names.empty())
        return with_fitting_names(cell, width);
    return columns_[column].cut == Cut::middle ? shorten_middle(cell.text, width) : shorten(cell.text, width);
}

std::string Table::line(std::vector<Cell> const& cells, Widths const& widths, Colour colour) const {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (widths[i] == 0)
            continue;
        std::string const shown = cut_to(widths[i], i, cells[i]);
        std::string const padding(widths[i] - display_width(shown), ' ');
        std::string const cell = painted(shown, cells[i].emphasis, colour);
        text += std::string(gap, ' ') + (columns_[i].align == Align::right ? padding + cell : cell + padding);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
}

std::string painted(std::string const& text, Emphasis emphasis, Colour colour) {
    return emphasis == Emphasis::worst && colour == Colour::on ? "\x1b[1;31m" + text + "\x1b[0m" : text;
}

}  // namespace parcast::report
