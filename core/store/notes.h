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

// Makes the note's change from `before` to `after` in what the file says by now, which another window may
// have changed: a field that is the same before and after stays as it is there, and of a text that both
// changed both stand. An Input error if the file cannot be read.
[[nodiscard]] Result<void> changeNote(const Workspace& workspace, const std::string& runId,
                                      const RunNote& before, const RunNote& after);

// All notes by file name (as noteFile() makes it); files that cannot be read are named in `problems`.
struct StoredNotes {
    std::map<std::string, RunNote> byFile;
    std::vector<Error> problems;
};
[[nodiscard]] StoredNotes readNotes(const Workspace& workspace);

// Marks a result as excluded where its note says so.
void applyNote(const Workspace& workspace, const StoredNotes& notes, RunResult& result);

}  // namespace dlperf::store
