// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/base/regular_file.h"

namespace dlperf {
namespace {

namespace fs = std::filesystem;

Failure cannotWrite(const fs::path& path, int number) {
    return failBecause(std::strerror(number), "cannot be written", path.string(),
                       "Check the folder's permissions and the free space.", ErrorKind::Work);
}

// The name itself reaches the disk with its folder. File systems that cannot do that say so at once, and a
// folder that may not be read cannot be asked; neither is an error of ours.
int syncFolder(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const bool failed = opened.open() && ::fsync(opened.get()) != 0;
    return failed && errno != EINVAL && errno != ENOTSUP && errno != EROFS ? errno : 0;
}

Result<void> madeOr(const std::error_code& error, const fs::path& path) {
    return error ? failBecause(error.message(), "the folder cannot be made", path.string(),
                               "Choose a folder that you may write to.", ErrorKind::Work)
                 : Result<void>();
}

Failure isALink(const fs::path& path) {
    return fail("is a link, which may lead out of the workspace", path.string(),
                "Put what it leads to in its place, or remove it.");
}

}  // namespace

Result<Descriptor> openRegularFile(const fs::path& path, Links links) {
    const int onLinks = links == Links::Refuse ? O_NOFOLLOW : 0;
    Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | onLinks));
    const int number = file.open() ? 0 : errno;
    if (number == ENOENT || number == ENOTDIR) {
        return fail("there is no such file", path.string(), "Check the path.");
    }
    std::error_code ignored;
    if (number == ELOOP && fs::is_symlink(path, ignored)) {
        return isALink(path);
    }
    struct stat facts {};
    if (number == ENXIO || (file.open() && ::fstat(file.get(), &facts) == 0 && !S_ISREG(facts.st_mode))) {
        return fail("is not a file", path.string(), "Name a file.");
    }
    if (number != 0) {
        return failBecause(std::strerror(number), "cannot be opened", path.string(),
                           "Check its permissions.");
    }
    return file;
}

Result<std::string> readFile(const fs::path& path, std::uintmax_t maxBytes) {
    return readFile(path, maxBytes, Links::Follow);
}

Result<std::string> readFile(const fs::path& path, std::uintmax_t maxBytes, Links links) {
    const auto file = TRY(openRegularFile(path, links));
    struct stat facts {};
    const std::uintmax_t size =
        ::fstat(file.get(), &facts) == 0 ? static_cast<std::uintmax_t>(facts.st_size) : 0;
    if (size > maxBytes) {
        return fail(fmt::format("has {} bytes, more than the {} that are read here", size, maxBytes),
                    path.string(), "Check that it is the right file.");
    }
    std::string bytes;
    bytes.reserve(size);
    std::array<char, 1U << 16U> piece{};
    for (;;) {
        const ::ssize_t count = ::read(file.get(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return failBecause(std::strerror(errno), "cannot be read", path.string());
        }
        if (count == 0) {
            return bytes;
        }
        bytes.append(piece.data(), static_cast<std::size_t>(count));
    }
}

Result<void> writeFileAtomically(const fs::path& path, std::string_view bytes, unsigned mode) {
    std::string temporary = path.string() + ".XXXXXX";
    Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (file.get() < 0) {
        return cannotWrite(path, errno);
    }
    int error = writeAll(file.get(), bytes);
    if (error == 0 && ::fsync(file.get()) != 0) {
        error = errno;
    }
    if (error == 0 && ::fchmod(file.get(), static_cast<mode_t>(mode)) != 0) {
        error = errno;
    }
    if (::close(file.release()) != 0 && error == 0) {
        error = errno;
    }
    if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(temporary.c_str());
        return cannotWrite(path, error);
    }
    const int unsettled = syncFolder(path);
    return unsettled == 0 ? Result<void>() : cannotWrite(path, unsettled);
}

Result<void> makeFolder(const fs::path& path) {
    std::error_code error;
    fs::create_directory(path, error);
    return madeOr(error, path);
}

Result<void> makeFolders(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    return madeOr(error, path);
}

std::vector<fs::path> entriesOf(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        entries.push_back(entry->path());
    }
    std::ranges::sort(entries);
    return entries;
}

fs::path expandHome(std::string_view path) {
    const char* home = std::getenv("HOME");
    if (home == nullptr || (path != "~" && !path.starts_with("~/"))) {
        return fs::path(path);
    }
    return fs::path(home) / fs::path(path.substr(path.size() > 1 ? 2 : 1));
}

FileLock::FileLock(const std::filesystem::path& file)
    : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644)) {
    int refused = -1;
    do {
        refused = file_.open() ? ::flock(file_.get(), LOCK_EX) : 0;
    } while (refused != 0 && errno == EINTR);
    held_ = file_.open() && refused == 0;
}

Result<FileLock> guardOf(const std::filesystem::path& file) {
    const fs::path name = file.string() + ".guard";
    FileLock guard(name);
    std::error_code ignored;
    if (!guard.held() && fs::is_symlink(name, ignored)) {
        return isALink(name);
    }
    if (!guard.held()) {
        return fail("the workspace cannot be written to", file.parent_path().string(),
                    "Check its permissions.", ErrorKind::Work);
    }
    return guard;
}

Result<TemporaryFolder> TemporaryFolder::make(const std::string& prefix) {
    std::error_code error;
    const std::string free(6, 'X');  // mkdtemp(3) asks for six of them, to put a free name there
    std::string name = (std::filesystem::temp_directory_path(error) / (prefix + "-" + free)).string();
    if (error || ::mkdtemp(name.data()) == nullptr) {
        return failBecause(error ? error.message() : std::generic_category().message(errno),
                           "a folder for temporary files cannot be made", name,
                           "Set TMPDIR to a folder that can be written to.", ErrorKind::Work);
    }
    return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}

TemporaryFolder::~TemporaryFolder() {
    if (!path_.empty()) {
        std::error_code ignored;  // what is left there is the system's to clean
        std::filesystem::remove_all(path_, ignored);
    }
}

}  // namespace dlperf
