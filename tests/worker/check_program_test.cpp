// SPDX-License-Identifier: Apache-2.0
// dlperf-worker-check, started as compare.py's readers start it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
        Process program(check(options));
        EXPECT_EQ(program.wait(), 2) << message;
        EXPECT_NE(program.err().find(message), std::string::npos) << program.err();
    }
}

TEST(CheckProgram, SaysWhereItCannotWrite) {
    Process program(check({"--output", "/nowhere/at/all"}));
    EXPECT_EQ(program.wait(), 8);
    EXPECT_NE(program.err().find("cannot write /nowhere/at/all"), std::string::npos) << program.err();
}

}  // namespace
}  // namespace dlperf::worker::test
