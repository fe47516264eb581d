// SPDX-License-Identifier: Apache-2.0
// The queue of runs beside the selected one: a row is a case with its repetitions, filtered by words and by
// state. Up and Down go from case to case, Left and Right from repetition to repetition.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ui/widgets/parts.h"

class QComboBox;
class QLineEdit;
class QListView;
class QModelIndex;

namespace dlperf {
class Vocabulary;
namespace analysis {
class FormatBook;
}
}  // namespace dlperf

namespace dlperf::ui {

class QueueModel;

class QueuePanel final : public Panel {
    Q_OBJECT

public:
    QueuePanel(const Vocabulary& vocabulary, const analysis::FormatBook& formats, QWidget* parent = nullptr);

    [[nodiscard]] QueueModel& model() { return *model_; }
    void select(const std::string& runId);
    // Filtered as another window's is.
    void takeOver(const QueuePanel& other);
    [[nodiscard]] std::string firstRun() const;  // empty: the filter leaves none
    // All repetitions of the selected cases.
    [[nodiscard]] std::vector<std::string> selectedRuns() const;
    // What Delete is for: the shown run, but of several selected cases all repetitions.
    [[nodiscard]] std::vector<std::string> runsToRemove() const;
    // What is shown when these are gone: a repetition of the same case, the next case, else the one before.
    [[nodiscard]] std::string besides(const std::vector<std::string>& runs) const;

signals:
    void chosen(const std::string& runId);
    void filtered();
    void menuRequested(const QPoint& at);                        // on the screen
    void removeRequested(const std::vector<std::string>& runs);  // runsToRemove()
    void deleteRequested();                                      // of what is selected

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showRepetition(const QModelIndex& index, int number);
    [[nodiscard]] std::vector<std::string> runsOf(const QModelIndex& index) const;
    void rememberSelected();
    void selectAgain();
    void buildFilter(QHBoxLayout* row);
    void buildList();

    QueueModel* model_;
    QLineEdit* words_ = nullptr;
    QComboBox* states_ = nullptr;
    QListView* list_;
    std::set<std::string> selectedBefore_;  // several, when the rows were made anew
    bool looksElsewhere_ = false;           // when the rows were made anew, the chosen one was out of sight
};

}  // namespace dlperf::ui
