// SPDX-License-Identifier: Apache-2.0
// What a file or folder is that was dropped on the window: judged by what it holds, not by its name.
#pragma once

#include <filesystem>

#include "core/base/error.h"

namespace dlperf::ui {

enum class DroppedKind { Plan, Cluster, Workspace, Formats, Logs };

struct Dropped {
    DroppedKind kind = DroppedKind::Logs;
    std::filesystem::path path;  // for logs: a folder, also where a log of it was dropped
};

// Reads a little of it: call it off the GUI thread. An Input error says what could be dropped instead.
[[nodiscard]] Result<Dropped> judgeDropped(const std::filesystem::path& path);

}  // namespace dlperf::ui
