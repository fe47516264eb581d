// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include "app/cli_bench.h"
#include "app/commands.h"
#include "app/link_bench.h"
#include "app/terminal_questions.h"
#include "app/told.h"
#include "core/base/printed_json.h"
#include "core/cluster/baseline.h"

namespace dlperf::app {
namespace {

using Figure = std::optional<double> (*)(const cluster::LinkSeries&);

report::TableCell cellOf(const cluster::LinkBaseline& baseline, const std::string& from,
                         const std::string& to, Figure figure) {
    const auto pair = std::ranges::find_if(baseline.pairs, [&](const cluster::PairBaseline& one) {
        return (one.from == from && one.to == to) || (one.from == to && one.to == from);
    });
    return pair == baseline.pairs.end() ? report::textCell("")
                                        : report::shortCell(figure(pair->series), pair->series.missing);
}

// A pair has one figure, for both ways are measured at once: half of the matrix says all.
void printMatrix(const cluster::LinkBaseline& baseline, const std::string& title, Figure figure) {
    report::Table table;
    table.columns.push_back({"Node"});
    for (std::size_t i = 0; i + 1 < baseline.nodes.size(); ++i) {
        table.columns.push_back({baseline.nodes[i], true});
    }
    for (std::size_t row = 1; row < baseline.nodes.size(); ++row) {
        table.rows.push_back({report::textCell(baseline.nodes[row])});
        for (std::size_t i = 0; i + 1 < baseline.nodes.size(); ++i) {
            table.rows.back().push_back(i < row
                                            ? cellOf(baseline, baseline.nodes[i], baseline.nodes[row], figure)
                                            : report::textCell(""));
        }
    }
    std::cout << told(title) << '\n' << toldTable(table) << '\n';
}

void printSeries(const std::string& what, const cluster::LinkSeries& series) {
    const auto bandwidth = cluster::bandwidthOf(series);
    const auto latency = cluster::latencyMsOf(series);
    std::cout << told(what) << ": "
              << (bandwidth && latency ? fmt::format("{} GB/s, {} ms", cluster::shortFigure(*bandwidth),
                                                     cluster::shortFigure(*latency))
                                       : told("missing"))
              << '\n';
}

void print(const cluster::LinkBaseline& baseline, const report::HardwarePart& part) {
    std::cout << told(part.method) << "\n\n";
    if (!baseline.pairs.empty()) {
        printMatrix(baseline, "GB/s between two nodes", cluster::bandwidthOf);
        printMatrix(baseline, "Latency between two nodes in ms", cluster::latencyMsOf);
    }
    if (baseline.all) {
        printSeries(fmt::format("All {} nodes together", baseline.nodes.size()), *baseline.all);
    }
    for (const cluster::RingLink& link : baseline.ring) {
        std::cout << told(fmt::format("{} to {}, while all nodes exchange", link.from, link.to)) << ": "
                  << cluster::shortFigure(cluster::bandwidthOf(link)) << " GB/s\n";
    }
    for (const cluster::NodeBaseline& node : baseline.within) {
        printSeries(fmt::format("The {} devices of {}", node.series.ranks, node.node), node.series);
        if (node.ncclTests) {
            printSeries(fmt::format("By nccl-tests, the {} devices of {}", node.series.ranks, node.node),
                        *node.ncclTests);
        }
    }
    printBelow(part);
}

struct LinkWords : BenchWords {
    std::string backend = "auto";
};

Result<int> benchLinks(const LinkWords& words) {
    const auto options = TRY(benchOptionsOf(words));
    const auto baseline = TRY(measureLinks(options, words.backend));
    report::HardwarePart part = report::hardwarePart(baseline);
    part.notes.clear();  // of its table, in whose place matrices are printed
    return endBench(
        words, [&] { print(baseline, part); }, cluster::toJson(baseline), part.missing);
}

}  // namespace

CLI::App& addMeasurement(CLI::App& bench, const std::string& name, const std::string& help,
                         const std::string& kept, BenchWords& words) {
    auto* command = bench.add_subcommand(name, help);
    command->add_option("CLUSTER", words.cluster, "The cluster, a JSON file; else this machine")
        ->type_name("FILE");
    command->add_option("--workspace", words.workspace, kept)->type_name("FOLDER")->required();
    command->add_option("--json", words.json, "Write JSON to this file, or - to standard output")
        ->type_name("FILE");
    command->add_flag("--accept-new", words.acceptNew, "Trust host keys that are not known yet");
    command->add_flag("--answers", words.answers, answersHelp);
    return *command;
}

std::string toldTable(const report::Table& english) {
    report::Table table = translated(english, terminalTranslation());
    for (report::TableColumn& column : table.columns) {
        column.title = printable(column.title);
    }
    for (auto& row : table.rows) {
        for (report::TableCell& cell : row) {
            cell.text = printable(cell.text);
        }
    }
    return report::toTerminal(table);
}

void printBelow(const report::HardwarePart& part) {
    for (const std::string& note : part.notes) {
        std::cout << '\n' << told(note) << '\n';
    }
    if (!part.slowHeading.empty()) {
        std::cout << '\n' << told(part.slowHeading) << '\n';
    }
    for (const std::string& slow : part.slow) {
        std::cout << "  " << told(slow) << '\n';
    }
}

Result<BenchOptions> benchOptionsOf(const BenchWords& words) {
    auto cached = TRY(words.answers ? readCachedCredentials() : remote::CachedCredentials{});
    return BenchOptions{
        words.cluster, words.workspace,
        terminalTransports(
            {.mayPrompt = !words.answers, .acceptNew = words.acceptNew, .cached = std::move(cached)})};
}

Result<int> endBench(const BenchWords& words, const std::function<void()>& print, const Json& json,
                     const std::vector<report::MissingPart>& missing) {
    if (words.json != "-") {
        print();
        TRY(flushOutput());
    }
    if (!words.json.empty()) {
        TRY(writeOutput(words.json, printedJson(json) + "\n"));
    }
    for (const report::MissingPart& one : missing) {
        std::cerr << "dlperf bench: " << told(one.what) << ": " << told("missing") << ", " << told(one.reason)
                  << '\n';
    }
    return missing.empty() ? 0 : 1;
}

void addBenchCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("bench", "Measure the hardware itself, to hold training against it");
    command->require_subcommand(1);
    const auto words = std::make_shared<LinkWords>();
    auto& links =
        addMeasurement(*command, "links",
                       "How fast the nodes reach each other: all-reduces between each two, among all, within "
                       "each, and a ring of all",
                       "The folder that gets links.json, and the runs in links/; made if missing", *words);
    links
        .add_option("--backend", words->backend,
                    "auto: from GPU to GPU where each process has one; cpu: by way of the hosts")
        ->check(CLI::IsMember({"auto", "cpu"}))
        ->capture_default_str();
    links.callback([words, &exitCode] { exitCode = exitCodeOf("bench", benchLinks(*words)); });
    addComputeMeasurement(*command, exitCode);
    addDataMeasurement(*command, exitCode);
}

}  // namespace dlperf::app
