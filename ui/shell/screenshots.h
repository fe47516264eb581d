// SPDX-License-Identifier: Apache-2.0
// Every page as a PNG: cluster, launch, runs, compare, report.
#pragma once

#include <QSize>
#include <filesystem>

#include "core/base/error.h"

namespace dlperf::ui {

class MainWindow;
class Session;

// Waits until each page shows what it has to show. The folder is made if it is missing. The size is that of
// the window, in logical px.
[[nodiscard]] Result<void> takeScreenshots(MainWindow& window, Session& session,
                                           const std::filesystem::path& folder, QSize size);

}  // namespace dlperf::ui
