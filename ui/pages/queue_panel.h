// SPDX-License-Identifier: Apache-2.0
// The queue of runs beside the selected one: filtered by words and by state, chosen from by mouse and keys.
#pragma once

#include <string>

#include "ui/widgets/parts.h"

class QListView;

namespace dlperf {
class Vocabulary;
}

namespace dlperf::ui {

class QueueModel;

class QueuePanel final : public Panel {
    Q_OBJECT

public:
    explicit QueuePanel(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    [[nodiscard]] QueueModel& model() { return *model_; }
    void select(const std::string& runId);
    [[nodiscard]] std::string firstRun() const;  // empty: the filter leaves none

signals:
    void chosen(const std::string& runId);
    void filtered();
    void menuRequested(const QPoint& at);  // on the screen
    void removeRequested();                // of the selected run

private:
    void buildFilter(QHBoxLayout* row);
    void buildList();

    QueueModel* model_;
    QListView* list_;
};

}  // namespace dlperf::ui
