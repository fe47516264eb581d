// SPDX-License-Identifier: Apache-2.0
// The menus of the window.
#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMenuBar>

#include "ui/session/log_imports.h"
#include "ui/session/session.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/drop_target.h"
#include "ui/shell/edit_menu.h"
#include "ui/shell/main_window.h"
#include "ui/shell/workspace_menu.h"
#include "ui/theme/theme_control.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

void MainWindow::buildMenus() {
    buildFileMenu();
    edit_ = new EditMenu(*pages_, this);
    menuBar()->addMenu(edit_);
    buildViewMenu();
    buildRunMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    workspaces_ = new WorkspaceMenu(session_, this);
    workspaces_->addTo(file);
    sidebar_->workspaceMenu()->addSeparator();
    workspaces_->addTo(sidebar_->workspaceMenu());
    file->addSeparator();
    file->addAction(tr("Open &plan …"), QKeySequence::Open, this, [this] {
        showSection(Section::Launch);
        launch().choosePlan();
    });
    file->addAction(tr("Open &cluster …"), this, [this] {
        showSection(Section::Cluster);
        pages_->cluster().chooseCluster();
    });
    addImports(file);
    file->addSeparator();
    file->addAction(tr("&Export report …"), this, [this] {
        showSection(Section::Report);
        report().primaryAction();
    });
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::addImports(QMenu* file) {
    const auto open = [this](const std::filesystem::path& path) { drops_->open(path); };
    file->addAction(tr("&Import logs …"), QKeySequence(Qt::CTRL | Qt::Key_I), this, [this] {
        askForFolder(this, tr("Import a folder of logs"), [this](const std::filesystem::path& folder) {
            session_.logImports().importLogs(folder);
        });
    });
    file->addAction(tr("Import an a&rchive …"), this, [this, open] {
        askForFile(this, tr("Import an archive of logs"),
                   tr("Archives and logs (*.tar *.tgz *.tar.gz *.txz *.tar.xz *.tar.bz2 "
                      "*.tar.zst *.tzst *.zip *.gz *.xz *.bz2 *.zst *.log)"),
                   open);
    });
    file->addAction(tr("Add log &formats …"), this, [this, open] {
        askForFile(this, tr("Add log formats"), tr("Log formats (*.json)"), open);
    });
}

void MainWindow::buildViewMenu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (int i = 0; i < sectionCount; ++i) {
        const auto section = static_cast<Section>(i);
        QAction* action = view->addAction(sectionTitle(section), QKeySequence(Qt::CTRL | (Qt::Key_1 + i)),
                                          this, [this, section] { showSection(section); });
        action->setProperty("iconName", sectionName(section));
    }
    view->addSeparator();
    buildFind(view);
    view->addSeparator();
    view->addAction(tr("Ne&xt region"), QKeySequence(Qt::Key_F6), this, [this] { nextRegion(1); });
    view->addAction(tr("&Previous region"), QKeySequence(Qt::SHIFT | Qt::Key_F6), this,
                    [this] { nextRegion(-1); });
    view->addSeparator();
    view->addAction(tr("Linear or &logarithmic throughput"), this, [this] {
        showSection(Section::Compare);
        compare().switchLogFigures();
    });
    buildThemeMenu(view);
    QAction* settings = view->addAction(tr("&Settings …"), QKeySequence(Qt::CTRL | Qt::Key_Comma), this,
                                        &MainWindow::showSettings);
    settings->setProperty("iconName", "settings");
}

void MainWindow::buildFind(QMenu* view) {
    const QKeySequence shortcut(Qt::CTRL | Qt::Key_K);
    QAction* action = view->addAction(tr("&Find an action or a run …"), shortcut, this, &MainWindow::find);
    action->setProperty("palette", false);
    auto* button = new FindButton(tr("Find an action or a run"), shortcut);
    connect(button, &QToolButton::clicked, this, &MainWindow::find);
    menuBar()->setCornerWidget(button);
}

void MainWindow::buildThemeMenu(QMenu* view) {
    QMenu* themes = view->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(themes);
    const QStringList titles = ThemeControl::titles();
    for (int i = 0; i < titles.size(); ++i) {
        const auto choice = static_cast<ThemeChoice>(i);
        QAction* action = themes->addAction(titles[i]);
        action->setCheckable(true);
        action->setProperty("iconName", choice == ThemeChoice::Dark ? "moon" : "sun");
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice] { theme_.choose(choice); });
        const auto show = [this, action, choice] { action->setChecked(theme_.choice() == choice); };
        connect(&theme_, &ThemeControl::changed, action, show);
        show();
    }
}

void MainWindow::buildRunMenu() {
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    main_ = run->addAction(QString(), QKeySequence(Qt::CTRL | Qt::Key_Return), this,
                           [this] { pages_->current().primaryAction(); });
    run->addSeparator();
    run->addAction(tr("Change the &measurement range …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W),
                   this, &MainWindow::changeMeasurementRange);
    cancelAll_ = run->addAction(tr("&Cancel all runs"), this, [this] {
        showSection(Section::Runs);  // where it can be undone
        runs().cancelAll();
    });
}

// What Ctrl+Return does on the page; some have nothing.
void MainWindow::nameMainAction(Section section) {
    const std::array<QString, sectionCount> titles{
        tr("Check all &nodes"), tr("&Start the plan"), {}, {}, tr("&Export the report")};
    const QString& title = titles.at(static_cast<std::size_t>(section));
    main_->setText(title);
    main_->setVisible(!title.isEmpty());
}

void MainWindow::buildHelpMenu() {
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Manual"), QKeySequence::HelpContents, this, &MainWindow::showManual);
    help->addAction(tr("How throughput is &measured"), this, [this] {
        makeMessage(
            tr("How throughput is measured"),
            tr("A run's figure is the global throughput over a measurement range: the warmup is not counted, "
               "\"train\" is the number of the last one. A case is run several times; the median counts.\n\n"
               "Speedup is the median over the median on one device (1n1g) of the same series; scaling "
               "efficiency is speedup over devices. A run that did not reach the end of its range has no "
               "figure."),
            QMessageBox::Ok, this)
            ->open();
    });
    help->addAction(tr("&About"), this, [this] {
        makeMessage(
            tr("About DLPerf Dashboard"),
            tr("DLPerf Dashboard %1\n\nMeasures how fast deep-learning frameworks train, and how well they "
               "scale.\n\n"
               "Source code under the Apache License 2.0. This program is built with Qt and Qt Charts and is "
               "distributed under GPLv3.")
                .arg(QCoreApplication::applicationVersion()),
            QMessageBox::Ok, this)
            ->open();
    });
}

}  // namespace dlperf::ui
