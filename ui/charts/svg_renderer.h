// SPDX-License-Identifier: Apache-2.0
// The same chart as a file: always with light tokens, without hover state, with its title and its legend.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/report/chart_spec.h"

namespace dlperf::ui {

// An <svg> element of width x height px, without an XML declaration, so that it can stand in HTML as it is
// and also be a file of its own. Text stays text (Inter, else the reader's sans-serif). Needs no display.
// Call it from the main thread, or from any other thread while the window's event loop runs. An Input error
// for a size that is not 100 to 10000, a Work error where no picture can be drawn.
[[nodiscard]] Result<std::string> renderSvg(const report::ChartSpec& spec, int width, int height);

}  // namespace dlperf::ui
