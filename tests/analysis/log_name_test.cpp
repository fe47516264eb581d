// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/log_name.h"

#include <gtest/gtest.h>

namespace dlperf::analysis {
namespace {

TEST(LogName, IsReadAsDlperfReadsIt) {
    const auto name = parseLogName("r50_b128_fp32_1.log").value();
    EXPECT_EQ(name.model, "r50");
    EXPECT_EQ(name.batchSize, 128);
    EXPECT_EQ(name.precision, "fp32");
    EXPECT_EQ(name.repetition, 1);
    EXPECT_EQ(parseLogName("bert-base-adam-training_b48_fp32_1.log")->model, "bert-base-adam-training");
}

TEST(LogName, RepetitionsMayBeOdd) {
    const std::pair<const char*, int> names[] = {
        {"r50_b128_fp32_7_9.log", 7}, {"r50_b128_fp32_10_12.log", 10}, {"r50_b128_fp32_1_rank0.log", 1},
        {"r50_b128_fp32_01.log", 1},  {"r50_b128_fp32_-1.log", -1},    {"r50_b128_fp32_log1.log", 1}};
    for (const auto& [name, repetition] : names) {
        const auto parsed = parseLogName(name);
        ASSERT_TRUE(parsed) << name;
        EXPECT_EQ(parsed->repetition, repetition) << name;
    }
    EXPECT_TRUE(hasExtraFields("r50_b128_fp32_7_9.log"));
    EXPECT_FALSE(hasExtraFields("r50_b128_fp32_7.log"));
}

TEST(LogName, BatchesMayBeOdd) {
    for (const char* name : {"r50_128_fp32_1.log", "r50_bb128_fp32_1.log", "r50_b128b_fp32_1.log"}) {
        const auto parsed = parseLogName(name);
        ASSERT_TRUE(parsed) << name;
        EXPECT_EQ(parsed->batchSize, 128) << name;
    }
}

TEST(LogName, WhereDlperfAbortsItSaysWhy) {
    for (const char* name : {"r50_b128_fp32.log", "r50_b128_fp32_.log", "r50_b128_fp32_1.bak.log",
                             "r50_bs128_fp32_1.log", "bert_base_b96_fp32_1.log", "r50_b0_fp32_1.log",
                             "r50_b-8_fp32_1.log", ".log", "", "r50_b99999999999_fp32_1.log"}) {
        const auto parsed = parseLogName(name);
        ASSERT_FALSE(parsed) << name;
        EXPECT_FALSE(parsed.error().what.empty());
    }
}

}  // namespace
}  // namespace dlperf::analysis
