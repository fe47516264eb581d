// SPDX-License-Identifier: Apache-2.0
#include "core/store/windows.h"

#include <limits>

#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/base/json.h"
#include "core/store/run_findings.h"

namespace dlperf::store {
namespace {

Json toJson(const ChangedWindow& changed) {
    return {{"warmup", changed.window.warmup},
            {"train", changed.window.train},
            {"outcome", toString(changed.outcome)},
            {"throughput", changed.figure ? Json(*changed.figure) : Json()},
            {"reason", changed.reason},
            {"findings", findingsJson(changed.findings)}};
}

ChangedWindow readChange(JsonReader& reader) {
    constexpr int anyCount = std::numeric_limits<int>::max();
    ChangedWindow changed;
    changed.window = {reader.integer("warmup", 0, 0, anyCount), reader.integer("train", 0, 0, anyCount)};
    const auto outcome = parseOutcome(reader.requiredText("outcome"));
    const Json& figure = reader.member("throughput");
    changed.outcome = outcome.value_or(Outcome::Failed);
    changed.reason = reader.text("reason");
    changed.findings = readFindings(reader.member("findings"));
    if (figure.is_number()) {
        changed.figure = figure.get<double>();
    }
    if (!outcome || changed.figure.has_value() != (changed.outcome == Outcome::Ok)) {
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
