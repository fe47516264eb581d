// SPDX-License-Identifier: Apache-2.0
#include "app/cli_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "core/analysis/format_row.h"
#include "core/base/json.h"

namespace dlperf::app {
namespace {

using analysis::Format;

nlohmann::ordered_json toJson(const Format& format) {
    return {{"name", format.name},
            {"title", format.title},
            {"unit", format.unit},
            {"implementation", format.implementation},
            {"warmup", format.window.warmup},
            {"train", format.window.train},
            {"markers", format.markers}};
}

void printJson() {
    auto list = nlohmann::ordered_json::array();
    for (const Format& format : analysis::formats()) {
        list.push_back(toJson(format));
    }
    std::cout << list.dump(2) << '\n';
}

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
    command->add_flag("--json", *json, "As JSON");
    command->callback([json, &exitCode] {
        *json ? printJson() : printTable();
        exitCode = 0;
    });
}

}  // namespace dlperf::app
