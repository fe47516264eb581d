// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/new_folder.h"
#include "core/base/file.h"
#include "core/measure/own_formats.h"
#include "core/publish/bundle.h"

namespace dlperf::app {
namespace {

struct PublishOptions {
    std::string workspace;
    std::string output;
    std::string title;
    std::vector<std::string> campaigns;
    bool mask = false;
};

Result<void> publish(const PublishOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    const auto vocabulary = TRY(readVocabulary());
    report::ReportView view;
    view.formats = TRY(measure::readFormats(workspace));
    const publish::BundleOptions bundle{options.title,
                                        {options.campaigns.begin(), options.campaigns.end()},
                                        options.mask,
                                        "dlperf " DLPERF_VERSION};
    const std::filesystem::path file = expandHome(options.output);
    const NewFolder folder(file.parent_path());
    TRY(makeFolderOf(file));
    const auto bundled = TRY(publish::writeBundle(workspace, vocabulary, view, file, bundle));
    std::cerr << told(bundled.runs == 1
                          ? fmt::format("1 run in {} files is in {} now", bundled.files, options.output)
                          : fmt::format("{} runs in {} files are in {} now", bundled.runs, bundled.files,
                                        options.output))
              << '\n';
    return {};
}

}  // namespace

void addPublishCommand(CLI::App& app, int& exitCode) {
    CLI::App* command =
        app.add_subcommand("publish", "Pack figures with all that it takes to believe and to repeat them");
    const auto options = std::make_shared<PublishOptions>();
    command->add_option("--workspace", options->workspace, "The folder with the runs")
        ->type_name("FOLDER")
        ->required();
    command
        ->add_option("-o,--output", options->output,
                     "The archive: a file that ends in .tar.zst, .tar.gz, .tar.xz or .tar")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("--campaign", options->campaigns,
                     "Only runs of this campaign or import; may be repeated. Else all of the workspace")
        ->type_name("ID");
    command->add_option("--title", options->title,
                        "The report's title; else what the results have in common");
    command->add_flag("--mask", options->mask,
                      "Replace names of hosts and users, home folders, passwords and tokens");
    command->callback([options, &exitCode] {
        if (const auto done = publish(*options); !done) {
            exitCode = complain("publish", done.error());
        }
    });
}

}  // namespace dlperf::app
