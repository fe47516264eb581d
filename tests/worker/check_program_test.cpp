// SPDX-License-Identifier: Apache-2.0
// dlperf-worker-check, started as compare.py's readers start it.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "distance.h"
#include "process.h"

namespace dlperf::worker::test {
namespace {

std::vector<std::string> check(std::vector<std::string> options) {
    options.insert(options.begin(), {DLPERF_WORKER_CHECK, "--backend", "cpu", "--image-size", "32",
                                     "--batch-size", "2", "--classes", "10"});
    return options;
}

TEST(CheckProgram, WritesTheLossOfEachStep) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/steps";
    Process program(check({"--steps", "3", "--batches=2", "--lr", "0.02", "--output", file}));
    ASSERT_EQ(program.wait(), 0) << program.err();

    const auto facts = nlohmann::json::parse(readFile(file));
    EXPECT_EQ(facts.at("losses").size(), 3U);
    EXPECT_EQ(facts.at("batches"), 2);
    EXPECT_EQ(facts.at("learning_rate"), 0.02);
    EXPECT_NE(facts.at("losses").at(0), facts.at("losses").at(2)) << "the first batch again, after a step";
    EXPECT_EQ(facts.at("tensors").size(), 161U);
    EXPECT_EQ(facts.at("tensors").at(0).at("shape"), nlohmann::json({64, 3, 7, 7}));
}

TEST(CheckProgram, RefusesWhatItDoesNotKnow) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"--output", "x", "--seed", "1"}, "unknown option '--seed'"},
        {{"--output", "x", "--steps", "-1"}, "--steps must be a whole number from 0 to 1000000, not '-1'"},
        {{"--output", "x", "--frozen-norm=1"}, "--frozen-norm takes no value"},
        {{"--output", "x", "--lr", "fast"}, "--lr must be a number from 0 up, not 'fast'"},
        {{"--output"}, "--output needs a value"},
        {{}, "--output is missing"},
    };
    for (const auto& [options, message] : cases) {
        const Ended ended = run(check(options));
        EXPECT_EQ(ended.code, 2) << message;
        EXPECT_NE(ended.err.find(message), std::string::npos) << ended.err;
    }
}

TEST(CheckProgram, SaysWhereItCannotWrite) {
    const Ended ended = run(check({"--output", "/nowhere/at/all"}));
    EXPECT_EQ(ended.code, 8);
    EXPECT_NE(ended.err.find("cannot write /nowhere/at/all"), std::string::npos) << ended.err;
}

std::vector<float> floatsIn(const std::string& path) {
    const std::string bytes = readFile(path);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

double lossIn(const std::string& path) {
    return nlohmann::json::parse(readFile(path)).at("losses").at(0);
}

// Data parallelism proper. Batch normalisation is frozen: otherwise it differs by the share.
TEST(CheckProgram, TwoProcessesWithHalfTheBatchHaveTheGradientsOfOne) {
    const TemporaryFolder folder;
    const auto file = [&](const char* name) { return folder.path() + "/" + name; };
    const auto shareOf = [&](const char* images, const char* name) {
        return check({"--batch-size", images, "--label-smoothing", "0.1", "--frozen-norm", "--comm-timeout",
                      "60", "--output", file(name)});
    };
    Process alone(shareOf("8", "alone"));
    ASSERT_EQ(alone.wait(), 0) << alone.err();
    auto [first, second] = startRanks(shareOf("4", "first"), shareOf("4", "second"));
    ASSERT_EQ(first.wait(), 0) << first.err();
    ASSERT_EQ(second.wait(), 0) << second.err();

    const std::vector<float> expected = floatsIn(file("alone.f32"));
    const std::vector<float> got = floatsIn(file("first.f32"));
    EXPECT_EQ(got, floatsIn(file("second.f32"))) << "ranks must agree to the bit";
    ASSERT_GT(expected.size(), 23'000'000U);
    ASSERT_EQ(got.size(), expected.size());
    EXPECT_NEAR(lossIn(file("first")), lossIn(file("alone")), 1e-5);
    EXPECT_LT(relativeDistance(got, expected), 1e-5);
}

}  // namespace
}  // namespace dlperf::worker::test
