// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dlperf::run {

// The file telemetry.sh: prints, once a second, the lines that core/telemetry/samples.h describes. Its
// argument is the wrapper's pid: it ends by itself when that process is gone.
[[nodiscard]] const std::string& telemetryText();

}  // namespace dlperf::run
