// SPDX-License-Identifier: Apache-2.0
// The queue of runs beside the selected one: a row is a case with its repetitions, filtered by words and by
// state. Up and Down go from case to case, Left and Right from repetition to repetition.
#pragma once

#include <string>

#include "ui/widgets/parts.h"

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
    [[nodiscard]] std::string firstRun() const;  // empty: the filter leaves none

signals:
    void chosen(const std::string& runId);
    void filtered();
    void menuRequested(const QPoint& at);  // on the screen
    void removeRequested(const std::string& runId);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showRepetition(const QModelIndex& index, int number);
    void buildFilter(QHBoxLayout* row);
    void buildList();

    QueueModel* model_;
    QListView* list_;
    bool looksElsewhere_ = false;  // when the rows were made anew, the chosen one was out of sight
};

}  // namespace dlperf::ui
