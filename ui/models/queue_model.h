// SPDX-License-Identifier: Apache-2.0
// The cases of a workspace as a list under three headings: active, queued, finished (newest first). A row is
// a case of one campaign with its repetitions; one of them is the shown one, which run() gives.
#pragma once

#include <QAbstractListModel>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/model/vocabulary.h"
#include "core/report/series_colours.h"
#include "core/run/status.h"

namespace dlperf::ui {

class QueueModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        IsHeadingRole = Qt::UserRole,
        IdRole,  // of the shown run
        TopologyRole,
        CaseRole,         // "b8 fp32"
        DetailRole,       // the same, and what is to be said of its runs: ", excluded"
        SettingsRole,     // what tells it from others of its trainer: "image_size=64", and its campaign where
                          // others have the same case; empty: nothing
        ResultRole,       // the median "12.34 images/s", "out of memory", "84 of 120"
        StateRole,        // state icon: "ok", "fail", "running", "queued", "cancelled", "warn",
                          // "excluded"
        RepetitionsRole,  // a state icon each (QStringList)
        ShownRole,        // which of them is shown, from 0
        ProgressRole,     // 0 to 1; negative: none
        FrameworkRole,
        FillRole,      // which of its framework's looks its series has
        ExcludedRole,  // all of its figures
        CountRole      // of a heading
    };

    struct Remark {
        bool excluded = false;
        bool skipped = false;  // asked for; the runner has not reached it yet
        QString reason;
        QString note;
    };
    using Remarks = std::function<Remark(const run::RunState& run)>;

    QueueModel(const Vocabulary& vocabulary, const analysis::FormatBook& formats, QObject* parent = nullptr);

    // Shared with the session, for they may be many; a newer list does not change one that is held.
    using Campaigns = std::shared_ptr<const std::vector<run::Campaign>>;
    using Looks = std::shared_ptr<const report::SeriesLooks>;
    using Names = std::map<std::string, std::string>;
    struct Runs {
        Campaigns campaigns = std::make_shared<const std::vector<run::Campaign>>();
        Campaigns imports = std::make_shared<const std::vector<run::Campaign>>();  // below all others
        Names names{};  // by id; a campaign that has none goes by when it began
        // As Compare and reports show the series of these cases.
        Looks looks = std::make_shared<const report::SeriesLooks>();
    };
    void setRuns(Runs runs);
    void setCampaigns(std::vector<run::Campaign> campaigns, Names names = {});  // and nothing else
    void setRemarks(Remarks remarks) { remarks_ = std::move(remarks); }
    void remarksChanged();
    void setProgress(const std::string& runId, double progress, const QString& text);
    // The shown one of its case. Of any other case it is what goes on now, else what went wrong.
    void setShownRun(const std::string& runId);
    // Only rows that hold the text; headings with nothing below go too.
    void setFilter(const QString& text);

    enum class Show { All, Active, Queued, Finished, WithoutFigure, Excluded };
    // Only cases with such a run.
    void setShown(Show show);

    [[nodiscard]] const run::RunState* run(const QModelIndex& index) const;  // null for a heading
    // A repetition of the index's case, from 0; null where it has none of that number.
    [[nodiscard]] const run::RunState* repetition(const QModelIndex& index, int number) const;
    [[nodiscard]] QModelIndex indexOf(const std::string& runId) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Entry {
        const run::RunState* status;  // in runs_
        bool stranded = false;        // its campaign's runner has ended
        bool next = false;            // the queued run that starts after the current one
        bool paused = false;          // no new run is begun
        bool lost = false;            // its campaign cannot be resumed
    };
    struct Row {
        QString heading;  // empty for a case
        int count = 0;    // of the heading's cases
        std::vector<Entry> runs;
        int fill = 0;
        QString settings{};
    };
    using Groups = std::array<std::vector<Row>, 3>;  // active, queued, finished
    void rebuild();
    [[nodiscard]] std::vector<Row> casesOf(const run::Campaign& campaign) const;
    [[nodiscard]] Groups groupedCases() const;  // of all cases, also of those that a filter hides
    [[nodiscard]] int fillOf(const run::RunState& status) const;
    [[nodiscard]] std::vector<Row> makeRows() const;
    void tellApart(Groups& groups) const;
    [[nodiscard]] QString campaignName(const std::string& id) const;
    [[nodiscard]] const Row* caseAt(const QModelIndex& index) const;
    [[nodiscard]] const Entry& shownOf(const Row& row) const;
    // What stands for the whole case where nobody chose a repetition.
    [[nodiscard]] const Entry& telling(const Row& row) const;
    [[nodiscard]] std::size_t groupOf(const Row& row) const;
    [[nodiscard]] bool isShown(const Row& row) const;
    [[nodiscard]] QString title(const run::RunState& status) const;
    [[nodiscard]] QString wordsOf(const run::RunState& status) const;  // what the filter looks at
    [[nodiscard]] QString waiting(const Entry& entry) const;
    [[nodiscard]] QString resultOf(const Entry& entry) const;
    [[nodiscard]] QString result(const Row& row) const;
    [[nodiscard]] std::vector<double> figuresOf(const Row& row) const;
    [[nodiscard]] QString stateIcon(const Entry& entry) const;
    [[nodiscard]] QString stateIcon(const Row& row) const;
    [[nodiscard]] bool isExcluded(const Entry& entry) const;
    [[nodiscard]] bool isExcluded(const Row& row) const;  // all of its figures
    [[nodiscard]] double progressOf(const Row& row) const;
    [[nodiscard]] static QString caseText(const Row& row);
    [[nodiscard]] QString detail(const Row& row) const;
    [[nodiscard]] QStringList remarkLines(const run::RunState& status) const;
    [[nodiscard]] QString tip(const Row& row) const;
    [[nodiscard]] QString spoken(const Row& row) const;
    [[nodiscard]] Remark remark(const run::RunState& status) const;

    const Vocabulary& vocabulary_;
    const analysis::FormatBook& formats_;
    Remarks remarks_;
    Runs runs_;
    std::vector<Row> rows_;
    std::vector<std::string> ids_;  // of the rows: a heading, or a case's first run
    QString filter_;
    Show show_ = Show::All;
    std::string shownRun_;
    std::string progressOf_;
    double progress_ = -1;
    QString progressText_;
};

// "NGC PyTorch 1n8g"
[[nodiscard]] QString caseTitle(const Case& benchmarkCase, const Vocabulary& vocabulary);
// "NGC PyTorch 1n8g, batch 32, repetition 2"
[[nodiscard]] QString runTitle(const run::RunState& status, const Vocabulary& vocabulary);
[[nodiscard]] QString stateOf(const run::RunState& status);
[[nodiscard]] QString outcomeText(const run::RunState& status);
// Why a run has no line of a log, or none yet.
[[nodiscard]] QString noLogText(const run::RunState& status);
// "node a: the node printed nothing for 46 s", a line each; empty for a run that nothing disturbed.
[[nodiscard]] QString disturbanceText(const run::RunState& status);
// "on a, b, c and 5 more": the window's own nodes may be others. Empty for an import, which tells of none.
[[nodiscard]] QString nodesText(const run::RunState& status);
// "1 run", "12 runs"
[[nodiscard]] QString runsText(std::size_t count);
// "9 ok, 2 failed, 1 cancelled"
[[nodiscard]] QString outcomesText(const std::map<Outcome, int>& counts);

}  // namespace dlperf::ui
