// SPDX-License-Identifier: Apache-2.0
// A window over a workspace of its own, for tests that drive the window from outside.
#pragma once

#include <QApplication>
#include <QTemporaryDir>
#include <memory>
#include <optional>

#include "tests/support/made_workspace.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_control.h"

namespace dlperf::ui {

inline constexpr int longWait = 60'000;  // ms; reached only when something is broken

}  // namespace dlperf::ui

namespace dlperf::ui::test {

struct Made {
    int results = 0;
    int runs = 0;         // of one campaign that seems to be at work
    bool nights = false;  // two campaigns of one plan, before and after a change
};

// The bundled resources from now on, of the recipes only the worker and a toy that the tests bring.
void useToyRecipe(const QTemporaryDir& folder);

// The workspace "w" in the folder.
[[nodiscard]] std::unique_ptr<Session> openSession(const QTemporaryDir& folder);

// Of the newest campaign.
[[nodiscard]] bool isRunnerAlive(const Session& session);
// No runner may outlive its workspace: it is cancelled. False when it does not end.
[[nodiscard]] bool endRunner(Session& session);

// Shown and active, with the page of its place, which is made after the first picture: all of it start-up.
[[nodiscard]] bool showWithPage(MainWindow& window);

// A test class whose windows are light.
class ThemedTest : public QObject {
protected:
    ThemedTest() { theme_.start(ThemeChoice::Light); }

    ThemeControl theme_{*qApp};
};

class MadeWindow {
public:
    // Shown and active, and what the workspace holds is read; null when that failed.
    [[nodiscard]] static std::unique_ptr<MadeWindow> open(const Made& made, ThemeControl& theme);
    ~MadeWindow();

    Session& session() { return *session_; }
    MainWindow& window() { return *window_; }
    QString path(const QString& name) const { return folder_.filePath(name); }
    // To whatever has the focus, as a keyboard does.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void type(const QString& text);
    // By the palette: types it there and takes the first that is found.
    void find(const QString& text);
    // As when another language is chosen: a new window takes the place of this one, which goes.
    void replaceWindow(ThemeControl& theme);

private:
    MadeWindow() = default;
    QTemporaryDir folder_;
    std::unique_ptr<Session> session_;
    std::optional<run::WorkspaceLock> lock_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace dlperf::ui::test
