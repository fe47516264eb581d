// SPDX-License-Identifier: Apache-2.0
#include "core/store/workspace.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <string_view>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/store/names.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;

// A field of a log name. DLPerf splits the name at "_", so a field holds none.
std::string field(std::string_view text) {
    return text.empty() ? "unknown" : encodedName(text, "");
}

// "r50_b128_fp32_7" from "r50_b128_fp32_7.log", "r50_b128_fp32_7", "r50_b128_fp32_7_9.log"; the repetition is
// the 4th field, as DLPerf's extractors read names. An attempt that failed ("…_2.attempt1") uses no
// number.
std::optional<int> usedRepetition(const std::string& fileName, const std::string& prefix) {
    if (!fileName.starts_with(prefix)) {
        return std::nullopt;
    }
    std::string_view rest = std::string_view(fileName).substr(prefix.size());
    if (rest.ends_with(".log")) {
        rest.remove_suffix(4);
    }
    return toInt(rest.substr(0, rest.find('_')));
}

}  // namespace

Result<fs::path> Workspace::place(const fs::path& root) {
    if (root.empty()) {
        return fail("no workspace is named", "--workspace", "Name a folder.");
    }
    std::error_code error;
    fs::path absolute = fs::absolute(root, error).lexically_normal();
    if (error) {
        return failBecause(error.message(), "the folder's place is not known", root.string(),
                           "Name it from /.", ErrorKind::Work);
    }
    return absolute;
}

Result<Workspace> Workspace::open(const fs::path& root) {
    const auto absolute = TRY(place(root));
    TRY(makeFolders(absolute));
    if (::access(absolute.c_str(), R_OK | W_OK | X_OK) != 0) {
        return failBecause(std::strerror(errno), "the workspace cannot be written to", absolute.string(),
                           "Choose a folder that you may write to.", ErrorKind::Work);
    }
    return Workspace(absolute);
}

Result<Workspace> Workspace::openExisting(const fs::path& root) {
    const auto absolute = TRY(place(root));
    std::error_code error;
    if (!fs::is_directory(absolute, error)) {
        return fail("there is no such workspace", absolute.string(),
                    "Name a folder that `dlperf run` or `dlperf import` made.");
    }
    if (::access(absolute.c_str(), R_OK | X_OK) != 0) {
        return failBecause(std::strerror(errno), "the workspace cannot be read", absolute.string(),
                           "Ask its owner for read permission.", ErrorKind::Work);
    }
    return Workspace(absolute);
}

fs::path Workspace::caseFolder(const Case& benchmarkCase) const {
    return logs() / seriesFolderName(benchmarkCase.configuration) /
           batchFolderName(benchmarkCase.configuration) / toString(benchmarkCase.topology);
}

std::vector<int> Workspace::freeRepetitions(const Case& benchmarkCase, int count) const {
    std::string prefix = runName(benchmarkCase.configuration, 0);
    prefix.pop_back();  // the 0
    std::set<int> used;
    for (const fs::path& entry : entriesOf(caseFolder(benchmarkCase))) {
        if (const auto number = usedRepetition(entry.filename().string(), prefix)) {
            used.insert(*number);
        }
    }
    std::vector<int> free;
    for (int number = 1; static_cast<int>(free.size()) < count; ++number) {
        if (!used.contains(number)) {
            free.push_back(number);
        }
    }
    return free;
}

std::string seriesFolderName(const Configuration& configuration) {
    const std::string& first =
        configuration.recipe.empty() ? configuration.implementation : configuration.recipe;
    std::string name = encodedName(first, "_");
    std::vector<std::string> features = configuration.features;
    std::ranges::sort(features);
    for (const std::string& feature : features) {
        name += "+" + encodedName(feature, "_");
    }
    for (const auto& [key, value] : configuration.variant) {
        name += "+" + encodedName(key, "_") + "=" + encodedName(value, "_");
    }
    return pathComponent(std::move(name));
}

std::string batchFolderName(const Configuration& configuration) {
    return pathComponent(fmt::format("b{}_{}", configuration.batchSize, field(configuration.precision)));
}

std::string runName(const Configuration& configuration, int repetition) {
    const std::string head = fmt::format("{}_b{}_{}", field(configuration.model), configuration.batchSize,
                                         field(configuration.precision));
    return fmt::format("{}_{}", pathComponent(head), repetition);
}

}  // namespace dlperf::store
