// SPDX-License-Identifier: Apache-2.0
#include "core/report/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

// Key and text of each verdict.
constexpr std::array<std::pair<const char*, const char*>, 4> verdictWords{
    {{"unknown", ""},
     {"too-few-runs", "too few runs"},
     {"not-distinguishable", "not distinguishable"},
     {"different", "different"}}};

}  // namespace

std::optional<Difference> differenceOf(const Cell& cell, const Cell& other) {
    if (cell.fold.median.value_or(0) <= 0 || other.fold.median.value_or(0) <= 0) {
        return std::nullopt;
    }
    Difference difference{.relative = *cell.fold.median / *other.fold.median - 1,
                          .verdict = analysis::verdictOf(cell.repetitions, other.repetitions),
                          .p = std::nullopt,
                          .runs = cell.repetitions.size(),
                          .otherRuns = other.repetitions.size()};
    if (const auto test = analysis::mannWhitney(cell.repetitions, other.repetitions)) {
        difference.p = test->p;
    }
    return difference;
}

const char* keyOf(analysis::Verdict verdict) {
    return verdictWords.at(static_cast<std::size_t>(verdict)).first;
}

std::string verdictText(analysis::Verdict verdict) {
    return verdictWords.at(static_cast<std::size_t>(verdict)).second;
}

std::string reasonText(const Difference& difference) {
    const std::string counts = fmt::format("{} and {} runs", difference.runs, difference.otherRuns);
    switch (difference.verdict) {
        case analysis::Verdict::Different:
            return fmt::format("Different: {} (rank test of {})", analysis::pText(*difference.p), counts);
        case analysis::Verdict::Alike:
            return fmt::format("Not distinguishable: {} (rank test of {}, 0.05 at most is wanted)",
                               analysis::pText(*difference.p), counts);
        case analysis::Verdict::TooFew:
            return fmt::format("Too few to say whether they differ: {}; from 4 and 4 on a rank test can",
                               counts);
        case analysis::Verdict::Unknown:
            break;
    }
    return "Whether they differ cannot be said: a source that quotes one figure has no repetitions";
}

const ComparedSeries* bestAt(const Comparison& comparison, const Topology& topology,
                             const std::set<std::string>& hidden) {
    const ComparedSeries* best = nullptr;
    double most = 0;
    for (const ComparedSeries& series : comparison.series) {
        const Cell* cell = hidden.contains(series.id) ? nullptr : findCell(series, topology);
        if (cell == nullptr || cell->fold.median.value_or(0) <= 0) {
            continue;
        }
        const bool less = lowerIsBetter(series.unit);
        if (best != nullptr && lowerIsBetter(best->unit) != less) {
            return nullptr;
        }
        const double median = *cell->fold.median;
        if (best == nullptr || (less ? median < most : median > most)) {
            best = &series;
            most = median;
        }
    }
    return best;
}

std::optional<std::size_t> largestShared(const Comparison& comparison, bool (*has)(const Cell& cell)) {
    const auto all = std::ranges::count_if(
        comparison.series, [&](const ComparedSeries& one) { return std::ranges::any_of(one.cells, has); });
    std::optional<std::size_t> largest;
    for (std::size_t i = comparison.topologies.size(); i-- > 0;) {
        const auto count = std::ranges::count_if(
            comparison.series, [&](const ComparedSeries& one) { return has(one.cells[i]); });
        if (count >= 2 && 2 * count >= all && comparison.topologies[i].worldSize() > 1) {
            return i;
        }
        largest = largest || count == 0 ? largest : std::optional(i);
    }
    return largest;
}

BesideBest besideBest(const Comparison& comparison, const Cell& cell) {
    const ComparedSeries* best = bestAt(comparison, cell.topology);
    const Cell* other = best == nullptr ? nullptr : findCell(*best, cell.topology);
    return {best, other == nullptr || other == &cell ? std::nullopt : differenceOf(cell, *other)};
}

bool ranOnce(const Comparison& comparison, const Topology& topology) {
    return std::ranges::all_of(comparison.series, [&](const ComparedSeries& series) {
        const Cell* cell = findCell(series, topology);
        return cell == nullptr || cell->repetitions.size() < 2;
    });
}

std::vector<std::string> differencesFromBest(const Comparison& comparison, const Topology& topology) {
    const bool once = ranOnce(comparison, topology);
    std::vector<std::string> texts;
    for (const ComparedSeries& series : comparison.series) {
        const auto [best, difference] = besideBest(comparison, *findCell(series, topology));
        if (!difference || !difference->p) {
            continue;
        }
        std::string text =
            fmt::format("{}: {} against {}", series.title, percent(difference->relative, true), best->title);
        if (!once) {
            const std::string counts = fmt::format("({}, {} and {} runs)", analysis::pText(*difference->p),
                                                   difference->runs, difference->otherRuns);
            text += "; " + verdictText(difference->verdict) + " " + counts;
        }
        texts.push_back(std::move(text));
    }
    return texts;
}

}  // namespace dlperf::report
