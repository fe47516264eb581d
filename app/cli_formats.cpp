// SPDX-License-Identifier: Apache-2.0
#include "app/cli_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "core/analysis/format_row.h"

namespace dlperf::app {
namespace {

using analysis::Format;

void printTable() {
    std::size_t width = 0;
    for (const Format& format : analysis::formats()) {
        width = std::max(width, format.name.size());
    }
    std::cout << fmt::format("{:<{}}  {:>6}  {:>5}  {:<10}  {}\n", "format", width, "warmup", "train", "unit",
                             "logs of");
    for (const Format& format : analysis::formats()) {
        std::cout << fmt::format("{:<{}}  {:>6}  {:>5}  {:<10}  {}\n", format.name, width,
                                 format.window.warmup, format.window.train, format.unit, format.title);
    }
}

}  // namespace

void addFormatsCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("formats", "List the log formats that the program knows");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json,
                      "As JSON, which is how own formats are written (dlperf analyze --formats)");
    command->callback([json, &exitCode] {
        if (*json) {
            std::cout << analysis::formatsJson();
        } else {
            printTable();
        }
        exitCode = 0;
    });
}

}  // namespace dlperf::app
