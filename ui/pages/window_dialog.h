// SPDX-License-Identifier: Apache-2.0
// Asks for another window of runs that were measured, and shows what it makes of their figures before
// anything is changed.
#pragma once

#include <QDialog>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/model/vocabulary.h"
#include "core/store/windows.h"
#include "ui/models/window_rows.h"
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

class WindowDialog final : public QDialog {
    Q_OBJECT

public:
    // At least one run; all of them change together. The vocabulary outlives the dialog. It is the caller's
    // to make the changes when the dialog is accepted.
    WindowDialog(const store::Workspace& workspace, const Vocabulary& vocabulary,
                 const analysis::FormatBook& formats, std::vector<RunResult> runs, QWidget* parent);
    ~WindowDialog() override;

    // What was asked for: the new window of each run, or all as they were run.
    [[nodiscard]] store::WindowChanges changes() const;

private:
    struct Reading;  // one look at the logs, with how far it is

    void build();
    void buildFields(QVBoxLayout& column);
    void buildProgress(QVBoxLayout& column);
    [[nodiscard]] QSpinBox* addNumber(QHBoxLayout& row, const QString& title, const QString& tip, int value);
    [[nodiscard]] QWidget* buildTable();
    void buildButtons(QVBoxLayout& column);
    [[nodiscard]] Window asked() const;
    void change();  // another window is asked for
    void read();
    void take(const Result<std::vector<store::ChangedWindow>>& changed);
    void stop();
    void showProgress();
    void showProblem(const QString& text);
    void showRows();
    void showAcceptance();
    void restore();

    store::Workspace workspace_;
    analysis::FormatBook formats_;
    std::vector<RunResult> runs_;
    WindowRows figures_;                         // of runs_
    std::vector<store::ChangedWindow> changed_;  // one for each run, or none while it is not known
    bool restored_ = false;
    std::shared_ptr<Reading> reading_;  // null: nothing is read
    QTimer patience_;                   // while somebody types
    QTimer look_;                       // at the progress
    QSpinBox* warmup_ = nullptr;
    QSpinBox* train_ = nullptr;
    QLabel* measured_ = nullptr;
    QWidget* problemRow_ = nullptr;
    QLabel* problem_ = nullptr;
    QWidget* progressRow_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QTableView* table_ = nullptr;
    QStandardItemModel* rows_ = nullptr;
    QPushButton* accept_ = nullptr;
    Background background_;  // last: its thread ends before what its task uses
};

}  // namespace dlperf::ui
