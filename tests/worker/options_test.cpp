// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.h"

namespace dlperf::worker {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The message that the arguments are refused with; empty where they are accepted.
std::string refusal(const std::vector<std::string>& arguments) {
    return failureOf(ExitCode::Usage, [&] { parseOptions(arguments); });
}

TEST(Options, BothSpellingsSetAllKinds) {
    const Options options =
        parseOptions({"--batch-size", "32", "--image-size=96", "--precision", "bf16", "--lr=0.5", "--data",
                      "/some/folder", "--devices", "4", "--seed", "9000000000"});
    EXPECT_EQ(options.batchSize, 32);
    EXPECT_EQ(options.imageSize, 96);
    EXPECT_EQ(options.precision, Precision::Bf16);
    EXPECT_EQ(options.learningRate, 0.5);
    EXPECT_EQ(options.data, "/some/folder");
    EXPECT_EQ(options.devices, 4);
    EXPECT_EQ(options.seed, 9000000000U);
    EXPECT_TRUE(options.launches());
}

TEST(Options, NothingSaidIsOneProcessWithDefaults) {
    const Options options = parseOptions({});
    EXPECT_FALSE(options.launches());
    EXPECT_EQ(options.iterations, 120);
    EXPECT_EQ(options.imageSize, 224);
    EXPECT_FALSE(options.learningRate.has_value());
}

TEST(Options, RefusalsNameTheOptionTheValueAndWhatItMayBe) {
    EXPECT_THAT(refusal({"--batch-size", "0"}),
                AllOf(HasSubstr("--batch-size"), HasSubstr("'0'"), HasSubstr("from 1")));
    EXPECT_THAT(refusal({"--batch-size", "8x"}), HasSubstr("'8x'"));
    EXPECT_THAT(refusal({"--batch-size", "99999999999999999999"}), HasSubstr("whole number"));
    EXPECT_THAT(refusal({"--image-size", "100"}), HasSubstr("multiple of 32"));
    EXPECT_THAT(refusal({"--decode", "there"}), HasSubstr("auto or host or gpu"));
    EXPECT_THAT(refusal({"--precision", "fp8"}), HasSubstr("fp32 or tf32 or fp16 or bf16"));
    EXPECT_THAT(refusal({"--momentum", "1"}), HasSubstr("below 1"));
    EXPECT_THAT(refusal({"--lr", "nan"}), HasSubstr("from 0 up"));
    EXPECT_THAT(refusal({"--lr"}), HasSubstr("needs a value"));
    EXPECT_THAT(refusal({"--help=yes"}), HasSubstr("takes no value"));
    EXPECT_THAT(refusal({"--bogus"}), HasSubstr("unknown option '--bogus'"));
    EXPECT_THAT(refusal({"-"}), HasSubstr("unknown option '-'"));
    EXPECT_THAT(refusal({"bogus"}), HasSubstr("unknown option 'bogus'"));
    EXPECT_THAT(refusal({"--nodes", "2", "--node-rank", "2"}), HasSubstr("--node-rank 2"));
}

}  // namespace
}  // namespace dlperf::worker
