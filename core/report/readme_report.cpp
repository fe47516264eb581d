// SPDX-License-Identifier: Apache-2.0
// A report in the layout of DLPerf's own README: the environment, which trainer has which feature, and a
// table for each model, precision and batch size, one row a topology, with the throughput and speedup of each
// series.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/report/escape.h"
#include "core/report/numbers.h"
#include "core/report/report.h"

namespace dlperf::report {
namespace {

// A column for each trainer.
Table featureMatrix(const Report& report, const Vocabulary& vocabulary) {
    std::map<std::string, std::set<std::string>> byTrainer;
    std::set<std::string> features;
    for (const RunResult& run : report.runs) {
        const Configuration& configuration = run.benchmarkCase.configuration;
        std::set<std::string>& own =
            byTrainer[vocabulary.title(WordKind::Implementation, configuration.implementation)];
        for (const std::string& feature : configuration.features) {
            own.insert(feature);
            features.insert(feature);
        }
    }
    Table table;
    table.columns.push_back({"Feature"});
    for (const auto& [trainer, own] : byTrainer) {
        table.columns.push_back({trainer});
    }
    for (const std::string& feature : features) {
        std::vector<TableCell>& row =
            table.rows.emplace_back(std::vector{textCell(vocabulary.title(WordKind::Feature, feature))});
        for (const auto& [trainer, own] : byTrainer) {
            row.push_back(textCell(own.contains(feature) ? "✓" : ""));
        }
    }
    return table;
}

Table scalingTable(const Comparison& comparison) {
    Table table;
    table.columns = {{"Nodes", true}, {"Devices", true}};
    for (const ComparedSeries& series : comparison.series) {
        table.columns.push_back({series.title + ", " + series.unit, true});
        table.columns.push_back({"Speedup", true});
    }
    for (std::size_t i = 0; i < comparison.topologies.size(); ++i) {
        const Topology& topology = comparison.topologies[i];
        std::vector<TableCell>& row = table.rows.emplace_back(std::vector<TableCell>{
            {.text = std::to_string(topology.nodes), .number = topology.nodes},
            {.text = std::to_string(topology.worldSize()), .number = topology.worldSize()}});
        for (const ComparedSeries& series : comparison.series) {
            const Cell& cell = series.cells[i];
            row.push_back(
                {.text = cell.fold.median ? grouped(*cell.fold.median, decimalsOf(series.unit)) : "–",
                 .number = cell.fold.median,
                 .note = cell.missing});
            row.push_back({.text = cell.speedup ? times(*cell.speedup) : "–", .number = cell.speedup});
        }
    }
    return table;
}

}  // namespace

std::string renderReadme(const Report& report, const Vocabulary& vocabulary) {
    const Translation& language = Translation::to(report.language);
    std::string text = fmt::format("# {}\n\n{}\n", escapeMarkdown(language(report.title)),
                                   escapeMarkdown(language(report.subtitle)));
    const auto add = [&](int level, const std::string& title, const Table& table) {
        if (!table.rows.empty()) {
            text += fmt::format("\n{} {}\n\n{}", std::string(static_cast<std::size_t>(level), '#'),
                                escapeMarkdown(language(title)), toMarkdown(translated(table, language)));
        }
    };
    add(2, "Test environment", report.environment);
    add(2, "Versions", report.versions);
    add(2, "Features", featureMatrix(report, vocabulary));
    text += fmt::format("\n## {}\n", language("Results"));
    for (const ReportSection& section : report.sections) {
        if (!section.batchSizes) {
            add(3, section.heading, scalingTable(section.comparison));
        }
    }
    text += fmt::format("\n## {}\n\n", language("Method"));
    for (const std::string& sentence : report.method) {
        text += "- " + escapeMarkdown(language(sentence)) + "\n";
    }
    return text;
}

}  // namespace dlperf::report
