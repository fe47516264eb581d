// SPDX-License-Identifier: Apache-2.0
#include "core/store/index.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include "core/base/json.h"
#include "core/store/run_record.h"

namespace dlperf::store {
namespace {

constexpr int schemaVersion = 2;

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

// Another schema, older or newer: the folders have everything, so nothing is carried over.
void makeSchema(SQLite::Database& database) {
    if (schemaIsCurrent(database)) {
        return;
    }
    database.exec("DROP TABLE IF EXISTS runs");
    database.exec(schema);
    database.exec("PRAGMA user_version = " + std::to_string(schemaVersion));
}

void bindResult(SQLite::Statement& statement, const RunResult& result) {
    const Subject& subject = result.benchmarkCase.subject;
    statement.bind(5, result.id);
    statement.bind(6, result.campaign);
    statement.bind(7, subject.framework);
    statement.bind(8, subject.implementation);
    statement.bind(9, subject.model);
    statement.bind(10, subject.precision);
    statement.bind(11, subject.batchSize);
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
    return entry;
}

}  // namespace

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

}  // namespace dlperf::store
