// SPDX-License-Identifier: Apache-2.0
// The same comparison with other speedups, without what is hidden, and with another spread.
#include <fmt/format.h>

#include <algorithm>

#include "core/report/comparison.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

bool isEmpty(const Cell& cell) {
    return !cell.fold.median && cell.repetitions.empty() && cell.failed == 0 && cell.excluded == 0;
}

}  // namespace

Comparison overBase(Comparison comparison, const std::string& seriesId) {
    const auto base = std::ranges::find_if(
        comparison.series, [&](const ComparedSeries& series) { return series.id == seriesId; });
    const Cell* one = base == comparison.series.end() ? nullptr : findCell(*base, {1, 1});
    if (one == nullptr || one->fold.median.value_or(0) <= 0 || lowerIsBetter(base->unit)) {
        return comparison;
    }
    const Cell reference = *one;
    comparison.speedupBase = base->title;
    for (ComparedSeries& series : comparison.series) {
        const bool comparable = series.unit == base->unit;
        for (Cell& cell : series.cells) {
            cell.speedup = comparable ? analysis::speedup(cell.fold, reference.fold, {}) : std::nullopt;
            const bool itself = series.id == seriesId && cell.topology == reference.topology;
            cell.speedupInterval = comparable && !itself
                                       ? analysis::ratioInterval(cell.repetitions, reference.repetitions)
                                       : std::nullopt;
        }
    }
    return comparison;
}

Comparison withoutTopologies(Comparison comparison, const std::set<Topology>& hidden) {
    if (hidden.empty()) {
        return comparison;
    }
    std::erase_if(comparison.topologies, [&](const Topology& topology) { return hidden.contains(topology); });
    for (ComparedSeries& series : comparison.series) {
        std::erase_if(series.cells, [&](const Cell& cell) { return hidden.contains(cell.topology); });
    }
    std::erase_if(comparison.series,
                  [](const ComparedSeries& series) { return std::ranges::all_of(series.cells, isEmpty); });
    return comparison;
}

Comparison withCampaignNames(Comparison comparison, const CampaignNames& names) {
    std::set<std::string> taken;
    for (ComparedSeries& series : comparison.series) {
        const std::string& id = series.key.campaign;
        if (const auto named = names.find(id); named != names.end()) {
            series.campaignName = named->second;
        }
        if (!id.empty() && series.title.ends_with(id)) {
            series.title.replace(series.title.size() - id.size(), id.size(), series.campaignName);
        }
        const std::string title = series.title;
        for (int i = 2; !taken.insert(series.title).second; ++i) {
            series.title = fmt::format("{} ({})", title, i);
        }
    }
    return comparison;
}

Comparison withSpread(Comparison comparison, Spread spread) {
    comparison.spread = spread;
    for (ComparedSeries& series : comparison.series) {
        for (Cell& cell : series.cells) {
            if (spread == Spread::Confidence) {
                cell.range = cell.interval;
            } else if (cell.repetitions.size() > 1) {
                cell.range = {*cell.fold.minimum, *cell.fold.maximum};
            }
        }
    }
    return comparison;
}

std::string rangeText(const Cell& cell, Spread spread, int decimals) {
    const auto between = [decimals](std::optional<double> low, std::optional<double> high) {
        return fmt::format("{} to {}", throughputText(low, decimals), throughputText(high, decimals));
    };
    if (!cell.range) {  // a single run is its own range
        return spread == Spread::MinToMax ? between(cell.fold.minimum, cell.fold.maximum)
                                          : whyNoRange(cell, spread);
    }
    return spread == Spread::MinToMax ? between(cell.range->low, cell.range->high)
                                      : intervalText(cell, decimals);
}

std::string intervalText(const Cell& cell, int decimals) {
    return fmt::format("median within {} to {} (95\u00A0%)", throughputText(cell.interval->low, decimals),
                       throughputText(cell.interval->high, decimals));
}

std::string whyNoRange(const Cell& cell, Spread spread) {
    if (cell.repetitions.empty()) {
        return {};
    }
    if (spread == Spread::MinToMax) {
        return cell.repetitions.size() > 1 ? "" : "fewer than two runs";
    }
    return cell.interval ? ""
                         : fmt::format("too few for an interval, {} are needed", analysis::fewestForInterval);
}

std::optional<double> spreadOf(const Cell& cell) {
    if (!cell.range || !cell.fold.median || *cell.fold.median <= 0) {
        return std::nullopt;
    }
    return (cell.range->high - cell.range->low) / *cell.fold.median;
}

}  // namespace dlperf::report
