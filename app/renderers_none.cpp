// SPDX-License-Identifier: Apache-2.0
#include "app/renderers.h"

namespace dlperf::app {

report::Renderers renderers() {
    return {};
}

}  // namespace dlperf::app
