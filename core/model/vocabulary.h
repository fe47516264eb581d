// SPDX-License-Identifier: Apache-2.0
// One id for each framework, implementation, model and feature, with its spellings, so that own, imported and
// published results lie on one axis. The words are data: resources/vocabulary.json.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace dlperf {

// Tuning: options of recipes, and columns of imports, that say how a model is trained and not which.
enum class WordKind { Framework, Implementation, Model, Feature, Tuning };

struct Word {
    std::string id;                      // "pytorch"
    std::string title;                   // "PyTorch": what people read
    std::vector<std::string> spellings;  // other ways to write it, any letter case
    std::string framework;               // of an implementation: its framework's id
    std::string unit;                    // of a model: "images/s", "sentences/s"
    // Of an implementation: people run it with images of any size and kind, and its logs do not say which.
    bool settingsVary = false;
};

class Vocabulary {
public:
    // {"frameworks": [{"id": …, "title": …, "spellings": […]}], "implementations": […], "models": […],
    // "features": […], "tuning": […]}; an implementation may have "settings_vary": true
    [[nodiscard]] static Result<Vocabulary> fromFile(const std::filesystem::path& path);

    // The id for any known spelling, whatever its letter case; an unknown text is its own id (lower case).
    [[nodiscard]] std::string id(WordKind kind, std::string_view spelling) const;
    // The title to show; an unknown id is its own title, as much of it as tables have room for.
    [[nodiscard]] std::string title(WordKind kind, const std::string& id) const;
    // The word itself, or null.
    [[nodiscard]] const Word* find(WordKind kind, const std::string& id) const;
    [[nodiscard]] const std::vector<Word>& words(WordKind kind) const;
    // True for the implementation that is named first of its framework, and for an unknown one: its figures
    // are drawn filled, those of the others hollow.
    [[nodiscard]] bool isMain(const std::string& implementation) const;

private:
    std::map<WordKind, std::vector<Word>> words_;
    std::map<WordKind, std::map<std::string, std::string>> ids_;  // lower-case spelling -> id
};

}  // namespace dlperf
