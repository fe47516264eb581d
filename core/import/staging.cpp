// SPDX-License-Identifier: Apache-2.0
#include "core/import/staging.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/file.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;
constexpr const char* prefix = ".import-";

Descriptor lockedFolder(const fs::path& folder) {
    Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    return opened.open() && ::flock(opened.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(opened) : Descriptor();
}

// One that was made this minute may be about to be locked.
bool isFresh(const fs::path& folder) {
    std::error_code unknown;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(folder, unknown);
    return unknown || age < std::chrono::minutes(1);
}

void removeAbandoned(const fs::path& workspace) {
    std::error_code error;
    for (fs::directory_iterator entry(workspace, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        if (entry->path().filename().native().starts_with(prefix) && !isFresh(entry->path()) &&
            lockedFolder(entry->path()).open()) {
            std::error_code ignored;
            fs::remove_all(entry->path(), ignored);
        }
    }
}

}  // namespace

Result<Staging> Staging::make(const fs::path& workspace) {
    removeAbandoned(workspace);
    std::string name = (workspace / prefix).string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
        return fail(std::string("a folder for the import cannot be made: ") + std::strerror(errno),
                    workspace.string(), "Check the permissions and the free space.", ErrorKind::Work);
    }
    Staging staging(name, lockedFolder(name));
    for (const fs::path& folder : {staging.unpacked(), staging.ready()}) {
        if (auto made = makeFolders(folder); !made) {
            return Failure(made.error());
        }
    }
    return staging;
}

Staging& Staging::operator=(Staging&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
}

Staging::~Staging() {
    if (!path_.empty()) {
        std::error_code ignored;  // the next import tries again
        fs::remove_all(path_, ignored);
    }
}

}  // namespace dlperf::imports
