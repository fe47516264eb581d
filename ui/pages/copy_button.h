// SPDX-License-Identifier: Apache-2.0
// A table to the clipboard, or to a file.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "core/report/table.h"

class QAction;
class QPushButton;
class QTableView;

namespace dlperf::ui {

// "Copy as" Markdown, CSV, HTML or LaTeX. `table` gives what is shown when it is asked for.
// `figures`: what programs read instead, as CSV, where people read another table.
[[nodiscard]] QPushButton* makeCopyButton(std::function<report::Table()> table,
                                          std::function<report::Table()> figures = {});

// To the clipboard: cells apart by tabs, as spreadsheets take them; a text processor takes the table.
void copyCells(const report::Table& table);

// Ctrl+C: the selected rows as they are shown, of which `tableOf` makes a table.
QAction* addCopyRows(QTableView& table, std::function<report::Table(const std::vector<int>& rows)> tableOf);

// By the ending: "md", "csv", "html", "tex" or "xlsx", whose sheet has the table's name.
[[nodiscard]] Result<std::string> tableFile(const report::Table& table, const QString& ending);

}  // namespace dlperf::ui
