// SPDX-License-Identifier: Apache-2.0
// A table to the clipboard, or to a file.
#pragma once

#include <QString>
#include <functional>

#include "core/report/table.h"

class QPushButton;

namespace dlperf::ui {

// "Copy as" Markdown, CSV, HTML or LaTeX. `table` gives what is shown when it is asked for.
[[nodiscard]] QPushButton* makeCopyButton(std::function<report::Table()> table);

// To the clipboard: cells apart by tabs, as spreadsheets take them; a text processor takes the table.
void copyCells(const report::Table& table);

// By the ending: "md", "csv", "html", "tex" or "xlsx", whose sheet has the table's name.
[[nodiscard]] Result<std::string> tableFile(const report::Table& table, const QString& ending);

}  // namespace dlperf::ui
