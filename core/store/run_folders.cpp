// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_folders.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 8;  // logs/imported-x/…/series/batch/topology/run and some to spare

}  // namespace

std::map<std::string, FileStamp> findRunFolders(const Workspace& workspace) {
    std::map<std::string, FileStamp> folders;
    std::error_code error;
    fs::recursive_directory_iterator entry(workspace.logs(), fs::directory_options::skip_permission_denied,
                                           error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        if (!entry->is_directory(ignored) || entry->is_symlink(ignored)) {
            continue;
        }
        auto stamp = stampOf(entry->path() / "run.json");
        if (!stamp && fs::exists(entry->path() / "journal.jsonl", ignored)) {
            stamp = FileStamp{};  // a run whose facts are gone
        }
        if (stamp) {
            folders[entry->path().lexically_relative(workspace.root()).string()] = *stamp;
        }
        if (stamp || entry.depth() >= deepest) {
            entry.disable_recursion_pending();
        }
    }
    return folders;
}

}  // namespace dlperf::store
