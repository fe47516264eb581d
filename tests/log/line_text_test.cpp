// SPDX-License-Identifier: Apache-2.0
#include "core/log/line_text.h"

#include <gtest/gtest.h>

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
