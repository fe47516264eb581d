// SPDX-License-Identifier: Apache-2.0
// How long all-reduces from GPU to GPU take, on the emulated runtime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "cuda/train/device_links.h"
#include "failures.h"
#include "fake_ranks.h"

namespace dlperf::worker::cuda {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::milliseconds exchangeTime{3};
constexpr std::size_t mostBytes = 4096;

class DeviceLinksTest : public ::testing::Test {
protected:
    DeviceLinksTest() { emulation::reset(); }
    ~DeviceLinksTest() override { EXPECT_EQ(emulation::live(), emulation::Live{}); }
    DeviceLinks connect() { return {ranks_.setup(), std::make_unique<FakeComm>(link_), mostBytes}; }

    MetWorld ranks_{2};
    FakeLink link_{.time = exchangeTime};
};

// Once to make the connections, once to record it, and from then on by the graph alone.
TEST_F(DeviceLinksTest, EachAllReduceIsTimedOnTheDevice) {
    DeviceLinks links = connect();
    EXPECT_EQ(links.name(), "fake, from GPU to GPU");
    int done = 0;
    for (const std::size_t bytes : {std::size_t{4}, mostBytes}) {
        links.setMessage(bytes);
        EXPECT_EQ(link_.done, ++done) << "before the first that counts";
        for (int i = 0; i < 3; ++i) {
            EXPECT_GE(links.allReduce(), std::chrono::duration<double>(exchangeTime).count() * 0.99);
            EXPECT_EQ(link_.done, ++done) << "it is waited for";
        }
    }
    EXPECT_THAT(link_.asked, ::testing::ElementsAre(1U, 1U, 1024U, 1024U));
    EXPECT_EQ(link_.aborts, 0);
}

// The watchdog looks ten times a second, so a few may still come to their end.
TEST_F(DeviceLinksTest, ALostPeerEndsThem) {
    {
        DeviceLinks links = connect();
        links.setMessage(4);
        link_.broken = true;
        const auto reduce = [&] {
            for (;;) {
                links.allReduce();
            }
        };
        EXPECT_THAT(failureOf(ExitCode::Communication, reduce), HasSubstr("the link is down"));
    }
    EXPECT_EQ(link_.aborts, 1);
}

}  // namespace
}  // namespace dlperf::worker::cuda
