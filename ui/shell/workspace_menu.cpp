// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/workspace_menu.h"

#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include "ui/session/session.h"
#include "ui/shell/window_memory.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

QString asTitle(const QString& folder) {
    return shortFolder(folder).replace(QLatin1Char('&'),
                                       QStringLiteral("&&"));  // a folder's name has no mnemonic
}

}  // namespace

WorkspaceMenu::WorkspaceMenu(Session& session, QWidget* window)
    : QObject(window), session_(session), window_(window) {}

void WorkspaceMenu::addTo(QMenu* menu) {
    menu->addAction(tr("Open &workspace …"), this, &WorkspaceMenu::open);
    menu->addAction(tr("&New workspace …"), this, &WorkspaceMenu::make);
    QMenu* recent = menu->addMenu(tr("&Recent workspaces"));
    recent_ << recent;
    fill(recent);
    connect(menu, &QMenu::aboutToShow, this, &WorkspaceMenu::refresh);
    refresh();
}

void WorkspaceMenu::refresh() {
    session_.background().ask(
        this, [kept = rememberedWorkspaces()] { return existingWorkspaces(kept); },
        [this](const QStringList& existing) {
            if (existing == shown_) {
                return;
            }
            shown_ = existing;
            for (QMenu* menu : recent_) {
                fill(menu);
            }
        });
}

void WorkspaceMenu::fill(QMenu* menu) {
    menu->clear();
    const QString current = QString::fromStdString(session_.workspace().root().string());
    for (const QString& folder : shown_) {
        QAction* action = menu->addAction(asTitle(folder), this, [this, folder] { use(folder); });
        action->setEnabled(folder != current);
        action->setProperty("iconName", QStringLiteral("folder"));
    }
    if (shown_.isEmpty()) {
        menu->addAction(tr("None yet"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    QAction* clear = menu->addAction(tr("&Clear list"), this, [this] {
        forgetWorkspaces();
        refresh();
    });
    clear->setProperty("palette", false);  // nobody looks for it, and it would stand among the first
}

void WorkspaceMenu::open() {
    askForFolder(window_, tr("Open a workspace"), [this](const std::filesystem::path& folder) {
        use(QString::fromStdString(folder.string()));
    });
}

void WorkspaceMenu::make() {
    const QString folder = QFileDialog::getSaveFileName(window_, tr("New workspace"),
                                                        QDir::home().filePath(tr("dlperf-workspace")), {},
                                                        nullptr, QFileDialog::DontConfirmOverwrite);
    if (!folder.isEmpty()) {
        use(folder);
    }
}

void WorkspaceMenu::use(const QString& folder) {
    if (folderKind(folder) != FolderKind::Other) {
        emit chosen(folder);
        return;
    }
    QMessageBox* question =
        makeMessage(tr("Use this folder as a workspace?"),
                    tr("This folder holds something else, and no workspace."), QMessageBox::Cancel, window_);
    question->setInformativeText(
        tr("%1\n\nA workspace is a folder of its own for the runs of one investigation: their logs, plans "
           "and "
           "figures are written into it. What is in the folder stays as it is, but stands among them.")
            .arg(QDir::toNativeSeparators(folder)));
    QPushButton* agree = question->addButton(tr("Use it"), QMessageBox::AcceptRole);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(agree, &QPushButton::clicked, this, [this, folder] { emit chosen(folder); });
    question->open();
}

}  // namespace dlperf::ui
