// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/recent_workspaces.h"

#include <QDir>
#include <QSettings>

namespace dlperf::ui {
namespace {

// More than are shown: one on a disk that is not plugged in comes back with it.
constexpr int mostKept = 24;

QString key() {
    return QStringLiteral("recentWorkspaces");
}

}  // namespace

void rememberWorkspace(const QString& folder) {
    QStringList kept = rememberedWorkspaces();
    kept.removeAll(folder);
    kept.prepend(folder);
    QSettings().setValue(key(), QStringList(kept.mid(0, mostKept)));
}

void forgetWorkspaces() {
    QSettings().remove(key());
}

QStringList rememberedWorkspaces() {
    return QSettings().value(key()).toStringList();
}

QStringList existingWorkspaces(const QStringList& remembered) {
    QStringList existing;
    for (const QString& folder : remembered) {
        if (existing.size() < mostRecent && QDir(folder).exists()) {
            existing << folder;
        }
    }
    return existing;
}

FolderKind folderKind(const QString& folder) {
    const QDir dir(folder);
    if (!dir.exists()) {
        return FolderKind::Missing;
    }
    // Not "logs", which many other folders have too.
    if (dir.exists(QStringLiteral("campaigns")) || dir.exists(QStringLiteral("results.sqlite"))) {
        return FolderKind::Workspace;
    }
    return dir.isEmpty() ? FolderKind::Empty : FolderKind::Other;
}

}  // namespace dlperf::ui
