// SPDX-License-Identifier: Apache-2.0
// The formats that users gave a workspace: W/formats.json, written as `dlperf formats --json` writes the
// built-in ones. Figures are kept with the format that they were made by, so that a range can be changed and
// a report written when the file that the format came from is long gone.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/base/error.h"
#include "core/store/workspace.h"

namespace dlperf::measure {

// None of its own where the workspace has no such file. An Input error if the file cannot be read, or gives a
// built-in one's name to something else.
[[nodiscard]] Result<analysis::FormatBook> readFormats(const store::Workspace& workspace);

// What is there and these, from `where`. A name means one thing: an Input error if one of these says
// something else than what is there under its name, or is built in.
[[nodiscard]] Result<analysis::FormatBook> withFormats(const analysis::FormatBook& there,
                                                       const std::vector<analysis::Format>& added,
                                                       const std::string& where);

// Adds these, from `where`, to the workspace's, and tells the names of those that it did not know. Nothing is
// written unless there are some. An Input error as above, a Work error when the disk refuses or they become
// too many: nothing is changed then.
[[nodiscard]] Result<std::vector<std::string>> keepFormats(const store::Workspace& workspace,
                                                           const std::vector<analysis::Format>& added,
                                                           const std::string& where);

}  // namespace dlperf::measure
