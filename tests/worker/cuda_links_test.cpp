// SPDX-License-Identifier: Apache-2.0
// How long all-reduces from GPU to GPU take, on the emulated runtime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "base/failure.h"
#include "cuda/train/device_links.h"
#include "runtime.h"

namespace dlperf::worker::cuda {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::milliseconds exchangeTime{3};
constexpr std::size_t mostBytes = 4096;

// What it was asked for, and what the device did of that.
struct Exchanges {
    std::vector<std::size_t> asked;  // numbers of each message
    std::atomic<int> done{0};
    std::atomic<bool> broken{false};
    std::atomic<int> aborts{0};
};

class SlowComm final : public DeviceComm {
public:
    explicit SlowComm(Exchanges& exchanges) : exchanges_(exchanges) {}
    std::string name() const override { return "slow"; }
    void average(cudaStream_t stream, std::span<const Piece> pieces) override {
        ASSERT_EQ(pieces.size(), 1U);
        ASSERT_EQ(pieces.front().type, NumberType::Float);
        exchanges_.asked.push_back(pieces.front().count);
        emulation::enqueue(stream, [this, piece = pieces.front()] {
            for (std::size_t i = 0; i < piece.count; ++i) {
                ASSERT_EQ(static_cast<float*>(piece.data)[i], 0);
            }
            std::this_thread::sleep_for(exchangeTime);
            ++exchanges_.done;
        });
    }
    std::optional<std::string> error() override {
        return exchanges_.broken ? std::optional<std::string>("the link is down") : std::nullopt;
    }
    void abort() override { ++exchanges_.aborts; }

private:
    Exchanges& exchanges_;
};

class DeviceLinksTest : public ::testing::Test {
protected:
    DeviceLinksTest() : rendezvous_(world_, options_, {}) {
        emulation::reset();
        world_.size = 2;
    }
    ~DeviceLinksTest() override { EXPECT_EQ(emulation::live(), emulation::Live{}); }
    DeviceLinks connect() {
        return {{world_, options_, rendezvous_, {}}, std::make_unique<SlowComm>(exchanges_), mostBytes};
    }

    World world_;
    const Options options_;
    Rendezvous rendezvous_;
    Exchanges exchanges_;
};

// Once to make the connections, once to record it, and from then on by the graph alone.
TEST_F(DeviceLinksTest, EachAllReduceIsTimedOnTheDevice) {
    DeviceLinks links = connect();
    EXPECT_EQ(links.name(), "slow, from GPU to GPU");
    int done = 0;
    for (const std::size_t bytes : {std::size_t{4}, mostBytes}) {
        links.setMessage(bytes);
        EXPECT_EQ(exchanges_.done, ++done) << "before the first that counts";
        for (int i = 0; i < 3; ++i) {
            EXPECT_GE(links.allReduce(), std::chrono::duration<double>(exchangeTime).count() * 0.99);
            EXPECT_EQ(exchanges_.done, ++done) << "it is waited for";
        }
    }
    EXPECT_THAT(exchanges_.asked, ::testing::ElementsAre(1U, 1U, 1024U, 1024U));
    EXPECT_EQ(exchanges_.aborts, 0);
}

// The watchdog looks ten times a second, so a few may still come to their end.
TEST_F(DeviceLinksTest, ALostPeerEndsThem) {
    {
        DeviceLinks links = connect();
        links.setMessage(4);
        exchanges_.broken = true;
        try {
            for (;;) {
                links.allReduce();
            }
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.code(), ExitCode::Communication);
            EXPECT_THAT(failure.what(), HasSubstr("the link is down"));
        }
    }
    EXPECT_EQ(exchanges_.aborts, 1);
}

}  // namespace
}  // namespace dlperf::worker::cuda
