// SPDX-License-Identifier: Apache-2.0
// Causes of a loss, planted on machines in namespaces: `dlperf explain` finds each, and its size. What was
// planted is how much longer an iteration takes than on the same machines left alone.
// DLPERF_PLANTED_ROUNDS=10 repeats each, a link at 100 Mbit/s and more iterations, and holds the sizes to a
// quarter; without it they are brief, and told only.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/net/net_test.h"
#include "tests/support/control_group.h"
#include "tests/worker/jpeg_files.h"

namespace dlperf::test {
namespace {

int rounds() {
    const char* wanted = std::getenv("DLPERF_PLANTED_ROUNDS");
    return wanted == nullptr ? 1 : std::max(1, std::atoi(wanted));
}

// Asked for by hand, on a machine that does nothing else.
bool isStrict() {
    return std::getenv("DLPERF_PLANTED_ROUNDS") != nullptr;
}

// Each machine has a core of its own, as far as there are as many.
std::string ownCore() {
    return fmt::format("taskset -cp $((DLPERF_NODE_RANK % {})) $BASHPID >/dev/null",
                       std::max(1U, std::thread::hardware_concurrency()));
}

struct Planted {
    Line line{};          // between the machines
    std::string setup{};  // bash, on the second machine only
};

using Options = std::map<std::string, std::string>;  // of the worker

std::string setupOf(const Planted& planted) {
    std::string setup = ownCore();
    if (!planted.setup.empty()) {
        setup += "\nif [ \"$(hostname)\" = b ]; then\n" + planted.setup + "\nfi";
    }
    return setup;
}

run::Ended measure(NetLab& net, const Planted& planted, const Options& options, const Json& plan) {
    Options all{{"image_size", "128"}, {"classes", "10"}, {"comm_timeout", "120"}};
    all.insert(options.begin(), options.end());
    Json whole{
        {"recipes", {"dlperf-worker"}}, {"batch_sizes", {8}}, {"warmup", 1}, {"train", isStrict() ? 5 : 3}};
    whole.update(plan);
    return net.lab.wait(
        startRun(net, {.options = all, .plan = whole, .node = {{"setup", setupOf(planted)}}}));
}

// Seconds of an iteration of the second machine alone.
double aloneOnB(NetLab& net, const Planted& planted, const Options& options) {
    const run::Ended ended = measure(
        net, planted, options, {{"topologies", {"1n1g"}}, {"nodes", {"b"}}, {"train", isStrict() ? 8 : 3}});
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const auto runs = net.lab.runs();
    return runs.empty() ? 0 : 8 / runs.front().throughput.value_or(1);
}

// What `dlperf explain` says of two machines, beside one device of the first.
Json explained(NetLab& net, const Planted& planted, const Options& options) {
    net.layToPeers(1, planted.line);
    const run::Ended ended = measure(net, planted, options,
                                     {{"topologies", {"1n1g", "2n1g"}}, {"repetitions", isStrict() ? 2 : 1}});
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const std::string campaign = net.lab.status().back().id;
    const run::Ended said =
        net.lab.dlperf({"explain", "--workspace", net.lab.workspace.root().string(), "--json", "-"});
    EXPECT_EQ(said.exitCode, 0) << said.errors;
    const Json explained = Json::parse(said.output, nullptr, false);
    for (const Json& series : explained.value("series", Json::array())) {
        if (series["campaign"] == campaign && !series["losses"].empty()) {
            return series["losses"].back();
        }
    }
    ADD_FAILURE() << said.output;
    return Json{{"seconds", 0.0}, {"parts", Json::array()}};
}

Json partOf(const Json& loss, const std::string& cause) {
    for (const Json& part : loss["parts"]) {
        if (part["cause"] == cause) {
            return part;
        }
    }
    return {};
}

double secondsOf(const Json& loss, const std::string& cause) {
    const Json part = partOf(loss, cause);
    return part.is_object() ? part["seconds"].get<double>() : 0;
}

double iterationOf(const Json& loss) {
    return loss["seconds"].get<double>();
}

class PlantedCause : public NetTest {
protected:
    // The part of this cause has grown by `grown` seconds of an iteration, within a quarter. Beside other
    // tests, which take their share of the machine, only that it has grown.
    static void expectFound(const Json& even, const Json& planted, const std::string& cause, double grown) {
        const double found = secondsOf(planted, cause) - secondsOf(even, cause);
        fmt::print("{}: planted {:.1f} ms, found {:.1f} ms: {:.2f}\n", cause, grown * 1000, found * 1000,
                   found / grown);
        std::fflush(stdout);
        EXPECT_GT(found, 0) << planted.dump(1);
        if (isStrict()) {
            EXPECT_NEAR(found / grown, 1, 0.25) << planted.dump(1);
        }
    }
    // What a slower link adds to every iteration.
    static void expectLink(const Json& even, const Json& planted) {
        expectFound(even, planted, "communication", iterationOf(planted) - iterationOf(even));
    }

    static void expectNone(const Json& loss, const std::string& cause) {
        EXPECT_TRUE(!isStrict() || partOf(loss, cause).is_null()) << loss.dump(1);
    }

    // Named where it was planted.
    static void expectOnB(const Json& loss, const std::string& cause) {
        const Json part = partOf(loss, cause);
        EXPECT_TRUE(part.is_object() && part["where"] == "b") << loss.dump(1);
    }
};

class SlowLink : public PlantedCause {};
class LongWay : public PlantedCause {};
class BusyCore : public PlantedCause {};
class HalfProcessor : public PlantedCause {};
class SlowImages : public PlantedCause {};
class TwoCauses : public PlantedCause {};

Line slowLink() {
    return {.bytesPerSecond = (isStrict() ? 100'000'000U : 400'000'000U) / 8};
}
// As long as the trainer that the shell becomes.
constexpr const char* busyCore = "bash -c 'while [ -d /proc/$PPID ]; do :; done' &";

TEST_F(SlowLink, IsCommunication) {
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const Json even = explained(net, {}, {});
        expectNone(even, "slow-rank");
        const Json planted = explained(net, {.line = slowLink()}, {});
        expectLink(even, planted);
        expectNone(planted, "slow-rank");
    }
}

TEST_F(LongWay, IsCommunication) {
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const Json even = explained(net, {}, {});
        const Json planted = explained(net, {.line = {.delay = std::chrono::milliseconds(40)}}, {});
        expectLink(even, planted);
        expectNone(planted, "slow-rank");
    }
}

TEST_F(BusyCore, IsASlowNode) {
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const Planted busy{.setup = busyCore};
        const double grown = aloneOnB(net, busy, {}) - aloneOnB(net, {}, {});
        const Json even = explained(net, {}, {});
        const Json planted = explained(net, busy, {});
        expectFound(even, planted, "slow-rank", grown);
        expectOnB(planted, "slow-rank");
    }
}

TEST_F(HalfProcessor, IsASlowNode) {
    const test::ControlGroup half("cpu", {{"cpu.cfs_period_us", "20000"}, {"cpu.cfs_quota_us", "10000"}},
                                  {{"cpu.max", "10000 20000"}});
    if (!half) {
        GTEST_SKIP() << "no control group for a processor can be made here";
    }
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const Planted halved{.setup = half.join()};
        const double grown = aloneOnB(net, halved, {}) - aloneOnB(net, {}, {});
        const Json even = explained(net, {}, {});
        const Json planted = explained(net, halved, {});
        expectFound(even, planted, "slow-rank", grown);
        expectOnB(planted, "slow-rank");
    }
}

std::string slowly(int milliseconds) {
    return fmt::format("export LD_PRELOAD={} DLPERF_SLOW_IMAGE_MS={}", DLPERF_SLOW_IMAGES, milliseconds);
}

TEST_F(SlowImages, AreDataLoading) {
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const std::filesystem::path images = net.lab.root / "images";
        worker::test::writeColourClasses(images.string(), 10, 8);
        const std::map<std::string, std::string> options{{"data", images.string()}};
        const Json even = explained(net, {}, options);
        const Json planted = explained(net, {.setup = slowly(250)}, options);
        // Alone it would be more: the next batch is read while gradients are exchanged.
        expectFound(even, planted, "data-loading", iterationOf(planted) - iterationOf(even));
        expectOnB(planted, "data-loading");
        expectNone(planted, "slow-rank");
    }
}

TEST_F(TwoCauses, AreToldApart) {
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const Planted busy{.setup = busyCore};
        const double grown = aloneOnB(net, busy, {}) - aloneOnB(net, {}, {});
        const Json even = explained(net, {}, {});
        const Json both = explained(net, {.line = slowLink(), .setup = busyCore}, {});
        expectFound(even, both, "slow-rank", grown);
        expectFound(even, both, "communication", iterationOf(both) - iterationOf(even) - grown);
        expectOnB(both, "slow-rank");
    }
}

}  // namespace
}  // namespace dlperf::test
