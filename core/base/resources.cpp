// SPDX-License-Identifier: Apache-2.0
#include "core/base/resources.h"

#include <cstdlib>
#include <string>

namespace dlperf {
namespace fs = std::filesystem;

fs::path programFolder() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).parent_path();
}

Result<fs::path> resourceFolder() {
    const char* chosen = std::getenv("DLPERF_RESOURCES");
    fs::path folder = programFolder().parent_path() / "share" / "dlperf-dashboard";
    if (chosen != nullptr && *chosen != '\0') {
        folder = chosen;
    }
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        return fail("the program's resources are not there", folder.string(),
                    "Install the program whole, or set DLPERF_RESOURCES to the resources folder.");
    }
    return folder;
}

fs::path workerFolder() {
    const fs::path own = programFolder().parent_path() / "libexec" / "dlperf-dashboard";
    std::error_code error;
    return fs::is_directory(own, error) ? own : programFolder();
}

}  // namespace dlperf
