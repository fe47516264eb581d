// SPDX-License-Identifier: Apache-2.0
#include "core/store/named_files.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/store/names.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;

// All that say they are called so: readNamed() shows the first of them only.
std::vector<fs::path> filesNamed(const fs::path& folder, const std::string& name) {
    std::vector<fs::path> files = jsonFilesOf(folder);
    std::erase_if(files, [&](const fs::path& file) {
        const auto json = readJsonFile(file);
        return !json || nameIn(*json, file) != name;
    });
    return files;
}

// Called like it, unless a file of another name, or one that cannot be read, is called so.
fs::path freeFile(const fs::path& folder, const std::string& name) {
    const std::string stem = encodedName(name, " _");
    fs::path file = folder / pathComponent(stem + ".json");
    std::error_code none;
    for (int number = 2; fs::exists(file, none); ++number) {
        file = folder / pathComponent(stem + " " + std::to_string(number) + ".json");
    }
    return file;
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

std::string nameIn(const Json& json, const fs::path& file) {
    std::string name = textOf(json, "name");
    return name.empty() ? file.stem().string() : name;
}

Result<void> writeNamed(const fs::path& folder, const std::string& name, Json json) {
    TRY(makeFolder(folder));
    const auto known = filesNamed(folder, name);
    json["name"] = name;
    return writeFileAtomically(known.empty() ? freeFile(folder, name) : known.front(), json.dump(1) + "\n");
}

// Else one that the first has hidden would come to light in its place.
Result<void> removeNamed(const fs::path& folder, const std::string& name) {
    for (const fs::path& file : filesNamed(folder, name)) {
        std::error_code error;
        fs::remove(file, error);
        if (error) {
            return fail("the file cannot be deleted: " + error.message(), file.string(),
                        "Check the permissions of its folder.", ErrorKind::Work);
        }
    }
    return {};
}

}  // namespace dlperf::store
