// SPDX-License-Identifier: Apache-2.0
#include "core/base/translation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace dlperf {
namespace {

using testing::HasSubstr;

Translation made(std::string_view catalog) {
    return Translation::read(catalog, "a catalog").value();
}

TEST(Translation, EnglishStaysAsItIs) {
    EXPECT_EQ(Translation()("the plan has no runs"), "the plan has no runs");
    EXPECT_EQ(Translation::to("en")("the plan has no runs"), "the plan has no runs");
    EXPECT_EQ(Translation::to("de_DE.UTF-8")("the plan has no runs"), "the plan has no runs");
    EXPECT_NE(Translation::to("zh")("the plan has no runs"), "the plan has no runs");
    EXPECT_NE(Translation::to("zh_CN.UTF-8")("the plan has no runs"), "the plan has no runs");
}

TEST(Translation, NumbersAndNamesFindTheirPlace) {
    const Translation to = made(R"({"{} of {} runs": "<{1} runs, {0} of them>", "takes {}": "<{}>"})");
    EXPECT_EQ(to("2 of 3 runs"), "<3 runs, 2 of them>");
    EXPECT_EQ(to("takes {1}"), "<{1}>") << "what a user wrote is no place for anything";
}

TEST(Translation, TheMostExactPatternCounts) {
    const Translation to = made(R"({"{} is {}": "general", "{} is not there at {}": "exact"})");
    EXPECT_EQ(to("it is not there at noon"), "exact");
    EXPECT_EQ(to("it is 12"), "general");
}

TEST(Translation, SeveralSentencesAndTheirPartsAreEachLookedUp) {
    const Translation to = made(R"({"one thing": "A", "another thing": "B", "last one": "C"})");
    EXPECT_EQ(to("one thing. another thing."), "A。B。");
    EXPECT_EQ(to("one thing: another thing; last one"), "A：B；C");
    EXPECT_EQ(to("/tmp/x: last one"), "/tmp/x：C");
    EXPECT_EQ(to("last one, 1, 2"), "C，1，2");
    EXPECT_EQ(to("/tmp/x: /tmp/y, z"), "/tmp/x: /tmp/y, z") << "nothing of it is ours";
    EXPECT_EQ(to("one thing\nlast one"), "A\nC");
}

TEST(Translation, ATextMayHaveSeveralSentences) {
    const Translation to = made(R"({"Wait. Then look at {}.": "W {}。", "a": "A", "it waits": "I"})");
    EXPECT_EQ(to("n1: it waits. Wait. Then look at n2."), "n1：I。W n2。");
    EXPECT_EQ(to("Wait. Then look at n2. a. b."), "W n2。A。b.");
    EXPECT_EQ(to("Wait. Then sing."), "Wait. Then sing.");
}

TEST(Translation, WhatIsNamedByOneWordStays) {
    const Translation to =
        made(R"({"node {}: {}": "N {}: {}", "driver": "D", "no answer": "E", "runs/s": "R/s"})");
    EXPECT_EQ(to("driver"), "D");
    EXPECT_EQ(to("node driver: no answer"), "N driver: E") << "a node may have any name";
    EXPECT_EQ(to("node driver: runs/s"), "N driver: R/s");
}

TEST(Translation, NoPatternGoesOverTheEndOfASentence) {
    const Translation to = made(R"({"it says {} to everybody": "S {}", "{} of {}": "O"})");
    EXPECT_EQ(to("it says no. Never to everybody"), "it says no. Never to everybody");
    EXPECT_EQ(to("x: 2 of 3"), "x：O");
}

TEST(Translation, ASentenceOfTheUsersOwnStays) {
    const Translation to = made(R"({"{} on {}": "{1}: {0}", "{} nodes": "<{}>", "two things": "T"})");
    EXPECT_EQ(to("another job on the node"), "another job on the node");
    EXPECT_EQ(to("work on it"), "work on it");
    EXPECT_EQ(to("79 GB on n1"), "n1: 79 GB");
    EXPECT_EQ(to("two things on n1"), "n1: T");
    EXPECT_EQ(to("3 nodes"), "<3>");
    EXPECT_EQ(to("all the nodes"), "all the nodes");
}

TEST(Translation, LongTextsAndOddBytesStay) {
    const Translation to = made(R"({"{} a {} b {} c {} d {}": "x"})");
    std::string hostile;
    for (int i = 0; i < 100'000; ++i) {
        hostile += " a b: c; ";
    }
    EXPECT_EQ(to(hostile), hostile);
    EXPECT_EQ(to("\xff\xfe a \x80"), "\xff\xfe a \x80");
    for (const std::string joint :
         {". ", ": ", "; ", ", ", "\n", " a ", " of "}) {  // no more than some ms each
        std::string many;
        while (many.size() < 4'000) {
            many += joint;
        }
        EXPECT_EQ(Translation::to("zh")(many), many);
    }
    EXPECT_EQ(to(""), "");
}

TEST(Translation, ACatalogOfAnythingElseIsRefused) {
    EXPECT_FALSE(Translation::read("[]", "c"));
    EXPECT_FALSE(Translation::read(R"({"a": 1})", "c"));
    EXPECT_FALSE(Translation::read("{", "c"));
    EXPECT_TRUE(Translation::read(R"({"a": null})", "c"));
}

TEST(Translation, TheBuiltInCatalogKnowsWholeTexts) {
    const Translation& chinese = Translation::to("zh_CN");
    EXPECT_EQ(
        chinese(
            "On 16 devices (2n8g) dlperf-worker trains 5,280.84 images/s at a scaling efficiency of 91.4 %."),
        "在 16 个设备（2n8g）上，dlperf-worker 训练速度为 5,280.84 图片/秒，扩展效率为 91.4 %。");
    EXPECT_EQ(chinese("18 runs of 1 campaign, 2026-11-26"), "1 个批次任务的 18 次运行，2026-11-26");
    EXPECT_EQ(chinese("1 run of 1 campaign, 32 published figures of 1 source"),
              "1 个批次任务的 1 次运行，1 个来源的 32 个公布数据");
    EXPECT_EQ(chinese("2 runs of 1 campaign, 1 published figure of 1 source, 2026-11-26 to 2026-11-28"),
              "1 个批次任务的 2 次运行，1 个来源的 1 个公布数据，2026-11-26 至 2026-11-28");
    EXPECT_EQ(chinese("32 published figures of 1 source"), "1 个来源的 32 个公布数据");
    EXPECT_EQ(chinese("plan.json: \"batch_size\" is not a known field. Write \"batch_sizes\", or remove it."),
              "plan.json：“batch_size”不是已知字段。请写“batch_sizes”，或将其删除。");
    EXPECT_THAT(chinese("r50: Batch sizes differ: 32, 64."), HasSubstr("批次大小不同：32"));
}

class Language : public testing::Test {
protected:
    Language() {
        for (const char* name : {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"}) {
            unsetenv(name);
        }
    }
};

TEST_F(Language, OfTheTerminalIsFoundAsGettextDoes) {
    EXPECT_EQ(languageOfTerminal(), "");
    setenv("LANG", "zh_CN.UTF-8", 1);
    EXPECT_EQ(languageOfTerminal(), "zh_CN.UTF-8");
    setenv("LC_MESSAGES", "en_US.UTF-8", 1);
    EXPECT_EQ(languageOfTerminal(), "en_US.UTF-8");
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("LANGUAGE", "zh_CN:en", 1);
    EXPECT_EQ(languageOfTerminal(), "C.UTF-8") << "who asks for C gets English";
    setenv("LC_ALL", "en_US.UTF-8", 1);
    EXPECT_EQ(languageOfTerminal(), "zh_CN");
}

}  // namespace
}  // namespace dlperf
