// SPDX-License-Identifier: Apache-2.0
// A command line followed through the program's description, which is that of --help: what the shell may
// offer next, and what a word that is not known was meant to be.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dlperf::app {

// What may stand in the place of the last word, which may be empty, one candidate a line: "WORD\tHELP". A
// line
// ":file" or ":folder" has the shell offer those instead.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& app,
                                                   const std::vector<std::string>& words);

// The first command or option that the program does not have, with the nearest one that it has; nothing where
// all are known.
[[nodiscard]] std::optional<std::string> unknownWord(const CLI::App& app,
                                                     const std::vector<std::string>& words);

// "{a,b}" in an option's kind of value: what it may be. Empty where that is open.
[[nodiscard]] std::vector<std::string> choicesOf(const CLI::Option& option);
[[nodiscard]] bool takesValue(const CLI::Option& option);

}  // namespace dlperf::app
