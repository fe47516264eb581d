// SPDX-License-Identifier: Apache-2.0
// The manual page of a program, from the description that --help prints.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace dlperf::app {

// For section 1, as man(7) has it. Sections EXIT STATUS and so on are those of the program's footer: lines
// "NAME: text".
[[nodiscard]] std::string manPage(const CLI::App& app);

}  // namespace dlperf::app
