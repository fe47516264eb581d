// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "app/terminal_questions.h"
#include "core/base/file.h"
#include "core/measure/own_formats.h"

namespace dlperf::app {

void addInputOptions(CLI::App& command, InputOptions& inputs) {
    command.add_option("PLAN", inputs.plan, "The plan, a JSON file")->type_name("FILE")->required();
    command.add_option("--cluster", inputs.cluster, "The cluster, a JSON file; else this machine")
        ->type_name("FILE");
    command.add_option("--recipes", inputs.recipes, "Folder of recipes, searched before the bundled ones")
        ->type_name("FOLDER");
}

Result<std::vector<run::NodeRun>> openNodes(const std::vector<cluster::Node>& nodes) {
    const remote::TransportFactory open = terminalTransports({});
    std::vector<run::NodeRun> list;
    list.reserve(nodes.size());
    for (const cluster::Node& node : nodes) {
        auto transport = TRY(open(node));
        list.emplace_back(std::move(transport), node, launch::NodeLaunch{}, std::string());
    }
    return list;
}

Result<analysis::FormatBook> formatsOf(const std::string& folder) {
    if (folder.empty()) {
        return analysis::FormatBook();
    }
    const auto workspace = store::Workspace::openExisting(expandHome(folder));
    return workspace ? measure::readFormats(*workspace) : Failure(workspace.error());
}

Result<const analysis::Format*> formatNamed(const analysis::FormatBook& formats, const std::string& name,
                                            std::string remedy) {
    const analysis::Format* format = name.empty() ? nullptr : formats.find(name);
    if (format == nullptr && !name.empty()) {
        return fail("\"" + name + "\" is no known format", "--format", std::move(remedy));
    }
    return format;
}

Result<store::StoredResults> resultsIn(const store::Workspace& workspace) {
    std::error_code error;
    const bool isNew = !std::filesystem::exists(workspace.logs(), error) &&
                       !std::filesystem::exists(workspace.index(), error);
    return isNew ? store::StoredResults() : store::readResults(workspace);
}

Result<store::StoredResults> someResults(const std::string& command, const store::Workspace& workspace) {
    auto stored = TRY(resultsIn(workspace));
    for (const Error& problem : stored.problems) {
        std::cerr << "dlperf " << command << ": " << told(describe(problem)) << '\n';
    }
    if (stored.results.empty()) {
        return fail("the workspace has no results yet", workspace.root().string(),
                    "Run a plan (`dlperf run`) or import logs (`dlperf import`) first.", ErrorKind::Work);
    }
    return stored;
}

Result<void> makeFolderOf(const std::filesystem::path& file) {
    return file.has_parent_path() ? makeFolders(file.parent_path()) : Result<void>();
}

Result<void> writeOutput(const std::string& file, const std::string& text) {
    if (file == "-") {
        std::cout << text;
    } else {
        TRY(makeFolderOf(expandHome(file)));
        TRY(writeFileAtomically(expandHome(file), text));
    }
    return flushOutput();
}

Result<void> flushOutput() {
    std::cout.flush();
    return std::cout ? Result<void>() : fail("cannot be written to", "standard output", {}, ErrorKind::Work);
}

}  // namespace dlperf::app
