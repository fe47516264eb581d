// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/window_memory.h"

#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QMainWindow>
#include <QSettings>
#include <QSplitter>

namespace dlperf::ui {
namespace {

// By its name, or where a page gave none by its number there.
template <class Widget>
QString keyOf(const char* what, int page, const Widget* widget, qsizetype index) {
    const QString name = widget->objectName().isEmpty() ? QString::number(index) : widget->objectName();
    return QStringLiteral("%1/%2/%3").arg(QLatin1String(what)).arg(page).arg(name);
}

// Only the sizes: how a splitter lies and looks is up to the program, also after an update.
void restoreSizes(QSplitter& splitter, const QByteArray& state) {
    const Qt::Orientation orientation = splitter.orientation();
    const int handle = splitter.handleWidth();
    const bool collapsible = splitter.childrenCollapsible();
    splitter.restoreState(state);
    splitter.setOrientation(orientation);
    splitter.setHandleWidth(handle);
    splitter.setChildrenCollapsible(collapsible);
}

QList<QHeaderView*> sortedHeaders(const QWidget& page) {
    QList<QHeaderView*> headers;
    for (QHeaderView* header : page.findChildren<QHeaderView*>()) {
        if (header->isSortIndicatorShown()) {
            headers << header;
        }
    }
    return headers;
}

// More than are shown: one on a disk that is not plugged in comes back with it.
constexpr int mostKept = 24;

QString key() {
    return QStringLiteral("recentWorkspaces");
}

QString languageKey() {
    return QStringLiteral("language");
}

}  // namespace

WindowMemory::WindowMemory(QString group, QMainWindow& window) : group_(std::move(group)), window_(window) {}

void WindowMemory::save(int section) const {
    QSettings settings;
    settings.beginGroup(group_);
    settings.setValue(QStringLiteral("geometry"), window_.saveGeometry());
    settings.setValue(QStringLiteral("place"), section);
}

int WindowMemory::restore() const {
    QSettings settings;
    settings.beginGroup(group_);
    window_.restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    return settings.value(QStringLiteral("place"), -1).toInt();
}

void WindowMemory::savePage(const QWidget& page, int section) const {
    QSettings settings;
    settings.beginGroup(group_);
    const auto splitters = page.findChildren<QSplitter*>();
    for (qsizetype i = 0; i < splitters.size(); ++i) {
        settings.setValue(keyOf("splitter", section, splitters[i], i), splitters[i]->saveState());
    }
    const auto headers = sortedHeaders(page);
    for (qsizetype i = 0; i < headers.size(); ++i) {
        const QVariantList sort{headers[i]->sortIndicatorSection(),
                                static_cast<int>(headers[i]->sortIndicatorOrder())};
        settings.setValue(keyOf("sort", section, headers[i], i), sort);
    }
}

void WindowMemory::restorePage(const QWidget& page, int section) const {
    QSettings settings;
    settings.beginGroup(group_);
    const auto splitters = page.findChildren<QSplitter*>();
    for (qsizetype i = 0; i < splitters.size(); ++i) {
        const QByteArray state = settings.value(keyOf("splitter", section, splitters[i], i)).toByteArray();
        if (!state.isEmpty()) {
            restoreSizes(*splitters[i], state);
        }
    }
    const auto headers = sortedHeaders(page);
    for (qsizetype i = 0; i < headers.size(); ++i) {
        const QVariantList sort = settings.value(keyOf("sort", section, headers[i], i)).toList();
        // A column that another version had must not be asked for.
        if (sort.size() == 2 && sort[0].toInt() >= 0 && sort[0].toInt() < headers[i]->count()) {
            headers[i]->setSortIndicator(sort[0].toInt(), sort[1].toInt() == Qt::DescendingOrder
                                                              ? Qt::DescendingOrder
                                                              : Qt::AscendingOrder);
        }
    }
}

QString shortFolder(const QString& folder) {
    const QString home = QDir::homePath();
    const bool isThere = folder == home || folder.startsWith(home + QLatin1Char('/'));
    return isThere ? QLatin1Char('~') + folder.mid(home.size()) : folder;
}

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
    // It has run something, was read, or imported logs. Many other folders have "logs" too.
    const QDir logs(dir.filePath(QStringLiteral("logs")));
    if (dir.exists(QStringLiteral("campaigns")) || dir.exists(QStringLiteral("results.sqlite")) ||
        !logs.entryList({QStringLiteral("imported-*")}).isEmpty()) {
        return FolderKind::Workspace;
    }
    return dir.isEmpty() ? FolderKind::Empty : FolderKind::Other;
}

QString storedLanguage() {
    const QString language = QSettings().value(languageKey()).toString();
    // A later version may know more of them.
    return language == QLatin1String("en") || (language == QLatin1String("zh_CN") && hasChinese())
               ? language
               : QString();
}

void storeLanguage(const QString& language) {
    QSettings().setValue(languageKey(), language);
}

bool hasChinese() {
    return QFile::exists(chineseTexts());
}

QString chineseTexts() {
    return QStringLiteral(":/i18n/dlperf_zh_CN.qm");
}

}  // namespace dlperf::ui
