// SPDX-License-Identifier: Apache-2.0
// The comparison of before and after as a table, as sentences and for programs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "core/analysis/rank_test.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/before_after.h"
#include "core/report/numbers.h"
#include "core/report/series_points.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

// "2 %", "0.25 %", "3.14 %": as exact as limits are given.
std::string shareText(double fraction) {
    std::string digits = fmt::format("{:.2f}", fraction * 100);
    digits.erase(digits.find_last_not_of('0') + 1);
    digits.erase(digits.find_last_not_of('.') + 1);
    return digits + "\u00A0%";
}

TableCell medianCell(const std::optional<Cell>& cell, const std::string& unit) {
    if (cell && cell->fold.median) {
        return {.text = grouped(*cell->fold.median, decimalsOf(unit)), .number = cell->fold.median};
    }
    const bool outOfMemory = cell && cell->missingReason == MissingReason::OutOfMemory;
    return {.text = outOfMemory ? "OOM" : missingFigure, .note = cell ? cell->missing : ""};
}

// "7"; "5 of 7" where some of them have no figure.
std::string runsText(const std::optional<Cell>& cell) {
    const std::size_t count = cell ? cell->repetitions.size() : 0;
    const std::size_t failed = cell ? static_cast<std::size_t>(cell->failed) : 0;
    return failed == 0 ? std::to_string(count) : fmt::format("{} of {}", count, count + failed);
}

// "different, worse, p = 0.004"; or why there is nothing to judge.
std::string verdictOfCase(const BeforeAfterCase& one) {
    if (!one.difference) {
        return one.missing;
    }
    std::string text = verdictText(one.difference->verdict);
    if (one.difference->verdict == analysis::Verdict::Different && one.worseBy() != 0) {
        text += one.worseBy() > 0 ? ", worse" : ", better";
    }
    return one.difference->p ? fmt::format("{}, {}", text, analysis::pText(*one.difference->p)) : text;
}

std::string titleAndTopology(const BeforeAfterCase& one) {
    return fmt::format("{}, {}", one.title, toString(one.benchmarkCase.topology));
}

std::string regressionText(const BeforeAfterCase& one, Regression why, double limit) {
    const std::string name = titleAndTopology(one);
    if (why == Regression::NoFigure) {
        return fmt::format("{}: had a figure before, and there is none to compare with it: {}", name,
                           one.missing);
    }
    const std::string worse = shareText(one.worseBy());
    const Difference& difference = *one.difference;
    return why == Regression::Worse
               ? fmt::format("{}: worse by {}, {} at most is allowed; different ({}, {} and {} runs)", name,
                             worse, shareText(limit), analysis::pText(difference.p.value_or(1)),
                             difference.otherRuns, difference.runs)
               : fmt::format(
                     "{}: worse by {}, {} at most is allowed; too few runs to say ({} and {}; 4 and "
                     "4 at least)",
                     name, worse, shareText(limit), difference.otherRuns, difference.runs);
}

Json numberOrNull(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json sideJson(const std::optional<Cell>& cell) {
    return cell ? Json{{"median", numberOrNull(cell->fold.median)},
                       {"runs", cell->repetitions.size()},
                       {"repetitions", cell->repetitions},
                       {"failed", cell->failed},
                       {"excluded", cell->excluded},
                       {"missing", cell->missing}}
                : Json();
}

Json changeJson(const BeforeAfterCase& one) {
    return one.difference
               ? Json{{"relative", one.difference->relative},
                      {"interval", one.interval ? Json{one.interval->low, one.interval->high} : Json()},
                      {"worse_by", one.worseBy()},
                      {"verdict", keyOf(one.difference->verdict)},
                      {"p", numberOrNull(one.difference->p)}}
               : Json();
}

Json caseJson(const BeforeAfterCase& one, const std::optional<double>& limit) {
    const Configuration& configuration = one.benchmarkCase.configuration;
    const auto regression = limit ? regressionOf(one, *limit) : std::nullopt;
    return {{"case", one.title},
            {"topology", toString(one.benchmarkCase.topology)},
            {"nodes", one.benchmarkCase.topology.nodes},
            {"devices_per_node", one.benchmarkCase.topology.devices},
            {"recipe", configuration.recipe},
            {"framework", configuration.framework},
            {"implementation", configuration.implementation},
            {"model", configuration.model},
            {"precision", configuration.precision},
            {"features", configuration.features},
            {"variant", configuration.variant},
            {"batch_size_per_device", configuration.batchSize},
            {"unit", one.unit},
            {"lower_is_better", lowerIsBetter(one.unit)},
            {"before", sideJson(one.before)},
            {"after", sideJson(one.after)},
            {"difference", changeJson(one)},
            {"missing", one.missing},
            {"regression", regression ? Json(keyOf(*regression)) : Json()}};
}

// In the order of Change; of a case without two figures the text says more.
constexpr std::array changeWords{"slower",
                                 "slower within the tolerance",
                                 "faster",
                                 "no difference seen",
                                 "too few runs to say",
                                 "without a figure",
                                 "only on one side"};

// "dlperf-worker, 1n8g: −3.0 %\nslower, p < 0.001, 7 and 7 runs\n95 % interval −3.4 % to −2.6 %"
std::string tipOfCase(const BeforeAfterCase& one, double limit) {
    const Difference& difference = *one.difference;
    std::string tip = fmt::format("{}: {}\n{}", titleAndTopology(one), percent(difference.relative, true),
                                  changeText(one, limit));
    if (difference.p) {
        tip += fmt::format("\n{}, {} and {} runs", analysis::pText(*difference.p), difference.otherRuns,
                           difference.runs);
    }
    return one.interval ? tip + fmt::format("\n95 % interval {} to {}", percent(one.interval->low, true),
                                            percent(one.interval->high, true))
                        : tip;
}

Point dotOf(const BeforeAfterCase& one, double limit, double x) {
    Point point{.x = x, .y = one.difference->relative * 100, .tip = tipOfCase(one, limit)};
    if (one.interval) {
        point.low = one.interval->low * 100;
        point.high = one.interval->high * 100;
    }
    point.finding = regressionOf(one, limit) ? changeText(one, limit) : std::string();
    return point;
}

// By frameworks where each has one series, else by position.
void colourDots(std::vector<Series>& series, const std::map<std::string, std::string>& frameworks) {
    std::set<std::string> different;
    for (const Series& one : series) {
        different.insert(frameworks.at(one.key));
    }
    int position = 0;
    for (Series& one : series) {
        if (different.size() == series.size()) {
            one.framework = frameworks.at(one.key);
        } else {
            one.fill = position++;
        }
    }
}

// Where no case is on both sides: of what makes a case that of which the sides have no value in common.
std::vector<EnvironmentChange> whatSetsApart(const BeforeAfter& compared) {
    using ValueOf = std::function<std::string(const Case&)>;
    const std::array<std::pair<const char*, ValueOf>, 8> fields{{
        {"model", [](const Case& one) { return one.configuration.model; }},
        {"implementation", [](const Case& one) { return one.configuration.implementation; }},
        {"recipe", [](const Case& one) { return one.configuration.recipe; }},
        {"precision", [](const Case& one) { return precisionText(one.configuration); }},
        {"batch size", [](const Case& one) { return std::to_string(one.configuration.batchSize); }},
        {"features", [](const Case& one) { return join(one.configuration.features, ", "); }},
        {"options and variables", [](const Case& one) { return variantText(one.configuration.variant); }},
        {"topology", [](const Case& one) { return toString(one.topology); }},
    }};
    std::vector<EnvironmentChange> changes;
    for (const auto& [what, valueOf] : fields) {
        std::set<std::string> before;
        std::set<std::string> after;
        for (const BeforeAfterCase& one : compared.cases) {
            const std::string value = valueOf(one.benchmarkCase);
            (one.before ? before : after).insert(value.empty() ? "none" : value);
        }
        if (std::ranges::none_of(before, [&](const std::string& value) { return after.contains(value); })) {
            changes.push_back({what, join({before.begin(), before.end()}, "; "),
                               join({after.begin(), after.end()}, "; "), compared.cases.size()});
        }
    }
    return changes;
}

std::string changeArrow(const EnvironmentChange& change) {
    return fmt::format("{}: {} -> {}", change.what, change.before, change.after);
}

}  // namespace

std::string changeText(const BeforeAfterCase& one, double limit) {
    return one.missing.empty() ? changeWords.at(static_cast<std::size_t>(changeOf(one, limit))) : one.missing;
}

std::string countsText(const BeforeAfter& compared, double limit) {
    std::map<Change, int> counts;
    for (const BeforeAfterCase& one : compared.cases) {
        ++counts[changeOf(one, limit)];
    }
    const std::string cases =
        compared.cases.size() == 1 ? "1 case" : fmt::format("{} cases", compared.cases.size());
    return cases + ": " +
           join(mapped(counts,
                       [](const auto& counted) {
                           return fmt::format("{} {}", counted.second,
                                              changeWords.at(static_cast<std::size_t>(counted.first)));
                       }),
                ", ");
}

std::string unitsText(const BeforeAfter& compared) {
    std::set<std::string> units;
    for (const BeforeAfterCase& one : compared.cases) {
        units.insert(lowerIsBetter(one.unit) ? one.unit + " (lower is better)" : one.unit);
    }
    return join({units.begin(), units.end()}, ", ");
}

ChartSpec differenceDots(const BeforeAfter& compared, double limit) {
    ChartSpec chart{.title = "Difference", .unit = "of the medians, 95 % interval", .kind = ChartKind::Dots};
    chart.x = {.title = "Topology", .scale = AxisScale::Categories};
    chart.y.numbers = NumberStyle::Percent;
    std::set<Topology> topologies;
    for (const BeforeAfterCase& one : compared.cases) {
        if (one.difference) {
            topologies.insert(one.benchmarkCase.topology);
        }
    }
    chart.x.categories = mapped(topologies, [](const Topology& topology) { return toString(topology); });
    std::map<std::string, std::string> frameworks;  // by the series' key
    for (const BeforeAfterCase& one : compared.cases) {
        if (!one.difference) {
            continue;
        }
        if (frameworks.try_emplace(one.title, lookFramework(one.benchmarkCase.configuration)).second) {
            chart.series.push_back({.key = one.title, .title = one.title});
        }
        const auto at = topologies.find(one.benchmarkCase.topology);
        const auto series = std::ranges::find(chart.series, one.title, &Series::key);
        series->points.push_back(
            dotOf(one, limit, static_cast<double>(std::distance(topologies.begin(), at))));
    }
    colourDots(chart.series, frameworks);
    return chart;
}

std::vector<std::string> regressionTexts(const BeforeAfter& compared, double limit) {
    std::vector<std::string> texts;
    bool hadFigure = false;
    for (const BeforeAfterCase& one : compared.cases) {
        hadFigure = hadFigure || (one.before && one.before->fold.median.value_or(0) > 0);
        if (const auto why = regressionOf(one, limit)) {
            texts.push_back(regressionText(one, *why, limit));
        }
    }
    if (!hadFigure) {
        texts.emplace_back("no case had a figure before: nothing can be judged");
    }
    return texts;
}

Table beforeAfterTable(const BeforeAfter& compared) {
    Table table;
    table.columns = {{"Case"}, {"Topology"}, {"Before", true}, {"After", true}, {"Difference", true},
                     {"Runs"}, {"Verdict"}};
    for (const BeforeAfterCase& one : compared.cases) {
        TableCell difference{.text = missingFigure, .note = one.missing};
        if (one.difference) {
            difference = {.text = percent(one.difference->relative, true),
                          .number = one.difference->relative};
        }
        table.rows.push_back({textCell(one.title), textCell(toString(one.benchmarkCase.topology)),
                              medianCell(one.before, one.unit), medianCell(one.after, one.unit), difference,
                              textCell(fmt::format("{} / {}", runsText(one.before), runsText(one.after))),
                              textCell(verdictOfCase(one))});
    }
    return table;
}

Table environmentTable(const BeforeAfter& compared) {
    Table table{.columns = {{"What"}, {"Before"}, {"After"}, {"Cases", true}}};
    const auto& changes = compared.casesOnBothSides == 0 ? whatSetsApart(compared) : compared.environment;
    for (const EnvironmentChange& change : changes) {
        table.rows.push_back(
            {textCell(change.what), textCell(change.before), textCell(change.after),
             TableCell{.text = std::to_string(change.cases), .number = static_cast<double>(change.cases)}});
    }
    return table;
}

std::vector<std::string> environmentNotes(const BeforeAfter& compared) {
    if (compared.casesOnBothSides == 0) {
        return {"no case is on both sides: what decides which model is trained is part of a case"};
    }
    std::vector<std::string> notes;
    for (const auto& [side, disturbed] :
         {std::pair{"before", compared.disturbedBefore}, std::pair{"after", compared.disturbedAfter}}) {
        if (!disturbed.empty()) {
            notes.push_back(fmt::format("{}: {}", side, disturbed));
        }
    }
    if (compared.environmentLeftOut > 0) {
        notes.push_back(fmt::format("and {} more", compared.environmentLeftOut));
    }
    if (compared.environment.empty() && compared.casesRecorded == 0) {
        notes.emplace_back("nothing to compare: of no case did both sides record versions or machines");
        return notes;
    }
    if (compared.environment.empty()) {
        notes.emplace_back("no difference recorded");
    }
    if (compared.casesRecorded < compared.casesOnBothSides) {
        notes.push_back(fmt::format("of {} of {} cases one side recorded neither versions nor machines",
                                    compared.casesOnBothSides - compared.casesRecorded,
                                    compared.casesOnBothSides));
    }
    return notes;
}

std::vector<std::string> environmentTexts(const BeforeAfter& compared) {
    std::vector<std::string> notes = environmentNotes(compared);
    if (compared.casesOnBothSides == 0) {
        const auto apart = mapped(whatSetsApart(compared), changeArrow);
        notes.insert(notes.end(), apart.begin(), apart.end());
        return notes;
    }
    std::vector<std::string> texts = mapped(compared.environment, [&](const EnvironmentChange& change) {
        return change.cases == compared.casesOnBothSides
                   ? changeArrow(change)
                   : fmt::format("{} ({} of {} cases)", changeArrow(change), change.cases,
                                 compared.casesOnBothSides);
    });
    texts.insert(texts.end(), notes.begin(), notes.end());
    return texts;
}

Json toJson(const BeforeAfter& compared, const std::optional<double>& limit) {
    Json cases = Json::array();
    for (const BeforeAfterCase& one : compared.cases) {
        cases.push_back(caseJson(one, limit));
    }
    Json environment = Json::array();
    for (const EnvironmentChange& change : compared.environment) {
        environment.push_back({{"what", change.what},
                               {"before", change.before},
                               {"after", change.after},
                               {"cases", change.cases}});
    }
    return {{"before", {{"id", compared.beforeId}, {"name", compared.before}}},
            {"after", {{"id", compared.afterId}, {"name", compared.after}}},
            {"common", compared.title},
            {"cases", cases},
            {"environment", environment},
            {"environment_left_out", compared.environmentLeftOut},
            {"cases_on_both_sides", compared.casesOnBothSides},
            {"cases_recorded", compared.casesRecorded},
            {"disturbed_before", compared.disturbedBefore},
            {"disturbed_after", compared.disturbedAfter},
            {"fail_below", numberOrNull(limit)},
            {"passed", limit ? Json(regressionTexts(compared, *limit).empty()) : Json()}};
}

}  // namespace dlperf::report
