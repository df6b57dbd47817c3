#include "report/table.h"

#include <algorithm>
#include <utility>

#include "core/ensure.h"
#include "report/text.h"

namespace parcast::report {

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<Cell> row) {
    ensure(row.size() == columns_.size(), "a table row has a cell a column");
    rows_.push_back(std::move(row));
}

std::string Table::text(Colour colour) const {
    std::vector<std::size_t> widths(columns_.size(), 0);  // 0: a column to leave out
    std::vector<Cell> headings;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        for (auto const& row : rows_) {
            widths[i] = std::max(widths[i], display_width(row[i].text));
        }
        if (widths[i] > 0) {
            widths[i] = std::max(widths[i], display_width(columns_[i].heading));
        }
        headings.push_back({columns_[i].heading});
    }
    std::string lines = line(headings, widths, colour);
    for (auto const& row : rows_) {
        lines += line(row, widths, colour);
    }
    return lines;
}

std::string Table::line(std::vector<Cell> const& row, std::vector<std::size_t> const& widths,
                        Colour colour) const {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (widths[i] == 0) {
            continue;
        }
        std::string const padding(widths[i] - display_width(row[i].text), ' ');
        std::string const cell = painted(row[i].text, row[i].emphasis, colour);
        text += "  " + (columns_[i].align == Align::right ? padding + cell : cell + padding);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
}

std::string painted(std::string const& text, Emphasis emphasis, Colour colour) {
    return emphasis == Emphasis::worst && colour == Colour::on ? "\x1b[1;31m" + text + "\x1b[0m" : text;
}

}  // namespace parcast::report
