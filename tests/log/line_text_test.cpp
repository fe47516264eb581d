// SPDX-License-Identifier: Apache-2.0
#include "core/log/line_text.h"

#include <gtest/gtest.h>

#include <random>

namespace dlperf::log {
namespace {

TEST(LineText, IsWhatATerminalShowsInTheEnd) {
    EXPECT_EQ(plainLine("10%\r50%\r\x1b[32m100%\x1b[0m\r\n"), "100%");
    EXPECT_EQ(plainLine("a\tb\x1b]0;title\x07"
                        "c\x1b(Bd"),
              "a    bcd");
    EXPECT_EQ(plainLine("\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\"), "link");
    EXPECT_EQ(plainLine("cut \x1b["), "cut \x1b[");
    EXPECT_EQ(plainLine("lone \x1b"), "lone \x1b");
    EXPECT_EQ(lastState("only\r\r\n"), "only");
    EXPECT_TRUE(isPlainAscii("Epoch: [0] ~"));
    for (const char* odd : {"a\tb", "a\x7f", "\x1b[0m", "\xc3\xa4"}) {
        EXPECT_FALSE(isPlainAscii(odd)) << odd;
    }
}

TEST(LineSearch, KnowsWhatALineMustHold) {
    const auto needle = [](const char* pattern) { return LineSearch(pattern, true).needle(); };
    EXPECT_EQ(needle("Time +0.4[0-9]+.*loss spike"), "loss spike");
    EXPECT_EQ(needle("(?i)NaN at step"), "nan at step");
    EXPECT_EQ(needle("loss|accuracy"), "");  // either will do
    EXPECT_EQ(needle("(warning|error): disk"), "");
    EXPECT_EQ(needle("(warning|error).*: disk"), ": disk");
    EXPECT_EQ(needle("x*"), "");
    EXPECT_EQ(needle("[0-9]+"), "");
    EXPECT_EQ(needle("step(?= 7)"), "");  // for another engine
    // A tab is shown as four blanks, so blanks at an end may be one.
    EXPECT_EQ(LineSearch(" Loss is    high ", false).needle(), "loss is");
    EXPECT_EQ(LineSearch("    ", false).needle(), "");
    EXPECT_EQ(LineSearch("\xe6\x8d\x9f", false).needle(), "");
}

TEST(NeedleWalk, GoesFromPossibleLineToPossibleLine) {
    std::minstd_rand random(6);
    for (int i = 0; i < 20000; ++i) {
        std::string block(random() % 40, ' ');
        for (char& c : block) {
            c = "abABx]\n\x1b"[random() % 8];
        }
        std::string needle(1 + random() % 3, ' ');
        for (char& c : needle) {
            c = "ab]"[random() % 3];
        }
        std::string lower = block;
        for (char& c : lower) {
            c = c == 'A' ? 'a' : c == 'B' ? 'b' : c;
        }
        NeedleWalk walk(needle);
        walk.start(block);
        for (std::size_t from = 0; from <= block.size(); from += 1 + random() % 3) {
            ASSERT_EQ(walk.next(from), std::min(lower.find(needle, from), lower.find('\x1b', from)))
                << needle << " from " << from << " in " << block;
        }
    }
}

TEST(LineText, PrefixesTellWhoSpeaks) {
    const std::vector<std::string> nodes{"node1", "node2"};
    EXPECT_EQ(afterPrefix("[rank3]: ValueError", nodes), "ValueError");
    EXPECT_EQ(afterPrefix("[1,3]<stderr>:x", nodes), "x");
    EXPECT_EQ(afterPrefix(" 12: x", nodes), "x");
    EXPECT_EQ(afterPrefix("node2:211:342 [5] NCCL INFO", nodes), "NCCL INFO");
    EXPECT_EQ(prefixOf("node2:211:342 [5] NCCL", nodes)->node, 1);
    EXPECT_EQ(prefixOf("node2:211:342 [5] NCCL", nodes)->rank, 5);
    for (const char* none : {"[12] x", "12345: x", "[a,3]: x", "node3: x", "[1,]:", "1:2", ""}) {
        EXPECT_FALSE(prefixOf(none, nodes)) << none;
    }
}

}  // namespace
}  // namespace dlperf::log
