// SPDX-License-Identifier: Apache-2.0
// Whole-file reading with a bound, writing that never leaves half a file, locks and temporary folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"

namespace dlperf {

// Files that describe something (plans, recipes, clusters, journals' heads) are small; anything above is
// refused.
inline constexpr std::uintmax_t maxDescriptionBytes = 16U << 20U;

// The whole file. An Input error if it cannot be read, is no regular file, or is larger than maxBytes.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path,
                                           std::uintmax_t maxBytes = maxDescriptionBytes);

// Writes beside the target, flushes to disk and renames over it: readers see the old or the new file, whole.
[[nodiscard]] Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes,
                                               unsigned mode = 0644);

// mkdir: the folder around it is there. For what belongs to a folder that may have been moved away: nobody
// wants another one where it was.
[[nodiscard]] Result<void> makeFolder(const std::filesystem::path& path);
// mkdir -p; a Work error names the part that could not be made.
[[nodiscard]] Result<void> makeFolders(const std::filesystem::path& path);

// What the folder holds, by name; nothing of one that cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder);

// A leading "~/" (or a lone "~") becomes the home folder; nothing else is expanded.
[[nodiscard]] std::filesystem::path expandHome(std::string_view path);

// A file that one process at a time holds, for the moment in which something beside it is read, changed and
// replaced.
class FileLock {
public:
    // Makes the file where there is none, and waits for whoever holds it. For writing: file systems of a
    // network lock nothing else.
    explicit FileLock(const std::filesystem::path& file);
    bool held() const { return held_; }

private:
    Descriptor file_;
    bool held_ = false;
};

// Held while the file, or the folder, is read, changed and replaced: a second program over the same workspace
// waits, and loses no change. A Work error if nothing can be written there.
[[nodiscard]] Result<FileLock> guardOf(const std::filesystem::path& file);

// A folder that lives as long as its object, for libraries that want files.
class TemporaryFolder {
public:
    // In the system's folder for temporary files, readable by this user only. A Work error if it cannot be
    // made.
    [[nodiscard]] static Result<TemporaryFolder> make(const std::string& prefix);
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;  // empty once moved from
};

}  // namespace dlperf
