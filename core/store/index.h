// SPDX-License-Identifier: Apache-2.0
// W/results.sqlite: what the run folders say, kept so that a workspace of thousands of runs opens at once.
// The folders are the truth; the index follows them and can be deleted at any time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/model/case.h"
#include "core/store/file_stamp.h"

namespace SQLite {
class Database;
}

namespace dlperf::store {

// What one run.json said when it had this stamp: a result, or why it could not be read.
struct IndexEntry {
    FileStamp stamp;
    RunResult result;
    std::optional<Error> problem;  // never in the file: what could not be read is tried again
};

using IndexEntries = std::map<std::string, IndexEntry>;  // by run folder, relative to the workspace

// All entries; empty for a new file or one of another schema. Throws SQLite::Exception.
[[nodiscard]] IndexEntries readEntries(SQLite::Database& database);

// Replaces what changed, in one short transaction. Throws SQLite::Exception.
void writeChanges(SQLite::Database& database, const IndexEntries& changed,
                  const std::vector<std::string>& vanished);

}  // namespace dlperf::store
