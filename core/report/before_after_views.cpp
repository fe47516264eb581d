// SPDX-License-Identifier: Apache-2.0
// The comparison of before and after as a table, as sentences and for programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/before_after.h"
#include "core/report/numbers.h"

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
    return one.difference->p ? fmt::format("{}, {}", text, pText(*one.difference->p)) : text;
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
                             worse, shareText(limit), pText(difference.p.value_or(1)), difference.otherRuns,
                             difference.runs)
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
    return one.difference ? Json{{"relative", one.difference->relative},
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

}  // namespace

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

std::vector<std::string> environmentTexts(const BeforeAfter& compared) {
    if (compared.casesOnBothSides == 0) {
        return {"no case is on both sides: options and variables of a plan are part of a case"};
    }
    const auto text = [&](const EnvironmentChange& change) {
        const std::string arrow = fmt::format("{}: {} -> {}", change.what, change.before, change.after);
        return change.cases == compared.casesOnBothSides
                   ? arrow
                   : fmt::format("{} ({} of {} cases)", arrow, change.cases, compared.casesOnBothSides);
    };
    std::vector<std::string> texts = mapped(compared.environment, text);
    if (compared.environmentLeftOut > 0) {
        texts.push_back(fmt::format("and {} more", compared.environmentLeftOut));
    }
    if (texts.empty()) {
        texts.emplace_back("no difference recorded");
    }
    if (compared.casesRecorded < compared.casesOnBothSides) {
        texts.push_back(fmt::format("of {} of {} cases one side recorded neither versions nor machines",
                                    compared.casesOnBothSides - compared.casesRecorded,
                                    compared.casesOnBothSides));
    }
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
            {"fail_below", numberOrNull(limit)},
            {"passed", limit ? Json(regressionTexts(compared, *limit).empty()) : Json()}};
}

}  // namespace dlperf::report
