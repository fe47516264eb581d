// SPDX-License-Identifier: Apache-2.0
// The left column of Launch: what the plan says, with the numbers that can be changed before a start.
#pragma once

#include <QFrame>

#include "ui/session/plan_draft.h"

class QSpinBox;
class QVBoxLayout;

namespace dlperf::ui {

class PlanPanel final : public QWidget {
    Q_OBJECT

public:
    explicit PlanPanel(const Vocabulary& vocabulary, QWidget* parent = nullptr);
    void showDraft(const PlanDraft& draft);

signals:
    // The plan with the user's changes; it still has to be prepared.
    void changed(const dlperf::launch::Plan& plan);

private:
    QWidget* buildNumbers();
    void addRecipes(const PlanDraft& draft);
    void addTopologies(const PlanDraft& draft);
    void addBatchSizes(const PlanDraft& draft);
    void addOptions(const PlanDraft& draft);
    QVBoxLayout* addSection(const QString& title, const QString& note = {});
    QSpinBox* makeNumber(int low, int high);

    const Vocabulary& vocabulary_;
    launch::Plan plan_;
    QWidget* content_ = nullptr;
    QVBoxLayout* outer_;
    QVBoxLayout* column_ = nullptr;
};

}  // namespace dlperf::ui
