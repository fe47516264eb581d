// SPDX-License-Identifier: Apache-2.0
// The runs of a workspace as a list under three headings: active, queued, finished (newest first).
#pragma once

#include <QAbstractListModel>
#include <array>
#include <functional>
#include <map>
#include <vector>

#include "core/model/vocabulary.h"
#include "core/run/status.h"

namespace dlperf::ui {

class QueueModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        IsHeadingRole = Qt::UserRole,
        IdRole,
        TopologyRole,
        DetailRole,    // "b8, repetition 2"
        ResultRole,    // "12.34 images/s", "out of memory", "84 of 120"
        StateRole,     // state icon: "ok", "fail", "running", "queued", "cancelled", "warn"
        ProgressRole,  // 0 to 1; negative: none
        FrameworkRole,
        HollowRole,
        ExcludedRole,
        CountRole  // of a heading
    };

    struct Remark {
        bool excluded = false;
        bool skipped = false;  // asked for; the runner has not reached it yet
        QString reason;
        QString note;
    };
    using Remarks = std::function<Remark(const run::RunState& run)>;

    explicit QueueModel(const Vocabulary& vocabulary, QObject* parent = nullptr);

    void setCampaigns(const std::vector<run::Campaign>& campaigns);
    // Below all others; they change seldom.
    void setImports(const std::vector<run::Campaign>& imports);
    void setRemarks(Remarks remarks) { remarks_ = std::move(remarks); }
    void remarksChanged();
    void setProgress(const std::string& runId, double progress, const QString& text);
    // Only rows that hold the text; headings with nothing below go too.
    void setFilter(const QString& text);

    enum class Show { All, Active, Queued, Finished, WithoutFigure, Excluded };
    void setShown(Show show);

    [[nodiscard]] const run::RunState* run(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const std::string& runId) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        QString heading;  // empty for a run
        int count = 0;
        run::RunState status;
        bool stranded = false;  // queued or begun, and no runner works on it
        bool next = false;      // the queued run that starts after the current one
        bool paused = false;    // no new run is begun
    };
    using Groups = std::array<std::vector<Row>, 3>;  // active, queued, finished
    void rebuild();
    void addRows(Groups& groups, const run::Campaign& campaign) const;
    [[nodiscard]] std::vector<Row> makeRows() const;
    [[nodiscard]] QString title(const Row& row) const;
    [[nodiscard]] QString wordsOf(const Row& row) const;  // what the filter looks at
    [[nodiscard]] bool isShown(const Row& row) const;
    [[nodiscard]] QString result(const Row& row) const;
    [[nodiscard]] QString waiting(const Row& row) const;
    [[nodiscard]] QString detail(const Row& row) const;
    [[nodiscard]] QString tip(const Row& row) const;
    [[nodiscard]] Remark remark(const Row& row) const;

    const Vocabulary& vocabulary_;
    Remarks remarks_;
    std::vector<run::Campaign> campaigns_;
    std::vector<run::Campaign> imports_;
    std::vector<Row> rows_;
    QString filter_;
    Show show_ = Show::All;
    std::string progressOf_;
    double progress_ = -1;
    QString progressText_;
};

[[nodiscard]] QString stateOf(const run::RunState& status);
[[nodiscard]] QString outcomeText(const run::RunState& status);
// "node a: the node printed nothing for 46 s", a line each; empty for a run that nothing disturbed.
[[nodiscard]] QString disturbanceText(const run::RunState& status);
// "9 ok, 2 failed, 1 cancelled"
[[nodiscard]] QString outcomesText(const std::map<Outcome, int>& counts);

}  // namespace dlperf::ui
