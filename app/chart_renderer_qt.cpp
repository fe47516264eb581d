// SPDX-License-Identifier: Apache-2.0
#include "app/chart_renderer.h"
#include "ui/charts/svg_renderer.h"

namespace dlperf::app {

report::ChartRenderer chartRenderer() {
    return ui::renderSvg;
}

}  // namespace dlperf::app
