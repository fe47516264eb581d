// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "core/base/json.h"
#include "core/base/printed_json.h"
#include "core/report/difference.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

constexpr const char* hardwareKey = "hardware";  // beside those of models

Json figure(std::optional<double> value) {
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json ends(const std::optional<analysis::Interval>& interval) {
    return interval ? Json{interval->low, interval->high} : Json();
}

Json findingsOf(const Cell& cell) {
    Json findings = Json::array();
    for (const CellFinding& finding : cell.findings) {
        findings.push_back({{"kind", keyOf(finding.kind)},
                            {"what", titleOf(finding.kind)},
                            {"how_much", finding.howMuch},
                            {"why", whyItMatters(finding.kind)}});
    }
    return findings;
}

// Null for the best itself.
Json differenceJson(const BesideBest& beside) {
    return beside.difference ? Json{{"to", beside.best->title},
                                    {"relative", beside.difference->relative},
                                    {"verdict", keyOf(beside.difference->verdict)},
                                    {"p", figure(beside.difference->p)}}
                             : Json();
}

Json runsOf(const Report& report, const ComparedSeries& series, const Topology& topology) {
    Json runs = Json::array();
    for (const RunResult& run : report.runs) {
        const bool ofCell = holds(series, run) && run.benchmarkCase.topology == topology;
        if (ofCell) {
            runs.push_back({{"id", run.id},
                            {"repetition", run.repetition},
                            {"outcome", toString(run.outcome)},
                            {"reason", run.reason},
                            {"throughput", figure(run.throughput)},
                            {"format", run.format},
                            {"warmup", run.range.warmup},
                            {"train", run.range.train},
                            {"started", run.started ? Json(toIso8601(*run.started)) : Json()},
                            {"ended", run.ended ? Json(toIso8601(*run.ended)) : Json()},
                            {"folder", run.folder},
                            {"versions", run.versions},
                            {"excluded", run.excluded},
                            {"exclusion_reason", run.exclusionReason}});
            if (run.originalRange) {
                runs.back()["changed_from"] = {{"warmup", run.originalRange->warmup},
                                               {"train", run.originalRange->train}};
            }
        }
    }
    return runs;
}

// DLPerf's four fields under DLPerf's names; the others add to them.
Json caseOf(const Report& report, const ReportSection& section, const ComparedSeries& series,
            const Cell& cell) {
    const Configuration& configuration = series.key.configuration;
    return {{"average_speed", figure(cell.fold.average)},
            {"batch_size_per_device", configuration.batchSize},
            {"median_speed", figure(cell.fold.median)},
            {"speedup", figure(cell.speedup)},
            {"median_interval", ends(cell.interval)},
            {"speedup_interval", ends(cell.speedupInterval)},
            {"speedup_base", speedupBaseText(section.comparison)},
            {"minimum_speed", figure(cell.fold.minimum)},
            {"maximum_speed", figure(cell.fold.maximum)},
            {"efficiency", figure(cell.efficiency)},
            {"difference", differenceJson(besideBest(section.comparison, cell))},
            {"memory_mb", figure(cell.memoryMb)},
            {"unit", series.unit},
            {"series", series.title},
            {"framework", configuration.framework},
            {"implementation", configuration.implementation},
            {"model", configuration.model},
            {"precision", configuration.precision},
            {"features", configuration.features},
            {"variant", configuration.variant},
            {"recipe", configuration.recipe},
            {"origin", toString(series.key.origin)},
            {"campaign", series.key.campaign},
            {"sources", series.sources},
            {"nodes", cell.topology.nodes},
            {"devices_per_node", cell.topology.devices},
            {"missing", cell.missing},
            {"findings", findingsOf(cell)},
            {"warnings", warningTexts(section.comparison.warnings)},
            {"runs", runsOf(report, series, cell.topology)}};
}

// "r50" while it is the only series of its model, else "r50 b256 amp OneFlow", as `dlperf analyze` names
// siblings.
std::string keyOf(const ComparedSeries& series, bool hasSiblings, std::set<std::string>& taken) {
    const Configuration& configuration = series.key.configuration;
    std::string key = configuration.model;
    if (hasSiblings) {
        key +=
            fmt::format(" b{}{} {}", configuration.batchSize,
                        configuration.precision.empty() ? "" : " " + configuration.precision, series.title);
    }
    std::string unique = key;
    for (int i = 2; !taken.insert(unique).second; ++i) {
        unique = fmt::format("{} ({})", key, i);
    }
    return unique;
}

// A row an object: its headings and figures by the titles of their columns.
Json rowsOf(const Table& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json& object = rows.emplace_back(Json::object());
        for (std::size_t i = 0; i < row.size(); ++i) {
            object[table.columns[i].title] = row[i].number              ? Json(*row[i].number)
                                             : table.columns[i].figures ? Json(nullptr)
                                                                        : Json(row[i].text);
        }
    }
    return rows;
}

std::string textOf(const Json& json) {
    return printedJson(json) + "\n";
}

}  // namespace

std::string renderJson(const Report& report) {
    if (report.isPivot()) {
        return textOf(rowsOf(pivotFigures(*report.pivot)));
    }
    std::map<std::string, std::set<const ComparedSeries*>> models;
    forEachFigure(report, [&](const ReportSection&, const ComparedSeries& series, const Cell&) {
        models[series.key.configuration.model].insert(&series);
    });
    Json whole = Json::object();
    std::set<std::string> taken{hardwareKey};
    const ComparedSeries* last = nullptr;
    std::string key;
    forEachFigure(report, [&](const ReportSection& section, const ComparedSeries& series, const Cell& cell) {
        if (&series != last) {
            last = &series;
            key = keyOf(series, models.at(series.key.configuration.model).size() > 1, taken);
            whole[key] = Json::object();
        }
        if (cell.wasTried()) {
            whole[key][toString(cell.topology)] = caseOf(report, section, series, cell);
        }
    });
    if (!report.hardware.isEmpty() && report.shows(ReportPart::Hardware)) {
        whole[hardwareKey] = toJson(report.hardware);
    }
    return textOf(whole);
}

}  // namespace dlperf::report
