// SPDX-License-Identifier: Apache-2.0
// Logs that cannot be read as they lie are written anew, as plain text in UTF-8.
#pragma once

#include <filesystem>
#include <stop_token>

#include "core/base/error.h"
#include "core/import/unpack.h"

namespace dlperf::imports {

class ReadableLogs {
public:
    // `staging` is a folder that is gone after the import. What is unpacked counts against `limits` together.
    ReadableLogs(std::filesystem::path staging, const UnpackLimits& limits, std::stop_token stop);

    // The text of a single packed log. An Input error for what is broken, too large or an archive of several
    // files, a Work error when the disk refuses or `stop` asks.
    [[nodiscard]] Result<std::filesystem::path> unpacked(const std::filesystem::path& packed);

    // The log itself, or where it stands in UTF-8 if it is in UTF-16, as PowerShell's ">" writes it. What
    // cannot be read is left as it is. A Work error when the disk refuses or `stop` asks.
    [[nodiscard]] Result<std::filesystem::path> inUtf8(const std::filesystem::path& log);

private:
    [[nodiscard]] Result<std::filesystem::path> nextFolder();

    std::filesystem::path staging_;
    UnpackLimits limits_;
    std::stop_token stop_;
    std::size_t made_ = 0;  // folders
};

}  // namespace dlperf::imports
