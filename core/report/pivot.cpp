// SPDX-License-Identifier: Apache-2.0
#include "core/report/pivot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/numbers.h"
#include "core/report/series_colours.h"
#include "core/report/series_points.h"
#include "core/report/series_title.h"

namespace dlperf::report {
namespace {

using Key = std::vector<FieldValue>;

std::size_t placeOf(const Vocabulary& vocabulary, WordKind kind, const std::string& id) {
    const auto& known = vocabulary.words(kind);
    return static_cast<std::size_t>(std::ranges::find(known, id, &Word::id) - known.begin());
}

FieldValue wordValue(const Vocabulary& vocabulary, WordKind kind, const std::string& id) {
    return {placeOf(vocabulary, kind, id), id.empty() ? "unknown" : vocabulary.title(kind, id)};
}

std::string optionsText(const Configuration& configuration, const Vocabulary& vocabulary) {
    const std::string features = featuresText(configuration, vocabulary);
    const std::string variant = variantText(configuration.variant);
    return features + (features.empty() || variant.empty() ? "" : ", ") + variant;
}

Key keyOf(const std::vector<PivotField>& fields, const ComparedSeries& series, const Cell& cell,
          const Vocabulary& vocabulary) {
    return mapped(fields,
                  [&](PivotField field) { return valueOf(field, series, cell.topology, vocabulary); });
}

// The time of an iteration is that of each device.
std::optional<double> figureOf(PivotValue value, const Cell& cell, const std::string& unit) {
    switch (value) {
        case PivotValue::Throughput:
            return cell.fold.median;
        case PivotValue::PerDevice:
            return cell.fold.median && !lowerIsBetter(unit)
                       ? std::optional(*cell.fold.median / cell.topology.worldSize())
                       : cell.fold.median;
        case PivotValue::Speedup:
            return cell.speedup;
        case PivotValue::Efficiency:
            return cell.efficiency;
        case PivotValue::Memory:
            return cell.memoryMb;
    }
    return std::nullopt;
}

bool lowerWins(const Pivot& pivot) {
    const PivotValue value = pivot.layout.value;
    return value == PivotValue::Memory ||
           (lowerIsBetter(pivot.unit) && (value == PivotValue::Throughput || value == PivotValue::PerDevice));
}

bool isBetter(const Pivot& pivot, double one, double other) {
    return lowerWins(pivot) ? one < other : one > other;
}

struct Case {
    const ComparedSeries* series = nullptr;
    const Cell* cell = nullptr;
};

// Of cases that share a cell the best; where none has a figure, that of which most is known.
Case shownOf(const std::vector<Case>& cases, const Pivot& pivot) {
    Case shown = cases.front();
    for (const Case& one : cases) {
        const auto figure = figureOf(pivot.layout.value, *one.cell, pivot.unit);
        const auto best = figureOf(pivot.layout.value, *shown.cell, pivot.unit);
        const bool tellsMore = !figure && !best && one.cell->wasTried() && !shown.cell->wasTried();
        if (tellsMore || (figure && (!best || isBetter(pivot, *figure, *best)))) {
            shown = one;
        }
    }
    return shown;
}

std::string tipOfCases(const std::vector<Case>& cases, const Case& shown, int figures, Spread spread) {
    std::string tip = tipOf(*shown.series, *shown.cell, spread);
    if (figures > 1) {
        tip += fmt::format("\nThe best of {} cases:", figures);
        for (const Case& one : cases) {
            if (one.cell->fold.median) {
                tip += fmt::format("\n{}: {}", one.series->title, throughputText(one.cell->fold.median));
            }
        }
    }
    return tip;
}

PivotCell cellOf(const std::vector<Case>& cases, const Pivot& pivot, Spread spread) {
    const Case shown = shownOf(cases, pivot);
    PivotCell cell;
    cell.cases = static_cast<int>(std::ranges::count_if(cases, [&](const Case& one) {
        return figureOf(pivot.layout.value, *one.cell, pivot.unit).has_value();
    }));
    cell.figure = figureOf(pivot.layout.value, *shown.cell, pivot.unit);
    cell.missingReason = shown.cell->missingReason;
    cell.tip = tipOfCases(cases, shown, cell.cases, spread);
    cell.seriesId = shown.series->id;
    cell.topology = shown.cell->topology;
    return cell;
}

using Cells = std::vector<PivotCell*>;  // of a row or a column

PivotCell* bestOf(const Cells& cells, const Pivot& pivot, const PivotCell* besides = nullptr) {
    PivotCell* best = nullptr;
    for (PivotCell* cell : cells) {
        if (cell->figure && cell != besides &&
            (best == nullptr || isBetter(pivot, *cell->figure, *best->figure))) {
            best = cell;
        }
    }
    return best;
}

std::string figureText(const Pivot& pivot, double figure) {
    switch (pivot.layout.value) {
        case PivotValue::Throughput:
        case PivotValue::PerDevice:
            return grouped(figure, decimalsOf(pivot.unit));
        case PivotValue::Speedup:
            return times(figure);
        case PivotValue::Efficiency:
            return percent(figure);
        case PivotValue::Memory:
            return grouped(figure, 0);
    }
    return {};
}

// All that show the figure of the best: one bold of two equal texts would say that they differ.
void markBest(const Cells& cells, const Pivot& pivot) {
    const PivotCell* best = bestOf(cells, pivot);
    for (PivotCell* cell : cells) {
        cell->isBest = cells.size() > 1 && cell->figure &&
                       figureText(pivot, *cell->figure) == figureText(pivot, *best->figure);
    }
}

const PivotCell* referenceOf(const Cells& row, const Pivot& pivot) {
    if (pivot.layout.comparedTo == bestOfRow) {
        return bestOf(row, pivot);
    }
    const auto column = std::ranges::find(pivot.columns, pivot.layout.comparedTo, headingText);
    return column == pivot.columns.end() ? nullptr
                                         : row[static_cast<std::size_t>(column - pivot.columns.begin())];
}

std::optional<double> aheadOf(const PivotCell* best, const PivotCell* next, const Pivot& pivot) {
    if (next == nullptr || *next->figure <= 0 || *best->figure <= 0) {
        return std::nullopt;
    }
    return lowerWins(pivot) ? *next->figure / *best->figure - 1 : *best->figure / *next->figure - 1;
}

void compareRow(std::vector<PivotCell>& row, Pivot& pivot) {
    const Cells cells = mapped(row, [](PivotCell& cell) { return &cell; });
    const PivotCell* best = bestOf(cells, pivot);
    if (ranksRows(pivot.layout)) {
        pivot.bestToNext.push_back(aheadOf(best, bestOf(cells, pivot, best), pivot));
        markBest(cells, pivot);
    }
    const PivotCell* reference = referenceOf(cells, pivot);
    for (PivotCell& cell : row) {
        if (best != nullptr && best != &cell && cell.figure && *best->figure > 0 && ranksRows(pivot.layout)) {
            const auto column = static_cast<std::size_t>(best - row.data());
            cell.tip += fmt::format("\n{} against {}", percent(*cell.figure / *best->figure - 1, true),
                                    headingText(pivot.columns[column]));
        }
        if (reference != nullptr && reference->figure.value_or(0) > 0 && cell.figure && &cell != reference) {
            cell.difference = *cell.figure / *reference->figure - 1;
        }
    }
}

void markBestOfColumns(Pivot& pivot) {
    for (std::size_t column = 0; column < pivot.columns.size(); ++column) {
        markBest(mapped(pivot.cells, [column](auto& row) { return &row[column]; }), pivot);
    }
}

// The best figure and the largest difference among the cells.
struct Extremes {
    std::optional<double> best;
    double widest = 0;

    void add(const Pivot& pivot, const PivotCell& cell) {
        if (cell.figure && (!best || isBetter(pivot, *cell.figure, *best))) {
            best = cell.figure;
        }
        widest = std::max(widest, std::abs(cell.difference.value_or(0)));
    }
};

std::optional<double> heatOf(const Pivot& pivot, const PivotCell& cell, const Extremes& extremes) {
    if (!pivot.layout.comparedTo.empty()) {
        return cell.difference && extremes.widest > 0 ? std::optional(*cell.difference / extremes.widest)
                                                      : std::nullopt;
    }
    const double best = extremes.best.value_or(0);
    if (!cell.figure || best <= 0 || *cell.figure <= 0) {
        return std::nullopt;
    }
    return lowerWins(pivot) ? best / *cell.figure : *cell.figure / best;
}

void shadeCells(Pivot& pivot) {
    if (pivot.layout.shade == PivotShade::None) {
        return;
    }
    std::map<std::size_t, Extremes> extremes;  // by row, by column, or one for all
    const auto scope = [&](std::size_t row, std::size_t column) {
        return pivot.layout.shade == PivotShade::Row      ? row
               : pivot.layout.shade == PivotShade::Column ? column
                                                          : 0;
    };
    const auto forEachCell = [&](const auto& visit) {
        for (std::size_t row = 0; row < pivot.rows.size(); ++row) {
            for (std::size_t column = 0; column < pivot.columns.size(); ++column) {
                visit(extremes[scope(row, column)], pivot.cells[row][column]);
            }
        }
    };
    forEachCell([&](Extremes& among, const PivotCell& cell) { among.add(pivot, cell); });
    forEachCell([&](const Extremes& among, PivotCell& cell) { cell.heat = heatOf(pivot, cell, among); });
}

// A heading's framework, for its key: none where its cases are of several. Of one series it looks like this
// one.
void name(PivotHeading& heading, const Key& key, const ComparedSeries& series, const Vocabulary& vocabulary) {
    const Series look = chartSeries(series);
    const std::string framework = lookFramework(series.key.configuration);
    if (heading.texts.empty()) {
        heading = {mapped(key, &FieldValue::text), framework, look.framework.empty(), look.fill};
    } else if (heading.framework != framework) {
        heading.framework.clear();
    } else if (heading.fill != look.fill) {
        heading.isByPosition = false;
        heading.fill = firstFill(series.key.configuration.implementation, vocabulary);
    }
}

// What stands in no heading: said once where all cases share it, else warned of.
void sayTheRest(Pivot& pivot, const std::vector<Case>& cases, const Vocabulary& vocabulary) {
    const auto isHeading = [&](PivotField field) {
        return std::ranges::count(pivot.layout.rows, field) +
                   std::ranges::count(pivot.layout.columns, field) >
               0;
    };
    const auto isToldAnyway = [&](PivotField field) {
        return field == PivotField::Campaign ||
               (field == PivotField::Implementation && isHeading(PivotField::Framework));
    };
    std::vector<std::string> common;
    for (const PivotField field :
         {PivotField::Campaign, PivotField::Implementation, PivotField::Model, PivotField::Precision,
          PivotField::BatchSize, PivotField::Topology, PivotField::Options}) {
        std::set<FieldValue> values;
        for (const Case& one : cases) {
            // Each published figure has a report of its own; that they differ tells nothing.
            if (field != PivotField::Campaign || one.series->key.origin != Origin::Published) {
                values.insert(valueOf(field, *one.series, one.cell->topology, vocabulary));
            }
        }
        if (isHeading(field) || values.empty()) {
            continue;
        }
        const auto texts =
            mapped(values, [](const FieldValue& value) { return value.text.empty() ? "none" : value.text; });
        if (texts.size() > 1) {
            const std::string some = joinSome(texts, 4, "; ");
            pivot.mixed.push_back(field == PivotField::Options
                                      ? fmt::format("Options differ: {}.", some)
                                      : fmt::format("{} differs: {}.", titleOf(field), some));
        } else if (!values.begin()->text.empty() && !isToldAnyway(field)) {
            common.push_back(field == PivotField::BatchSize ? "batch size " + texts.front() : texts.front());
        }
    }
    pivot.common = join(common, ", ");
}

template <class Names>
Result<std::size_t> numberOf(std::string_view text, const Names& names, const char* what) {
    const auto* found = std::ranges::find(names, text);
    if (found == names.end()) {
        return fail(fmt::format("\"{}\" is no {} of a pivot table", text, what), "--pivot",
                    fmt::format("Write one of {}, as in topology,batch-size:implementation.",
                                join(std::vector<std::string>(names.begin(), names.end()), ", ")));
    }
    return static_cast<std::size_t>(found - names.begin());
}

Result<std::vector<PivotField>> parseFields(const std::string& text) {
    std::vector<PivotField> fields;
    for (const std::string_view name : split(text, ',')) {
        fields.push_back(static_cast<PivotField>(TRY(numberOf(name, pivotFieldNames, "field"))));
    }
    return fields;
}

}  // namespace

std::strong_ordering operator<=>(const FieldValue& one, const FieldValue& other) {
    const auto order = one.order <=> other.order;
    return order != 0 ? order : naturalOrder(one.text, other.text);
}

FieldValue valueOf(PivotField field, const ComparedSeries& series, const Topology& topology,
                   const Vocabulary& vocabulary) {
    const Configuration& configuration = series.key.configuration;
    switch (field) {
        case PivotField::Framework:
            return wordValue(vocabulary, WordKind::Framework, configuration.framework);
        case PivotField::Implementation:
            return configuration.implementation.empty()
                       ? wordValue(vocabulary, WordKind::Framework, configuration.framework)
                       : wordValue(vocabulary, WordKind::Implementation, configuration.implementation);
        case PivotField::Model:
            return wordValue(vocabulary, WordKind::Model, configuration.model);
        case PivotField::Precision:
            return {
                configuration.precision == "fp32" ? std::size_t{0} : std::size_t{1},  // the plain one first
                configuration.precision.empty() ? "unknown" : configuration.precision};
        case PivotField::BatchSize:
            return {static_cast<std::size_t>(configuration.batchSize),
                    configuration.batchSize == 0 ? "unknown" : std::to_string(configuration.batchSize)};
        case PivotField::Topology:  // at most 2^30 devices on at most 2^16 nodes
            return {static_cast<std::size_t>(topology.worldSize()) * 131072 +
                        static_cast<std::size_t>(topology.nodes),
                    toString(topology)};
        case PivotField::Options:
            return {0, optionsText(configuration, vocabulary)};
        case PivotField::Campaign:
            return {static_cast<std::size_t>(series.key.origin), series.campaignName};
    }
    return {};
}

std::optional<PivotField> pivotFieldNamed(std::string_view name) {
    const auto* found = std::ranges::find(pivotFieldNames, name);
    return found == pivotFieldNames.end()
               ? std::nullopt
               : std::optional(static_cast<PivotField>(found - pivotFieldNames.begin()));
}

std::string titleOf(PivotField field) {
    constexpr std::array<const char*, pivotFields> titles{
        "Framework", "Implementation", "Model", "Precision", "Batch size", "Topology", "Options", "Campaign"};
    return titles.at(static_cast<std::size_t>(field));
}

std::string titleOf(PivotValue value, const std::string& unit) {
    switch (value) {
        case PivotValue::Throughput:
            return (lowerIsBetter(unit) ? "Time, " : "Throughput, ") + unit;
        case PivotValue::PerDevice:
            return "Per device, " + unit;
        case PivotValue::Speedup:
            return "Speedup";
        case PivotValue::Efficiency:
            return "Efficiency";
        case PivotValue::Memory:
            return "Peak memory per device, MB";
    }
    return {};
}

std::optional<PivotField> namedTwice(const PivotLayout& layout) {
    std::vector<PivotField> all = layout.rows;
    all.insert(all.end(), layout.columns.begin(), layout.columns.end());
    const auto twice =
        std::ranges::find_if(all, [&](PivotField field) { return std::ranges::count(all, field) > 1; });
    return twice == all.end() ? std::nullopt : std::optional(*twice);
}

Result<PivotLayout> parsePivotLayout(const std::string& text) {
    const auto parts = split(text, ':');
    if (parts.size() < 2 || parts.size() > 3) {
        return fail(fmt::format("\"{}\" is no layout of a pivot table", text), "--pivot",
                    "Write rows, columns and what the cells show, such as "
                    "topology,batch-size:implementation:speedup.");
    }
    PivotLayout layout;
    layout.rows = TRY(parseFields(std::string(parts[0])));
    layout.columns = TRY(parseFields(std::string(parts[1])));
    if (const auto twice = namedTwice(layout)) {
        return fail(fmt::format("\"{}\" stands twice in the pivot table", writtenName(*twice)), "--pivot",
                    "Name each field once.");
    }
    if (parts.size() == 3) {
        layout.value = static_cast<PivotValue>(TRY(numberOf(parts[2], pivotValueNames, "value")));
    }
    return layout;
}

Pivot pivotOf(const Comparison& comparison, const Vocabulary& vocabulary, const PivotLayout& layout,
              const std::set<std::string>& hidden) {
    const auto visible = visibleSeries(comparison, {.hidden = hidden});
    Pivot pivot{.layout = layout, .unit = unitOf(visible)};
    std::map<Key, std::map<Key, std::vector<Case>>> cases;
    std::map<Key, PivotHeading> rows;
    std::map<Key, PivotHeading> columns;
    std::vector<Case> all;
    for (const ComparedSeries* series : visible) {
        const bool untried = std::ranges::none_of(series->cells, &Cell::wasTried);
        for (const Cell& cell : series->cells) {
            if (cell.fold.median || cell.wasTried() || untried) {
                const Key row = keyOf(layout.rows, *series, cell, vocabulary);
                const Key column = keyOf(layout.columns, *series, cell, vocabulary);
                cases[row][column].push_back({series, &cell});
                all.push_back({series, &cell});
                name(rows[row], row, *series, vocabulary);
                name(columns[column], column, *series, vocabulary);
            }
        }
    }
    pivot.rows = mapped(rows, [](const auto& entry) { return entry.second; });
    pivot.columns = mapped(columns, [](const auto& entry) { return entry.second; });
    if (layout.comparedTo != bestOfRow &&
        std::ranges::find(pivot.columns, layout.comparedTo, headingText) == pivot.columns.end()) {
        pivot.layout.comparedTo.clear();  // of other results
    }
    for (const auto& [key, byColumn] : cases) {
        std::vector<PivotCell>& row = pivot.cells.emplace_back();
        for (const auto& [column, heading] : columns) {
            const auto found = byColumn.find(column);
            row.push_back(found == byColumn.end() ? PivotCell()
                                                  : cellOf(found->second, pivot, comparison.spread));
        }
        compareRow(row, pivot);
    }
    if (!ranksRows(layout)) {
        markBestOfColumns(pivot);
    }
    shadeCells(pivot);
    sayTheRest(pivot, all, vocabulary);
    return pivot;
}

bool ranksRows(const PivotLayout& layout) {
    return std::ranges::all_of(layout.columns, [](PivotField field) {
        return field == PivotField::Framework || field == PivotField::Implementation ||
               field == PivotField::Options || field == PivotField::Campaign;
    });
}

std::string headingText(const PivotHeading& heading) {
    std::vector<std::string> texts = heading.texts;
    std::erase(texts, "");
    return texts.empty() ? "none" : join(texts, ", ");
}

std::string cellText(const Pivot& pivot, const PivotCell& cell) {
    if (cell.difference) {
        return percent(*cell.difference, true);
    }
    if (!cell.figure) {
        return cell.missingReason == MissingReason::OutOfMemory ? "OOM"
               : cell.missingReason == MissingReason::Failed    ? "failed"
                                                                : missingFigure;
    }
    return figureText(pivot, *cell.figure);
}

std::string countsText(const Pivot& pivot) {
    std::map<MissingReason, int> missing;
    int figures = 0;
    int all = 0;
    for (const auto& row : pivot.cells) {
        for (const PivotCell& cell : row) {
            ++all;
            if (cell.figure) {
                ++figures;
            } else {
                ++missing[cell.missingReason];
            }
        }
    }
    std::vector<std::string> parts{fmt::format("{} of {} cells have a figure", figures, all)};
    const auto add = [&](int count, const char* what) {
        if (count > 0) {
            parts.push_back(fmt::format(fmt::runtime(what), count));
        }
    };
    add(missing[MissingReason::OutOfMemory], "out of memory: {}");
    add(missing[MissingReason::Failed], "failed: {}");
    add(missing[MissingReason::Excluded], "excluded: {}");
    add(missing[MissingReason::Announced], "announced: {}");
    add(missing[MissingReason::NotMeasured] + missing[MissingReason::NotPublished], "not measured: {}");
    add(missing[MissingReason::None], "without this value: {}");
    return join(parts, "; ");
}

std::vector<std::string> mixtureNotes(const Pivot& pivot) {
    std::vector<std::string> notes = pivot.mixed;
    int shared = 0;
    for (const auto& row : pivot.cells) {
        shared += static_cast<int>(std::ranges::count_if(row, &PivotCell::isShared));
    }
    if (shared == 1) {
        notes.emplace_back("1 cell holds several cases and shows the best of them.");
    } else if (shared > 1) {
        notes.push_back(fmt::format("{} cells hold several cases and show the best of them.", shared));
    }
    return notes;
}

std::vector<std::string> pivotNotes(const Pivot& pivot) {
    std::vector<std::string> notes{titleOf(pivot.layout.value, pivot.unit) + "."};
    if (!pivot.layout.comparedTo.empty()) {
        notes.push_back(fmt::format("Percentages are differences to {}.", pivot.layout.comparedTo));
    }
    notes.push_back(countsText(pivot) + ".");
    if (std::ranges::any_of(pivot.cells,
                            [](const auto& row) { return std::ranges::any_of(row, &PivotCell::isBest); })) {
        notes.emplace_back(ranksRows(pivot.layout) ? "Bold: best of its row." : "Bold: best of its column.");
    }
    const auto mixtures = mixtureNotes(pivot);
    notes.insert(notes.end(), mixtures.begin(), mixtures.end());
    return notes;
}

Table pivotFigures(const Pivot& pivot) {
    Pivot plain = pivot;  // as if nothing were compared
    for (auto& row : plain.cells) {
        for (PivotCell& cell : row) {
            cell.difference.reset();
        }
    }
    Table table = pivotTable(plain);
    for (std::size_t column = 0; column < pivot.columns.size(); ++column) {
        const std::string heading = headingText(pivot.columns[column]);
        if (pivot.layout.comparedTo.empty() || heading == pivot.layout.comparedTo) {
            continue;
        }
        table.columns.push_back(
            {fmt::format("{}, difference to {}", heading, pivot.layout.comparedTo), true});
        for (std::size_t row = 0; row < pivot.rows.size(); ++row) {
            const auto difference = pivot.cells[row][column].difference;
            table.rows[row].push_back(
                {.text = difference ? percent(*difference, true) : "", .number = difference});
        }
    }
    return table;
}

Table pivotTable(const Pivot& pivot) {
    Table table;
    const bool ranks = pivot.columns.size() > 1 && ranksRows(pivot.layout);
    table.columns =
        mapped(pivot.layout.rows, [](PivotField field) { return TableColumn{.title = titleOf(field)}; });
    const bool areNamed =
        !pivot.layout.columns.empty() && pivot.layout.columns.front() == PivotField::Campaign;
    for (const PivotHeading& heading : pivot.columns) {
        table.columns.push_back({headingText(heading), true, areNamed ? heading.texts.front().size() : 0});
    }
    if (ranks) {
        table.columns.push_back({"Best to next", true});
    }
    for (std::size_t row = 0; row < pivot.rows.size(); ++row) {
        std::vector<TableCell>& cells = table.rows.emplace_back(mapped(pivot.rows[row].texts, textCell));
        for (std::size_t i = 0; i < cells.size() && i < pivot.layout.rows.size(); ++i) {
            cells[i].isGiven = pivot.layout.rows[i] == PivotField::Campaign;
        }
        for (const PivotCell& cell : pivot.cells[row]) {
            cells.push_back({.text = cellText(pivot, cell),
                             .number = cell.difference ? cell.difference : cell.figure,
                             .note = cell.figure ? "" : cell.tip,
                             .strong = cell.isBest});
        }
        if (ranks) {
            const auto ahead = pivot.bestToNext[row];
            cells.push_back({.text = ahead ? percent(*ahead, true) : "", .number = ahead});
        }
    }
    return table;
}

}  // namespace dlperf::report
