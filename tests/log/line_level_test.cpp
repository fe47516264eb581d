// SPDX-License-Identifier: Apache-2.0
#include "core/log/line_level.h"

#include <gtest/gtest.h>

#include "core/log/level_hint.h"

namespace dlperf::log {
namespace {

struct Said {
    const char* line;
    Level level;
};

const std::vector<Said> said{
    {"Traceback (most recent call last):", Level::Plain},  // the exception counts once, where it is named
    {"  File \"train.py\", line 31, in <module>", Level::Plain},
    {"__main__.TooSlow: 3 s", Level::Error},
    {"ValueError: no such file", Level::Error},
    {"[rank1]: torch.cuda.OutOfMemoryError: CUDA out of memory.", Level::Error},
    {"KeyboardInterrupt", Level::Error},
    {"2026-11-21 08:15:30 ERROR cannot open /data", Level::Error},
    {"toy: error: out of patience", Level::Error},
    {"E1121 08:15:30.123 net.cpp:31] refused", Level::Error},
    {"[E ProcessGroupNCCL.cpp:475] watchdog", Level::Error},
    {"bash: line 1: 2936 Segmentation fault (core dumped)", Level::Error},
    {"3 tasks failed", Level::Error},
    {"10 failed", Level::Error},
    {"a:1:2 [0] misc/socket.cc:47 NCCL WARN Connect to b failed", Level::Error},
    {"libibverbs: Warning: no userspace driver", Level::Warning},
    {"train.py:7: UserWarning: deprecated", Level::Warning},
    {"[W socket.cpp:426] cannot be initialized", Level::Warning},
    {"\x1b[33mWARNING\x1b[0m low memory", Level::Warning},
    {"node3:211:342 [0] NCCL INFO NET/IB : No device found.", Level::Info},
    {"# backend: cpu", Level::Quiet},
    {"DEBUG cache hit", Level::Quiet},
    {"top-1 error 0.31, 0 failed", Level::Plain},
    {"iteration 21 epoch 0 loss 6.9312 throughput 12.46 images/s", Level::Plain},
};

TEST(LineLevel, IsToldByTheText) {
    for (const Said& one : said) {
        EXPECT_EQ(static_cast<int>(levelOfLine(one.line, {"node3"})), static_cast<int>(one.level))
            << one.line;
    }
}

// What the fast looks pass over must hold no warning: the counters and the colours are one.
TEST(LineLevel, NothingBadIsPassedOver) {
    for (const Said& one : said) {
        if (one.level == Level::Error || one.level == Level::Warning) {
            EXPECT_TRUE(isSuspect(one.line)) << one.line;
            EXPECT_NE(findHint(one.line, 0), std::string_view::npos) << one.line;
        }
    }
    EXPECT_FALSE(isSuspect("Epoch: [0][78/313] Time 0.409 Loss 6.9 Acc@1 0.00"));
    EXPECT_EQ(findHint("Epoch: [0][78/313] Time 0.409 Loss 6.9 Acc@1 0.00\n", 0), std::string_view::npos);
}

// Wherever it stands: hints are looked for in steps, and behind the last whole one.
TEST(LineLevel, EveryWordIsAHintAnywhere) {
    for (const std::string word :
         {"error", "FATAL", "critical", "Exception", "Interrupt", "__main__.X", "Out of memory",
          "Segmentation", "core dumped", "panic:", "Aborted", "Killed", "fail", "Warn", "E1121 ", "F0512-",
          "W20261121 ", "[E12 ", "[W "}) {
        for (const std::size_t behind : {0, 1, 2, 15, 200}) {
            for (std::size_t before = 0; before < 300; ++before) {
                const std::string text = std::string(before, '-') + word + std::string(behind, '-');
                const std::size_t hint = findHint(text, 0);
                ASSERT_TRUE(hint >= before && hint < before + word.size())
                    << word << " behind " << before << ", " << behind << " follow, found at " << hint;
                ASSERT_EQ(findHint(text, hint), hint) << word;
                ASSERT_EQ(findHint(text.substr(0, before), 0), std::string_view::npos);
            }
        }
    }
}

// A place that was found is not found again behind it.
TEST(LineLevel, HintsAreFoundOneByOne) {
    const std::string text = std::string(100, ' ') + "kil" + std::string(500, ' ') + "kil\n";
    EXPECT_EQ(findHint(text, 0), 100U);
    EXPECT_EQ(findHint(text, 101), 603U);
    EXPECT_EQ(findHint(text, 604), std::string_view::npos);
    EXPECT_EQ(findHint(text, text.size()), std::string_view::npos);
}

}  // namespace
}  // namespace dlperf::log
