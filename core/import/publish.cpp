// SPDX-License-Identifier: Apache-2.0
#include "core/import/publish.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/pause.h"
#include "core/import/place.h"
#include "core/import/stage.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;

// Moves of single files, undone unless all of them succeed.
class Moves {
public:
    Moves() = default;
    Moves(const Moves&) = delete;
    Moves& operator=(const Moves&) = delete;
    ~Moves() {
        for (auto move = done_.rbegin(); move != done_.rend(); ++move) {
            std::error_code ignored;
            fs::rename(move->second, move->first, ignored);
        }
    }

    // Never over what is there.
    Result<void> move(const fs::path& from, const fs::path& to) {
        if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
            const int refused = errno;
            return refused == EEXIST ? fail("another import has taken its name meanwhile", to.string(),
                                            "Import it once more.", ErrorKind::Work)
                                     : diskRefuses(to, refused);
        }
        done_.emplace_back(from, to);
        return {};
    }
    void keep() { done_.clear(); }

private:
    std::vector<std::pair<fs::path, fs::path>> done_;
};

// A run folder moves as a whole, and after its log: with its run.json it is a result.
Result<void> mergeFolder(const fs::path& from, const fs::path& to, Moves& moves) {
    std::vector<fs::path> runFolders;
    std::error_code error;
    for (fs::directory_iterator entry(from, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const fs::path name = entry->path().filename();
        std::error_code ignored;
        if (fs::exists(entry->path() / "run.json", ignored)) {
            runFolders.push_back(name);
            continue;
        }
        const bool merge =
            entry->is_directory(ignored) && fs::is_directory(fs::symlink_status(to / name, ignored));
        TRY(merge ? mergeFolder(entry->path(), to / name, moves) : moves.move(entry->path(), to / name));
    }
    for (const fs::path& name : runFolders) {
        TRY(moves.move(from / name, to / name));
    }
    return error ? diskRefuses(from, error.value()) : Result<void>();
}

// Once with syncfs: all that was written is on the disk before any of it gets its name. Once with fsync for
// the names themselves: file systems with a journal write it as a whole, so one folder's sync keeps the
// others'.
Result<void> settle(const fs::path& folder, int (*sync)(int)) {
    const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const bool settled = opened.open() && sync(opened.get()) == 0;
    // File systems that cannot do it say so.
    return settled || errno == EINVAL || errno == ENOTSUP ? Result<void>() : diskRefuses(folder, errno);
}

}  // namespace

Result<Descriptor> waitForTurn(const store::Workspace& workspace, const std::stop_token& stop,
                               const OnProgress& onProgress) {
    constexpr std::chrono::milliseconds between(50);
    bool isTold = false;
    Descriptor folder(::open(workspace.root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    while (folder.open() && ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        if (onProgress && !std::exchange(isTold, true)) {
            onProgress({Stage::Waiting});
        }
        if (!pause(between, stop)) {
            return cancelled(workspace.root().string());
        }
    }
    return folder;
}

Result<void> publish(const fs::path& staging, const std::string& name, const store::Workspace& workspace) {
    TRY(settle(staging, ::syncfs));
    TRY(makeFolders(workspace.logs()));
    const fs::path from = staging / importFolder(name);
    const fs::path to = workspace.logs() / importFolder(name);
    std::error_code ignored;
    if (fs::is_symlink(to, ignored)) {
        return fail("is a link, which may lead out of the workspace", to.string(),
                    "Remove it, or import under another name.", ErrorKind::Work);
    }
    Moves moves;
    TRY(fs::is_directory(to, ignored) ? mergeFolder(from, to, moves) : moves.move(from, to));
    TRY(settle(workspace.logs(), ::fsync));
    moves.keep();
    // By this an open window sees it, where all went into a folder below.
    fs::last_write_time(workspace.logs(), fs::file_time_type::clock::now(), ignored);
    return {};
}

}  // namespace dlperf::imports
