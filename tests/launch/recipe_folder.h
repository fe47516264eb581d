// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/json.h"

namespace dlperf::launch {

// A folder of recipes with one recipe, "toy"; one field of its recipe.json may be replaced.
struct RecipeFolder {
    explicit RecipeFolder(const std::string& field = {}, const std::string& text = {}) {
        std::string pattern = (std::filesystem::temp_directory_path() / "dlperf-recipes-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            std::abort();
        }
        path = pattern;
        Json json{{"title", "Toy"},
                  {"framework", "toy"},
                  {"implementation", "toy"},
                  {"model", "r50"},
                  {"format", "dlperf-worker"},
                  {"features", {"fast"}},
                  {"options",
                   {{"threads", {{"default", "1"}, {"affects_result", true}}},
                    {"source_dir", {{"default", "~/src"}}}}}};
        if (!field.empty()) {
            json[field] = text;
        }
        add("toy", json.dump(), "echo\n");
    }
    ~RecipeFolder() {
        std::error_code error;
        std::filesystem::remove_all(path, error);
    }
    RecipeFolder(const RecipeFolder&) = delete;
    RecipeFolder& operator=(const RecipeFolder&) = delete;

    void add(const std::string& name, const std::string& json, const std::string& script) const {
        std::filesystem::create_directories(path / name);
        std::ofstream(path / name / "recipe.json") << json;
        std::ofstream(path / name / "launch.sh") << script;
    }

    std::filesystem::path path;
};

}  // namespace dlperf::launch
