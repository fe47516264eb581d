// SPDX-License-Identifier: Apache-2.0
// The left sidebar: the workspace, the five sections, the active run, theme.
#pragma once

#include <QString>
#include <QWidget>
#include <array>

class QBoxLayout;
class QButtonGroup;
class QFrame;
class QLabel;
class QMenu;
class QProgressBar;
class QToolButton;

namespace dlperf::ui {

class Session;

enum class Section { Cluster, Launch, Runs, Compare, Report };
inline constexpr int sectionCount = 5;

struct RunSummary {
    int runs = 0;         // of all campaigns and imports
    int figures = 0;      // of them with a figure
    QString title;        // of the active run: "dlperf-worker 1n2g"; empty when none is
    QString detail;       // "Run 4 of 6"
    QString repetition;   // "repetition 1"
    double progress = 0;  // of the campaign, up to 1
    QString status;       // "1 run active, 2 queued"
};

[[nodiscard]] RunSummary summarize(const Session& session);

class Sidebar final : public QWidget {
    Q_OBJECT

public:
    explicit Sidebar(QWidget* parent = nullptr);

    void setWorkspace(const QString& name, const QString& folder);
    [[nodiscard]] QMenu* workspaceMenu() const;
    void setCurrent(Section section);
    // Behind the section's name; empty for none. `counted` says of what, in the tip; `wrong` marks it.
    void setCount(Section section, const QString& count, const QString& counted, bool wrong = false);
    // The counts of Runs and Compare, and a card of the active run.
    void showRuns(const RunSummary& summary);
    void setNarrow(bool narrow);

signals:
    void sectionChosen(dlperf::ui::Section section);
    void folderRequested();
    void activeRunClicked();
    void themeToggled();
    void settingsRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QToolButton* buildSection(Section section);
    QWidget* buildWorkspace();
    QWidget* buildActiveRun();
    QWidget* buildFoot();

    QButtonGroup* group_;
    QToolButton* workspace_;
    QLabel* workspaceName_;
    QLabel* workspaceFolder_;
    QLabel* workspaceArrow_;
    QFrame* active_;
    QLabel* activeTitle_;
    QLabel* activeDetail_;
    QProgressBar* activeProgress_;
    QToolButton* settings_ = nullptr;
    QToolButton* theme_ = nullptr;
    QBoxLayout* foot_ = nullptr;
    std::array<QToolButton*, sectionCount> sectionButtons_{};
    std::array<QLabel*, sectionCount> counts_{};
    bool hasActive_ = false;
    bool narrow_ = false;
};

[[nodiscard]] QString sectionTitle(Section section);
[[nodiscard]] QString sectionName(Section section);

}  // namespace dlperf::ui
