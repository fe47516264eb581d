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

// What the user has written, and what another window has meanwhile.
std::string mergedText(const std::string& before, const std::string& after, const std::string& there) {
    if (after == before || after == there) {
        return there;
    }
    const bool isTheirsKept = there != before && !there.empty() && !after.empty();
    return isTheirsKept ? there + "; " + after : after;
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

Result<void> changeNote(const Workspace& workspace, const std::string& runId, const RunNote& before,
                        const RunNote& after) {
    const FileLock guard = TRY(guardOf(workspace.notes()));
    const fs::path path = noteFile(workspace, runId);
    std::error_code error;
    const RunNote there = fs::exists(path, error) ? TRY(readFileNote(path)) : RunNote();
    RunNote merged{.note = mergedText(before.note, after.note, there.note),
                   .excluded = after.excluded == before.excluded ? there.excluded : after.excluded,
                   .reason = mergedText(before.reason, after.reason, there.reason)};
    return writeNote(workspace, runId, merged);
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
