// SPDX-License-Identifier: Apache-2.0
// Losses in words, for programs and as a chart.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/measure/read_times.h"
#include "core/report/loss.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

Json rangeJson(const std::optional<analysis::Interval>& interval) {
    return interval ? Json{interval->low, interval->high} : Json();
}

constexpr double leastTold = 0.0005;

constexpr std::array allCauses{Cause::Communication, Cause::DataLoading, Cause::SlowRank, Cause::Computation,
                               Cause::Jitter,        Cause::Noise,       Cause::Unknown};

// Whether somebody looking at the chart would see it.
bool isSeen(const std::vector<Loss>& losses, Cause cause) {
    return std::ranges::any_of(losses, [&](const Loss& loss) {
        return std::ranges::any_of(
            loss.parts, [&](const LossPart& part) { return part.cause == cause && part.share >= leastTold; });
    });
}

// The same in figures, which show what is below zero, too.
bool isTold(const std::vector<Loss>& losses, Cause cause) {
    return std::ranges::any_of(losses, [&](const Loss& loss) {
        return std::ranges::any_of(toldParts(loss),
                                   [&](const LossPart& part) { return part.cause == cause; });
    });
}

// Of the y axis.
double heightOf(const Loss& loss, double share, LossUnit unit) {
    return share * (unit == LossUnit::Share ? 100 : loss.ideal);
}

// Without the unit of the throughput.
std::string figureOf(const Loss& loss, double share, LossUnit unit) {
    return unit == LossUnit::Share ? percent(share) : brief(share * loss.ideal);
}

// A share of the ideal: "22.1 %" or "2,712 images/s".
std::string amountText(const Loss& loss, double share, LossUnit unit, const Translation& language) {
    const std::string figure = figureOf(loss, share, unit);
    return unit == LossUnit::Share ? figure : figure + " " + language(loss.unit);
}

std::string amountOf(const Loss& loss, const LossPart& part, LossUnit unit, const Translation& language) {
    return amountText(loss, isBeyondTheLoss(part) ? -part.share : part.share, unit, language);
}

std::string tipOf(const Loss& loss, const LossPart& part, LossUnit unit, const Translation& language) {
    std::string tip =
        fmt::format("{}: {}\n{}", titleOf(part), amountOf(loss, part, unit, language), part.words);
    return part.evidence.empty() ? tip : tip + "\nKnown from: " + part.evidence;
}

Series seriesOf(const std::vector<Loss>& losses, Cause cause, LossUnit unit, const Translation& language) {
    const bool isRest = cause == Cause::Noise || cause == Cause::Unknown;
    Series series{.key = keyOf(cause),
                  .title = titleOf(cause),
                  .fill = isRest ? (cause == Cause::Noise ? 0 : 1) : 1 + static_cast<int>(cause),
                  .role = isRest ? SeriesRole::Rest : SeriesRole::Data};
    double x = 1;
    for (const Loss& loss : losses) {
        const auto part = std::ranges::find(loss.parts, cause, &LossPart::cause);
        if (part != loss.parts.end()) {
            series.points.push_back({.x = x,
                                     .y = std::max(0.0, heightOf(loss, part->share, unit)),
                                     .tip = tipOf(loss, *part, unit, language)});
        }
        ++x;
    }
    return series;
}

Series reachedSeries(const std::vector<Loss>& losses, LossUnit unit, const Translation& language) {
    Series series{.key = "reached", .title = "reached", .fill = 0};
    const auto add = [&](const Loss& loss, const std::string& tip) {
        series.points.push_back({.x = static_cast<double>(series.points.size()),
                                 .y = heightOf(loss, loss.reached, unit),
                                 .label = figureOf(loss, loss.reached, unit),
                                 .tip = tip});
    };
    if (!losses.empty()) {
        Loss alone = losses.front();  // as a topology that loses nothing
        alone.reached = 1;
        alone.ideal /= alone.topology.worldSize();
        add(alone, {});
    }
    for (const Loss& loss : losses) {
        add(loss, lossHeading(loss, unit, language));
    }
    return series;
}

}  // namespace

std::string lossHeading(const Loss& loss, LossUnit unit, const Translation& language) {
    const std::string runs = loss.runs == 1
                                 ? fmt::format("by 1 run and {} on 1n1g", loss.baseRuns)
                                 : fmt::format("by {} runs and {} on 1n1g", loss.runs, loss.baseRuns);
    const std::string lost = amountText(loss, std::abs(loss.lost()), unit, language);
    if (loss.lost() < 0) {
        return fmt::format("{} more than the ideal are reached, {}", lost, runs);
    }
    if (!loss.reachedRange) {
        return fmt::format("{} of the ideal are lost, {}", lost, runs);
    }
    return fmt::format("{} of the ideal are lost ({} to {}), {}", lost,
                       figureOf(loss, 1 - loss.reachedRange->high, unit),
                       figureOf(loss, 1 - loss.reachedRange->low, unit), runs);
}

std::vector<LossPart> toldParts(const Loss& loss) {
    std::vector<LossPart> parts;
    std::ranges::copy_if(loss.parts, std::back_inserter(parts),
                         [](const LossPart& part) { return std::abs(part.share) >= leastTold; });
    return parts;
}

bool losesNothing(const Loss& loss) {
    return std::abs(loss.lost()) < leastTold;
}

std::vector<std::string> evidenceOf(const Loss& loss) {
    std::vector<std::string> evidence;
    for (const LossPart& part : toldParts(loss)) {
        if (!part.evidence.empty() && std::ranges::find(evidence, part.evidence) == evidence.end()) {
            evidence.push_back(part.evidence);
        }
    }
    return evidence;
}

std::string shareText(const Loss& loss, const LossPart& part, LossUnit unit, const Translation& language) {
    const std::string text = amountOf(loss, part, unit, language) + " " + language(titleOf(part));
    return part.where.empty() ? text : text + language.joint(", ") + part.where;
}

std::string rangeText(const Loss& loss, const LossPart& part, LossUnit unit) {
    return part.range ? fmt::format("{} to {}", figureOf(loss, part.range->low, unit),
                                    figureOf(loss, part.range->high, unit))
                      : "";
}

Json toJson(const Loss& loss) {
    Json parts = Json::array();
    for (const LossPart& part : loss.parts) {
        parts.push_back({{"cause", keyOf(part.cause)},
                         {"share", part.share},
                         {"throughput", part.share * loss.ideal},
                         {"range", rangeJson(part.range)},
                         {"seconds", part.seconds},
                         {"where", part.where},
                         {"words", part.words},
                         {"evidence", part.evidence}});
    }
    return {{"topology", toString(loss.topology)},
            {"reached", loss.reached},
            {"reached_range", rangeJson(loss.reachedRange)},
            {"lost", loss.lost()},
            {"ideal", loss.ideal},
            {"unit", loss.unit},
            {"seconds", loss.seconds},
            {"runs", loss.runs},
            {"base_runs", loss.baseRuns},
            {"parts", parts},
            {"remarks", loss.remarks}};
}

Table lossTable(const std::vector<Loss>& losses) {
    std::vector<Cause> causes;
    std::ranges::copy_if(allCauses, std::back_inserter(causes),
                         [&](Cause cause) { return isTold(losses, cause); });
    Table table{.columns = {{"Topology"}, {"Reached", true}, {"Lost", true}}};
    for (const Cause cause : causes) {
        table.columns.push_back({titleOf(cause), true});
    }
    const auto share = [](double value) { return TableCell{.text = percent(value), .number = value}; };
    for (const Loss& loss : losses) {
        auto& row = table.rows.emplace_back();
        row = {textCell(toString(loss.topology)), share(loss.reached), share(loss.lost())};
        for (const Cause cause : causes) {
            const auto part = std::ranges::find(loss.parts, cause, &LossPart::cause);
            row.push_back(part == loss.parts.end() ? TableCell{.text = missingFigure} : share(part->share));
            if (part != loss.parts.end() && isBeyondTheLoss(*part)) {
                row.back().note = titleOf(*part);
            }
        }
    }
    return table;
}

SeriesLosses lossesIn(const store::Workspace& workspace, const HardwareBaselines& baselines,
                      const analysis::FormatBook& formats, const ComparedSeries& series,
                      const std::vector<RunResult>& results) {
    std::vector<TimedRun> runs;
    for (const RunResult& run : results) {
        if (holds(series, run)) {
            runs.push_back({&run, measure::readStepTimes(workspace, formats, run)});
        }
    }
    return {series.title, series.key.campaign, lossesOf(runs, baselines), {}};
}

ChartSpec lossChart(const std::vector<Loss>& losses, LossUnit unit, const Translation& language) {
    const bool isShare = unit == LossUnit::Share;
    ChartSpec chart{.title = "Where it goes",
                    .unit = isShare || losses.empty() ? "of the ideal" : losses.front().unit,
                    .kind = ChartKind::Bars,
                    .isStacked = true};
    chart.x = {.scale = AxisScale::Categories, .categories = {"1n1g"}};
    chart.y = {.numbers = isShare ? NumberStyle::Percent : NumberStyle::Plain, .lowest = 0};
    for (const Loss& loss : losses) {
        chart.x.categories.push_back(toString(loss.topology));
    }
    chart.series.push_back(reachedSeries(losses, unit, language));
    for (const Cause cause : allCauses) {
        if (isSeen(losses, cause)) {
            chart.series.push_back(seriesOf(losses, cause, unit, language));
        }
    }
    double highest = 0;
    for (const Loss& loss : losses) {
        double share = loss.reached;
        for (const LossPart& part : loss.parts) {
            share += std::max(0.0, part.share);
        }
        highest = std::max(highest, heightOf(loss, share, unit));
    }
    // Parts below zero make others reach above the ideal: by little that is not worth an axis.
    constexpr double little = 102;
    chart.y.highest = isShare && highest <= little ? 100 : highest;
    return chart;
}

}  // namespace dlperf::report
