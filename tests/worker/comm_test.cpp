// SPDX-License-Identifier: Apache-2.0
// The store, the collectives and the reducer over real sockets; the ranks are threads of this process.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <latch>
#include <numeric>
#include <string_view>
#include <thread>

#include "comm/comm.h"
#include "comm/gradient_reducer.h"
#include "comm/rendezvous.h"
#include "failures.h"
#include "hosted_store.h"
#include "program/rank_times.h"

// No name leads to two addresses on every machine, so the tests have one of their own.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** list) {
    using Function = decltype(&getaddrinfo);
    static const auto ofSystem = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "getaddrinfo"));
    if (name == nullptr || std::string_view(name) != "silent-then-answering.test") {
        return ofSystem(name, service, hints, list);
    }
    const int result = ofSystem("127.0.0.2", service, hints, list);
    return result != 0 ? result : ofSystem("127.0.0.1", service, hints, &(*list)->ai_next);
}

namespace dlperf::worker {
namespace {

TEST(TcpStore, WhatOneSetsAnotherGets) {
    const HostedStore hosted;
    TcpStoreClient one = hosted.client();
    TcpStoreClient two = hosted.client();
    const std::string binary("\0\n\xff value", 9);
    one.set("key", binary, in(longWait));
    one.set("empty", "", in(longWait));
    EXPECT_EQ(two.get("key", in(longWait)), binary);
    EXPECT_EQ(two.get("empty", in(longWait)), "");
}

TEST(TcpStore, GettingWaitsUntilItIsSet) {
    const HostedStore hosted;
    std::string got;
    std::jthread waiter([&] { got = hosted.client().get("later", in(longWait)); });
    TcpStoreClient setter = hosted.client();
    setter.set("other", "x", in(longWait));
    setter.set("later", "now", in(longWait));
    waiter.join();
    EXPECT_EQ(got, "now");
}

TEST(TcpStore, AMissingKeyEndsAtTheDeadline) {
    const HostedStore hosted;
    TcpStoreClient client = hosted.client();
    EXPECT_THROW(client.get("never", in(std::chrono::milliseconds(50))), Failure);
}

TEST(TcpStore, ALateAnswerIsNotTakenForAnotherKeys) {
    const HostedStore hosted;
    TcpStoreClient client = hosted.client();
    EXPECT_THROW(client.get("late", in(std::chrono::milliseconds(50))), Failure);
    client.set("late", "old", in(longWait));
    client.set("next", "new", in(longWait));
    EXPECT_THROW(client.get("next", in(longWait)), Failure);
    EXPECT_EQ(hosted.client().get("next", in(longWait)), "new") << "what it sets still counts";
}

TEST(TcpStore, APortInUseIsSaid) {
    const FileDescriptor taken = listenAt("127.0.0.1", 0);
    EXPECT_THAT(failureOf(ExitCode::Rendezvous, [&] { listenAt("127.0.0.1", portOf(taken)); }),
                ::testing::HasSubstr("in use"));
}

// Debian gives a machine's own name an address of the loopback, which other nodes cannot reach.
TEST(Listener, AtTheMachinesOwnNameIsReachedFromOtherNodes) {
    char name[256] = {};
    ASSERT_EQ(gethostname(name, sizeof name - 1), 0);
    const FileDescriptor listener = listenAt(name, 0);
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    ASSERT_EQ(getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    char text[NI_MAXHOST] = {};
    ASSERT_EQ(getnameinfo(reinterpret_cast<sockaddr*>(&address), size, text, sizeof text, nullptr, 0,
                          NI_NUMERICHOST),
              0);
    EXPECT_THAT(std::string(text), ::testing::Not(::testing::StartsWith("127.")));
    EXPECT_STRNE(text, "::1");
    EXPECT_TRUE(connectTo(name, portOf(listener), in(longWait)));
}

TEST(Listener, AtTheLoopbackStaysThere) {
    const FileDescriptor listener = listenAt("localhost", 0);
    const FileDescriptor other = listenAt("127.0.0.2", portOf(listener));
    EXPECT_EQ(portOf(other), portOf(listener));
}

// An address that drops packets: Linux answers none that asks for a connection while a listener's queue is
// full.
TEST(Connecting, AnAddressThatIsSilentLeavesTimeForTheNext) {
    const FileDescriptor answering = listenAt("127.0.0.1", 0);
    const std::uint16_t port = portOf(answering);
    const FileDescriptor silent = listenAt("127.0.0.2", port);
    ASSERT_EQ(listen(silent.get(), 0), 0);
    const FileDescriptor queued = connectTo("127.0.0.2", port, in(longWait));
    ASSERT_THROW(connectTo("127.0.0.2", port, in(std::chrono::milliseconds(200))), Failure);
    const Deadline deadline = in(longWait);
    EXPECT_TRUE(connectTo("silent-then-answering.test", port, deadline));
    EXPECT_LT(std::chrono::steady_clock::now(), deadline) << "the silent one used it all up";
}

TEST(Buckets, CoverEverythingFromTheEndWithASmallFirst) {
    const std::vector<std::size_t> offsets = {0, 10, 15, 40, 41, 90};
    const std::vector<Bucket> buckets = makeBuckets(offsets, 100, 5, 30);
    ASSERT_EQ(buckets.size(), 4U);
    EXPECT_EQ(buckets[0].first, 90U);
    EXPECT_EQ(buckets[0].last, 100U);
    EXPECT_EQ(buckets[1].first, 41U);
    EXPECT_EQ(buckets[2].first, 10U);
    EXPECT_EQ(buckets[3].first, 0U);
    for (std::size_t i = 1; i < buckets.size(); ++i) {
        EXPECT_EQ(buckets[i].last, buckets[i - 1].first);
    }
}

// Runs `body` as every rank of a world of `size`, each on a thread, connected by Gloo.
void inWorld(int size, int timeoutSeconds, const std::function<void(int rank, Comm& comm)>& body) {
    const HostedStore hosted;
    std::latch connected(size);  // nobody leaves before all have met
    std::vector<std::jthread> ranks;
    ranks.reserve(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank) {
        ranks.emplace_back([&, rank] {
            TcpStoreClient client = hosted.client();
            const std::unique_ptr<Comm> comm =
                connectGloo(worldOf(rank, size, hosted.port), "", timeoutSeconds, client);
            connected.arrive_and_wait();
            body(rank, *comm);
        });
    }
}

// What a machine without a network says of it is an answer, too.
std::string answerOf(const std::function<std::string()>& question) {
    try {
        return question();
    } catch (const Failure& failure) {
        return failure.what();
    }
}

TEST(GlooComm, RankZeroGivesOtherNodesNoLoopback) {
    const HostedStore hosted;
    TcpStoreClient client = hosted.client();
    const World world = worldOf(0, 3);
    const std::string elsewhere = "203.0.113.9";
    client.set("address/1", "127.0.0.1", in(longWait));
    client.set("address/2", elsewhere, in(longWait));
    EXPECT_EQ(answerOf([&] { return addressForOthers(world, client, in(longWait)); }),
              answerOf([&] { return localAddressTowards(elsewhere, world.masterPort); }));
    EXPECT_EQ(client.get("address/0", in(longWait)), "127.0.0.1");
}

TEST(GlooComm, SumsOverThreeRanks) {
    std::vector<std::vector<float>> results(3);
    inWorld(3, 30, [&](int rank, Comm& comm) {
        std::vector<float> values(100000);
        std::iota(values.begin(), values.end(), static_cast<float>(rank));
        comm.allReduceSum(values);
        results[static_cast<std::size_t>(rank)] = values;
    });
    for (std::size_t i = 0; i < 100000; i += 7777) {
        EXPECT_EQ(results[0][i], static_cast<float>(3 * i + 3));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(GlooComm, APeerThatDoesNotComeInTimeIsAFailure) {
    std::string message;
    inWorld(2, 1, [&](int rank, Comm& comm) {
        if (rank == 1) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1500));
            return;
        }
        std::vector<float> values(10);
        message = failureOf(ExitCode::Communication, [&] { comm.allReduceSum(values); });
    });
    EXPECT_THAT(message, ::testing::HasSubstr("within 1 s (--comm-timeout)"));
}

TEST(GradientReducer, ABucketIsSentWhileTheRestIsStillComputed) {
    const std::vector<Bucket> buckets = {{60, 100}, {30, 60}, {0, 30}};
    std::vector<float> reduced(100, 1.0F);
    std::latch firstCameBack(1);
    inWorld(2, 30, [&](int rank, Comm& comm) {
        if (rank == 1) {
            std::vector<float> mine(100, 2.0F);
            for (const Bucket& bucket : buckets) {
                comm.allReduceSum(std::span(mine).subspan(bucket.first, bucket.last - bucket.first));
                if (bucket.first == 60) {
                    firstCameBack.count_down();
                }
            }
            return;
        }
        GradientReducer reducer(comm, reduced, buckets);
        reducer.ready(70);  // inside the first bucket: nothing may go yet
        reducer.ready(40);  // the first is whole, the second is not
        firstCameBack.wait();
        reducer.ready(0);
        EXPECT_GE(reducer.finish(), 0.0);
    });
    EXPECT_THAT(reduced, ::testing::Each(3.0F));
}

TEST(GradientReducer, WhatTheCommunicationThrewComesOutOfFinish) {
    std::string message;
    inWorld(2, 30, [&](int rank, Comm& comm) {
        if (rank == 1) {
            return;  // gone
        }
        std::vector<float> values(100);
        GradientReducer reducer(comm, values, {{0, 100}});
        message = failureOf(ExitCode::Communication, [&] {
            reducer.ready(0);
            reducer.finish();
        });
    });
    EXPECT_NE(message, "");
}

TEST(Agreement, ImagesOnOneRankAloneAreRefused) {
    FileDescriptor listener = listenAt("127.0.0.1", 0);
    const auto refusalOf = [port = portOf(listener)](int rank, const std::string& data,
                                                     FileDescriptor socket) {
        Options options;
        options.data = data;
        return failureOf(ExitCode::Rendezvous, [&] {
            const Rendezvous rendezvous(worldOf(rank, 2, port), options, std::move(socket));
        });
    };
    const std::jthread other([&] { (void)refusalOf(1, "/images", {}); });
    EXPECT_THAT(
        refusalOf(0, "", std::move(listener)),
        ::testing::AllOf(::testing::HasSubstr("rank 1 was started differently"),
                         ::testing::HasSubstr("images of --data"), ::testing::EndsWith("synthetic data")));
}

// What rank 0 logs where ranks have chosen so.
std::vector<std::string> notesOf(char mark, const std::string& verb,
                                 const std::vector<std::string>& choices) {
    const Options options;
    FileDescriptor listener = listenAt("127.0.0.1", 0);
    const int size = static_cast<int>(choices.size());
    const std::uint16_t port = portOf(listener);
    std::vector<std::string> notes;
    const auto tell = [&](int rank, FileDescriptor socket) {
        const World mine = worldOf(rank, size, port);
        Rendezvous rendezvous(mine, options, std::move(socket));
        std::vector<std::string> lines =
            othersThan(choices[static_cast<std::size_t>(rank)], mark, verb, mine, rendezvous);
        if (rank == 0) {
            notes = std::move(lines);
        } else {
            EXPECT_THAT(lines, ::testing::IsEmpty());
        }
        // Rank 0, which has the store, must not be gone before the others come.
        (void)rendezvous.collect(mine, "here", "yes");
        rendezvous.leave();
    };
    std::vector<std::jthread> threads;
    threads.reserve(choices.size());
    for (int rank = 1; rank < size; ++rank) {
        threads.emplace_back([&tell, rank] { tell(rank, {}); });
    }
    tell(0, std::move(listener));
    return notes;
}

TEST(RankChoices, ThoseThatAreOtherThanRankZerosAreTold) {
    EXPECT_THAT(notesOf(',', "fuses", {"measured, by 2 ms", "measured, by 3 ms", "always, by 4 ms"}),
                ::testing::ElementsAre("note: rank 2 fuses always, by 4 ms"));
    EXPECT_THAT(notesOf(',', "fuses", {"", ""}), ::testing::IsEmpty());
    const std::string gpu = "gpu (nvJPEG 13.0.0, hardware)";
    EXPECT_THAT(
        notesOf('\n', "decodes images on", {gpu, "host", gpu, gpu + "; the GPU could not decode a batch"}),
        ::testing::ElementsAre(
            "note: rank 1 decodes images on host",
            "note: rank 3 decodes images on " + gpu + "; the GPU could not decode a batch"));
}

}  // namespace
}  // namespace dlperf::worker
