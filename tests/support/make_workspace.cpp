// SPDX-License-Identifier: Apache-2.0
// make_workspace W [--results N] [--runs N] [--nodes N] [--nights] [--broken] [--hold]
// Writes a workspace for pictures and benchmarks. With --hold a runner seems to work in it until the standard
// input ends.
#include <CLI/CLI.hpp>
#include <iostream>
#include <limits>
#include <string>

#include "core/base/error.h"
#include "tests/support/made_workspace.h"

namespace {

struct Options {
    std::string root;
    int results = 0;
    int runs = 0;
    int nodes = 0;
    bool broken = false;
    bool nights = false;
    bool hold = false;
};

dlperf::Result<void> make(const Options& options) {
    namespace test = dlperf::test;
    const auto workspace = dlperf::store::Workspace::open(options.root);
    if (!workspace) {
        return dlperf::Failure(workspace.error());
    }
    if (auto made = test::makeResults(*workspace, options.results); !made) {
        return made;
    }
    if (options.nodes > 0) {
        if (auto made = test::makeCluster(workspace->root() / "cluster.json", options.nodes); !made) {
            return made;
        }
    }
    if (options.nights) {
        if (auto made = test::makeTwoNights(*workspace); !made) {
            return made;
        }
    }
    if (options.broken) {
        if (auto broken = test::breakWorkspace(*workspace); !broken) {
            return broken;
        }
    }
    if (options.runs == 0) {
        return {};
    }
    const auto campaign = test::makeCampaign(*workspace, options.runs);
    if (!campaign) {
        return dlperf::Failure(campaign.error());
    }
    if (!options.hold) {
        return {};
    }
    const auto lock = test::seemToRun(*workspace, *campaign);
    if (!lock) {
        return dlperf::Failure(lock.error());
    }
    std::cout << "made" << std::endl;
    std::cin.ignore(std::numeric_limits<std::streamsize>::max());
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Writes a workspace for pictures and benchmarks.", "make_workspace"};
    Options options;
    app.add_option("workspace", options.root, "Folder, made if it is missing")->required();
    app.add_option("--results", options.results, "Finished runs of 2,000 cases");
    app.add_option("--runs", options.runs, "Runs of one campaign that is half done");
    app.add_option("--nodes", options.nodes, "Nodes in WORKSPACE/cluster.json");
    app.add_flag("--nights", options.nights, "Two campaigns of one plan, before and after a change");
    app.add_flag("--broken", options.broken, "Add files that cannot be understood");
    app.add_flag("--hold", options.hold, "Be the runner until the standard input ends");
    CLI11_PARSE(app, argc, argv);
    const auto made = make(options);
    if (!made) {
        std::cerr << "make_workspace: " << dlperf::describe(made.error()) << '\n';
        return dlperf::exitCode(made.error());
    }
    return 0;
}
