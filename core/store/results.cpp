// SPDX-License-Identifier: Apache-2.0
// W/results.sqlite is an index of what the run folders say, so that a workspace of thousands of runs opens at
// once. The folders are the truth; the index follows them and can be deleted at any time.
#include "core/store/results.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/store/file_stamp.h"
#include "core/store/notes.h"
#include "core/store/ranges.h"
#include "core/store/run_record.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;

constexpr int busyTimeoutMs = 5000;
constexpr int deepest = 8;  // logs/imported-x/…/series/batch/topology/run and some to spare
constexpr int schemaVersion = 4;
constexpr int applicationId = 0x444C5052;  // "DLPR": in the file's head, whose index it is

// What one run.json said when it had this stamp: a result, or why it could not be read.
struct IndexEntry {
    FileStamp stamp;
    RunResult result;
    std::optional<Error> problem;  // never in the file: what could not be read is tried again
};
using IndexEntries = std::map<std::string, IndexEntry>;  // by run folder, relative to the workspace

// Columns for people and their queries; `record` is what the program reads back.
constexpr const char* schema = R"(
CREATE TABLE runs (
    folder TEXT PRIMARY KEY, modified INTEGER NOT NULL, size INTEGER NOT NULL, inode INTEGER NOT NULL,
    id TEXT, campaign TEXT, framework TEXT, implementation TEXT, model TEXT, precision TEXT, batch_size INTEGER,
    topology TEXT, repetition INTEGER, outcome TEXT, throughput REAL, unit TEXT,
    record TEXT NOT NULL
))";

constexpr const char* insertion = R"(INSERT OR REPLACE INTO runs
    (folder, modified, size, inode, id, campaign, framework, implementation, model, precision, batch_size, topology,
     repetition, outcome, throughput, unit, record)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))";

bool schemaIsCurrent(SQLite::Database& database) {
    return database.execAndGet("PRAGMA user_version").getInt() == schemaVersion;
}

// What stands in the index's place and is no index of ours: it is neither written nor removed.
class Foreign : public SQLite::Exception {
    using SQLite::Exception::Exception;
};

// An index says whose it is; one of an earlier version is known by its only table, and a new file is empty.
bool isOurs(SQLite::Database& database) {
    return database.execAndGet("PRAGMA application_id").getInt() == applicationId ||
           database.execAndGet(
                       "SELECT count(*) FROM sqlite_master WHERE type != 'index' AND NOT "
                       "(name = 'runs' AND sql LIKE '%folder TEXT PRIMARY KEY%')")
                   .getInt() == 0;
}

// Another schema, older or newer: the folders have everything, so nothing is carried over.
void makeSchema(SQLite::Database& database) {
    if (schemaIsCurrent(database)) {
        return;
    }
    database.exec("DROP TABLE IF EXISTS runs");
    database.exec(schema);
    database.exec("PRAGMA user_version = " + std::to_string(schemaVersion));
    database.exec("PRAGMA application_id = " + std::to_string(applicationId));
}

void bindResult(SQLite::Statement& statement, const RunResult& result) {
    const Configuration& configuration = result.benchmarkCase.configuration;
    statement.bind(5, result.id);
    statement.bind(6, result.campaign);
    statement.bind(7, configuration.framework);
    statement.bind(8, configuration.implementation);
    statement.bind(9, configuration.model);
    statement.bind(10, configuration.precision);
    statement.bind(11, configuration.batchSize);
    statement.bind(12, toString(result.benchmarkCase.topology));
    statement.bind(13, result.repetition);
    statement.bind(14, toString(result.outcome));
    if (result.throughput) {
        statement.bind(15, *result.throughput);
    }
    statement.bind(16, result.unit);
    statement.bind(17, toJson({.result = result, .recipeTitle = {}, .plan = {}})
                           .dump(-1, ' ', false, Json::error_handler_t::replace));
}

// One that did not record when it was imported: when its run.json was written.
void dateImport(RunResult& result, const FileStamp& stamp) {
    if (result.origin == Origin::Imported && !result.imported) {
        result.imported = std::chrono::floor<std::chrono::milliseconds>(
            std::chrono::sys_time<std::chrono::nanoseconds>(std::chrono::nanoseconds(stamp.modified)));
    }
}

IndexEntry readRow(SQLite::Statement& row) {
    IndexEntry entry;
    entry.stamp = {row.getColumn(1).getInt64(), row.getColumn(2).getInt64(), row.getColumn(3).getInt64()};
    const std::string folder = row.getColumn(0).getString();
    const auto json = parseJson(row.getColumn(4).getString(), folder);
    auto record = json ? runRecordFromJson(*json, folder) : Result<RunRecord>(Failure(json.error()));
    if (!record) {
        throw SQLite::Exception("the index holds a row that cannot be read");
    }
    entry.result = std::move(record->result);
    entry.result.folder = folder;
    dateImport(entry.result, entry.stamp);
    return entry;
}

// All entries; empty for a new file or one of another schema. Throws SQLite::Exception.
IndexEntries readEntries(SQLite::Database& database) {
    IndexEntries entries;
    SQLite::Transaction whole(database);  // version and rows from one state of the file
    if (!schemaIsCurrent(database)) {
        return entries;
    }
    SQLite::Statement rows(database, "SELECT folder, modified, size, inode, record FROM runs");
    while (rows.executeStep()) {
        entries[rows.getColumn(0).getString()] = readRow(rows);
    }
    return entries;
}

// Replaces what changed, in one short transaction. Throws SQLite::Exception.
void writeChanges(SQLite::Database& database, const IndexEntries& changed,
                  const std::vector<std::string>& vanished) {
    SQLite::Transaction whole(database, SQLite::TransactionBehavior::IMMEDIATE);
    makeSchema(database);
    SQLite::Statement insert(database, insertion);
    for (const auto& [folder, entry] : changed) {
        insert.reset();
        insert.clearBindings();
        insert.bind(1, folder);
        insert.bind(2, entry.stamp.modified);
        insert.bind(3, entry.stamp.size);
        insert.bind(4, entry.stamp.inode);
        bindResult(insert, entry.result);
        insert.exec();
    }
    SQLite::Statement remove(database, "DELETE FROM runs WHERE folder = ?");
    for (const std::string& folder : vanished) {
        remove.reset();
        remove.bind(1, folder);
        remove.exec();
    }
    whole.commit();
}

struct RunFolders {
    std::map<std::string, FileStamp> stamps;  // by folder, relative to the workspace
    std::vector<Error> unreadable;
};

// Every folder under `parent` that holds a run.json with the stamp of that file; a run whose run.json is gone
// has an empty one. Links are not followed. A folder that went since its parent was read holds nothing: the
// runner renames what it runs again.
void findRunFolders(const Workspace& workspace, const fs::path& parent, int depth, RunFolders& found) {
    std::error_code error;
    fs::directory_iterator entry(parent, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        if (!entry->is_directory(ignored) || entry->is_symlink(ignored)) {
            continue;
        }
        auto stamp = stampOf(entry->path() / "run.json");
        if (!stamp && fs::exists(entry->path() / "journal.jsonl", ignored)) {
            stamp = FileStamp{};  // a run whose facts are gone
        }
        if (stamp) {
            found.stamps[entry->path().lexically_relative(workspace.root()).string()] = *stamp;
        } else if (depth < deepest) {
            findRunFolders(workspace, entry->path(), depth + 1, found);
        }
    }
    if (error && error != std::errc::no_such_file_or_directory) {
        found.unreadable.push_back(
            {"the results may be old: a folder of runs cannot be read (" + error.message() + ")",
             parent.string(), "Check its permissions, and the disk or the share.", ErrorKind::Transient});
    }
}

IndexEntry readFolder(const Workspace& workspace, const std::string& folder, const FileStamp& stamp) {
    IndexEntry entry{.stamp = stamp, .result = {}, .problem = {}};
    if (auto record = readRunRecord(workspace.root() / folder)) {
        entry.result = std::move(record->result);
        entry.result.folder = folder;
        dateImport(entry.result, stamp);
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
    std::vector<Error> unreadable{};  // nothing has vanished then
};

// Brings what the index said up to what the folders say now. The index was read before the folders are looked
// at, so a folder that another process has just added to the index is never taken for a vanished one.
Changes follow(const Workspace& workspace, IndexEntries& entries) {
    RunFolders found;
    findRunFolders(workspace, workspace.logs(), 0, found);
    const auto& folders = found.stamps;
    Changes changes{.changed = {}, .vanished = {}, .unreadable = std::move(found.unreadable)};
    for (const auto& [folder, entry] : entries) {
        if (changes.unreadable.empty() && !folders.contains(folder)) {
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

// The index, made where there is none. A workspace may lie behind a link, but its index is none.
SQLite::Database openIndex(const Workspace& workspace) {
    std::error_code error;
    if (fs::is_symlink(workspace.index(), error)) {
        throw Foreign("a link stands in its place");
    }
    const fs::path folder = fs::canonical(workspace.root(), error);
    const fs::path file = error ? workspace.index() : folder / workspace.index().filename();
    SQLite::Database database(
        file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, busyTimeoutMs);
    if (!isOurs(database)) {
        throw Foreign("a database of something else stands in its place");
    }
    return database;
}

// One try at reading and updating the index file.
IndexEntries entriesThroughIndex(const Workspace& workspace, std::vector<Error>& problems) {
    SQLite::Database database = openIndex(workspace);
    IndexEntries entries = readEntries(database);
    const Changes changes = follow(workspace, entries);
    if (!changes.changed.empty() || !changes.vanished.empty()) {
        writeChanges(database, changes.changed, changes.vanished);
    }
    problems.insert(problems.end(), changes.unreadable.begin(), changes.unreadable.end());
    return entries;
}

// The entries, whatever state the index is in. A broken one is made anew; one that is locked for long or
// cannot be written is passed by, because the folders alone say everything.
IndexEntries currentEntries(const Workspace& workspace, std::vector<Error>& problems) {
    constexpr int tries = 2;
    std::string reason;
    const char* remedy = "Check the file's permissions and the free space.";
    for (int i = 0; i < tries; ++i) {
        try {
            return entriesThroughIndex(workspace, problems);
        } catch (const Foreign& error) {
            reason = error.what();
            remedy = "Move it away; a new index is made then.";
            break;
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
                        workspace.index().string(), remedy, ErrorKind::Transient});
    IndexEntries entries;
    const auto unreadable = follow(workspace, entries).unreadable;
    problems.insert(problems.end(), unreadable.begin(), unreadable.end());
    return entries;
}

// A run that has started and not ended is the runner's business (core/run/status.h).
bool isFinished(const RunResult& result) {
    return result.outcome != Outcome::NotRun || result.ended.has_value();
}

void applyNotes(const Workspace& workspace, StoredResults& stored) {
    StoredNotes notes = readNotes(workspace);
    for (RunResult& result : stored.results) {
        applyNote(workspace, notes, result);
    }
    std::ranges::move(notes.problems, std::back_inserter(stored.problems));
}

void applyRanges(const Workspace& workspace, StoredResults& stored) {
    const auto ranges = readRanges(workspace);
    if (!ranges) {
        stored.problems.push_back(ranges.error());
        return;
    }
    for (RunResult& result : stored.results) {
        applyRange(*ranges, result);
    }
}

// A later attempt at the same run stands for those that gave no figure.
void dropRetried(std::vector<RunResult>& results) {
    std::map<std::string, int> newest;
    for (const RunResult& result : results) {
        const RunId id = parseRunId(result.id);
        int& attempt = newest[id.run];
        attempt = std::max(attempt, id.attempt);
    }
    std::erase_if(results, [&](const RunResult& result) {
        const RunId id = parseRunId(result.id);
        return result.origin == Origin::Own && result.outcome != Outcome::Ok && id.attempt < newest[id.run];
    });
}

// Own runs have the spelling of their recipes, which plans ask for. Of frameworks or of implementations: one
// may be called as another of the other kind.
void joinSpellings(std::vector<RunResult>& some, std::vector<RunResult>& others,
                   std::string Configuration::*name) {
    std::map<std::string, std::pair<bool, std::string>>
        best;  // by small letters; whether it is from elsewhere
    for (const auto* results : {&some, &others}) {
        for (const RunResult& result : *results) {
            const std::string& text = result.benchmarkCase.configuration.*name;
            const std::pair spelling(result.origin != Origin::Own, text);
            const auto [known, isNew] = best.emplace(lower(text), spelling);
            known->second = std::min(known->second, spelling);
        }
    }
    for (auto* results : {&some, &others}) {
        for (RunResult& result : *results) {
            std::string& text = result.benchmarkCase.configuration.*name;
            text = best.at(lower(text)).second;
        }
    }
}

}  // namespace

void joinSpellings(std::vector<RunResult>& some, std::vector<RunResult>& others) {
    joinSpellings(some, others, &Configuration::framework);
    joinSpellings(some, others, &Configuration::implementation);
}

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
    applyRanges(workspace, stored);
    dropRetried(stored.results);
    std::vector<RunResult> none;
    joinSpellings(stored.results, none);
    std::ranges::sort(stored.results, [](const RunResult& a, const RunResult& b) {
        return std::tie(a.campaign, a.benchmarkCase, a.repetition, a.folder) <
               std::tie(b.campaign, b.benchmarkCase, b.repetition, b.folder);
    });
    return stored;
}

}  // namespace dlperf::store
