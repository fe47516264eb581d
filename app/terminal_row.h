// SPDX-License-Identifier: Apache-2.0
// What goes into one row of a terminal, however narrow: names give way, news do not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dlperf::app {

// Of the terminal behind a descriptor; 80 where it does not say.
[[nodiscard]] std::size_t columnsOf(int terminal);

struct TerminalRow {
    std::vector<std::string> names;  // long ids and cases: shortened in their middle
    std::string news;                // behind them, as it is: state, iteration, time left
    std::string details{};           // at the end, where a terminal may cut
};

// "2026…/0001  dlp…tion 1  running  iteration 12 of 120"
[[nodiscard]] std::string inColumns(const TerminalRow& row, std::size_t columns);
// All of it, for what is no terminal.
[[nodiscard]] std::string wholeText(const TerminalRow& row);

// "dlp…tion 1 [####......] running 12/120": the bar is the first to go.
[[nodiscard]] std::string progressRow(const std::string& name, double fraction, const std::string& news,
                                      std::size_t columns);

}  // namespace dlperf::app
