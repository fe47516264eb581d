// SPDX-License-Identifier: Apache-2.0
// A runner that outlives whoever started it: own session, own log file.
#pragma once

#include <functional>
#include <string>

#include "core/base/error.h"

namespace dlperf::app {

// Tells the parent that the work began (with a text for it to print) and sends all further output to
// `logFile`.
using Begun = std::function<void(const std::string& text, const std::string& logFile)>;

// Forks. The child runs `work`, whose value is its exit code; the parent returns when the child says that it
// began, with the text, or ended before that, with its error. Call while the process has one thread.
[[nodiscard]] Result<std::string> detach(const std::function<Result<int>(const Begun&)>& work);

}  // namespace dlperf::app
