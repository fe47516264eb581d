// SPDX-License-Identifier: Apache-2.0
// Launch: a plan, the runs it comes to, and the exact script and environment of each before anything starts.
#pragma once

#include <filesystem>
#include <optional>

#include "ui/session/plan_draft.h"
#include "ui/shell/page.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace dlperf::ui {

class Banner;
class CasePanel;
class Panel;
class PlanPanel;
class RunMatrix;
class Session;

class LaunchPage final : public Page {
    Q_OBJECT

public:
    explicit LaunchPage(Session& session, QWidget* parent = nullptr);

    // Shows the plan, ready to start.
    void usePlan(const std::filesystem::path& file);
    // A file dialog; a plan from there is shown and asked about before its first use.
    void choosePlan();
    void openPlan(const std::filesystem::path& file);

    void enter() override;
    void primaryAction() override;
    [[nodiscard]] bool isReady() const { return draft_.has_value() && !asking_; }

signals:
    void started();
    void planShown();

private:
    void build();
    QWidget* buildRuns();
    QWidget* buildFigures();
    void load(const std::filesystem::path& file, bool fromOutside);
    void take(const Result<PlanDraft>& draft, bool fromOutside);
    void change(const launch::Plan& plan);
    void show(bool newDraft);
    void showMatrix(bool newDraft);
    void showNotes();
    void showStart();
    void addNote(const QString& iconName, const char* state, const QString& text);
    void chooseCase(const launch::PlannedRun& run);
    // What was read counts, not what the file says later.
    [[nodiscard]] static bool isTrusted(const std::string& bytes);
    static void trust(const std::string& bytes);

    Session& session_;
    std::optional<PlanDraft> draft_;
    Case chosen_;  // whose script and environment are shown
    bool asking_ = false;
    PlanPanel* plan_;
    CasePanel* case_;
    Banner* banner_;
    Panel* runs_;
    RunMatrix* matrix_;
    QVBoxLayout* notes_;
    QLabel* runCount_;
    QLabel* caseCount_;
    QLabel* time_;
    QLabel* nodeCount_;
    QLabel* first_;
    QPushButton* start_;
};

}  // namespace dlperf::ui
