// SPDX-License-Identifier: Apache-2.0
// libarchive behind values: entries one after the other, their bytes in pieces, errors with a place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"

struct archive;
struct archive_entry;

namespace dlperf::imports {

struct ArchiveEntry {
    std::string name;  // any bytes; empty if it cannot be read
    enum class Kind { File, Folder, Link, Other } kind = Kind::Other;
    bool encrypted = false;
};

class ArchiveReader {
public:
    // An Input error for what is no archive of a known kind.
    [[nodiscard]] static Result<ArchiveReader> open(const std::filesystem::path& file);

    // Nothing at the end; an Input error where the archive is broken.
    [[nodiscard]] Result<std::optional<ArchiveEntry>> next();
    // The bytes of the entry that next() gave, holes as zeros. An error of `onBytes` ends it.
    [[nodiscard]] Result<void> read(const std::function<Result<void>(std::string_view)>& onBytes);
    // Bytes of the archive that went in so far.
    [[nodiscard]] std::uint64_t bytesIn() const;

private:
    struct Free {
        void operator()(::archive* handle) const;
    };
    ArchiveReader(std::unique_ptr<::archive, Free> handle, std::filesystem::path file)
        : handle_(std::move(handle)), file_(std::move(file)) {}
    [[nodiscard]] std::string place() const;
    [[nodiscard]] Failure broken() const;
    [[nodiscard]] bool isPlainFile() const;
    [[nodiscard]] std::string nameOf(::archive_entry* entry) const;

    std::unique_ptr<::archive, Free> handle_;
    std::filesystem::path file_;
    std::string entry_;  // the one being read, for messages
};

}  // namespace dlperf::imports
