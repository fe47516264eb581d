// SPDX-License-Identifier: Apache-2.0
// The workspaces that were open last, newest first, kept between starts.
#pragma once

#include <QStringList>

namespace dlperf::ui {

inline constexpr int mostRecent = 8;

void rememberWorkspace(const QString& folder);
void forgetWorkspaces();
// All that are kept, also such that are gone by now.
[[nodiscard]] QStringList rememberedWorkspaces();
// The first eight of them that are still there. Looks at the disk, which may be a slow one: not for the
// window's thread.
[[nodiscard]] QStringList existingWorkspaces(const QStringList& remembered);

enum class FolderKind { Missing, Empty, Workspace, Other };
[[nodiscard]] FolderKind folderKind(const QString& folder);

}  // namespace dlperf::ui
