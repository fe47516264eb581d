// SPDX-License-Identifier: Apache-2.0
// Data parallelism proper: two processes with half the batch each have the gradients of one with all of it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "process.h"

namespace dlperf::worker::test {
namespace {

std::vector<float> floatsIn(const std::string& path) {
    const std::string bytes = readFile(path);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

// The formula's eight images in shares of `share`. Batch normalisation is frozen: otherwise it differs by
// the share.
std::vector<std::string> probe(const char* share, const std::string& file) {
    return {DLPERF_WORKER_CHECK, "--backend", "cpu",           "--image-size",   "32", "--classes",    "10",
            "--label-smoothing", "0.1",       "--frozen-norm", "--comm-timeout", "60", "--batch-size", share,
            "--output",          file};
}

double lossIn(const std::string& path) {
    return nlohmann::json::parse(readFile(path)).at("losses").at(0);
}

TEST(Exchange, TwoProcessesWithHalfTheBatchHaveTheGradientsOfOne) {
    const TemporaryFolder folder;
    const std::string port = std::to_string(freePort());
    const auto file = [&](const char* name) { return folder.path() + "/" + name; };
    const auto variables = [&](const char* rank) -> Process::Variables {
        return {{"RANK", rank}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", port}};
    };
    Process alone(probe("8", file("alone")));
    ASSERT_EQ(alone.wait(), 0) << alone.err();
    Process first(probe("4", file("first")), variables("0"));
    Process second(probe("4", file("second")), variables("1"));
    ASSERT_EQ(first.wait(), 0) << first.err();
    ASSERT_EQ(second.wait(), 0) << second.err();

    const std::vector<float> expected = floatsIn(file("alone.f32"));
    const std::vector<float> got = floatsIn(file("first.f32"));
    EXPECT_EQ(got, floatsIn(file("second.f32"))) << "ranks must agree to the bit";
    ASSERT_GT(expected.size(), 23'000'000U);
    ASSERT_EQ(got.size(), expected.size());
    EXPECT_NEAR(lossIn(file("first")), lossIn(file("alone")), 1e-5);
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double distance = static_cast<double>(got[i]) - static_cast<double>(expected[i]);
        difference += distance * distance;
        size += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
    }
    EXPECT_GT(size, 0.0);
    EXPECT_LT(std::sqrt(difference / size), 1e-5);
}

}  // namespace
}  // namespace dlperf::worker::test
