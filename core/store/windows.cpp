// SPDX-License-Identifier: Apache-2.0
#include "core/store/windows.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <limits>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/json.h"

namespace dlperf::store {
namespace {

// Held while the file is read, changed and replaced: two windows over one workspace lose no change.
class Guard {
public:
    explicit Guard(const Workspace& workspace)
        : folder_(::open(workspace.root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        while (folder_.open() && ::flock(folder_.get(), LOCK_EX) != 0 && errno == EINTR) {
        }
    }

private:
    Descriptor folder_;
};

Json toJson(const ChangedWindow& changed) {
    return {{"warmup", changed.window.warmup},
            {"train", changed.window.train},
            {"outcome", toString(changed.outcome)},
            {"throughput", changed.figure ? Json(*changed.figure) : Json()},
            {"reason", changed.reason}};
}

ChangedWindow readChange(JsonReader& reader) {
    constexpr int anyInt = std::numeric_limits<int>::max();
    ChangedWindow changed;
    changed.window = {reader.integer("warmup", 0, 0, anyInt), reader.integer("train", 0, 0, anyInt)};
    const auto outcome = parseOutcome(reader.requiredText("outcome"));
    const Json& figure = reader.member("throughput");
    changed.outcome = outcome.value_or(Outcome::Failed);
    changed.reason = reader.text("reason");
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
        return ChangedWindows();
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
    const Guard guard(workspace);
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
