// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/base/file.h"

namespace dlperf::test {

// An empty folder for one test, gone with all that is in it at the end of the scope.
class Folder {
public:
    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

    // Writes a file, with the folders above it.
    void write(const std::string& file, std::string_view bytes) const {
        const auto target = path() / file;
        std::filesystem::create_directories(target.parent_path());
        std::ofstream(target, std::ios::binary) << bytes;
    }

private:
    TemporaryFolder folder_ = TemporaryFolder::make("dlperf-test").value();
};

}  // namespace dlperf::test
