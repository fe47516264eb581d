// SPDX-License-Identifier: Apache-2.0
#include "core/store/windows.h"

#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/store/fields.h"

namespace dlperf::store {
namespace {

template <class Fields, class Change>
void listChange(Fields& fields, Change& changed) {
    fields("warmup", changed.window.warmup);
    fields("train", changed.window.train);
    fields("outcome", changed.outcome);
    fields("throughput", changed.figure);
    fields("reason", changed.reason);
    fields("findings", changed.findings);
}

Json toJson(const ChangedWindow& changed) {
    WriteFields fields;
    listChange(fields, changed);
    return std::move(fields.json());
}

ChangedWindow readChange(JsonReader& reader) {
    ChangedWindow changed;
    (void)reader.requiredText("outcome");
    ReadFields fields(reader);
    listChange(fields, changed);
    if (changed.figure.has_value() != (changed.outcome == Outcome::Ok)) {
        reader.addError("\"outcome\" and \"throughput\" do not fit");
    }
    return changed;
}

}  // namespace

Result<ChangedWindows> readWindows(const Workspace& workspace) {
    std::error_code error;
    if (!std::filesystem::exists(workspace.windows(), error)) {
        if (!error) {
            return ChangedWindows();
        }
        return failBecause(error.message(), "cannot be read", workspace.windows().string(),
                           "Check the permissions of the workspace.");
    }
    const auto json = readJsonFile(workspace.windows());
    if (!json) {
        return Failure(json.error());
    }
    if (!json->is_object()) {
        return fail("holds no changed windows", workspace.windows().string(),
                    "Remove the file: runs then have the windows that they were run with.");
    }
    ChangedWindows windows;
    for (const auto& [id, one] : json->items()) {
        JsonReader reader(one, workspace.windows().string() + ", " + id);
        windows[id] = readChange(reader);
        if (reader.error() != nullptr) {
            return Failure(*reader.error());
        }
    }
    return windows;
}

Result<void> changeWindows(const Workspace& workspace, const WindowChanges& changes) {
    // Two windows over one workspace lose no change.
    const FileLock guard(workspace.windows().string() + ".guard");
    if (!guard.held()) {
        return fail("the workspace cannot be written to", workspace.root().string(), "Check its permissions.",
                    ErrorKind::Work);
    }
    auto windows = readWindows(workspace);
    if (!windows) {
        return Failure(windows.error());
    }
    for (const auto& [id, changed] : changes) {
        if (changed) {
            (*windows)[id] = *changed;
        } else {
            windows->erase(id);
        }
    }
    Json json = Json::object();
    for (const auto& [id, changed] : *windows) {
        json[id] = toJson(changed);
    }
    return writeFileAtomically(workspace.windows(),
                               json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace dlperf::store
