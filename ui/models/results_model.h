// SPDX-License-Identifier: Apache-2.0
// The table under the charts: one row a series at one topology, or at all of them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/report/comparison.h"
#include "core/report/difference.h"
#include "ui/models/columns_model.h"

namespace dlperf::ui {

// What a spread delegate paints: the row's range within the widest range of the table, around its median.
struct SpreadBar {
    double low = 0;   // relative to the median: −0.012
    double high = 0;  // +0.011
    double widest = 0;
};

[[nodiscard]] std::vector<std::pair<QString, QString>> titlesOf(const report::Comparison& comparison);

struct ResultRow {
    QString key, title;
    QString shortTitle;  // without what all series share
    QString framework;
    int fill = 0;
    report::Cell cell;
    QString sources;                               // one a line; empty for runs that were measured
    std::optional<report::Difference> difference;  // to the fastest, or to the baseline
    bool isReference = false;                      // the others are compared with it
};

class ResultsModel final : public ColumnsModel<ResultRow> {
    Q_OBJECT

public:
    enum Column {
        SeriesColumn,
        TopologyColumn,
        RunsColumn,
        MedianColumn,
        RangeColumn,
        SpreadBarColumn,
        SpreadColumn,
        SpeedupColumn,
        SpeedupRangeColumn,  // shown beside the interval of the median
        EfficiencyColumn,
        DifferenceColumn,
        VerdictColumn,  // for files: on the screen tips and the footer say it
        MemoryColumn,   // shown where sources tell of it
        FindingColumn,
        ColumnCount
    };
    // RawRole sorts; NumberRole is the figure that a cell shows, for files; PointedRole: somebody points at
    // its series.
    enum Role {
        RawRole = Qt::UserRole,
        NumberRole,
        KeyRole,
        PointedRole,
        FrameworkRole,
        FillRole,
        BarRole,
        ShownTitleRole  // see shortenTitles()
    };

    explicit ResultsModel(QObject* parent = nullptr) : ColumnsModel(parent) { describeColumns(); }

    // Without a topology all are listed. Hidden series are not. The last figures compare with the series
    // of the baseline's id at the same topology; without one, with the fastest.
    void setComparison(const report::Comparison& comparison, const std::set<std::string>& hidden,
                       std::optional<Topology> topology, const std::string& baseline = {});

    // To what tells the series apart, on the screen where the whole has no room.
    void shortenTitles(bool shorten) { shortened_ = shorten; }

    // At the series of this key, wherever it is shown; empty: at none.
    void pointAt(const QString& key);

    [[nodiscard]] bool hasSpread() const { return widestSpread_ > 0; }
    [[nodiscard]] bool hasSpeedupRange() const { return hasSpeedupRange_; }
    [[nodiscard]] bool hasMemory() const { return hasMemory_; }
    [[nodiscard]] bool hasVerdict() const { return hasVerdict_; }
    [[nodiscard]] int tooFew() const { return tooFew_; }

    QVariant data(const QModelIndex& index, int role) const override;

protected:
    [[nodiscard]] std::span<const ResultRow> rows() const override { return rows_; }

private:
    using Columns = std::vector<ColumnsModel::Column>;
    void describeColumns();
    void describeCase(Columns& columns);
    void describeFigures(Columns& columns);
    void describeScaling(Columns& columns);
    void describeDifference(Columns& columns);
    [[nodiscard]] QString differenceText(const ResultRow& row) const;
    [[nodiscard]] QVariant bar(const ResultRow& row, int column) const;

    std::vector<ResultRow> rows_;
    QString unit_;
    QString baseline_;  // its title; empty: the fastest
    QString pointedAt_;
    double widestSpread_ = 0;
    bool hasSpeedupRange_ = false;
    bool hasMemory_ = false;
    bool hasVerdict_ = false;
    int tooFew_ = 0;
    bool shortened_ = false;
    report::Spread spread_ = report::Spread::MinToMax;
};

// Which series of a comparison holds a result, for many results.
class SeriesFinder {
public:
    // The comparison outlives it and keeps its series where they are.
    explicit SeriesFinder(const report::Comparison& comparison);

    [[nodiscard]] const report::ComparedSeries* seriesOf(const RunResult& result) const;

private:
    std::map<Configuration, std::vector<const report::ComparedSeries*>> byConfiguration_;
};

}  // namespace dlperf::ui

Q_DECLARE_METATYPE(dlperf::ui::SpreadBar)
