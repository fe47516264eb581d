// SPDX-License-Identifier: Apache-2.0
#include "core/store/notes.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/store/fields.h"
#include "core/store/names.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;

template <class Fields, class Note>
void listNote(Fields& fields, Note& note) {
    fields("note", note.note);
    fields("excluded", note.excluded);
    fields("reason", note.reason);
}

Result<RunNote> readFileNote(const fs::path& path) {
    const auto json = TRY(readJsonFile(path));
    JsonReader reader(json, path.string());
    RunNote note;
    ReadFields fields(reader);
    listNote(fields, note);
    TRY(reader.checked());
    return note;
}

}  // namespace

fs::path noteFile(const Workspace& workspace, const std::string& runId) {
    const auto encoded = [](std::string_view part) { return encodedName(part, "_"); };
    return workspace.notes() / (pathComponent(join(mapped(split(runId, '/'), encoded), "~")) + ".json");
}

Result<void> writeNote(const Workspace& workspace, const std::string& runId, const RunNote& note) {
    const fs::path path = noteFile(workspace, runId);
    if (note == RunNote{}) {
        std::error_code error;
        fs::remove(path, error);
        if (error) {
            return failBecause(error.message(), "the note cannot be removed", path.string(), "",
                               ErrorKind::Work);
        }
        return {};
    }
    TRY(makeFolder(workspace.notes()));
    WriteFields fields;
    listNote(fields, note);
    return writeFileAtomically(path,
                               fields.json().dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

StoredNotes readNotes(const Workspace& workspace) {
    StoredNotes notes;
    for (const fs::path& file : entriesOf(workspace.notes())) {
        if (!file.filename().string().ends_with(".json")) {
            continue;
        }
        if (auto note = readFileNote(file)) {
            notes.byFile[file.filename().string()] = *std::move(note);
        } else {
            notes.problems.push_back(std::move(note.error()));
        }
    }
    return notes;
}

void applyNote(const Workspace& workspace, const StoredNotes& notes, RunResult& result) {
    const auto note = notes.byFile.find(noteFile(workspace, result.id).filename().string());
    if (note != notes.byFile.end() && note->second.excluded) {
        result.excluded = true;
        result.exclusionReason = note->second.reason;
    }
}

}  // namespace dlperf::store
