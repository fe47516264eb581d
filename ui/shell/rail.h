// SPDX-License-Identifier: Apache-2.0
// The left rail: the workspace, the five places, the run that is active, theme.
#pragma once

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

enum class Place { Cluster, Launch, Runs, Compare, Report };
inline constexpr int placeCount = 5;

class Rail final : public QWidget {
    Q_OBJECT

public:
    explicit Rail(QWidget* parent = nullptr);

    void setWorkspace(const QString& name, const QString& folder);
    // Of the box with the workspace's name.
    [[nodiscard]] QMenu* workspaceMenu() const;
    void setCurrent(Place place);
    // Behind the place's name; empty for none. What is wrong there is marked.
    void setCount(Place place, const QString& count, bool wrong = false);
    // The run that is active; an empty title hides the card. progress 0 to 1, negative: not known.
    // The repetition is left out where there is no room for it.
    void setActiveRun(const QString& title, const QString& detail, const QString& repetition,
                      double progress);
    // Icons only, for narrow windows.
    void setNarrow(bool narrow);

signals:
    void placeChosen(dlperf::ui::Place place);
    void folderRequested();
    void activeRunClicked();
    void themeToggled();
    void settingsRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QToolButton* buildPlace(Place place);
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
    std::array<QToolButton*, placeCount> places_{};
    std::array<QLabel*, placeCount> counts_{};
    bool hasActive_ = false;
    bool narrow_ = false;
};

[[nodiscard]] QString placeTitle(Place place);
[[nodiscard]] QString placeIcon(Place place);

}  // namespace dlperf::ui
