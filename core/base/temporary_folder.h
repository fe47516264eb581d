// SPDX-License-Identifier: Apache-2.0
// A folder that lives as long as its object, for libraries that want files.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace dlperf {

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
