// SPDX-License-Identifier: Apache-2.0
#include "core/store/results.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <algorithm>
#include <tuple>

#include "core/store/index.h"
#include "core/store/notes.h"
#include "core/store/run_folders.h"
#include "core/store/run_record.h"
#include "core/store/windows.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;

constexpr int busyTimeoutMs = 5000;

IndexEntry readFolder(const Workspace& workspace, const std::string& folder, const FileStamp& stamp) {
    IndexEntry entry{.stamp = stamp, .result = {}, .problem = {}};
    if (auto record = readRunRecord(workspace.root() / folder)) {
        entry.result = std::move(record->result);
        entry.result.folder = folder;
    } else {
        const Error& error = record.error();
        entry.problem =
            Error{"the run is missing from the results: its facts cannot be read (" + error.what + ")",
                  error.where, "Restore the file from a backup, or move the run's folder away.", error.kind};
    }
    return entry;
}

struct Changes {
    IndexEntries changed;
    std::vector<std::string> vanished;
};

// Brings what the index said up to what the folders say now. The index was read before the folders are looked
// at, so a folder that another process has just added to the index is never taken for a vanished one.
Changes follow(const Workspace& workspace, IndexEntries& entries) {
    const auto folders = findRunFolders(workspace);
    Changes changes;
    for (const auto& [folder, entry] : entries) {
        if (!folders.contains(folder)) {
            changes.vanished.push_back(folder);
        }
    }
    for (const std::string& folder : changes.vanished) {
        entries.erase(folder);
    }
    for (const auto& [folder, stamp] : folders) {
        const auto known = entries.find(folder);
        if (known == entries.end() || known->second.stamp != stamp) {
            const bool inIndex = known != entries.end();
            IndexEntry& entry = entries[folder] = readFolder(workspace, folder, stamp);
            if (!entry.problem) {
                changes.changed[folder] = entry;
            } else if (inIndex) {
                changes.vanished.push_back(folder);
            }
        }
    }
    return changes;
}

// One try at reading and updating the index file.
IndexEntries entriesThroughIndex(const Workspace& workspace) {
    SQLite::Database database(workspace.index().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                              busyTimeoutMs);
    IndexEntries entries = readEntries(database);
    const Changes changes = follow(workspace, entries);
    if (!changes.changed.empty() || !changes.vanished.empty()) {
        writeChanges(database, changes.changed, changes.vanished);
    }
    return entries;
}

// The entries, whatever state the index is in. A broken one is made anew; one that is locked for long or
// cannot be written is passed by, because the folders alone say everything.
IndexEntries currentEntries(const Workspace& workspace, std::vector<Error>& problems) {
    constexpr int tries = 2;
    std::string reason;
    for (int i = 0; i < tries; ++i) {
        try {
            return entriesThroughIndex(workspace);
        } catch (const SQLite::Exception& error) {
            reason = error.what();
            const int code = error.getErrorCode() & 0xFF;
            if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
                break;
            }
            std::error_code ignored;
            fs::remove(workspace.index(), ignored);
            fs::remove(workspace.index().string() + "-journal", ignored);
        }
    }
    problems.push_back({"the index could not be used (" + reason + "); the run folders were read instead",
                        workspace.index().string(), "Check the file's permissions and the free space.",
                        ErrorKind::Passing});
    IndexEntries entries;
    follow(workspace, entries);
    return entries;
}

// A run that has started and not ended is the runner's business (core/run/status.h).
bool isFinished(const RunResult& result) {
    return result.outcome != Outcome::NotRun || result.ended.has_value();
}

void applyNotes(const Workspace& workspace, StoredResults& stored) {
    StoredNotes notes = readNotes(workspace);
    for (RunResult& result : stored.results) {
        const auto note = notes.byFile.find(noteFile(workspace, result.id).filename().string());
        if (note != notes.byFile.end() && note->second.excluded) {
            result.excluded = true;
            result.exclusionReason = note->second.reason;
        }
    }
    std::move(notes.problems.begin(), notes.problems.end(), std::back_inserter(stored.problems));
}

void applyWindows(const Workspace& workspace, StoredResults& stored) {
    const auto windows = readWindows(workspace);
    if (!windows) {
        stored.problems.push_back(windows.error());
        return;
    }
    for (RunResult& result : stored.results) {
        applyWindow(*windows, result);
    }
}

}  // namespace

Result<StoredResults> readResults(const Workspace& workspace) {
    StoredResults stored;
    for (auto& [folder, entry] : currentEntries(workspace, stored.problems)) {
        if (entry.problem) {
            stored.problems.push_back(std::move(*entry.problem));
        } else if (isFinished(entry.result)) {
            stored.results.push_back(std::move(entry.result));
        }
    }
    applyNotes(workspace, stored);
    applyWindows(workspace, stored);
    std::sort(stored.results.begin(), stored.results.end(), [](const RunResult& a, const RunResult& b) {
        return std::tie(a.campaign, a.benchmarkCase, a.repetition, a.folder) <
               std::tie(b.campaign, b.benchmarkCase, b.repetition, b.folder);
    });
    return stored;
}

}  // namespace dlperf::store
