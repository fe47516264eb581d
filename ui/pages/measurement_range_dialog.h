// SPDX-License-Identifier: Apache-2.0
// Asks for another measurement range of runs, and shows their new figures before anything is changed.
#pragma once

#include <QDialog>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/model/vocabulary.h"
#include "core/store/ranges.h"
#include "ui/session/background.h"

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QStandardItemModel;
class QTableView;
class QVBoxLayout;

namespace dlperf::ui {

class ProblemLine;
class RangeFigures;

class MeasurementRangeDialog final : public QDialog {
    Q_OBJECT

public:
    // At least one run. The vocabulary outlives the dialog; the caller makes the changes when it is accepted.
    MeasurementRangeDialog(const store::Workspace& workspace, const Vocabulary& vocabulary,
                           const analysis::FormatBook& formats, std::vector<RunResult> runs, QWidget* parent);
    ~MeasurementRangeDialog() override;

    // What was asked for: the new range of each run, or all as they were run.
    [[nodiscard]] store::RangeChanges changes() const;

private:
    struct Reading;  // of the logs, with how far it is

    void build();
    void buildFields(QVBoxLayout& column);
    void buildProgress(QVBoxLayout& column);
    [[nodiscard]] QSpinBox* addNumber(QHBoxLayout& row, const QString& title, const QString& tip, int value);
    [[nodiscard]] QWidget* buildTable();
    void buildButtons(QVBoxLayout& column);
    [[nodiscard]] MeasurementRange asked() const;
    void change();  // another range is asked for
    void read();
    void take(const Result<std::vector<store::ChangedRange>>& changed);
    void stop();
    void showProgress();
    void showRows();
    void showAcceptance();
    void restore();

    store::Workspace workspace_;
    analysis::FormatBook formats_;
    std::vector<RunResult> runs_;
    std::unique_ptr<const RangeFigures> figures_;  // of runs_
    std::vector<store::ChangedRange> changed_;     // one for each run, or none while it is not known
    bool restored_ = false;
    std::shared_ptr<Reading> reading_;  // null: nothing is read
    QTimer typing_;                     // a pause in it
    QTimer following_;                  // the progress
    QSpinBox* warmup_ = nullptr;
    QSpinBox* measured_ = nullptr;
    QLabel* iterations_ = nullptr;
    int last_ = 0;  // iteration that is measured
    ProblemLine* problem_ = nullptr;
    QWidget* progressRow_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QTableView* table_ = nullptr;
    QStandardItemModel* rows_ = nullptr;
    QPushButton* accept_ = nullptr;
    Background background_;  // last: its thread ends before what its task uses
};

}  // namespace dlperf::ui
