// SPDX-License-Identifier: Apache-2.0
// A folder that is made for what may come to nothing.
#pragma once

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace dlperf::app {

// Takes the folder away at the end, with those above it, as far as they were not there before and are empty.
// A link that leads nowhere is there: of a disk that is not mounted.
class NewFolder {
public:
    explicit NewFolder(std::filesystem::path folder) {
        while (isMissing(folder)) {
            std::filesystem::path above = folder.parent_path();
            missing_.push_back(std::exchange(folder, std::move(above)));
        }
    }
    ~NewFolder() {
        for (const std::filesystem::path& folder : missing_) {
            std::error_code isInUse;
            std::filesystem::remove(folder, isInUse);
        }
    }
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

private:
    static bool isMissing(const std::filesystem::path& folder) {
        std::error_code ignored;
        return !folder.empty() && std::filesystem::symlink_status(folder, ignored).type() ==
                                      std::filesystem::file_type::not_found;
    }

    std::vector<std::filesystem::path> missing_;  // the innermost first
};

}  // namespace dlperf::app
