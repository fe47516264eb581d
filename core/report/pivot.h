// SPDX-License-Identifier: Apache-2.0
// A comparison as a table of the user's own rows, columns and value: "batch sizes down, frameworks across".
#pragma once

#include <array>
#include <compare>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/comparison.h"
#include "core/report/table.h"

namespace dlperf::report {

enum class PivotField { Framework, Implementation, Model, Precision, BatchSize, Topology, Options, Campaign };
inline constexpr std::size_t pivotFields = 8;
enum class PivotValue { Throughput, PerDevice, Speedup, Efficiency, Memory };
enum class PivotShade { Row, Column, All, None };  // among which cells the heat map compares

struct PivotLayout {
    std::vector<PivotField> rows{PivotField::Topology, PivotField::BatchSize};
    std::vector<PivotField> columns{PivotField::Implementation};
    PivotValue value = PivotValue::Throughput;
    PivotShade shade = PivotShade::Row;
    std::string comparedTo{};  // the heading of a column, or `bestOfRow`; empty: nothing
    friend bool operator==(const PivotLayout&, const PivotLayout&) = default;
};
inline constexpr const char* bestOfRow = "best of the row";

// How files name them, "batch-size", by the enum's number.
inline constexpr std::array<const char*, pivotFields> pivotFieldNames{
    "framework", "implementation", "model", "precision", "batch-size", "topology", "options", "campaign"};
inline constexpr std::array<const char*, 5> pivotValueNames{"throughput", "per-device", "speedup",
                                                            "efficiency", "memory"};
inline constexpr std::array<const char*, 4> pivotShadeNames{"row", "column", "all", "none"};

// Of a case: what it is sorted by, and what people read.
struct FieldValue {
    std::size_t order = 0;
    std::string text;
    friend std::strong_ordering operator<=>(const FieldValue& one, const FieldValue& other);
    friend bool operator==(const FieldValue&, const FieldValue&) = default;
};
[[nodiscard]] FieldValue valueOf(PivotField field, const ComparedSeries& series, const Topology& topology,
                                 const Vocabulary& vocabulary);

[[nodiscard]] constexpr const char* writtenName(PivotField field) {
    return pivotFieldNames.at(static_cast<std::size_t>(field));
}
[[nodiscard]] std::optional<PivotField> pivotFieldNamed(std::string_view name);
// "Batch size", for people.
[[nodiscard]] std::string titleOf(PivotField field);
// "Throughput, images/s"
[[nodiscard]] std::string titleOf(PivotValue value, const std::string& unit);

// A field that stands in rows or columns more than once, if any.
[[nodiscard]] std::optional<PivotField> namedTwice(const PivotLayout& layout);

// Of "topology,batch-size:implementation:speedup": rows, columns and, if it is not throughput, the value. An
// Input error that says what can be written.
[[nodiscard]] Result<PivotLayout> parsePivotLayout(const std::string& text);

struct PivotHeading {
    std::vector<std::string> texts{};  // one for each field, "" where there is nothing to say
    std::string framework{};           // as lookFramework(), where all below it is of one
    bool isByPosition = false;  // coloured by something else than the framework: its fill is the position
    int fill = 0;               // of its series; where it has several 0, or 1 of another implementation
};

struct PivotCell {
    std::optional<double> figure{};      // of the layout's value
    std::optional<double> difference{};  // to what the layout compares with: −0.108; of that itself nothing
    std::optional<double> heat{};        // 0 to 1 of the best; of a difference −1 to 1 of the largest
    bool isBest = false;                 // of its row, or column: see ranksRows()
    MissingReason missingReason = MissingReason::NotMeasured;
    std::string tip{};
    int cases = 0;  // with a figure, of which this is the best; more than one: some field tells them apart
    std::string seriesId{};  // whose figure it is
    Topology topology{};

    [[nodiscard]] bool isShared() const { return cases > 1; }
};

struct Pivot {
    PivotLayout layout{};
    std::string unit{};
    std::string common{};              // "ResNet50 v1.5, fp32": what its cases share and no heading says
    std::vector<std::string> mixed{};  // "Batch size differs: 128; 256.": what they do not, nor any heading
    std::vector<PivotHeading> rows{};
    std::vector<PivotHeading> columns{};
    std::vector<std::vector<PivotCell>> cells{};      // by row, then column
    std::vector<std::optional<double>> bestToNext{};  // by row, where rows rank: 0.085 for 8.5 % ahead
};

// Rows and columns in the order of sizes and of the vocabulary, so that a new figure moves none of them.
// Figures of two kinds (throughputs and times) never share it: see visibleSeries().
[[nodiscard]] Pivot pivotOf(const Comparison& comparison, const Vocabulary& vocabulary,
                            const PivotLayout& layout, const std::set<std::string>& hidden = {});

// Columns are what is compared, such as frameworks: the best is looked for in each row. Where they are sizes
// or precisions it is looked for in each column.
[[nodiscard]] bool ranksRows(const PivotLayout& layout);

// "OneFlow, fp32"
[[nodiscard]] std::string headingText(const PivotHeading& heading);
// "2,626.03", "−10.8 %" where it is compared, "OOM", "failed", "–"
[[nodiscard]] std::string cellText(const Pivot& pivot, const PivotCell& cell);
// "42 of 60 cells have a figure; out of memory: 1; not measured: 17"
[[nodiscard]] std::string countsText(const Pivot& pivot);
// What its cells do not tell apart: "Batch size differs: 128; 256."; a sentence each.
[[nodiscard]] std::vector<std::string> mixtureNotes(const Pivot& pivot);
// What a reader has to know of its figures, these among it; one sentence each.
[[nodiscard]] std::vector<std::string> pivotNotes(const Pivot& pivot);
// A column for each row field, for each heading, and for how far the best is ahead.
[[nodiscard]] Table pivotTable(const Pivot& pivot);
// The same for programs, which read a column as figures of one kind: what is compared has its figure there,
// and its difference as a share in a column of its own behind.
[[nodiscard]] Table pivotFigures(const Pivot& pivot);

}  // namespace dlperf::report
