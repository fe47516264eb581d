// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/analysis/format_row.h"
#include "core/base/json.h"
#include "core/base/printed_json.h"

namespace dlperf::app {
namespace {

using analysis::Format;

struct FormatsOptions {
    std::string workspace;  // whose own formats are listed, too
    bool json = false;
};

void printTable(const std::vector<const Format*>& formats) {
    std::size_t width = 0;
    for (const Format* format : formats) {
        width = std::max(width, format->name.size());
    }
    std::cout << fmt::format("{:<{}}  {:>6}  {:>5}  {:<10}  {}\n", "format", width, "warmup", "train", "unit",
                             "logs of");
    for (const Format* format : formats) {
        std::cout << fmt::format("{:<{}}  {:>6}  {:>5}  {:<10}  {}\n", format->name, width,
                                 format->range.warmup, format->range.train, printable(format->unit),
                                 printable(format->title));
    }
}

Result<void> list(const FormatsOptions& options) {
    const auto known = TRY(formatsOf(options.workspace));
    if (!options.json) {
        printTable(known.all());
    } else if (known.own().empty()) {
        std::cout << analysis::formatsJson();  // as it is written, to be read by people
    } else {
        Json rows = Json::array();
        for (const Format* format : known.all()) {
            rows.push_back(Json::parse(format->written));
        }
        std::cout << printedJson(rows) << '\n';
    }
    return {};
}

}  // namespace

void addFormatsCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("formats", "List the log formats that the program knows");
    const auto options = std::make_shared<FormatsOptions>();
    command->add_flag(
        "--json", options->json,
        "As JSON, which is how own formats are written (--formats FILE of dlperf analyze and import)");
    command->add_option("--workspace", options->workspace, "With those that this folder has of its own")
        ->type_name("FOLDER");
    command->callback([options, &exitCode] {
        const auto listed = list(*options);
        exitCode = listed ? 0 : complain("formats", listed.error());
    });
}

}  // namespace dlperf::app
