// SPDX-License-Identifier: Apache-2.0
#include "core/store/notes.h"

#include "core/base/file.h"
#include "core/base/json.h"
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
    if (reader.error() != nullptr) {
        return Failure(*reader.error());
    }
    return note;
}

}  // namespace

fs::path noteFile(const Workspace& workspace, const std::string& runId) {
    std::vector<std::string> parts;
    for (const std::string_view part : split(runId, '/')) {
        parts.push_back(encodedName(part, "_"));
    }
    return workspace.notes() / (pathComponent(join(parts, "~")) + ".json");
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
    TRY(makeFolders(workspace.notes()));
    WriteFields fields;
    listNote(fields, note);
    return writeFileAtomically(path,
                               fields.json().dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<RunNote> readNote(const Workspace& workspace, const std::string& runId) {
    const fs::path path = noteFile(workspace, runId);
    std::error_code error;
    if (!fs::exists(path, error)) {
        return RunNote{};
    }
    return readFileNote(path);
}

StoredNotes readNotes(const Workspace& workspace) {
    StoredNotes notes;
    std::error_code error;
    fs::directory_iterator files(workspace.notes(), error);
    for (; !error && files != fs::directory_iterator(); files.increment(error)) {
        if (files->path().extension() != ".json") {
            continue;
        }
        if (auto note = readFileNote(files->path())) {
            notes.byFile[files->path().filename().string()] = *std::move(note);
        } else {
            notes.problems.push_back(std::move(note.error()));
        }
    }
    return notes;
}

}  // namespace dlperf::store
