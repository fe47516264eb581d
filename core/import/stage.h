// SPDX-License-Identifier: Apache-2.0
// How far an import is, and how it is stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/base/error.h"

namespace dlperf::imports {

// Waiting: another import saves into the workspace.
enum class Stage { Unpacking, Reading, Saving, Waiting };

[[nodiscard]] const char* toString(Stage stage);  // "unpacking"

struct Progress {
    Stage stage = Stage::Reading;
    std::uint64_t done = 0;  // bytes of the archive, logs looked at, bytes saved
    std::uint64_t of = 0;    // the same of all; 0 while it is not known
};
// 0 to 100.
[[nodiscard]] int percentOf(const Progress& progress);
// Called by several threads, one at a time.
using OnProgress = std::function<void(const Progress&)>;

// A Work error: the log cannot be written, for the reason of this error number.
[[nodiscard]] Failure diskRefuses(const std::filesystem::path& file, int error);
// What an import that was asked to stop ends with.
[[nodiscard]] Failure cancelled(const std::string& where);

}  // namespace dlperf::imports
