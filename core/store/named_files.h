// SPDX-License-Identifier: Apache-2.0
// What the user saves under a name: FOLDER/<name>.json, with the field "name" beside the rest.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace dlperf::store {

template <class Value>
struct NamedFiles {
    std::map<std::string, Value> values;
    std::set<std::string> builtIn;  // names of those that come with the program
    std::vector<Error> problems;    // files that cannot be read
};

// A folder that is not there holds nothing.
[[nodiscard]] std::vector<std::filesystem::path> jsonFilesOf(const std::filesystem::path& folder);

// What the file says it is called; without that by its file.
[[nodiscard]] std::string nameIn(const Json& json, const std::filesystem::path& file);

// The user's own and those that come with the program, which the own ones of the same name replace.
// parse(json, where) gives a Result<Value>.
template <class Value, class Parse>
[[nodiscard]] NamedFiles<Value> readNamed(const std::filesystem::path& own,
                                          const std::filesystem::path& builtIn, const Parse& parse) {
    NamedFiles<Value> found;
    const auto readFolder = [&](const std::filesystem::path& folder, bool isBuiltIn) {
        for (const std::filesystem::path& file : jsonFilesOf(folder)) {
            const auto json = readJsonFile(file);
            Result<Value> value = json ? parse(*json, file.string()) : Failure(json.error());
            if (!value) {
                found.problems.push_back(value.error());
                continue;
            }
            const std::string name = nameIn(*json, file);
            if (found.values.try_emplace(name, *std::move(value)).second && isBuiltIn) {
                found.builtIn.insert(name);
            }
        }
    };
    readFolder(own, false);
    readFolder(builtIn, true);
    return found;
}

// In the file of that name, whatever that file is called: somebody may have copied or renamed it.
[[nodiscard]] Result<void> writeNamed(const std::filesystem::path& folder, const std::string& name,
                                      Json json);
[[nodiscard]] Result<void> removeNamed(const std::filesystem::path& folder, const std::string& name);

}  // namespace dlperf::store
