// SPDX-License-Identifier: Apache-2.0
// The runs that a plan comes to: how many, about how long, as a matrix or as a list, with what is to be said
// about them, and the button that starts them.
#pragma once

#include <QWidget>
#include <chrono>
#include <string>
#include <vector>

#include "core/launch/past_runs.h"
#include "core/launch/prepare.h"
#include "core/model/vocabulary.h"
#include "ui/pages/plan_notes.h"
#include "ui/session/plan_draft.h"
#include "ui/widgets/parts.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;
class QVBoxLayout;

namespace dlperf::ui {

class RunListModel;
class RunMatrix;
class Segments;

// About how long each recipe of a plan takes, as bars beside each other.
class RecipeTimes final : public QWidget {
    Q_OBJECT

public:
    explicit RecipeTimes(const Vocabulary& vocabulary, QWidget* parent = nullptr);
    // Not of recipes of which some case was never run here; with fewer than two there is nothing to
    // compare and nothing is shown.
    void showRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times);

private:
    struct Row {
        std::string recipe;
        std::string framework;
        bool hollow = false;
        std::chrono::seconds time{};
        bool known = true;
        friend bool operator==(const Row&, const Row&) = default;
    };
    void addRow(const Row& row, std::chrono::seconds longest);

    const Vocabulary& vocabulary_;
    std::vector<Row> rows_;
    QVBoxLayout* column_;
};

class PlannedRuns final : public Panel {
    Q_OBJECT

public:
    explicit PlannedRuns(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    // `chosen` is the case that is marked; it stays, if it is still there.
    void showDraft(const PlanDraft& draft, const launch::ExpectedTimes& times, const Case& chosen);
    void setNotes(const std::vector<PlanNote>& notes) { notes_->setNotes(notes); }
    // The button: what it does, whether it can, else why not; and the line beside it.
    void setStart(const QString& text, bool possible, const QString& why, const QString& first);
    [[nodiscard]] QPushButton* startButton() const { return start_; }

signals:
    void caseChosen(std::size_t run);
    void startRequested();
    void noteTriggered(dlperf::ui::PlanNote::Action action);

private:
    [[nodiscard]] QWidget* buildFigures();
    void buildMatrix(const Vocabulary& vocabulary);
    [[nodiscard]] QWidget* buildList();
    [[nodiscard]] QWidget* buildFoot();

    Segments* kinds_;
    QStackedWidget* stack_;
    RunMatrix* matrix_;
    RunListModel* model_;
    QTableView* list_;
    PlanNotes* notes_;
    RecipeTimes* recipeTimes_;
    QLabel* runCount_;
    QLabel* caseCount_;
    QLabel* time_;
    QLabel* nodeCount_;
    QLabel* first_;
    QPushButton* start_;
};

}  // namespace dlperf::ui
