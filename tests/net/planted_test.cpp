// SPDX-License-Identifier: Apache-2.0
// Causes of a loss, planted on machines in namespaces: `dlperf explain` finds each, and its size. What was
// planted is how much longer an iteration takes than on the same machines left alone.
// DLPERF_PLANTED_ROUNDS=10 repeats each, with a link at 100 Mbit/s, and holds the sizes to a quarter; without
// it they are told only.
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

// So many percent of a processor.
test::ControlGroup processor(const std::string& name, int percent) {
    const std::string quota = std::to_string(1000 * percent);
    return {"cpu",
            {{"cpu.cfs_period_us", "100000"}, {"cpu.cfs_quota_us", quota}},
            {{"cpu.max", quota + " 100000"}},
            name};
}

struct Planted {
    Line line{};          // between the machines
    std::string setup{};  // bash, on the second machine only
    bool halved = false;  // the second machine's processor
};

using Options = std::map<std::string, std::string>;  // of the worker

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
    void SetUp() override {
        NetTest::SetUp();
        // Asked for by hand: on two processors that machines share their sizes would be others.
        ASSERT_TRUE(!isStrict() || hasProcessors()) << "strict rounds need control groups for processors";
    }

    [[nodiscard]] bool hasProcessors() const { return a_ && b_ && halfOfB_; }

    // What `dlperf explain` says of two machines, beside one device of the first.
    Json explained(NetLab& net, const Planted& planted, const Options& options = {}) const {
        net.layToPeers(1, planted.line);
        Options all{{"image_size", "96"}, {"classes", "10"}, {"comm_timeout", "120"}};
        all.insert(options.begin(), options.end());
        // What a slow line takes is far beyond what repetitions differ by.
        const bool isSlow = planted.line.delay.count() > 0 || planted.line.bytesPerSecond > 0;
        const Json plan{{"recipes", {"dlperf-worker"}},
                        {"batch_sizes", {8}},
                        {"warmup", 1},
                        {"train", 3},
                        {"topologies", {"1n1g", "2n1g"}},
                        {"repetitions", isStrict() && !isSlow ? 3 : 1}};
        const run::Ended ended = net.lab.wait(
            startRun(net, {.options = all, .plan = plan, .node = {{"setup", setupOf(planted)}}}));
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
    // All that an iteration takes longer is this cause's.
    static void expectAllOfIt(const Json& even, const Json& planted, const std::string& cause) {
        expectFound(even, planted, cause, iterationOf(planted) - iterationOf(even));
    }

    static void expectNone(const Json& loss, const std::string& cause) {
        EXPECT_TRUE(!isStrict() || partOf(loss, cause).is_null()) << loss.dump(1);
    }
    // Nothing is wrong with any machine.
    static void expectNoAlarm(const Json& even) {
        expectNone(even, "slow-rank");
        EXPECT_TRUE(!isStrict() || secondsOf(even, "data-loading") < 0.02 * iterationOf(even))
            << even.dump(1);
    }

    // Named where it was planted.
    static void expectOnB(const Json& loss, const std::string& cause) {
        const Json part = partOf(loss, cause);
        EXPECT_TRUE(part.is_object() && part["where"] == "b") << loss.dump(1);
    }

private:
    // The machines take turns on one processor: on two they would share its caches and memory, and the one
    // would compute faster while the other is held up.
    std::string setupOf(const Planted& planted) const {
        const auto join = [&](const test::ControlGroup& group) {
            return hasProcessors() ? group.join() : ":";
        };
        return (hasProcessors() ? "taskset -cp 0 $BASHPID >/dev/null" : ownCore()) +
               "\nif [ \"$(hostname)\" = b ]; then\n" + join(planted.halved ? halfOfB_ : b_) + '\n' +
               planted.setup + "\nelse\n" + join(a_) + "\nfi";
    }

    const test::ControlGroup a_ = processor("a", 45);
    const test::ControlGroup b_ = processor("b", 45);
    const test::ControlGroup halfOfB_ = processor("half_of_b", 22);
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
        const Json even = explained(net, {});
        expectNoAlarm(even);
        const Json planted = explained(net, {.line = slowLink()});
        expectAllOfIt(even, planted, "communication");
        expectNone(planted, "slow-rank");
    }
}

TEST_F(LongWay, IsCommunication) {
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const Json even = explained(net, {});
        expectNoAlarm(even);
        const Json planted = explained(net, {.line = {.delay = std::chrono::milliseconds(40)}});
        expectAllOfIt(even, planted, "communication");
        expectNone(planted, "slow-rank");
    }
}

TEST_F(BusyCore, IsASlowNode) {
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const Json even = explained(net, {});
        expectNoAlarm(even);
        const Json planted = explained(net, {.setup = busyCore});
        expectAllOfIt(even, planted, "slow-rank");
        expectOnB(planted, "slow-rank");
    }
}

TEST_F(HalfProcessor, IsASlowNode) {
    if (!hasProcessors()) {
        GTEST_SKIP() << "no control group for a processor can be made here";
    }
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const Json even = explained(net, {});
        expectNoAlarm(even);
        const Json planted = explained(net, {.halved = true});
        expectAllOfIt(even, planted, "slow-rank");
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
        expectNoAlarm(even);
        const Json planted = explained(net, {.setup = slowly(600)}, options);
        expectAllOfIt(even, planted, "data-loading");
        expectOnB(planted, "data-loading");
    }
}

TEST_F(TwoCauses, AreToldApart) {
    for (int round = 0; round < rounds(); ++round) {
        NetLab net(2);
        const Json even = explained(net, {});
        expectNoAlarm(even);
        const Json both = explained(net, {.line = slowLink(), .setup = busyCore});
        const double grown = iterationOf(explained(net, {.setup = busyCore})) - iterationOf(even);
        expectFound(even, both, "slow-rank", grown);
        expectFound(even, both, "communication", iterationOf(both) - iterationOf(even) - grown);
        expectOnB(both, "slow-rank");
    }
}

}  // namespace
}  // namespace dlperf::test
