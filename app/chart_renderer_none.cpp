// SPDX-License-Identifier: Apache-2.0
#include "app/chart_renderer.h"

namespace dlperf::app {

report::ChartRenderer chartRenderer() {
    return {};
}

}  // namespace dlperf::app
