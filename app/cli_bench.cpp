// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>

#include "app/cli_bench.h"
#include "app/commands.h"
#include "app/link_bench.h"
#include "app/terminal_questions.h"
#include "core/cluster/baseline.h"
#include "core/report/table.h"

namespace dlperf::app {
namespace {

using Figure = std::optional<double> (*)(const cluster::LinkSeries&);

std::optional<double> millisecondsOf(const cluster::LinkSeries& series) {
    const auto seconds = cluster::latencyOf(series);
    return seconds ? std::optional(1000 * *seconds) : std::nullopt;
}

report::TableCell cellOf(const cluster::LinkBaseline& baseline, const std::string& from,
                         const std::string& to, Figure figure) {
    const auto pair = std::ranges::find_if(baseline.pairs, [&](const cluster::PairBaseline& one) {
        return (one.from == from && one.to == to) || (one.from == to && one.to == from);
    });
    if (pair == baseline.pairs.end()) {
        return report::textCell("");
    }
    const auto value = figure(pair->series);
    return report::textCell(value ? cluster::shortFigure(*value) : told("missing"));
}

// A pair has one figure, for both ways are measured at once: half of the matrix says all.
void printMatrix(const cluster::LinkBaseline& baseline, const std::string& title, Figure figure) {
    report::Table table;
    table.columns.push_back({told("Node")});
    for (std::size_t i = 0; i + 1 < baseline.nodes.size(); ++i) {
        table.columns.push_back({printable(baseline.nodes[i]), true});
    }
    for (std::size_t row = 1; row < baseline.nodes.size(); ++row) {
        table.rows.push_back({report::textCell(printable(baseline.nodes[row]))});
        for (std::size_t i = 0; i + 1 < baseline.nodes.size(); ++i) {
            table.rows.back().push_back(i < row
                                            ? cellOf(baseline, baseline.nodes[i], baseline.nodes[row], figure)
                                            : report::textCell(""));
        }
    }
    std::cout << told(title) << '\n' << report::toTerminal(table) << '\n';
}

void printSeries(const std::string& what, const cluster::LinkSeries& series) {
    const auto bandwidth = cluster::bandwidthOf(series);
    const auto latency = millisecondsOf(series);
    std::cout << told(what) << ": "
              << (bandwidth && latency ? fmt::format("{} GB/s, {} ms", cluster::shortFigure(*bandwidth),
                                                     cluster::shortFigure(*latency))
                                       : told("missing"))
              << '\n';
}

std::vector<MissingPart> missingOf(const cluster::LinkBaseline& baseline) {
    std::vector<MissingPart> missing;
    const auto add = [&](const std::string& what, const cluster::LinkSeries& series) {
        if (series.points.empty()) {
            missing.push_back({what, series.missing});
        }
    };
    for (const cluster::PairBaseline& pair : baseline.pairs) {
        add(fmt::format("between {} and {}", pair.from, pair.to), pair.series);
    }
    if (baseline.all) {
        add("all nodes together", *baseline.all);
    }
    for (const cluster::NodeBaseline& node : baseline.within) {
        add(fmt::format("the {} devices of {}", node.series.ranks, node.node), node.series);
    }
    return missing;
}

void printSlowLinks(const cluster::LinkBaseline& baseline) {
    const auto slow = cluster::slowLinks(baseline);
    const auto measured = std::ranges::count_if(
        baseline.pairs, [](const cluster::PairBaseline& pair) { return !pair.series.points.empty(); });
    if (measured > 1) {
        std::cout << '\n' << told(slow.empty() ? "No link is slow beside the others" : "Slow links:") << '\n';
    }
    for (const cluster::SlowLink& link : slow) {
        std::cout << "  " << told(link.sentence) << '\n';
    }
}

void print(const cluster::LinkBaseline& baseline) {
    std::cout << told("All-reduces by way of the hosts; links from GPU to GPU are not measured") << "\n\n";
    if (!baseline.pairs.empty()) {
        printMatrix(baseline, "GB/s between two nodes", cluster::bandwidthOf);
        printMatrix(baseline, "Latency between two nodes in ms", millisecondsOf);
    }
    if (baseline.all) {
        printSeries(fmt::format("All {} nodes together", baseline.nodes.size()), *baseline.all);
    }
    for (const cluster::NodeBaseline& node : baseline.within) {
        printSeries(fmt::format("The {} devices of {}", node.series.ranks, node.node), node.series);
    }
    printSlowLinks(baseline);
}

Result<int> benchLinks(const BenchWords& words) {
    const auto baseline = TRY(measureLinks(benchOptionsOf(words)));
    return endBench(
        words, [&] { print(baseline); }, cluster::toJson(baseline), missingOf(baseline));
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
    return *command;
}

BenchOptions benchOptionsOf(const BenchWords& words) {
    return {words.cluster, words.workspace, terminalTransports({.acceptNew = words.acceptNew})};
}

Result<int> endBench(const BenchWords& words, const std::function<void()>& print, const Json& json,
                     const std::vector<MissingPart>& missing) {
    if (words.json != "-") {
        print();
        TRY(flushOutput());
    }
    if (!words.json.empty()) {
        TRY(writeOutput(words.json, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"));
    }
    for (const MissingPart& one : missing) {
        std::cerr << "dlperf bench: " << told(one.what) << ": " << told("missing") << ", " << told(one.reason)
                  << '\n';
    }
    return missing.empty() ? 0 : 1;
}

void addBenchCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("bench", "Measure the hardware itself, to hold training against it");
    command->require_subcommand(1);
    const auto words = std::make_shared<BenchWords>();
    addMeasurement(
        *command, "links",
        "How fast the nodes reach each other: all-reduces between each two, among all, within each",
        "The folder that gets links.json, and the runs in links/; made if missing", *words)
        .callback([words, &exitCode] { exitCode = exitCodeOf("bench", benchLinks(*words)); });
    addComputeMeasurement(*command, exitCode);
    addDataMeasurement(*command, exitCode);
}

}  // namespace dlperf::app
