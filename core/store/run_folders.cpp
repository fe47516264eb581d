// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_folders.h"

#include <sys/stat.h>

#include <optional>

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 8;  // logs/imported-x/…/series/batch/topology/run and some to spare

std::optional<FileStamp> stampOf(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    return FileStamp{
        static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec,
        static_cast<std::int64_t>(status.st_size), static_cast<std::int64_t>(status.st_ino)};
}

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
        const auto stamp = stampOf(entry->path() / "run.json");
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
