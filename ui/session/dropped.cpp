// SPDX-License-Identifier: Apache-2.0
#include "ui/session/dropped.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/import/unpack.h"

namespace dlperf::ui {
namespace {

namespace fs = std::filesystem;

constexpr const char* whatCanBe =
    "Drop a plan, a cluster or log formats (.json), a folder or an archive of logs, one log of it, or a "
    "workspace.";

// It has run something, was read, or took in logs.
bool isWorkspace(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path / "campaigns", error) || fs::exists(path / "results.sqlite", error)) {
        return true;
    }
    for (fs::directory_iterator entry(path / "logs", error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        if (entry->path().filename().string().starts_with("imported-")) {
            return true;
        }
    }
    return false;
}

Result<Dropped> judgeFolder(const fs::path& path) {
    return Dropped{isWorkspace(path) ? DroppedKind::Workspace : DroppedKind::Logs, path};
}

// A row of the table of formats or a list of them, even if something is wrong with some: who reads them says
// it.
bool isFormats(const Json& json) {
    const auto isRow = [](const Json& one) {
        return one.is_object() && (one.contains("lines") || one.contains("rule"));
    };
    return isRow(json) || (json.is_array() && std::any_of(json.begin(), json.end(), isRow));
}

Result<Dropped> judgeJson(const fs::path& path) {
    const auto json = readJsonFile(path);
    if (!json) {
        return Failure(json.error());
    }
    if (json->is_object() && json->contains("recipes")) {
        return Dropped{DroppedKind::Plan, path};
    }
    if (json->is_object() && json->contains("nodes")) {
        return Dropped{DroppedKind::Cluster, path};
    }
    if (isFormats(*json)) {
        return Dropped{DroppedKind::Formats, path};
    }
    return fail("this is no plan, no cluster and no log format", path.string(), whatCanBe);
}

}  // namespace

Result<Dropped> judgeDropped(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return judgeFolder(path);
    }
    if (!fs::is_regular_file(path, error)) {
        return fail("this cannot be opened", path.string(), whatCanBe);
    }
    if (path.extension() == ".json") {
        return judgeJson(path);
    }
    if (path.extension() == ".log") {
        return Dropped{DroppedKind::Logs, path.parent_path()};
    }
    if (imports::isArchive(path)) {
        return Dropped{DroppedKind::Logs, path};
    }
    return fail("this is no plan, cluster or log", path.string(), whatCanBe);
}

}  // namespace dlperf::ui
