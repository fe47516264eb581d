// SPDX-License-Identifier: Apache-2.0
// What the user says of a run: a file of its own under W/notes/, written by rename, so that the window and
// the runner never write the same file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/case.h"
#include "core/store/workspace.h"

namespace dlperf::store {

struct RunNote {
    std::string note;
    bool excluded = false;  // the run is kept and shown, but never folded
    std::string reason;     // why it is excluded
    friend bool operator==(const RunNote&, const RunNote&) = default;
};

// W/notes/<run id, "/" as "~">.json; other bytes that could leave the folder are written %XX.
[[nodiscard]] std::filesystem::path noteFile(const Workspace& workspace, const std::string& runId);

// Writes the note; an empty one removes the file.
[[nodiscard]] Result<void> writeNote(const Workspace& workspace, const std::string& runId,
                                     const RunNote& note);

// All notes by file name (as noteFile() makes it); files that cannot be read are named in `problems`.
struct StoredNotes {
    std::map<std::string, RunNote> byFile;
    std::vector<Error> problems;
};
[[nodiscard]] StoredNotes readNotes(const Workspace& workspace);

// Marks a result as excluded where its note says so.
void applyNote(const Workspace& workspace, const StoredNotes& notes, RunResult& result);

}  // namespace dlperf::store
