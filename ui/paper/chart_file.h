// SPDX-License-Identifier: Apache-2.0
// One chart for elsewhere: as a file or on the clipboard, always light, with its title and its legend.
#pragma once

#include <QMimeData>
#include <filesystem>
#include <memory>

#include "core/base/error.h"
#include "core/report/chart_spec.h"

namespace dlperf::ui {

// The file's bytes by its ending: .svg .png .pdf; another ending is an Input error that names these.
[[nodiscard]] Result<std::string> chartFile(const report::ChartSpec& spec, const std::filesystem::path& path);

// A picture for whoever pastes pixels, SVG for whoever takes it.
[[nodiscard]] Result<std::unique_ptr<QMimeData>> chartMime(const report::ChartSpec& spec);

}  // namespace dlperf::ui
