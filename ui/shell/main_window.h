// SPDX-License-Identifier: Apache-2.0
// The window: menu bar, sidebar, five pages, status bar. Runs go on when it closes.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/import/import_logs.h"
#include "ui/shell/page_stack.h"
#include "ui/shell/sidebar.h"
#include "ui/shell/window_memory.h"

class QDragEnterEvent;
class QDropEvent;
class QMessageBox;

namespace dlperf::ui {

class Banner;
class CommandPalette;
class DropTarget;
class EditMenu;
class ImportNotice;
class ManualWindow;
class Notifier;
class SettingsDialog;
class ThemeControl;
class WorkspaceMenu;

class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Session& session, ThemeControl& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    // Puts the window as it was left with this workspace, and keeps how it is left from now on. Without it
    // nothing is written: pictures of the window leave no trace.
    void remember();
    void showSection(Section section);
    [[nodiscard]] Section section() const { return pages_->section(); }
    // Launch, with this plan ready; naming it on the command line is the consent to use it.
    void showPlan(const std::filesystem::path& plan);
    void showSettings();
    // At the chapter of the page that is shown.
    void showManual();
    // Stands where the other one stood, with what was being done there, and closes it: the texts of a window
    // are those of the language that it was made in.
    void takeOver(MainWindow& other);

    RunsPage& runs() { return pages_->runs(); }
    ComparePage& compare() { return pages_->compare(); }
    LaunchPage& launch() { return pages_->launch(); }
    ReportPage& report() { return pages_->report(); }

signals:
    // Once: the first picture is there. Now there is time for all that it does not show.
    void shown();
    void languageChosen();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildPages();
    void connectParts();
    void connectPage(Section section);
    void openSection(Section section);
    [[nodiscard]] bool showsPage() const;
    void emitShown();
    void connectDrops();
    void buildMenus();
    void buildFileMenu();
    void addImports(QMenu* file);
    void buildViewMenu();
    void buildThemeMenu(QMenu* view);
    void buildFind(QMenu* view);
    void buildRunMenu();
    void buildHelpMenu();
    void buildStatusBar();
    void nextRegion(int step);
    void chooseLanguage();
    void changeLanguage(bool isExported);
    void showStatus();
    void nameMainAction(Section section);
    void find();
    void openWindow(const QString& folder);
    void changeMeasurementRange();
    void showFileProblem(const Error& error);
    void showProblem(const QString& what, const QString& where, const QString& remedy);
    void askAboutLogs(const std::shared_ptr<imports::ImportPlan>& plan);
    [[nodiscard]] bool mayClose();
    // Null where a question is open already.
    QMessageBox* askBeforeClosing(const QString& title, const QString& text, const QString& agreement,
                                  const std::function<void()>& goOn);
    template <class Work>
    void askToCancel(Work& work, const QString& title, const QString& text);
    // The settings of a node that are typed and not saved are.
    [[nodiscard]] Result<void> keepTyped();
    void keepHowItIsLeft();

    Session& session_;
    ThemeControl& theme_;
    Sidebar* sidebar_;
    PageStack* pages_;
    DropTarget* drops_;
    ImportNotice* importNotice_;
    EditMenu* edit_;
    QAction* cancelAll_;
    QAction* main_;  // of the page
    QLabel* statusLeft_;
    QLabel* statusFit_;
    QLabel* statusFailed_;
    QLabel* statusRight_;
    Banner* problem_;
    int problemCount_ = 0;  // of files, so far
    bool shownEmitted_ = false;
    CommandPalette* palette_ = nullptr;  // made when first asked for
    QPointer<SettingsDialog> settings_;
    QPointer<ManualWindow> manual_;
    std::unique_ptr<Notifier> notifier_;
    WorkspaceMenu* workspaces_;
    std::optional<WindowMemory> memory_;
};

}  // namespace dlperf::ui
