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
    EXPECT_EQ(to("12 is it"), "general");
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

TEST(Translation, WhatAProgramPrintedStaysAsItWas) {
    const Translation to = made(R"({"it says \"{}\"": "S“{}”", "it ended, its last line: {}": "E，L：{}",
                                    "out of memory": "M", "the end": "X"})");
    EXPECT_EQ(to("it says \"CUDA: out of memory. Tried, then out of memory.\""),
              "S“CUDA: out of memory. Tried, then out of memory.”");
    EXPECT_EQ(to("n1: it ended, its last line: out of memory. Tried: out of memory."),
              "n1：E，L：out of memory. Tried: out of memory.");
    EXPECT_EQ(to("the end: \"out of memory. Tried, out of memory\". the end."),
              "X：\"out of memory. Tried, out of memory\"。X。");
    EXPECT_EQ(to("5\" are it. the end."), "5\" are it. X。") << "one mark is no quotation";
    const Translation& chinese = Translation::to("zh_CN");
    EXPECT_EQ(
        chinese("this machine: the trainer ended with SIGSEGV (exit code 139), its last line: Oh. No, out "
                "of memory"),
        "本机：训练程序以 SIGSEGV（退出码 139） 结束，其最后一行：Oh. No, out of memory");
    EXPECT_EQ(chinese("A: +10.4 % against B; different (p = 0.029, 4 and 4 runs)"),
              "A: +10.4 % against B；有差异（p = 0.029，4 次与 4 次运行）");
}

TEST(Translation, ASentenceOfTheUsersOwnStays) {
    const Translation to = made(R"({"{} on {}": "{1}: {0}", "{} nodes": "<{}>", "two things": "T"})");
    EXPECT_EQ(to("another job on the node"), "another job on the node");
    EXPECT_EQ(to("work on it"), "work on it");
    EXPECT_EQ(to("ResNet50 on A100"), "ResNet50 on A100");
    EXPECT_EQ(to("ResNet50 on two things"), "ResNet50 on two things");
    EXPECT_EQ(to("79 GB on n1"), "n1: 79 GB");
    EXPECT_EQ(to("two things on n1"), "n1: T");
    EXPECT_EQ(to("3 nodes"), "<3>");
    EXPECT_EQ(to("all the nodes"), "all the nodes");
}

TEST(Translation, NoBlankStandsBetweenChineseWords) {
    const Translation to = made(R"({"ended by {}": "由 {} 结束", "some request": "请求"})");
    EXPECT_EQ(to("ended by some request"), "由请求结束");
    EXPECT_EQ(to("ended by n1"), "由 n1 结束");
}

TEST(Translation, NamesOfPlansStay) {
    const Translation& chinese = Translation::to("zh_CN");
    for (const std::string name : {"ResNet50 on this machine", "Five frameworks on this machine",
                                   "ResNet50 in fp16", "batch32 to batch64", "PyTorch 2 is faster"}) {
        EXPECT_EQ(chinese(name), name);
    }
    EXPECT_EQ(chinese("cancelled by a cancel request before it began"), "因取消请求而在开始前取消");
    EXPECT_EQ(chinese("node1 is 2.00 s ahead"), "node1 快 2.00 s");
}

// "After" and "Campaign" are headings of columns; in a title they are what somebody called a campaign.
TEST(Translation, NamesOfCampaignsStayInTitles) {
    const Translation& chinese = Translation::to("zh_CN");
    EXPECT_EQ(chinese("After"), "之后");
    EXPECT_EQ(chinese("PyTorch, After"), "PyTorch, After");
    EXPECT_EQ(chinese("batch size 32, Campaign"), "批次大小 32，Campaign");
    EXPECT_EQ(chinese("Throughput, images/s"), "吞吐率，图片/秒");
    EXPECT_EQ(chinese.part("After"), "After");  // all that is left of "PyTorch, After" in a narrow legend
    EXPECT_EQ(chinese.part("batch size 32"), "批次大小 32");
}

TEST(Translation, ACountIsOneNumber) {
    const Translation to = made(R"({"{} campaigns": "<{}>", "{} runs of {}": "[{1}: {0}]"})");
    EXPECT_EQ(to("34 runs of 7 campaigns"), "[<7>: 34]");
    EXPECT_EQ(to("1,000 campaigns"), "<1,000>");
}

TEST(Translation, WhereATextBeginsWithANameNothingStandsBeforeIt) {
    const Translation to = made(
        R"({"{} on {}, then {} on {}": "{1}: {0}, {3}: {2}", "Throughput falls": "F", "batch size {}": "B{}"})");
    EXPECT_EQ(to("x (r50, batch size 2), 1n2g: Throughput falls: 16.80 on 1n1g, then 12.04 on 1n2g"),
              "x（r50，B2），1n2g：F：1n1g: 16.80, 1n2g: 12.04");
}

TEST(Translation, WhatASemicolonPartsIsNoNumber) {
    const Translation to = made(R"({"it needs {}": "N {} L", "repetition {} likewise": "R {}"})");
    EXPECT_EQ(to("it needs 30; repetition 2 likewise"), "N 30 L；R 2");
}

TEST(Translation, ABracketIsWhole) {
    const Translation to = made(R"({"unknown": "U", "they differ": "D", "batch size {}": "B{}"})");
    EXPECT_EQ(to("they differ: 224 (a; b), unknown (c; d)"), "D：224 (a; b)，U（c; d）");
    EXPECT_EQ(to("x (a, batch size 2)"), "x（a，B2）");
    EXPECT_EQ(to("x (a, b)"), "x (a, b)");
}

TEST(Translation, WhatStandsDeepIsFound) {
    const Translation& chinese = Translation::to("zh_CN");
    EXPECT_EQ(chinese("34 runs of 7 campaigns"), "7 个批次任务的 34 次运行");
    EXPECT_EQ(chinese("ResNet50, fp32, batch size 2: On 2 devices (2n1g) PyTorch trains 5.00 images/s. "
                      "A follows with 4.00 images/s (−20.0 %)."),
              "ResNet50，fp32，批次大小 2：在 2 个设备（2n1g）上，PyTorch 训练速度为 5.00 图片/秒。"
              "其次为 A：4.00 图片/秒（−20.0 %）。");
    const std::string finding = chinese(
        "dlperf-worker (ResNet50 v1.5, fp32, batch size 2), 1n2g: Disturbed run: repetition 1: on a other "
        "processes, above all cc1plus, took 1.8 of 2.0 cores; repetition 2 likewise. What happened then is "
        "in the figure: repeat the run, or exclude it.");
    EXPECT_THAT(finding, HasSubstr("受干扰的运行：重复 1：a 上的其他进程（主要是 cc1plus）"));
    EXPECT_THAT(finding, Not(HasSubstr("likewise")));
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

TEST(Translation, CountsAndUnitsAreChinese) {
    const Translation& to = Translation::to("zh_CN");
    EXPECT_EQ(to("20:120 -> 50:150, changed afterwards (3 runs)"), "20:120 -> 50:150，事后更改（3 次运行）");
    EXPECT_EQ(to("12,411.97 images/s, 1.98×"), "12,411.97 图片/秒，1.98×");
    EXPECT_EQ(to("dlperf-worker, images/s"), "dlperf-worker，图片/秒");
    EXPECT_EQ(to("the node list, node 2"), "节点列表，节点 2");
    EXPECT_EQ(to("\"gpu 1\": a space cannot be there"), "“gpu 1”：不允许含空格");
    EXPECT_EQ(to("the log ends at iteration 115, the window at 118"), "日志止于迭代 115，测量区间止于 118")
        << "what runs of earlier versions say";
}

}  // namespace
}  // namespace dlperf
