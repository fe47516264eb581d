// SPDX-License-Identifier: Apache-2.0
#include "core/store/named_files.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/store/names.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;

fs::path namedFile(const fs::path& folder, const std::string& name) {
    return folder / pathComponent(encodedName(name, " _") + ".json");
}

}  // namespace

std::vector<fs::path> jsonFilesOf(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        if (entry.path().extension() == ".json") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

Result<void> writeNamed(const fs::path& folder, const std::string& name, Json json) {
    TRY(makeFolder(folder));
    json["name"] = name;
    return writeFileAtomically(namedFile(folder, name), json.dump(1) + "\n");
}

Result<void> removeNamed(const fs::path& folder, const std::string& name) {
    std::error_code error;
    const fs::path file = namedFile(folder, name);
    fs::remove(file, error);
    return error ? fail("the file cannot be deleted: " + error.message(), file.string(),
                        "Check the permissions of its folder.", ErrorKind::Work)
                 : Result<void>();
}

}  // namespace dlperf::store
