// SPDX-License-Identifier: Apache-2.0
// Launch: a plan, its runs, and the exact script and environment of each before anything starts.
#pragma once

#include <QTimer>
#include <filesystem>
#include <optional>

#include "core/launch/past_runs.h"
#include "ui/pages/planned_runs.h"
#include "ui/session/plan_draft.h"
#include "ui/widgets/page.h"

class QBoxLayout;
class QMenu;

namespace dlperf::ui {

class Banner;
class CasePanel;
class PlanPanel;
class ReadinessPanel;
class Session;

class LaunchPage final : public Page {
    Q_OBJECT

public:
    explicit LaunchPage(Session& session, QWidget* parent = nullptr);

    void usePlan(const std::filesystem::path& file) { load(file, false); }
    void usePlan(const launch::Plan& plan);
    // Of a folder, into the workspace.
    void addRecipe(const std::filesystem::path& folder);
    void chooseRecipe();
    // A file dialog; a plan from there is shown and asked about before its first use.
    void choosePlan();
    void openPlan(const std::filesystem::path& file) { load(file, true); }
    void savePlanAs();
    [[nodiscard]] const std::optional<PlanDraft>& draft() const { return draft_; }
    // The plan of another window that this one takes the place of, and the one that can be taken back there.
    void takeOver(const LaunchPage& other);

    void enter() override;
    void primaryAction() override;
    [[nodiscard]] bool isReady() const { return draft_.has_value() && !asking_; }
    // No node is still being asked whether it is ready for the plan.
    [[nodiscard]] bool isSettled() const;

signals:
    void started();
    void planShown();
    void timesShown();  // how long its cases may take, from newer results
    void nodesRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHeader();
    void buildBody();
    void fillPlans(QMenu* menu);
    void load(const std::filesystem::path& file, bool fromOutside);
    template <class Read>
    void loadWith(const Read& read, bool fromOutside);
    void take(const Result<PlanDraft>& draft, bool fromOutside);
    [[nodiscard]] bool useKeptPlan();
    void keepPlan() const;
    void learnTimes();
    void change(const launch::Plan& plan);
    void followNodes();
    void followFormats();
    void act(PlanNote::Action action);
    void ask();
    void showDraft();
    void showRuns();
    void showNotes();
    void showReadiness();
    void showStart();
    void chooseCase(const launch::PlannedRun& run);

    Session& session_;
    std::optional<PlanDraft> draft_;
    std::optional<PlanDraft> before_;  // with changes, replaced by another plan
    launch::ExpectedTimes times_;
    bool timesChanged_ = false;
    QTimer following_;
    std::vector<std::pair<Case, int>> shownRuns_;  // as matrix and list have them
    bool shownMore_ = false;                       // that the plan adds runs to them
    Case chosen_;                                  // whose script and environment are shown
    bool asking_ = false;
    int asked_ = 0;     // plans to read, so far
    int kept_ = 0;      // which of them was left here, or none
    Banner* replaced_;  // a plan to take back
    Banner* question_;  // about a plan from outside
    Banner* banner_;
    PlanPanel* plan_;
    QBoxLayout* both_;  // runs, and what runs
    PlannedRuns* runs_;
    ReadinessPanel* readiness_;
    CasePanel* case_;
};

}  // namespace dlperf::ui
