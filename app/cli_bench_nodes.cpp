// SPDX-License-Identifier: Apache-2.0
// `dlperf bench compute` and `data`: what each node does by itself.
#include <iostream>
#include <memory>

#include "app/cli_bench.h"
#include "app/compute_bench.h"
#include "app/data_bench.h"
#include "app/told.h"

namespace dlperf::app {
namespace {

constexpr int mostRepetitions = 100;
constexpr int mostReadingSeconds = 120;  // of a run that has ten minutes

template <class Baseline>
Result<int> endNodes(const BenchWords& words, const Baseline& baseline) {
    const report::HardwarePart part = report::hardwarePart(baseline);
    const auto print = [&] {
        std::cout << told(part.method) << '\n' << toldTable(part.table);
        printBelow(part);
    };
    return endBench(words, print, cluster::toJson(baseline), part.missing);
}

struct ComputeWords : BenchWords {
    int repetitions = 5;
};

Result<int> benchCompute(const ComputeWords& words) {
    const auto options = TRY(benchOptionsOf(words));
    return endNodes(words, TRY(measureCompute(options, words.repetitions)));
}

struct DataWords : BenchWords, ReadingWanted {};

Result<int> benchData(const DataWords& words) {
    const auto options = TRY(benchOptionsOf(words));
    return endNodes(words, TRY(measureData(options, words)));
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
