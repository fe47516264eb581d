// SPDX-License-Identifier: Apache-2.0
// A .tar.zst, .tar.gz, .tar.xz or .tar of texts, the same bytes whoever writes it and when.
#pragma once

#include <archive.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace dlperf::publish {

class ArchiveWriter {
public:
    // Packed as the name's ending says, into partOf(file) until it is closed. An Input error for another
    // ending, a Work error where the file cannot be made.
    [[nodiscard]] static Result<ArchiveWriter> make(const std::filesystem::path& file);
    // A Work error where the disk is full.
    [[nodiscard]] Result<void> add(const std::string& name, std::string_view bytes);
    [[nodiscard]] Result<void> close();
    // What is left of an archive that was not closed.
    [[nodiscard]] static std::filesystem::path partOf(const std::filesystem::path& file);

private:
    struct Free {
        void operator()(::archive* handle) const { archive_write_free(handle); }
    };
    ArchiveWriter(std::unique_ptr<::archive, Free> handle, std::filesystem::path file)
        : handle_(std::move(handle)), file_(std::move(file)) {}
    [[nodiscard]] Failure refused() const;

    std::unique_ptr<::archive, Free> handle_;
    std::filesystem::path file_;
};

}  // namespace dlperf::publish
