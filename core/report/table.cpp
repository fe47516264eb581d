// SPDX-License-Identifier: Apache-2.0
#include "core/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/escape.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

// Hangul, CJK, kana, full-width forms and emoji: the ranges that terminals draw two columns wide.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 7> wideRanges{{{0x1100, 0x115F},
                                                                             {0x2E80, 0xA4CF},
                                                                             {0xAC00, 0xD7A3},
                                                                             {0xF900, 0xFAFF},
                                                                             {0xFE30, 0xFE6F},
                                                                             {0xFF00, 0xFF60},
                                                                             {0x1F300, 0x3FFFD}}};

// Decodes valid UTF-8.
std::vector<std::uint32_t> codePoints(const std::string& text) {
    std::vector<std::uint32_t> points;
    for (const char c : text) {
        const auto byte = static_cast<std::uint8_t>(c);
        if ((byte & 0xC0U) == 0x80U && !points.empty()) {
            points.back() = (points.back() << 6U) | (byte & 0x3FU);
        } else {
            points.push_back(byte < 0x80U   ? byte
                             : byte < 0xE0U ? byte & 0x1FU
                             : byte < 0xF0U ? byte & 0x0FU
                                            : byte & 0x07U);
        }
    }
    return points;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::size_t own = displayWidth(text);
    const std::string blanks(width > own ? width - own : 0, ' ');
    return right ? blanks + text : text + blanks;
}

// A cell of 3,000 characters, as an option's value may have, makes every line of the table as wide. What
// tells two of them apart may stand at either end.
std::string shortened(const std::string& text) {
    constexpr std::size_t longest = 160;
    constexpr std::size_t atEnd = 60;
    std::vector<std::size_t> letters;  // where they begin
    letters.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<std::uint8_t>(text[i]) & 0xC0U) != 0x80U) {
            letters.push_back(i);
        }
    }
    return letters.size() <= longest ? text
                                     : text.substr(0, letters[longest - atEnd - 1]) + "…" +
                                           text.substr(letters[letters.size() - atEnd]);
}

std::string terminalLine(const Table& table, const std::vector<std::string>& texts,
                         const std::vector<std::size_t>& widths) {
    std::string line;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        line += (i == 0 ? "" : "  ") + padded(texts[i], widths[i], table.columns[i].figures);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

std::vector<std::string> titlesOf(const Table& table, std::string (*escape)(std::string_view)) {
    return mapped(table.columns, [&](const TableColumn& column) { return escape(column.title); });
}

// The row's texts, a strong one between `begin` and `end`.
std::vector<std::string> markedTexts(const std::vector<TableCell>& row,
                                     std::string (*escape)(std::string_view), const char* begin,
                                     const char* end) {
    return mapped(row, [&](const TableCell& cell) {
        const std::string escaped = escape(cell.text);
        return cell.strong && !escaped.empty() ? begin + escaped + end : escaped;
    });
}

// Columns of long texts share what the others leave of a line of A4.
std::string latexColumns(const Table& table) {
    constexpr std::size_t lineLength = 108;  // letters of footnote size
    constexpr std::size_t longText = 26;
    constexpr std::size_t narrowest = 12;
    constexpr double emPerLetter = 0.5;
    std::vector<bool> isLong;
    std::size_t taken = 0;
    const std::vector<std::size_t> widths = columnWidths(table);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        isLong.push_back(!table.columns[i].figures && widths[i] > longText);
        taken += isLong.back() ? 2 : widths[i] + 2;
    }
    const auto sharing =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, std::ranges::count(isLong, true)));
    const std::size_t letters = std::max(narrowest, lineLength > taken ? (lineLength - taken) / sharing : 0);
    const std::string broken = fmt::format(">{{\\raggedright\\arraybackslash}}p{{{:.1f}em}}",
                                           emPerLetter * static_cast<double>(letters));
    std::string columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        columns += table.columns[i].figures ? "r" : isLong[i] ? broken : "l";
    }
    return columns;
}

std::string htmlCell(const TableCell& cell, const TableColumn& column) {
    const std::string note =
        cell.note.empty() ? "" : fmt::format(" title=\"{}\"", escapeHtml(terminalText(cell.note)));
    const std::string text = escapeHtml(terminalText(cell.text));
    return fmt::format("<td{}{}>{}</td>", column.figures ? " class=\"figure\"" : "", note,
                       cell.strong ? "<strong>" + text + "</strong>" : text);
}

}  // namespace

Table select(const Table& table, const std::vector<std::string>& titles) {
    const auto wanted = [&](std::size_t column) {
        return std::ranges::find(titles, table.columns[column].title) != titles.end();
    };
    Table selected;
    selected.rows.resize(table.rows.size());
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if (!wanted(column)) {
            continue;
        }
        selected.columns.push_back(table.columns[column]);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            selected.rows[row].push_back(table.rows[row][column]);
        }
    }
    return selected;
}

Table withoutDashes(Table table) {
    for (auto& row : table.rows) {
        for (TableCell& cell : row) {
            if (cell.text == missingFigure) {
                cell.text.clear();
            }
        }
    }
    return table;
}

TableCell textCell(std::string text) {
    return {.text = std::move(text)};
}

std::size_t displayWidth(const std::string& text) {
    std::size_t width = 0;
    for (const std::uint32_t point : codePoints(text)) {
        const bool wide = std::ranges::any_of(
            wideRanges, [&](const auto& range) { return point >= range.first && point <= range.second; });
        width += wide ? 2 : 1;
    }
    return width;
}

std::vector<std::size_t> columnWidths(const Table& table) {
    std::vector<std::size_t> widths =
        mapped(table.columns, [](const TableColumn& column) { return displayWidth(column.title); });
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], displayWidth(row[i].text));
        }
    }
    return widths;
}

namespace {

std::string titleIn(const Translation& language, const TableColumn& column) {
    constexpr std::string_view between = ", ";
    if (column.given == 0) {
        return language(column.title);
    }
    return column.given + between.size() >= column.title.size()
               ? column.title
               : column.title.substr(0, column.given) + language.joint(between) +
                     language.part(column.title.substr(column.given + between.size()));
}

}  // namespace

Table translated(Table table, const Translation& language) {
    if (language.isEnglish()) {
        return table;
    }
    for (TableColumn& column : table.columns) {
        column.title = titleIn(language, column);
    }
    for (auto& row : table.rows) {
        for (TableCell& cell : row) {
            cell.text = cell.number || cell.isGiven ? cell.text : language(cell.text);
            cell.note = language(cell.note);
        }
    }
    return table;
}

std::string toTerminal(const Table& table) {
    std::vector<std::vector<std::string>> lines{titlesOf(table, terminalText)};
    for (const auto& row : table.rows) {
        lines.push_back(
            mapped(row, [](const TableCell& cell) { return shortened(terminalText(cell.text)); }));
    }
    std::vector<std::size_t> widths(table.columns.size(), 0);
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            widths[i] = std::max(widths[i], displayWidth(line[i]));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += terminalLine(table, lines[i], widths);
        if (i == 0) {
            const auto rule = [](std::size_t width) { return std::string(width, '-'); };
            text += terminalLine(table, mapped(widths, rule), widths);
        }
    }
    return text;
}

std::string toMarkdown(const Table& table) {
    std::string text = "| " + join(titlesOf(table, escapeMarkdown), " | ") + " |\n|";
    for (const TableColumn& column : table.columns) {
        text += column.figures ? " ---: |" : " --- |";
    }
    text += "\n";
    for (const auto& row : table.rows) {
        text += "| " + join(markedTexts(row, escapeMarkdown, "**", "**"), " | ") + " |\n";
    }
    return text;
}

std::string toLatex(const Table& table, const std::string& caption) {
    const auto line = [](const std::vector<std::string>& texts) { return join(texts, " & ") + " \\\\\n"; };
    const std::string head = "\\toprule\n" + line(titlesOf(table, escapeLatex)) + "\\midrule\n";
    std::string text = "\\begin{longtable}[l]{@{}" + latexColumns(table) + "@{}}\n";
    if (!caption.empty()) {
        text += caption + "\\\\\n" + head + "\\endfirsthead\n";
    }
    text += head + "\\endhead\n";
    for (const auto& row : table.rows) {
        text += line(markedTexts(row, escapeLatex, "\\textbf{", "}"));
    }
    return text + "\\bottomrule\n\\end{longtable}\n";
}

std::string toCsv(const Table& table) {
    std::string text = join(titlesOf(table, csvText), ",") + "\r\n";
    for (const auto& row : table.rows) {
        text += join(mapped(row,
                            [](const TableCell& cell) {
                                return cell.number ? csvNumber(*cell.number) : csvText(cell.text);
                            }),
                     ",") +
                "\r\n";
    }
    return text;
}

std::string toHtml(const Table& table) {
    std::string text = "<table>\n<thead><tr>";
    for (const TableColumn& column : table.columns) {
        text += fmt::format("<th scope=\"col\"{}>{}</th>", column.figures ? " class=\"figure\"" : "",
                            escapeHtml(terminalText(column.title)));
    }
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += htmlCell(row[i], table.columns[i]);
        }
        text += "</tr>\n";
    }
    return text + "</tbody>\n</table>\n";
}

}  // namespace dlperf::report
