// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/json.h"
#include "tests/support/folder.h"

namespace dlperf::launch {

// A folder of recipes with one recipe, "toy"; one field of its recipe.json may be replaced.
class RecipeFolder {
public:
    explicit RecipeFolder(const std::string& field = {}, const std::string& text = {}) {
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
    void add(const std::string& name, const std::string& json, const std::string& script) const {
        folder_.write(name + "/recipe.json", json);
        folder_.write(name + "/launch.sh", script);
    }

    void write(const std::string& file, const std::string& text) const { folder_.write(file, text); }

    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

private:
    test::Folder folder_;
};

}  // namespace dlperf::launch
