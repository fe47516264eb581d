// SPDX-License-Identifier: Apache-2.0
// The formats that users gave a workspace: W/formats.json, written as `dlperf formats --json` writes the
// built-in ones. Figures are kept with the format that they were made by, so that a window can be changed and
// a report written when the file that the format came from is long gone.
#pragma once

#include <vector>

#include "core/analysis/format_book.h"
#include "core/base/error.h"
#include "core/store/workspace.h"

namespace dlperf::measure {

// None of its own where the workspace has no such file. An Input error if the file cannot be read.
[[nodiscard]] Result<analysis::FormatBook> readFormats(const store::Workspace& workspace);

// Those of the workspace and these. A name means one thing in a workspace: an Input error if one of these
// says something else than the workspace's or the built-in one of its name.
[[nodiscard]] Result<analysis::FormatBook> readFormatsWith(const store::Workspace& workspace,
                                                           const std::vector<analysis::Format>& added);

// Adds these to the workspace's. An Input error as above, a Work error when the disk refuses: nothing is
// changed then.
[[nodiscard]] Result<void> keepFormats(const store::Workspace& workspace,
                                       const std::vector<analysis::Format>& added);

}  // namespace dlperf::measure
