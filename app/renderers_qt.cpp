// SPDX-License-Identifier: Apache-2.0
#include "app/renderers.h"
#include "ui/paper/pdf.h"

namespace dlperf::app {

report::Renderers renderers() {
    return ui::reportRenderers();
}

}  // namespace dlperf::app
