// SPDX-License-Identifier: Apache-2.0
// JSON as it goes to other programs, and perhaps to a terminal. Tables and CSV, which people read, leave out
// the characters that a terminal obeys and marks that turn the direction of what follows; JSON keeps its
// texts exact, and has these as "\u202e".
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"

namespace dlperf {

[[nodiscard]] std::string printedJson(const Json& json, int indent = 1);
// Of JSON in UTF-8 that was written already.
[[nodiscard]] std::string escapeControls(std::string_view json);

}  // namespace dlperf
