// SPDX-License-Identifier: Apache-2.0
// A table as data, and as text for a terminal, Markdown, CSV, HTML and LaTeX, and as a spreadsheet.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/translation.h"

namespace dlperf::report {

struct TableColumn {
    std::string title{};
    bool figures = false;   // right-aligned
    std::size_t given = 0;  // bytes of it that are a name that somebody gave: no language changes these
};

struct TableCell {
    std::string text{};              // for people: "12,411.97"
    std::optional<double> number{};  // for CSV, in full precision
    std::string note{};              // why there is no figure
    bool strong = false;             // the median
    bool isGiven = false;            // a name, as of a column
};

struct Table {
    std::vector<TableColumn> columns{};
    std::vector<std::vector<TableCell>> rows{};  // each as long as columns
};

// The columns with these titles, in the table's order.
[[nodiscard]] Table select(const Table& table, const std::vector<std::string>& titles);

// For programs: no figure is an empty field there, where people read a dash.
[[nodiscard]] Table withoutDashes(Table table);

// A cell of text only.
[[nodiscard]] TableCell textCell(std::string text);

// Aligned columns, two spaces apart, a line under the header; every line ends in a newline.
[[nodiscard]] std::string toTerminal(const Table& table);
[[nodiscard]] std::string toMarkdown(const Table& table);
// Figures raw, texts safe for spreadsheets; lines end in \r\n as RFC 4180 says.
[[nodiscard]] std::string toCsv(const Table& table);
// A longtable with booktabs rules, its header on every page; texts are escaped, long ones are broken into
// lines (by the array package). `caption`, which stands above its first page, is LaTeX.
[[nodiscard]] std::string toLatex(const Table& table, const std::string& caption);
[[nodiscard]] inline std::string toLatex(const Table& table) {
    return toLatex(table, {});
}
// A <table>; notes are title attributes.
[[nodiscard]] std::string toHtml(const Table& table);

// An Excel workbook of one sheet; figures are numbers, texts are never formulas. A Work error when the folder
// for temporary files cannot be written to.
[[nodiscard]] Result<std::string> toSpreadsheet(const Table& table, const std::string& sheet);

// Its titles, texts and notes; figures stay.
[[nodiscard]] Table translated(Table table, const Translation& language);

// What the widest text of each column takes, its title among them; see displayWidth().
[[nodiscard]] std::vector<std::size_t> columnWidths(const Table& table);

// Columns that the text takes on a terminal (wide East Asian characters take two).
[[nodiscard]] std::size_t displayWidth(const std::string& text);

}  // namespace dlperf::report
