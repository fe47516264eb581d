// SPDX-License-Identifier: Apache-2.0
#include "data/image_index.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "base/failure.h"

namespace dlperf::worker {
namespace {

namespace fs = std::filesystem;

// Names in a folder for which `wanted` is true, sorted.
template <typename Wanted>
std::vector<std::string> namesIn(const fs::path& folder, Wanted wanted) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (wanted(*entry)) {
            names.push_back(entry->path().filename().string());
        }
    }
    if (error) {
        throw Failure(ExitCode::Data, "cannot read the folder " + folder.string() + ": " + error.message());
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool isFolder(const fs::directory_entry& entry) {
    std::error_code error;
    return entry.is_directory(error);
}

bool isJpeg(const fs::directory_entry& entry) {
    std::string ending = entry.path().extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::error_code error;
    return (ending == ".jpg" || ending == ".jpeg") && entry.is_regular_file(error);
}

}  // namespace

std::vector<LabelledFile> listImages(const std::string& folder, int classes) {
    const std::vector<std::string> classFolders = namesIn(folder, isFolder);
    if (classFolders.size() > static_cast<std::size_t>(classes)) {
        throw Failure(ExitCode::Data, folder + " has " + std::to_string(classFolders.size()) +
                                          " sub-folders, which are classes, but --classes is " +
                                          std::to_string(classes));
    }
    std::vector<LabelledFile> files;
    for (std::size_t label = 0; label < classFolders.size(); ++label) {
        const fs::path classFolder = fs::path(folder) / classFolders[label];
        for (const std::string& name : namesIn(classFolder, isJpeg)) {
            files.push_back({(classFolder / name).string(), static_cast<std::int32_t>(label)});
        }
    }
    if (files.empty()) {
        throw Failure(ExitCode::Data,
                      folder + " has no images: expected one sub-folder a class with .jpg or .jpeg files");
    }
    return files;
}

}  // namespace dlperf::worker
