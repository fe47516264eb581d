// SPDX-License-Identifier: Apache-2.0
// What others need to believe figures and to measure them again, in one archive:
//
//   NAME/README.md, README_zh_CN.md    the figures, in the layout of DLPerf's own reports
//   NAME/results.json                  DLPerf's JSON
//   NAME/logs/…                        the logs in DLPerf's layout, beside each its run's record, script,
//                                      environment and versions
//   NAME/campaigns/<id>/…              plans, node lists and recipes
//   NAME/published.json                checksums of all of it, see core/store/manifest.h
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/model/vocabulary.h"
#include "core/report/report.h"
#include "core/store/workspace.h"

namespace dlperf::publish {

struct BundleOptions {
    std::string title;                // of the report; else what the results have in common
    std::set<std::string> campaigns;  // ids or names of imports; empty: all
    bool masked = false;              // see mask.h
    std::string program;              // "dlperf 2.0.0"
};

struct Bundled {
    std::size_t runs = 0;
    std::size_t files = 0;
};

// Runs without a figure and those that the user excluded stay out. The archive appears whole or not at all.
// An Input error where nothing is left to publish or for an ending that is none of an archive's, a Work error
// where something cannot be read or written.
[[nodiscard]] Result<Bundled> writeBundle(const store::Workspace& workspace, const Vocabulary& vocabulary,
                                          const report::ReportView& view, const std::filesystem::path& file,
                                          const BundleOptions& options);

}  // namespace dlperf::publish
