// SPDX-License-Identifier: Apache-2.0
#include "core/base/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace dlperf {

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
