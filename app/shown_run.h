// SPDX-License-Identifier: Apache-2.0
// What `dlperf show` says of any run, be it one's own or imported.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/model/case.h"
#include "core/store/run_record.h"

namespace dlperf::app {

// "figure    123.45 images/s"; nothing where there is no text.
void printRow(const char* what, const std::string& text);
// The case, how it ended, and its figure.
void printHead(const RunResult& run, const std::string& state, const std::string& because);

// The record with what only the workspace knows; `run` as the user has it.
[[nodiscard]] Json shownJson(const store::RunRecord& record, const RunResult& run, const std::string& state,
                             const std::filesystem::path& folder, const std::vector<std::string>& nodes);

}  // namespace dlperf::app
