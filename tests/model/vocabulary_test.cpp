// SPDX-License-Identifier: Apache-2.0
// The words of resources/vocabulary.json, and that every published row is made of them.
#include "core/model/vocabulary.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>

#include "core/base/file.h"
#include "core/base/json.h"

namespace dlperf {
namespace {

const std::string resources = DLPERF_SOURCE_DIR "/resources/";

Vocabulary ours() {
    return Vocabulary::fromFile(resources + "vocabulary.json").value();
}

TEST(Words, SpellingsMeetInOneId) {
    const Vocabulary words = ours();
    for (const char* spelling :
         {"r50", "rn50", "RN50", "ResNet50 v1.5", "ResNet-50", "ResNet50", " resnet50v1.5 "}) {
        EXPECT_EQ(words.id(WordKind::Model, spelling), "r50") << spelling;
    }
    EXPECT_EQ(words.id(WordKind::Model, "ResNet50 v1b"), "r50-v1b");
    EXPECT_EQ(words.id(WordKind::Model, "BERT base"), words.id(WordKind::Model, "bert"));
    EXPECT_EQ(words.id(WordKind::Framework, "Paddle"), words.id(WordKind::Framework, "PaddlePaddle"));
    EXPECT_EQ(words.id(WordKind::Implementation, "pytorch/examples"), "pytorch-examples");
    EXPECT_EQ(words.id(WordKind::Implementation, "PyTorch examples"), "pytorch-examples");
    EXPECT_EQ(words.id(WordKind::Framework, "dlperf-worker"), "dlperf-worker");
}

TEST(Words, PeopleReadTitles) {
    const Vocabulary words = ours();
    EXPECT_EQ(words.title(WordKind::Model, "r50"), "ResNet50 v1.5");
    EXPECT_EQ(words.title(WordKind::Implementation, "ngc-pytorch"), "NGC PyTorch");
    EXPECT_EQ(words.title(WordKind::Implementation, "gluon-cv"), "MXNet gluon-cv");
}

TEST(Words, AFrameworkHasOneMainImplementation) {
    const Vocabulary vocabulary = ours();
    std::map<std::string, int> mains;
    for (const Word& word : vocabulary.words(WordKind::Implementation)) {
        mains[word.framework] += vocabulary.isMain(word.id) ? 1 : 0;
    }
    for (const auto& [framework, count] : mains) {
        EXPECT_EQ(count, 1) << framework;
    }
    EXPECT_FALSE(vocabulary.isMain(vocabulary.id(WordKind::Implementation, "pytorch/examples")));
    EXPECT_TRUE(vocabulary.isMain("nobody knows it"));
}

TEST(Words, AnUnknownTextIsItsOwnId) {
    const Vocabulary words = ours();
    EXPECT_EQ(words.id(WordKind::Model, "My Model"), "my model");
    EXPECT_EQ(words.title(WordKind::Model, "my model"), "my model");
    EXPECT_EQ(words.find(WordKind::Model, "my model"), nullptr);
}

TEST(Words, IdsSuitFileNamesAndImplementationsHaveFrameworks) {
    const Vocabulary words = ours();
    for (const WordKind kind :
         {WordKind::Framework, WordKind::Implementation, WordKind::Model, WordKind::Feature}) {
        ASSERT_FALSE(words.words(kind).empty());
        for (const Word& word : words.words(kind)) {
            EXPECT_EQ(word.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-"), std::string::npos)
                << word.id;
        }
    }
    for (const Word& word : words.words(WordKind::Implementation)) {
        const bool isOfAny = word.id == "mlperf";
        EXPECT_NE(isOfAny, words.find(WordKind::Framework, word.framework) != nullptr) << word.id;
    }
}

TEST(Words, EveryPublishedRowIsMadeOfThem) {
    const Vocabulary words = ours();
    const Json rows = readJsonFile(resources + "published/dlperf.json").value();
    ASSERT_GT(rows.size(), 2000U);
    const auto known = [&](WordKind kind, const Json& spelling) {
        return words.find(kind, words.id(kind, spelling.get<std::string>()));
    };
    for (const Json& row : rows) {
        const Word* framework = known(WordKind::Framework, row["framework"]);
        const Word* implementation = known(WordKind::Implementation, row["implementation"]);
        const Word* model = known(WordKind::Model, row["model"]);
        ASSERT_TRUE(framework != nullptr && implementation != nullptr && model != nullptr) << row.dump();
        EXPECT_EQ(implementation->framework, framework->id) << row.dump();
        EXPECT_EQ(model->unit, row["unit"].get<std::string>()) << row.dump();
        for (const Json& feature : row.value("features", Json::array())) {
            EXPECT_NE(known(WordKind::Feature, feature), nullptr) << feature;
        }
    }
}

class VocabularyFile : public testing::Test {
protected:
    Result<Vocabulary> read(const std::string& json) {
        const auto file =
            std::filesystem::temp_directory_path() / ("dlperf-vocabulary-" + std::to_string(::getpid()));
        EXPECT_TRUE(writeFileAtomically(file, json));
        auto vocabulary = Vocabulary::fromFile(file);
        std::filesystem::remove(file);
        return vocabulary;
    }
};

TEST_F(VocabularyFile, TellsWhatIsWrong) {
    EXPECT_FALSE(Vocabulary::fromFile("/nonexistent/vocabulary.json"));
    EXPECT_FALSE(read("[]"));
    EXPECT_FALSE(read(R"({"models": {"id": "r50"}})"));
    EXPECT_FALSE(read(R"({"models": [{"title": "no id"}]})"));
    EXPECT_FALSE(read(R"({"models": [{"id": "r50", "titel": "typing error"}]})"));
    EXPECT_FALSE(read(R"({"models": [{"id": "a", "spellings": ["x"]}, {"id": "b", "spellings": ["X"]}]})"));
    EXPECT_TRUE(read(R"({"models": [{"id": "a", "spellings": ["A", "x"]}]})"));
}

}  // namespace
}  // namespace dlperf
