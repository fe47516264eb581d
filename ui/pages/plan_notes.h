// SPDX-License-Identifier: Apache-2.0
// What Launch has to say about a plan: where times come from, what is skipped, what cannot run.
#pragma once

#include <QWidget>
#include <span>
#include <vector>

#include "core/launch/past_runs.h"
#include "ui/session/node_list.h"
#include "ui/session/plan_draft.h"

class QVBoxLayout;

namespace dlperf::ui {

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

}  // namespace dlperf::ui
