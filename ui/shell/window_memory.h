// SPDX-License-Identifier: Apache-2.0
// What the window keeps between starts.
#pragma once

#include <QString>
#include <QStringList>

class QMainWindow;
class QWidget;

namespace dlperf::ui {

// How a workspace's window was left: size, section, splitters, sorted columns. Pages need not know of it.
class WindowMemory {
public:
    // `group` is the workspace's in the settings.
    WindowMemory(QString group, QMainWindow& window);

    void save(int section) const;
    // Puts the window back, and returns the section that was left; negative: none is kept.
    [[nodiscard]] int restore() const;

    void savePage(const QWidget& page, int section) const;
    void restorePage(const QWidget& page, int section) const;

private:
    QString group_;
    QMainWindow& window_;
};

inline constexpr int mostRecent = 8;

// "~/runs" where it lies in the user's home folder.
[[nodiscard]] QString shortFolder(const QString& folder);
void rememberWorkspace(const QString& folder);
void forgetWorkspaces();
[[nodiscard]] QStringList rememberedWorkspaces();
// The first eight that still exist. Reads the disk: not for the window's thread.
[[nodiscard]] QStringList existingWorkspaces(const QStringList& remembered);

enum class FolderKind { Missing, Empty, Workspace, Other };
[[nodiscard]] FolderKind folderKind(const QString& folder);

// The language that was chosen for the window's texts. It takes effect when the program starts.
// "en", "zh_CN", or empty for the desktop's.
[[nodiscard]] QString storedLanguage();
void storeLanguage(const QString& language);
[[nodiscard]] bool hasChinese();
[[nodiscard]] QString chineseTexts();

}  // namespace dlperf::ui
