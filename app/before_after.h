// SPDX-License-Identifier: Apache-2.0
// `dlperf compare A B`: what two campaigns, or two workspaces, measured of the same cases.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"

namespace dlperf::app {

struct BeforeAfterOptions {
    std::string workspace;  // empty: both are folders of workspaces
    std::string before;     // a campaign's id, its beginning or the campaign's name
    std::string after;
    std::optional<std::string> failBelow;  // "2%"; nothing: nothing fails
    std::string json;                      // a file, "-" for standard output, empty for none
};

// Prints the comparison. 1 where a case does not pass, which is told on standard error.
[[nodiscard]] Result<int> printBeforeAfter(const BeforeAfterOptions& options);

}  // namespace dlperf::app
