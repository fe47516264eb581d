// SPDX-License-Identifier: Apache-2.0
// The runs of a plan as a matrix or a list, how long they take, notes, and the button that starts them.
#pragma once

#include <QWidget>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/launch/past_runs.h"
#include "core/launch/prepare.h"
#include "core/model/vocabulary.h"
#include "ui/models/columns_model.h"
#include "ui/session/node_list.h"
#include "ui/session/plan_draft.h"
#include "ui/widgets/parts.h"

class QButtonGroup;
class QGridLayout;
class QStackedWidget;
class QTableView;

namespace dlperf::ui {

class Segments;

struct MatrixTotals {
    std::size_t cases = 0;
    int nodes = 0;                             // at most, of one run
    std::optional<std::chrono::seconds> time;  // of all runs; nothing where some case was never run here
};

// What tells the rows of a recipe apart, by row: "image_size=64, NCCL_ALGO=Ring", empty where nothing does.
// An option at its default has that value.
[[nodiscard]] std::map<Configuration, QString> settingsApart(const std::vector<launch::PlannedRun>& runs);

// The runs that a plan comes to: one row for what differs in topology only, one column a topology.
class RunMatrix final : public QWidget {
    Q_OBJECT

public:
    explicit RunMatrix(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    // `times` tell how long cases took before; `chosen` is the run whose case is marked.
    void showRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times,
                  std::size_t chosen);
    const MatrixTotals& totals() const { return totals_; }

signals:
    void caseChosen(std::size_t run);  // its first run

private:
    struct CaseRuns {
        std::vector<std::size_t> places;           // of its runs
        std::optional<std::chrono::seconds> time;  // of one, about
    };
    using Cases = std::map<Case, CaseRuns>;
    void addTitles(const std::set<Topology>& topologies);
    void addRow(int line, const Configuration& configuration, const QString& settings,
                const std::set<Topology>& topologies, const Cases& cases);

    const Vocabulary& vocabulary_;
    QGridLayout* grid_;
    QButtonGroup* group_;
    MatrixTotals totals_;
};

// What Launch has to say about a plan: where times come from, what is skipped, what cannot run.
struct PlanNote {
    enum class Action { None, SkipDone, RunAll, ShowNodes };

    QString icon;
    const char* state = "idle";
    QString text;
    QString actionText = QString();
    Action action = Action::None;
    friend bool operator==(const PlanNote&, const PlanNote&) = default;
};

[[nodiscard]] std::vector<PlanNote> notesOf(const PlanDraft& draft, std::span<const RunResult> own,
                                            const launch::ExpectedTimes& times, const NodeList& nodes);

class PlanNotes final : public QWidget {
    Q_OBJECT

public:
    explicit PlanNotes(QWidget* parent = nullptr);
    void setNotes(const std::vector<PlanNote>& notes);

signals:
    void triggered(dlperf::ui::PlanNote::Action action);

private:
    void addNote(const PlanNote& note);

    std::vector<PlanNote> notes_;
    QVBoxLayout* column_;
};

// The runs of a plan in the order in which they will run.
struct PlannedRunRow {
    int number = 0;  // from 1
    Case benchmarkCase;
    int repetition = 0;
    QString time;
    QString settings{};  // see settingsApart()
};

class RunListModel final : public ColumnsModel<PlannedRunRow> {
    Q_OBJECT

public:
    enum Column { Number, Recipe, TopologyColumn, Batch, Precision, Repetition, Time };

    explicit RunListModel(QObject* parent = nullptr);
    // `times` tell how long cases took before.
    void setRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times);

protected:
    [[nodiscard]] std::span<const PlannedRunRow> rows() const override { return rows_; }

private:
    std::vector<PlannedRunRow> rows_;
};

// About how long each recipe of a plan takes, as bars beside each other.
class RecipeTimes final : public QWidget {
    Q_OBJECT

public:
    explicit RecipeTimes(const Vocabulary& vocabulary, QWidget* parent = nullptr);
    // Only recipes whose cases all ran here before; shows nothing for fewer than two.
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
    void fitList();
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
