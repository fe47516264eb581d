// SPDX-License-Identifier: Apache-2.0
// Logs of elsewhere become results of a workspace: they are copied into it with the figure that their
// format's rule gives, so the workspace stays whole when their folder or archive is gone. First a plan, which
// the user sees and corrects; nothing is in the workspace before it is saved.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/base/error.h"
#include "core/import/copy_logs.h"
#include "core/import/find_logs.h"
#include "core/import/proposal.h"
#include "core/import/stage.h"
#include "core/model/vocabulary.h"
#include "core/store/workspace.h"

namespace dlperf::imports {

struct ImportOptions {
    analysis::FormatBook formats;  // that they may be of: measure::readFormatsWith() for this workspace
    Corrections corrections;       // for all logs
    std::string name;  // empty: a free one after the folder or the archive; else what is there is added to
    UnpackLimits limits;
};

struct ImportPlan {
    std::string name;              // "imported-<name>" stands under W/logs
    analysis::FormatBook formats;  // of the proposals
    std::vector<Proposal> proposals;
    std::vector<Error> remarks;  // what was skipped, one of each kind
    std::vector<Error> leftOut;  // and one by one
    Staging staging;             // where the archive's logs are until they are saved

    [[nodiscard]] std::size_t count(Verdict verdict) const;
};

// Reads a folder, an archive or one log. An Input error for what cannot be read, is broken or too large; a
// Work error when there is no log in it, the disk refuses or `stop` asks.
[[nodiscard]] Result<ImportPlan> planImport(const std::filesystem::path& path,
                                            const store::Workspace& workspace, const Vocabulary& vocabulary,
                                            const ImportOptions& options, const std::stop_token& stop = {},
                                            const OnProgress& onProgress = {});

struct Imported {
    std::string name;
    std::size_t logs = 0;           // saved
    std::size_t withoutFigure = 0;  // of them: they have no figure in their range
    std::size_t duplicates = 0;     // skipped
    std::size_t refused = 0;        // could not be read to their end, or are not what was published
    std::vector<std::string> formats;
    std::vector<RunFinding> findings;  // `where` names the log
    std::vector<Error> problems;       // what was skipped: the plan's remarks, then more
    std::vector<SavedLog> saved;
};

// Places the logs of a plan once more, for corrections and for what was saved meanwhile, and writes them: all
// appear in the workspace at once, or nothing does; but formats of the user's own stand in it before their
// logs. An Input error if one's name means something else there meanwhile, a Work error without a new log,
// when the disk refuses or `stop` asks.
[[nodiscard]] Result<Imported> saveImport(ImportPlan& plan, const store::Workspace& workspace,
                                          const Vocabulary& vocabulary, const std::stop_token& stop = {},
                                          const OnProgress& onProgress = {});

}  // namespace dlperf::imports
