// SPDX-License-Identifier: Apache-2.0
// Ranks that are lost in every way, as a table and over real sockets; program_test.cpp has them as processes.
#include "comm/heartbeat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "comm/protocol.h"
#include "comm/watchdog.h"
#include "failures.h"
#include "hosted_store.h"

namespace dlperf::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::StartsWith;

Membership::Time at(int second) {
    return Membership::Time(seconds(second));
}

TEST(Membership, WhoBeatsIsThere) {
    Membership members(seconds(30));
    EXPECT_EQ(members.nextTimeout(), std::nullopt);
    EXPECT_TRUE(members.join(1, at(0)));
    EXPECT_TRUE(members.join(2, at(5)));
    EXPECT_EQ(members.nextTimeout(), at(30));
    members.heartbeat(1, at(20));
    EXPECT_EQ(members.nextTimeout(), at(35));  // rank 2's
    members.checkTimeouts(at(35));
    EXPECT_EQ(members.loss(), std::nullopt);
    members.heartbeat(2, at(6));
    members.checkTimeouts(at(37));
    EXPECT_EQ(members.loss(), "rank 2 has been silent for 30 s: it is stopped or cannot be reached");
    EXPECT_EQ(members.nextTimeout(), std::nullopt);
}

TEST(Membership, ARankIsThereOnceAndWithinBounds) {
    Membership members(seconds(30));
    EXPECT_TRUE(members.join(1, at(0)));
    EXPECT_FALSE(members.join(1, at(0)));
    EXPECT_FALSE(members.join(-1, at(0)));
    EXPECT_FALSE(members.join(1 << 16, at(0)));
}

TEST(Membership, WhoLeftIsNotLost) {
    Membership members(seconds(30));
    members.join(1, at(0));
    members.leave(1);
    members.disconnect(1);
    members.checkTimeouts(at(100));
    EXPECT_EQ(members.loss(), std::nullopt);
}

TEST(Membership, TheFirstLossStaysAndHasNoControlCharacters) {
    Membership members(seconds(30));
    members.join(1, at(0));
    members.join(2, at(0));
    members.fail(2, "bad\n\x1b[31mnews");
    members.disconnect(1);
    EXPECT_EQ(members.loss(), "rank 2 failed: bad  [31mnews");
}

// The server of a world, which hears of no silence unless a test wants it.
struct Hosted : HostedStore {
    explicit Hosted(milliseconds silence = minutes(10), int ranks = 1000) : HostedStore(silence, ranks) {}

    std::unique_ptr<Heartbeat> join(int rank, milliseconds silence = minutes(10)) const {
        return std::make_unique<Heartbeat>(worldOf(rank, 2, port), in(longWait), silence);
    }
};

std::string joinRequest(const std::string& rank) {
    return std::string(protocol::greetingText) + protocol::encodeRequest(protocol::Join, rank, "");
}

// A rank that has joined and says what the test wants.
FileDescriptor joinByHand(const Hosted& hosted, const std::string& rank) {
    FileDescriptor socket = connectTo("127.0.0.1", hosted.port, in(longWait));
    sendAll(socket, joinRequest(rank), in(longWait));
    std::string answer = protocol::encodeAnswer(protocol::Alive, "");
    receiveAll(socket, answer, in(longWait));
    return socket;
}

void expectToHear(const FileDescriptor& socket, const std::string& expected) {
    std::string heard = expected;
    receiveAll(socket, heard, in(longWait));
    EXPECT_EQ(heard, expected);
}

std::string lossOf(const Heartbeat& heartbeat) {
    while (!heartbeat.lost()) {
        std::this_thread::sleep_for(milliseconds(1));
    }
    return *heartbeat.lost();
}

TEST(Heartbeat, RanksThatLeaveAreNoLoss) {
    Hosted hosted;
    const auto leader = hosted.join(0);
    const auto early = hosted.join(1);
    const auto late = hosted.join(2);
    early->leave();
    hosted.join(1)->leave();  // the server has heard the goodbye: the place is free
    leader->leave();
    hosted.server.reset();
    late->leave();
    for (const auto* rank : {&leader, &early, &late}) {
        EXPECT_EQ((*rank)->lost(), std::nullopt);
    }
}

TEST(Heartbeat, WhoIsLeftHearsThatRankZeroEndsAsItShould) {
    Hosted hosted;
    const auto leader = hosted.join(0);
    const FileDescriptor one = joinByHand(hosted, "1");
    leader->leave();
    sendAll(one, protocol::encodeRequest(protocol::Heartbeat, "", ""), in(longWait));
    hosted.server.reset();
    expectToHear(one,
                 protocol::encodeAnswer(protocol::Alive, "") + protocol::encodeAnswer(protocol::Quit, ""));
}

TEST(Heartbeat, ARankThatIsSilentIsLostAfterItsTimeAndHearsIt) {
    const Hosted hosted(milliseconds(500));
    const auto zero = hosted.join(0, milliseconds(500));
    const FileDescriptor one = joinByHand(hosted, "1");
    EXPECT_THAT(lossOf(*zero), StartsWith("rank 1 has been silent for 0.5 s: "));
    expectToHear(one, protocol::encodeAnswer(protocol::Notice, lossOf(*zero)));
}

TEST(Heartbeat, AServerThatIsSilentIsLostAfterItsTime) {
    const FileDescriptor listener = listenAt("127.0.0.1", 0);
    FileDescriptor socket;
    const std::jthread server([&] {
        socket = FileDescriptor(::accept(listener.get(), nullptr, nullptr));
        sendAll(socket, protocol::encodeAnswer(protocol::Alive, ""), in(longWait));
    });
    const Heartbeat one(worldOf(1, 2, portOf(listener)), in(longWait), milliseconds(500));
    EXPECT_EQ(lossOf(one), "rank 0 has been silent for 0.5 s: it is stopped or cannot be reached");
}

TEST(Heartbeat, TheFirstFailureReachesAllWithItsReason) {
    const Hosted hosted;
    const auto one = hosted.join(1);
    const auto two = hosted.join(2);
    auto three = hosted.join(3);
    three->fail("out of memory");
    three.reset();
    EXPECT_EQ(lossOf(*one), "rank 3 failed: out of memory");
    two->fail("NCCL says no");
    EXPECT_EQ(lossOf(*hosted.join(4)), "rank 3 failed: out of memory");
}

TEST(Heartbeat, TheServersFailureReachesTheOthersBeforeItEnds) {
    for (int i = 0; i < 20; ++i) {
        Hosted hosted;
        const auto one = hosted.join(1);
        auto leader = hosted.join(0);
        leader->fail("the disk is full");
        leader.reset();
        hosted.server.reset();
        EXPECT_EQ(lossOf(*one), "rank 0 failed: the disk is full");
    }
}

TEST(Heartbeat, AServerThatIsDestroyedBeforeItsRankLeftIsALoss) {
    Hosted hosted;
    const auto leader = hosted.join(0);
    const auto one = hosted.join(1);
    hosted.server.reset();
    EXPECT_EQ(lossOf(*one), "rank 0 ended without a word");
}

TEST(Heartbeat, ASecondProcessOfOneRankIsRefused) {
    const Hosted hosted;
    const auto one = hosted.join(1);
    EXPECT_THAT(failureOf(ExitCode::Rendezvous, [&] { hosted.join(1); }),
                StartsWith("rank 0 does not take this process as rank 1; is there another"));
    EXPECT_EQ(one->lost(), std::nullopt);
}

TEST(Heartbeat, SixtyFourRanksHearOfTheOneThatUnwinds) {
    const Hosted hosted;
    std::vector<std::unique_ptr<Heartbeat>> ranks;
    ranks.reserve(64);
    for (int rank = 0; rank < 64; ++rank) {
        ranks.push_back(hosted.join(rank));
    }
    ranks.back().reset();
    ranks.pop_back();
    for (const auto& rank : ranks) {
        EXPECT_EQ(lossOf(*rank), "rank 63 ended without a word");
    }
}

TEST(Heartbeat, StrangersAreDroppedAndHarmNobody) {
    using protocol::encodeRequest;
    const Hosted hosted;
    const auto one = hosted.join(1);
    const std::string greeting(protocol::greetingText);
    for (const std::string& garbage :
         {greeting + encodeRequest(protocol::Heartbeat, "", ""),
          greeting + encodeRequest(protocol::Failed, "", "ha"),
          greeting + encodeRequest(protocol::Leave, "", ""), joinRequest("-1"), joinRequest("9999999999"),
          joinRequest("1"), greeting + "M\xff\xff\xff\xff", greeting + "S\xff\xff\xff\xff",
          greeting + encodeRequest(static_cast<protocol::Request>('X'), "", ""), std::string("M\0\0\0\0", 5),
          std::string("GET / HTTP/1.1\r\n\r\n")}) {
        const FileDescriptor socket = connectTo("127.0.0.1", hosted.port, in(longWait));
        sendAll(socket, garbage, in(longWait));
        char byte = 0;
        EXPECT_THROW(receiveAll(socket, std::span(&byte, 1), in(longWait)), Failure) << garbage;
    }
    EXPECT_EQ(one->lost(), std::nullopt);
}

// The builds before sent "dlperf1", and steps with their heartbeats.
TEST(Heartbeat, AnotherBuildIsNamed) {
    const Hosted hosted;
    const auto one = hosted.join(1);
    const FileDescriptor old = connectTo("127.0.0.1", hosted.port, in(longWait));
    sendAll(old, "dlperf1\n" + protocol::encodeRequest(protocol::Join, "2", ""), in(longWait));
    char byte = 0;
    EXPECT_THROW(receiveAll(old, std::span(&byte, 1), in(longWait)), Failure);
    EXPECT_EQ(lossOf(*one), protocol::otherBuild);
}

TEST(Heartbeat, AnotherBuildEndsNoTrainingUnderWay) {
    const Hosted hosted(minutes(10), 2);
    const auto zero = hosted.join(0);
    auto one = hosted.join(1);
    const FileDescriptor old = connectTo("127.0.0.1", hosted.port, in(longWait));
    sendAll(old, "dlperf1\n", in(longWait));
    char byte = 0;
    EXPECT_THROW(receiveAll(old, std::span(&byte, 1), in(longWait)), Failure);
    one->fail("no memory");
    EXPECT_THAT(lossOf(*zero), testing::HasSubstr("no memory"));
}

TEST(Heartbeat, ARankZeroOfAnotherBuildMayBeTheReason) {
    const FileDescriptor listener = listenAt("127.0.0.1", 0);
    const std::jthread oldServer([&] {  // it ends whoever greets in another way
        const FileDescriptor socket(::accept(listener.get(), nullptr, nullptr));
        char byte = 0;
        receiveAll(socket, std::span(&byte, 1), in(longWait));
    });
    World world;
    world.rank = 1;
    world.masterPort = portOf(listener);
    try {
        const Heartbeat heartbeat(world, in(longWait), minutes(10));
        ADD_FAILURE() << "it joined";
    } catch (const Failure& failure) {
        EXPECT_THAT(failure.what(), testing::HasSubstr("different builds of dlperf-worker"));
    }
}

TEST(Heartbeat, ARankThatTalksNonsenseIsLost) {
    const Hosted hosted;
    const auto one = hosted.join(1);
    const FileDescriptor two = joinByHand(hosted, "2");
    sendAll(two, protocol::encodeRequest(protocol::Set, "key", "value"), in(longWait));
    EXPECT_THAT(lossOf(*one), StartsWith("rank 2 "));
}

TEST(Heartbeat, AnAnswerThatNobodyReadsIsNotKeptWithoutEnd) {
    const Hosted hosted;
    const FileDescriptor socket = connectTo("127.0.0.1", hosted.port, in(longWait));
    const std::string big(protocol::maxField, 'x');
    sendAll(socket, protocol::greetingText, in(longWait));
    sendAll(socket, protocol::encodeRequest(protocol::Set, "key", big), in(longWait));
    const std::string get = protocol::encodeRequest(protocol::Get, "key", "");
    const auto ask = [&] {
        for (int i = 0; i < 100000; ++i) {
            sendAll(socket, get, in(longWait));
        }
    };
    EXPECT_THROW(ask(), Failure);
}

// A rank that is watched over as in training.
struct Watched {
    Watched(const Hosted& hosted, int rank, milliseconds patience) : heartbeat(hosted.join(rank)) {
        WatchdogSettings settings;
        settings.interval = milliseconds(1);
        settings.causeTimeout = patience;
        settings.grace = minutes(10);
        WatchdogActions actions;
        actions.cause = [this] { return heartbeat->lost(); };
        actions.consequence = [this] {
            const char* const text = finding;
            return text == nullptr ? std::nullopt : std::optional<std::string>(text);
        };
        actions.publish = [this](const std::string& reason) { heartbeat->fail(reason); };
        watchdog.emplace(settings, std::move(actions));
    }
    std::string failure() const {
        while (!watchdog->failure()) {
            std::this_thread::sleep_for(milliseconds(1));
        }
        return *watchdog->failure();
    }
    std::unique_ptr<Heartbeat> heartbeat;
    std::atomic<const char*> finding = nullptr;  // what goes wrong here
    std::optional<Watchdog> watchdog;            // last: it uses everything above
};

TEST(Heartbeat, WatchedRanksAllEndWithTheFirstReason) {
    const Hosted hosted;
    Watched zero(hosted, 0, minutes(10));
    Watched one(hosted, 1, milliseconds(20));
    Watched two(hosted, 2, minutes(10));
    zero.finding = "NCCL says no";
    one.finding = "the disk is full";
    two.finding = "NCCL says no";
    EXPECT_EQ(one.failure(), "the disk is full");
    EXPECT_EQ(zero.failure(), "rank 1 failed: the disk is full");
    EXPECT_EQ(two.failure(), "rank 1 failed: the disk is full");
}

}  // namespace
}  // namespace dlperf::worker
