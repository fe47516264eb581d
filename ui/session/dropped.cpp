// SPDX-License-Identifier: Apache-2.0
#include "ui/session/dropped.h"

#include "core/base/json.h"
#include "core/import/unpack.h"

namespace dlperf::ui {
namespace {

namespace fs = std::filesystem;

constexpr const char* whatCanBe =
    "Drop a plan or cluster (.json), a folder or an archive of logs, one log of it, or a workspace.";

Result<Dropped> judgeFolder(const fs::path& path) {
    std::error_code ignored;
    const bool isWorkspace =
        fs::is_directory(path / "campaigns", ignored) || fs::exists(path / "results.sqlite", ignored);
    return Dropped{isWorkspace ? DroppedKind::Workspace : DroppedKind::Logs, path};
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
    return fail("this is neither a plan nor a cluster", path.string(), whatCanBe);
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
