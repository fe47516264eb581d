// SPDX-License-Identifier: Apache-2.0
// `dlperf bench compute` and `data`: what each node does by itself.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli_bench.h"
#include "app/compute_bench.h"
#include "app/data_bench.h"
#include "app/told.h"
#include "core/cluster/cluster.h"
#include "core/report/numbers.h"
#include "core/report/table.h"

namespace dlperf::app {
namespace {

constexpr int mostRepetitions = 100;
constexpr int mostReadingSeconds = 120;  // of a run that has ten minutes

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

report::Table tableOf(const cluster::DataBaseline& baseline) {
    report::Table table{.columns = {{told("Node")},
                                    {"MB/s", true},
                                    {told("files/s"), true},
                                    {"images/s", true},
                                    {told("files"), true},
                                    {told("folder")}}};
    for (const cluster::NodeReading& node : baseline.nodes) {
        const std::string images =
            node.imagesPerSecond ? report::grouped(*node.imagesPerSecond, 2) : report::missingFigure;
        table.rows.push_back(
            {report::textCell(printable(node.node)), figureCell(cluster::readingSpeedOf(node)),
             figureCell(cluster::fileRateOf(node)), report::textCell(images),
             report::textCell(std::to_string(node.files)), report::textCell(printable(node.folder))});
    }
    return table;
}

void printData(const cluster::DataBaseline& baseline) {
    std::cout << told("Reading the folder of data by four threads, on all nodes at the same time") << '\n'
              << report::toTerminal(tableOf(baseline));
    std::vector<std::string> helped;
    for (const cluster::NodeReading& node : baseline.nodes) {
        if (node.mayBeCached()) {
            helped.push_back(node.node);
        }
    }
    if (!helped.empty()) {
        std::cout << '\n'
                  << told(fmt::format("{}: files may have been in the page cache, which makes reading fast",
                                      cluster::named(helped)))
                  << '\n';
    }
    printSlow(cluster::slowReaders(baseline), measuredIn(baseline.nodes));
}

struct DataWords : BenchWords, ReadingWanted {};

Result<int> benchData(const DataWords& words) {
    const auto baseline = TRY(measureData(benchOptionsOf(words), words));
    return endBench(
        words, [&] { printData(baseline); }, cluster::toJson(baseline), missingNodes(baseline.nodes));
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

void addDataMeasurement(CLI::App& bench, int& exitCode) {
    const auto words = std::make_shared<DataWords>();
    auto& command = addMeasurement(
        bench, "data", "How fast each node reads its folder of data, and prepares the images of it",
        "The folder that gets data.json, and the run in data-runs/; made if missing", *words);
    command.add_option("--data", words->folder, "The folder on every node; else the data_dir of each")
        ->type_name("FOLDER");
    command.add_option("--seconds", words->seconds, "How long files are read at most")
        ->check(CLI::Range(1, mostReadingSeconds))
        ->capture_default_str();
    command.callback([words, &exitCode] { exitCode = exitCodeOf("bench", benchData(*words)); });
}

}  // namespace dlperf::app
