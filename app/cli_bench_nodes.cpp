// SPDX-License-Identifier: Apache-2.0
// `dlperf bench compute`: what each node does by itself.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli_bench.h"
#include "app/compute_bench.h"
#include "app/told.h"
#include "core/report/numbers.h"
#include "core/report/table.h"

namespace dlperf::app {
namespace {

constexpr int mostRepetitions = 100;

template <class Node>
std::vector<MissingPart> missingNodes(const std::vector<Node>& nodes) {
    std::vector<MissingPart> missing;
    for (const Node& node : nodes) {
        if (!node.missing.empty()) {
            missing.push_back({"node " + node.node, node.missing});
        }
    }
    return missing;
}

report::TableCell figureCell(const std::optional<double>& figure) {
    return report::textCell(figure ? report::grouped(*figure, 2) : told("missing"));
}

std::string problemOf(const cluster::NodeCompute& node) {
    return fmt::format("{} \u00D7 {} px, {}", node.batchSize, node.imageSize, node.backend);
}

report::Table tableOf(const cluster::ComputeBaseline& baseline) {
    report::Table table{.columns = {{told("Node")},
                                    {"images/s", true},
                                    {told("least"), true},
                                    {told("most"), true},
                                    {told("repetitions"), true},
                                    {told("batch and image, by")}}};
    for (const cluster::NodeCompute& node : baseline.nodes) {
        std::optional<double> least;
        std::optional<double> most;
        if (node.isMeasured()) {
            const auto [low, high] = std::ranges::minmax(node.throughputs);
            least = low;
            most = high;
        }
        table.rows.push_back({report::textCell(printable(node.node)), figureCell(cluster::throughputOf(node)),
                              figureCell(least), figureCell(most),
                              report::textCell(std::to_string(node.throughputs.size())),
                              report::textCell(node.isMeasured() ? printable(problemOf(node)) : "")});
    }
    return table;
}

// Of one node nothing is said: there are no others.
void printSlow(const std::vector<cluster::SlowNode>& slow, std::size_t measured) {
    if (measured > 1) {
        std::cout << '\n' << told(slow.empty() ? "No node is slow beside the others" : "Slow nodes:") << '\n';
    }
    for (const cluster::SlowNode& node : slow) {
        std::cout << "  " << told(node.sentence) << '\n';
    }
}

template <class Node>
std::size_t measuredIn(const std::vector<Node>& nodes) {
    return static_cast<std::size_t>(std::ranges::count_if(nodes, &Node::isMeasured));
}

void printCompute(const cluster::ComputeBaseline& baseline) {
    std::cout << told("Training on one device of each node, the median of the repetitions") << '\n'
              << report::toTerminal(tableOf(baseline));
    printSlow(cluster::slowNodes(baseline), measuredIn(baseline.nodes));
}

struct ComputeWords : BenchWords {
    int repetitions = 5;
};

Result<int> benchCompute(const ComputeWords& words) {
    const auto baseline = TRY(measureCompute(benchOptionsOf(words), words.repetitions));
    return endBench(
        words, [&] { printCompute(baseline); }, cluster::toJson(baseline), missingNodes(baseline.nodes));
}

}  // namespace

void addComputeMeasurement(CLI::App& bench, int& exitCode) {
    const auto words = std::make_shared<ComputeWords>();
    auto& command = addMeasurement(
        bench, "compute", "How fast one device of each node trains, to find the node that is slow",
        "The folder that gets compute.json, and the runs in compute/; made if missing", *words);
    command.add_option("--repetitions", words->repetitions, "How often each node trains")
        ->check(CLI::Range(1, mostRepetitions))
        ->capture_default_str();
    command.callback([words, &exitCode] { exitCode = exitCodeOf("bench", benchCompute(*words)); });
}

}  // namespace dlperf::app
