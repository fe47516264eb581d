// SPDX-License-Identifier: Apache-2.0
// The watchdog with failures, clocks and endings that the tests make.
#include "comm/watchdog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>

#include "base/failure.h"

namespace dlperf::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Something that goes wrong when a test says so.
class Switch {
public:
    void set(const std::string& reason) {
        const std::lock_guard lock(mutex_);
        reason_ = reason;
    }
    std::optional<std::string> get() const {
        const std::lock_guard lock(mutex_);
        return reason_;
    }

private:
    mutable std::mutex mutex_;
    std::optional<std::string> reason_;
};

// A watchdog that looks every millisecond and keeps what it did.
class WatchdogTest : public ::testing::Test {
protected:
    void start() {
        settings_.interval = milliseconds(1);
        settings_.now = [this] { return WatchdogSettings::Time(milliseconds(clock_.load())); };
        WatchdogActions actions;
        actions.cause = [this] { return peers_.get(); };
        actions.consequence = [this] { return comm_.get(); };
        actions.abort = [this] {
            note("abort");
            if (aborting_) {
                aborting_();
            }
        };
        actions.publish = [this](const std::string& reason) { note("publish " + reason); };
        actions.end = [this](const std::string& reason) {
            note("end " + reason);
            ended_.count_down();
        };
        watchdog_ = std::make_unique<Watchdog>(settings_, std::move(actions));
    }

    void note(const std::string& what) {
        const std::lock_guard lock(mutex_);
        notes_.push_back(what);
    }
    std::vector<std::string> notes() const {
        const std::lock_guard lock(mutex_);
        return notes_;
    }
    std::string failure() const {
        while (!watchdog_->failure()) {
            std::this_thread::sleep_for(milliseconds(1));
        }
        return *watchdog_->failure();
    }

    WatchdogSettings settings_{.causeTimeout = milliseconds(0), .grace = minutes(10)};
    Switch peers_;
    Switch comm_;
    std::atomic<int> clock_{0};
    std::function<void()> aborting_;
    std::latch ended_{1};
    mutable std::mutex mutex_;
    std::vector<std::string> notes_;
    std::unique_ptr<Watchdog> watchdog_;  // last: it uses everything above
};

TEST_F(WatchdogTest, IdleItDoesNothingAndEndsAtOnce) {
    start();
    EXPECT_EQ(watchdog_->failure(), std::nullopt);
    watchdog_.reset();
    EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(WatchdogTest, AFailureIsKeptPublishedAndAborts) {
    start();
    comm_.set("a wire is cut");
    EXPECT_EQ(failure(), "a wire is cut");
    watchdog_.reset();
    EXPECT_THAT(notes(), ElementsAre("publish a wire is cut", "abort"));
}

TEST_F(WatchdogTest, TheFirstFailureStays) {
    start();
    peers_.set("rank 3 ended");
    EXPECT_EQ(failure(), "rank 3 ended");
    peers_.set("rank 4 ended");
    std::this_thread::sleep_for(milliseconds(5));  // let it look
    EXPECT_EQ(failure(), "rank 3 ended");
    watchdog_.reset();
    EXPECT_THAT(notes(), ElementsAre("publish rank 3 ended", "abort"));
}

TEST_F(WatchdogTest, ACauseThatComesAfterItsConsequenceIsTheReason) {
    settings_.causeTimeout = minutes(10);
    start();
    comm_.set("a wire is cut");
    std::this_thread::sleep_for(milliseconds(5));  // let it look
    EXPECT_EQ(watchdog_->failure(), std::nullopt);
    peers_.set("rank 3 ended");
    EXPECT_EQ(failure(), "rank 3 ended");
}

TEST_F(WatchdogTest, AStepThatTakesTooLongIsAFailure) {
    start();
    watchdog_->begin(7);
    watchdog_->begin(8);
    clock_ = 120001;
    EXPECT_EQ(failure(),
              "step 7 was not done within 120 s (--comm-timeout): this process or another is stuck");
}

TEST_F(WatchdogTest, StepsThatGoOnAreNoFailure) {
    start();
    watchdog_->begin(0);
    for (int step = 1; step < 200; ++step) {
        watchdog_->begin(step);  // before the one before is done, so it is under way for two steps' time
        clock_ += 110000;
        if (step % 10 == 0) {
            std::this_thread::sleep_for(milliseconds(2));  // let it look
        }
        watchdog_->done(step - 1);
    }
    watchdog_->done(199);
    clock_ += 1000000;  // nothing is under way
    std::this_thread::sleep_for(milliseconds(5));
    EXPECT_EQ(watchdog_->failure(), std::nullopt);
    watchdog_.reset();
    EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(WatchdogTest, ATrainingThreadThatDoesNotReactIsEndedWithItsProcess) {
    settings_.grace = milliseconds(20);
    start();
    comm_.set("a wire is cut");
    ended_.wait();
    watchdog_.reset();
    const std::vector<std::string> all = notes();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_THAT(all, ::testing::Contains("abort"));
    EXPECT_THAT(all, ::testing::Contains("end a wire is cut"));
}

TEST_F(WatchdogTest, ATrainingThreadThatReactsInTimeIsLeftToEndItself) {
    std::latch aborted(1);
    aborting_ = [&] { aborted.count_down(); };
    start();
    comm_.set("a wire is cut");
    aborted.wait();
    watchdog_.reset();
    EXPECT_THAT(notes(), ElementsAre("publish a wire is cut", "abort"));
}

TEST_F(WatchdogTest, AnAbortThatIsStuckDoesNotHoldTheLastResortUp) {
    settings_.grace = milliseconds(20);
    aborting_ = [&] { ended_.wait(); };
    start();
    comm_.set("a wire is cut");
    failure();
    watchdog_.reset();
    EXPECT_THAT(notes(), ElementsAre("publish a wire is cut", "abort", "end a wire is cut"));
}

TEST_F(WatchdogTest, DestroyedWhileItFailsItEnds) {
    for (int i = 0; i < 50; ++i) {
        start();
        comm_.set("a wire is cut");
        watchdog_.reset();
    }
    EXPECT_THAT(notes(), ::testing::Not(::testing::Contains(HasSubstr("end"))));
}

TEST(WatchdogDeathTest, TheLastResortSaysWhyAndEndsWithItsCode) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(endProcess(3, "a wire is cut"),
                ::testing::ExitedWithCode(static_cast<int>(ExitCode::Communication)),
                "^dlperf-worker: rank 3: a wire is cut\n$");
}

}  // namespace
}  // namespace dlperf::worker
