// SPDX-License-Identifier: Apache-2.0
#include "core/import/layout.h"

#include <fmt/format.h>

#include <set>

#include "core/model/topology.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;

bool isTopologyFolder(const fs::path& folder) {
    return parseTopology(folder.filename().string()).has_value();
}

bool isLog(const fs::directory_entry& entry) {
    std::error_code ignored;
    return entry.path().extension() == ".log" && entry.is_regular_file(ignored);
}

}  // namespace

Result<std::vector<fs::path>> findLogFolders(const fs::path& folder) {
    if (isTopologyFolder(folder)) {
        return std::vector{folder.parent_path()};
    }
    std::set<fs::path> found;
    std::size_t folders = 0;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    if (error) {
        return fail("the folder cannot be read: " + error.message(), folder.string(),
                    "Check the name and the permissions.");
    }
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_directory(ignored)) {
            if (++folders > mostFolders) {
                return fail(fmt::format("more than {} folders", mostFolders), folder.string(),
                            "Choose the folder that holds the logs.");
            }
            if (entry.depth() >= deepest || entry->path().filename().native().starts_with('.')) {
                entry.disable_recursion_pending();
            }
        } else if (isLog(*entry) && isTopologyFolder(entry->path().parent_path())) {
            found.insert(entry->path().parent_path().parent_path());
        }
    }
    if (found.empty()) {
        return fail("no logs in DLPerf's layout were found", folder.string(),
                    "Logs stand in folders like 2n8g: 2n8g/r50_b128_fp32_1.log.");
    }
    return std::vector<fs::path>(found.begin(), found.end());
}

}  // namespace dlperf::imports
