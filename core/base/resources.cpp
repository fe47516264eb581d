// SPDX-License-Identifier: Apache-2.0
#include "core/base/resources.h"

#include <cstdlib>
#include <string>

namespace dlperf {
namespace {

namespace fs = std::filesystem;

// The program's own path holds no links, the tree's name may: they are compared without.
bool runsFromBuildTree() {
    std::error_code error;
    const fs::path tree = fs::weakly_canonical(DLPERF_BUILD_TREE, error);
    const fs::path program = fs::weakly_canonical(programFolder(), error);
    return !error && program.string().starts_with(tree.string() + "/");
}

}  // namespace

fs::path programFolder() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).parent_path();
}

Result<fs::path> resourceFolder() {
    const char* chosen = std::getenv("DLPERF_RESOURCES");
    fs::path folder = programFolder().parent_path() / "share" / "dlperf-dashboard";
    if (chosen != nullptr && *chosen != '\0') {
        folder = chosen;
    } else if (runsFromBuildTree()) {
        folder = fs::path(DLPERF_SOURCE_TREE) / "resources";
    }
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        return fail("the program's resources are not there", folder.string(),
                    "Install the program whole, or set DLPERF_RESOURCES to the resources folder.");
    }
    return folder;
}

fs::path workerFolder() {
    std::error_code error;
    const fs::path beside = programFolder();
    const fs::path built = fs::path(DLPERF_BUILD_TREE) / "bin";
    const bool fromTree = runsFromBuildTree() && !fs::exists(beside / "dlperf-worker", error);
    return fromTree ? built : beside;
}

}  // namespace dlperf
