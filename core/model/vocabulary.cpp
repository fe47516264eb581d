// SPDX-License-Identifier: Apache-2.0
#include "core/model/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/json.h"
#include "core/base/text.h"

namespace dlperf {
namespace {

constexpr std::array sections{std::pair{WordKind::Framework, "frameworks"},
                              std::pair{WordKind::Implementation, "implementations"},
                              std::pair{WordKind::Model, "models"}, std::pair{WordKind::Feature, "features"},
                              std::pair{WordKind::Tuning, "tuning"}};

Result<Word> readWord(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    Word word{reader.requiredText("id"), reader.text("title"), reader.texts("spellings"),
              reader.text("framework"),  reader.text("unit"),  reader.flag("settings_vary", false)};
    reader.refuseOthers({"id", "title", "spellings", "framework", "unit", "settings_vary"});
    TRY(reader.checked());
    if (word.title.empty()) {
        word.title = word.id;
    }
    return word;
}

}  // namespace

Result<Vocabulary> Vocabulary::fromFile(const std::filesystem::path& path) {
    const auto json = TRY(readJsonFile(path));
    if (!json.is_object()) {
        return fail("is not a JSON object", path.string(), "Write { … } with lists of words.");
    }
    Vocabulary vocabulary;
    for (const auto& [kind, section] : sections) {
        auto& ids = vocabulary.ids_[kind];
        const Json list = json.value(section, Json::array());
        if (!list.is_array()) {
            return fail(fmt::format("\"{}\" must be a list of words", section), path.string(),
                        "Write [ … ].");
        }
        for (const Json& item : list) {
            auto word = TRY(readWord(item, fmt::format("{}, {}", path.string(), section)));
            std::vector<std::string> spellings = word.spellings;
            spellings.insert(spellings.end(), {word.id, word.title});
            for (const std::string& spelling : spellings) {
                const auto [entry, isNew] = ids.emplace(lower(spelling), word.id);
                if (!isNew && entry->second != word.id) {
                    return fail(
                        fmt::format("\"{}\" stands for both {} and {}", spelling, entry->second, word.id),
                        path.string(), "Remove the spelling from one of them.");
                }
            }
            vocabulary.words_[kind].push_back(std::move(word));
        }
    }
    return vocabulary;
}

std::string Vocabulary::id(WordKind kind, std::string_view spelling) const {
    std::string key = lower(trim(spelling));
    const auto ids = ids_.find(kind);
    if (ids == ids_.end()) {
        return key;
    }
    const auto found = ids->second.find(key);
    return found == ids->second.end() ? key : found->second;
}

const Word* Vocabulary::find(WordKind kind, const std::string& id) const {
    for (const Word& word : words(kind)) {
        if (word.id == id) {
            return &word;
        }
    }
    return nullptr;
}

bool Vocabulary::isMain(const std::string& implementation) const {
    const Word* word = find(WordKind::Implementation, implementation);
    if (word == nullptr) {
        return true;
    }
    const auto& all = words(WordKind::Implementation);
    return std::ranges::find(all, word->framework, &Word::framework)->id == implementation;
}

std::string Vocabulary::title(WordKind kind, const std::string& id) const {
    const Word* word = find(kind, id);
    return word == nullptr ? refusedName(id) : word->title;
}

const std::vector<Word>& Vocabulary::words(WordKind kind) const {
    static const std::vector<Word> none;
    const auto found = words_.find(kind);
    return found == words_.end() ? none : found->second;
}

}  // namespace dlperf
