// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/analysis/format_row.h"
#include "core/base/text.h"
#include "core/model/campaign.h"
#include "core/report/cancelled_cases.h"
#include "core/report/comparison.h"
#include "core/report/difference.h"
#include "core/report/numbers.h"
#include "core/report/repetition_mix.h"
#include "core/report/report.h"
#include "core/report/series_colours.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

// "1 run", "2 runs", "1,000 runs"
std::string counted(std::size_t count, const char* noun) {
    return fmt::format("{} {}{}", grouped(static_cast<double>(count), 0), noun, count == 1 ? "" : "s");
}

// "60 runs of 2 campaigns, 2026-11-20 to 2026-11-21"; "32 published figures of 1 source". Campaigns that
// complete each other are one.
std::string subtitleOf(const std::vector<RunResult>& results) {
    std::set<std::string> campaigns;
    std::set<std::string> sources;
    std::set<std::string> days;
    std::size_t published = 0;
    std::size_t left = 0;
    const CancelledCases cancelled(results);
    for (const RunResult& result : results) {
        if (cancelled.contains(result)) {
            ++left;
            continue;
        }
        const bool isPublished = result.origin == Origin::Published;
        published += isPublished ? 1 : 0;
        (isPublished ? sources : campaigns).insert(seriesCampaign(result));
        if (result.started) {
            days.insert(dayOf(*result.started));
        }
    }
    std::vector<std::string> parts;
    const std::size_t counting = results.size() - left;
    if (published < counting || published == 0) {
        parts.push_back(fmt::format("{} of {}", counted(counting - published, "run"),
                                    counted(campaigns.size(), "campaign")));
    }
    if (published > 0) {
        parts.push_back(fmt::format("{} of {}", counted(published, "published figure"),
                                    counted(sources.size(), "source")));
    }
    if (cancelled.size() > 0) {
        parts.push_back(fmt::format("{} cancelled", counted(cancelled.size(), "case")));
    }
    std::string text = join(parts, ", ");
    if (!days.empty()) {
        text += ", " + *days.begin() + (days.size() > 1 ? " to " + *days.rbegin() : "");
    }
    return text;
}

// "Training throughput", and of model, precision, batch size and settings what all results have in common.
std::vector<std::string> commonParts(const std::vector<RunResult>& results, const Vocabulary& vocabulary) {
    std::set<std::string> models;
    std::set<std::string> precisions;
    std::set<std::string> batches;
    std::vector<const Variant*> variants;
    for (const RunResult& result : results) {
        const Configuration& configuration = result.benchmarkCase.configuration;
        models.insert(modelText(configuration, vocabulary));
        precisions.insert(precisionText(configuration));
        batches.insert(batchText(configuration));
        variants.push_back(&configuration.variant);
    }
    std::vector<std::string> parts{"Training throughput"};
    std::set<std::string> settings{variantText(sharedSettings(variants))};
    for (const auto* texts : {&models, &precisions, &batches, &settings}) {
        if (texts->size() == 1 && !texts->begin()->empty()) {
            parts.push_back(*texts->begin());
        }
    }
    return parts;
}

// "NGC MXNet follows with 11,331.93 images/s (−8.7 %; not distinguishable)."
std::string followerText(const ComparedSeries& best, const ComparedSeries& next, std::size_t place) {
    const auto difference = differenceOf(next.cells[place], best.cells[place]);
    std::string compared = percent(difference->relative, true);
    if (difference->verdict == analysis::Verdict::Alike || difference->verdict == analysis::Verdict::TooFew) {
        compared += fmt::format("; {}", verdictText(difference->verdict));
    }
    return fmt::format("{} follows with {} {} ({}).", next.title,
                       grouped(*next.cells[place].fold.median, decimalsOf(next.unit)), next.unit, compared);
}

bool hasFigure(const Cell& cell) {
    return cell.fold.median.value_or(0) > 0;
}

// The best series at the largest topology that they share, and who follows.
std::string summaryOf(const Comparison& comparison) {
    const auto largest = largestShared(comparison, hasFigure);
    for (std::size_t i = largest ? *largest + 1 : 0; i-- > 0;) {
        std::vector<const ComparedSeries*> ranking;
        for (const ComparedSeries& series : comparison.series) {
            if (hasFigure(series.cells[i])) {
                ranking.push_back(&series);
            }
        }
        const ComparedSeries* fastest = bestAt(comparison, comparison.topologies[i]);
        if (fastest == nullptr) {
            continue;
        }
        const auto median = [&](const ComparedSeries* series) { return *series->cells[i].fold.median; };
        const bool less = lowerIsBetter(fastest->unit);
        std::ranges::stable_sort(ranking, [&](const auto* a, const auto* b) {
            return less ? median(a) < median(b) : median(a) > median(b);
        });
        const int devices = comparison.topologies[i].worldSize();
        const Cell& best = ranking[0]->cells[i];
        std::string text =
            fmt::format("On {} ({}) {} {} {} {}", counted(static_cast<std::size_t>(devices), "device"),
                        toString(comparison.topologies[i]), ranking[0]->title, less ? "takes" : "trains",
                        grouped(median(ranking[0]), decimalsOf(fastest->unit)), ranking[0]->unit);
        if (devices > 1 && best.efficiency) {
            text += " at a scaling efficiency of " + percent(*best.efficiency);
        }
        text += ".";
        if (ranking.size() > 1 && ranking[1]->unit == ranking[0]->unit) {
            text += " " + followerText(*ranking[0], *ranking[1], i);
        }
        return text;
    }
    return {};
}

// Hidden topologies go last: speedups rest on them.
Comparison seen(const std::vector<RunResult>& results, const Vocabulary& vocabulary, const ReportView& view) {
    Comparison comparison = overBase(compare(results, vocabulary, view.formats), view.speedupBase);
    if (!view.campaignNames.empty()) {
        comparison = withCampaignNames(std::move(comparison), view.campaignNames);
    }
    if (!view.looks.empty()) {
        comparison = withLooks(std::move(comparison), view.looks);
    }
    comparison = withoutTopologies(std::move(comparison), view.hiddenTopologies);
    return withColours(withSpread(std::move(comparison), view.spread), view.colouredBy, vocabulary);
}

// One chart for each topology at which something was measured with more than one value of the setting.
std::vector<ChartSpec> chartsOver(const Setting& setting, const Comparison& comparison,
                                  const Vocabulary& vocabulary, const ReportView& view) {
    std::vector<ChartSpec> charts;
    for (const Topology& topology : comparison.topologies) {
        ChartSpec chart = throughputOver(setting, comparison, vocabulary, topology, view.charts);
        const bool any = std::ranges::any_of(chart.series, [](const Series& series) {
            return std::ranges::count(series.points, false, &Point::missing) > 1;
        });
        if (any) {
            charts.push_back(std::move(chart));
        }
    }
    return charts;
}

ReportSection sectionOf(const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                        const ReportView& view) {
    ReportSection section;
    section.comparison = seen(results, vocabulary, view);
    section.heading = section.comparison.title;
    section.summary = summaryOf(section.comparison);
    section.charts.push_back(throughputBars(section.comparison, vocabulary, view.charts));
    for (const Setting& setting : sweptSettings(section.comparison)) {
        std::ranges::move(chartsOver(setting, section.comparison, vocabulary, view),
                          std::back_inserter(section.charts));
    }
    const bool times =
        !section.comparison.series.empty() && lowerIsBetter(section.comparison.series.front().unit);
    if (times) {
        section.charts.push_back(memoryBars(section.comparison, vocabulary, view.charts));
    }
    const bool scales =
        !times && std::ranges::any_of(section.comparison.topologies,
                                      [](const Topology& topology) { return topology.worldSize() > 1; });
    if (scales) {
        section.charts.push_back(speedupLines(section.comparison, vocabulary, view.charts));
        section.charts.push_back(efficiencyLines(section.comparison, vocabulary, view.charts));
    }
    const ChartSpec dots = repetitionDots(section.comparison, vocabulary, view.charts);
    if (!dots.series.empty()) {
        section.charts.push_back(dots);
    }
    return section;
}

std::optional<ReportSection> batchSection(const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                                          const ReportView& view) {
    const Setting overBatchSize;
    ReportSection section;
    section.batchSizes = true;
    section.comparison = seen(results, vocabulary, view);
    const Configuration& configuration = results.front().benchmarkCase.configuration;
    section.heading =
        modelText(configuration, vocabulary) + ", " + precisionText(configuration) + ", over the batch size";
    section.charts = chartsOver(overBatchSize, section.comparison, vocabulary, view);
    section.comparison.warnings =
        warningsOver(overBatchSize, section.comparison, vocabulary, view.charts.hidden);
    return section.charts.empty() ? std::nullopt : std::optional(std::move(section));
}

// The section lists what its charts would say once more, in the room of their curves.
void append(Report& report, ReportSection section) {
    for (ChartSpec& chart : section.charts) {
        chart.warnings.clear();
    }
    report.sections.push_back(std::move(section));
}

void addSections(Report& report, const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                 const ReportView& view) {
    std::map<std::tuple<std::string, std::string>, std::map<int, std::vector<RunResult>>> groups;
    for (const RunResult& run : results) {
        const Configuration& configuration = run.benchmarkCase.configuration;
        groups[{configuration.model, configuration.precision}][configuration.batchSize].push_back(run);
    }
    for (const auto& [what, byBatch] : groups) {
        std::vector<RunResult> all;
        for (const auto& [batch, runs] : byBatch) {
            if (ReportSection section = sectionOf(runs, vocabulary, view);
                !section.comparison.series.empty()) {
                append(report, std::move(section));
            }
            all.insert(all.end(), runs.begin(), runs.end());
        }
        if (byBatch.size() > 1) {
            if (auto section = batchSection(all, vocabulary, view)) {
                append(report, *std::move(section));
            }
        }
    }
}

// Of sections over the batch size only what no other section can see: figures that another batch size has.
void addFindings(Report& report) {
    for (const ReportSection& section : report.sections) {
        for (const ComparedSeries& series : section.comparison.series) {
            for (const Cell& cell : series.cells) {
                for (const CellFinding& finding : cell.findings) {
                    if (!section.batchSizes || finding.kind == FindingKind::Identical) {
                        report.findings.push_back(fmt::format("{} ({}), {}: {}", series.title,
                                                              section.heading, toString(cell.topology),
                                                              findingText(finding, true)));
                    }
                }
            }
        }
    }
}

Table troubleTable(const std::vector<RunResult>& runs, const Vocabulary& vocabulary) {
    Table table;
    table.columns = {{"Run"}, {"Case"}, {"Repetition", true}, {"Outcome"}, {"Reason"}};
    for (const RunResult& run : runs) {
        if (run.outcome == Outcome::Ok && !run.excluded) {
            continue;
        }
        const Configuration& configuration = run.benchmarkCase.configuration;
        const std::string model = modelText(configuration, vocabulary);
        const std::string what = fmt::format(
            "{}, {}, {}, {}, {}", vocabulary.title(WordKind::Implementation, configuration.implementation),
            model.empty() ? "unknown model" : model, precisionText(configuration), batchText(configuration),
            toString(run.benchmarkCase.topology));
        table.rows.push_back({textCell(run.id),
                              textCell(what),
                              {.text = std::to_string(run.repetition), .number = run.repetition},
                              textCell(run.excluded ? "excluded" : toString(run.outcome)),
                              textCell(run.excluded ? run.exclusionReason : run.reason)});
    }
    return table;
}

std::string roundingSentence(const analysis::FoldRule& rule) {
    const auto name = [](analysis::Rounding rounding) {
        return rounding == analysis::Rounding::Python ? "as Python rounds (correctly rounded decimals)"
                                                      : "as numpy rounds (half to even)";
    };
    const std::string text =
        rule.medianDecimals == 2
            ? fmt::format("Averages are rounded to {} decimals {}, medians and speedups to 2 decimals {}",
                          rule.averageDecimals, name(rule.average), name(rule.median))
            : fmt::format("Averages are rounded to {} decimals {}, medians to {} decimals {}",
                          rule.averageDecimals, name(rule.average), rule.medianDecimals, name(rule.median));
    return text + (rule.roundOnlyOnOutput ? ", on output only." : ".");
}

std::string intervalSentence() {
    return fmt::format(
        "Intervals hold {:.0f}\u00A0% of the medians of resamples (percentile bootstrap, {} repetitions or "
        "more; for "
        "speedups both sides are resampled). Cases are called different where the two-sided rank test of "
        "Mann "
        "and Whitney gives p ≤ {:.2f}; fewer than 4 and 4 repetitions seldom can.",
        analysis::confidence * 100, analysis::fewestForInterval, analysis::significance);
}

// How the figures came about, by format and window.
std::vector<std::string> methodOf(const std::vector<RunResult>& runs, const analysis::FormatBook& formats) {
    std::vector<std::string> sentences{
        "Throughput is samples per second over all devices, from the log of node 0. The figure of a case is "
        "the median "
        "of its repetitions; speedup is that median over the 1n1g median of the same series, scaling "
        "efficiency is "
        "speedup over the number of devices. The batch size is per device.",
        intervalSentence()};
    std::set<std::tuple<std::string, MeasurementRange>> ways;
    for (const RunResult& run : runs) {
        if (!run.format.empty()) {
            ways.insert({run.format, run.range});
        }
    }
    std::set<std::string> described;
    for (const auto& [format, range] : ways) {
        const analysis::Format* row = formats.find(format);
        sentences.push_back(
            fmt::format("{}: {} are measured ({} warmup, {} measured).", format,
                        row != nullptr ? measuredLines(*row, range)
                                       : fmt::format("iterations {} to {}", range.warmup + 1, range.train),
                        range.warmup, range.train - range.warmup));
        if (row != nullptr && described.insert(format).second) {
            const bool isOwn = row != analysis::findFormat(format);
            sentences.push_back(fmt::format("{}: {}{}", format, roundingSentence(row->fold),
                                            isOwn ? " It is a log format of the user's own." : ""));
        }
    }
    std::vector<const RunResult*> all;
    std::ranges::transform(runs, std::back_inserter(all), [](const RunResult& run) { return &run; });
    if (const std::string changed = changedRange(all); !changed.empty()) {
        sentences.push_back(fmt::format("The user changed measurement ranges after the runs: {}.", changed));
    }
    return sentences;
}

}  // namespace

const std::vector<ReportPart>& usualParts() {
    using enum ReportPart;
    static const std::vector<ReportPart> parts{Pivot,    Summary,  Charts,      Results, Repetitions, Loss,
                                               Hardware, Findings, Environment, Method,  Scripts};
    return parts;
}

Report buildReport(const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                   const std::string& title, const ReportView& asked) {
    ReportView view = asked;
    if (view.looks.empty()) {
        view.looks = SeriesLooks(results, vocabulary);
    }
    Report report;
    std::ranges::copy_if(results, std::back_inserter(report.runs), [&](const RunResult& run) {
        return !view.hiddenTopologies.contains(run.benchmarkCase.topology);
    });
    report.title = title.empty() ? join(commonParts(report.runs, vocabulary), ", ") : title;
    report.subtitle = subtitleOf(report.runs);
    addSections(report, results, vocabulary, view);
    if (view.pivot) {
        report.pivot = pivotOf(seen(results, vocabulary, view), vocabulary, *view.pivot, view.charts.hidden);
    }
    addFindings(report);
    report.trouble = troubleTable(report.runs, vocabulary);
    report.versions = versionTable(report.runs, vocabulary);
    report.environment.columns = {{"Node"}, {"Fact"}, {"Value"}};
    report.method = methodOf(report.runs, view.formats);
    return report;
}

std::string headlineOf(const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                       const analysis::FormatBook& formats) {
    ReportView view;
    view.formats = formats;
    const Report report = buildReport(results, vocabulary, {}, view);
    const auto said = std::ranges::find_if(
        report.sections, [](const ReportSection& section) { return !section.summary.empty(); });
    if (said == report.sections.end()) {
        return {};
    }
    return report.sections.size() == 1 ? said->summary : said->heading + ": " + said->summary;
}

Report pivotReport(Pivot pivot, const std::string& title) {
    Report report;
    report.title = !title.empty() ? title : pivot.common.empty() ? "Results" : pivot.common;
    report.subtitle = title.empty() ? std::string() : pivot.common;
    report.pivot = std::move(pivot);
    report.parts = {ReportPart::Pivot};
    return report;
}

}  // namespace dlperf::report
