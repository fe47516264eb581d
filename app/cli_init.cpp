// SPDX-License-Identifier: Apache-2.0
// `dlperf init`: a plan and, for nodes, a cluster file to begin with, by options or by questions on a
// terminal.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/cluster/host_lists.h"
#include "core/launch/plan_nodes.h"

namespace dlperf::app {
namespace {

namespace fs = std::filesystem;

struct InitOptions {
    std::string folder = ".";
    std::string recipe;
    std::string topologies;
    std::string batchSizes;
    std::string precision;
    std::string repetitions;
    std::string nodes;
    std::string recipes;
    bool force = false;
};

// What was given, else what is answered, else `usual`; nothing is asked where nobody can answer.
std::string given(const std::string& option, const std::string& question, const std::string& usual) {
    if (!option.empty() || ::isatty(STDIN_FILENO) != 1) {
        return option.empty() ? usual : option;
    }
    std::cerr << told(fmt::format("{} [{}]: ", question, usual.empty() ? "this machine" : usual))
              << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    answer = trim(answer);
    return answer.empty() ? usual : answer;
}

std::vector<std::string> listIn(const std::string& text) {
    std::vector<std::string> words;
    for (const std::string_view word : wordsIn(text, ", \t")) {
        words.emplace_back(word);
    }
    return words;
}

Result<std::vector<int>> numbersIn(const std::string& text) {
    std::vector<int> numbers;
    for (const std::string& word : listIn(text)) {
        const auto number = toInt(word);
        if (!number) {
            return fail(fmt::format("\"{}\" is no number", refusedName(word)), {},
                        "Write numbers, as in \"32,64\".");
        }
        numbers.push_back(*number);
    }
    return numbers;
}

Result<void> mustBeNew(const fs::path& file) {
    std::error_code error;
    return fs::exists(file, error) ? fail("it is there already", file.string(),
                                          "Give another folder, or --force to write over it.")
                                   : Result<void>();
}

Result<void> writeNew(const fs::path& file, const Json& json, bool force) {
    if (!force) {
        TRY(mustBeNew(file));
    }
    return writeFileAtomically(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

// Named as their hosts where that is a name.
Result<cluster::Cluster> clusterOf(const std::vector<std::string>& hosts) {
    cluster::Cluster cluster{"cluster", {}};
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        cluster::Node node;
        node = TRY(cluster::withHost(node, hosts[i]));
        node.name = isPlainName(node.host) ? node.host : fmt::format("node{}", i);
        cluster.nodes.push_back(std::move(node));
    }
    return cluster.nodes.empty() ? cluster : cluster::clusterFromJson(toJson(cluster), "the nodes");
}

Result<int> init(const InitOptions& options) {
    const auto book = TRY(chooseRecipes(options.recipes));
    const std::string name = given(options.recipe, "Recipe (`dlperf recipes` lists them)", "dlperf-worker");
    const launch::Recipe* recipe = TRY(launch::findRecipe(book, name, {}));
    const std::string nodes = given(options.nodes, "Nodes, as ssh knows them", "");
    const std::string topologies =
        given(options.topologies, "Topologies", nodes.empty() ? "1n1g,1n2g" : "1n1g,2n1g");
    const auto batchSizes = TRY(numbersIn(given(options.batchSizes, "Batch sizes per device", "8")));
    const auto repetitions = TRY(numbersIn(given(options.repetitions, "Repetitions of each case", "3")));
    if (repetitions.size() != 1) {
        return fail("the repetitions are one number", {}, "Write it, as in \"3\".");
    }
    const std::string precision = given(options.precision, "Precision", recipe->precisions.front());

    for (const std::string& one : listIn(precision)) {
        if (std::ranges::find(recipe->precisions, one) == recipe->precisions.end()) {
            return fail(fmt::format("{} does not train in \"{}\"", name, refusedName(one)), {},
                        "It does in " + join(recipe->precisions, ", ") + ".");
        }
    }

    const fs::path folder = fs::absolute(expandHome(options.folder));
    Json plan{{"name", recipe->title},
              {"recipes", {name}},
              {"topologies", listIn(topologies)},
              {"batch_sizes", batchSizes},
              {"precisions", listIn(precision)},
              {"repetitions", repetitions.front()}};
    TRY(launch::planFromJson(plan, "the plan"));  // says what is wrong before anything is written
    const auto list = TRY(clusterOf(listIn(nodes)));
    TRY(makeFolders(folder));
    std::string cluster;
    if (!options.force && !list.nodes.empty()) {
        TRY(mustBeNew(folder / "cluster.json"));  // before the plan is written
    }
    TRY(writeNew(folder / "plan.json", plan, options.force));
    if (!list.nodes.empty()) {
        TRY(writeNew(folder / "cluster.json", toJson(list), options.force));
        cluster = " --cluster cluster.json";
    }
    std::cout << (folder / "plan.json").string() << "\n\n" << told("Next, there:") << '\n';
    if (!cluster.empty()) {
        std::cout << "  dlperf check cluster.json --plan plan.json\n";
    }
    std::cout << fmt::format(
        "  dlperf prepare plan.json{0}\n  dlperf run plan.json{0} --workspace runs\n  dlperf compare "
        "--workspace runs\n",
        cluster);
    TRY(flushOutput());
    return 0;
}

}  // namespace

void addInitCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("init", "Write a plan to begin with, and a cluster file for nodes");
    const auto options = std::make_shared<InitOptions>();
    command->add_option("FOLDER", options->folder, "Where; made if missing")
        ->type_name("FOLDER")
        ->capture_default_str();
    command->add_option("--recipe", options->recipe, "What trains: see `dlperf recipes`");
    command->add_option("--nodes", options->nodes,
                        "Names as ssh knows them, with commas between; else this machine");
    command->add_option("--topologies", options->topologies, "Nodes and devices per node, like 1n1g,2n8g");
    command->add_option("--batch-sizes", options->batchSizes, "Samples per device, like 32,64");
    command->add_option("--precision", options->precision, "One or more of the recipe's");
    command->add_option("--repetitions", options->repetitions, "Of each case");
    command->add_option("--recipes", options->recipes, "Folder of recipes, searched before the bundled ones")
        ->type_name("FOLDER");
    command->add_flag("--force", options->force, "Write over files that are there");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("init", init(*options)); });
}

}  // namespace dlperf::app
