// SPDX-License-Identifier: Apache-2.0
// Nodes are made ready: virtual environments by the real pip, of a wheel that the test makes, without a
// network.
#include "core/run/environments.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>

#include "core/base/text.h"
#include "core/remote/local_transport.h"
#include "tests/run/bench.h"
#include "tests/support/folder.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

std::string shell(const std::string& command) {
    const auto result = remote::runChild({command, {}}, {60s, {}}, "test");
    EXPECT_TRUE(result && result->exitCode == 0) << command << (result ? result->errors : "");
    return result ? std::string(trim(result->output)) : "";
}

// A wheel with one module, as a folder of wheels in the index's place; `body` is the module.
std::string makeWheel(const fs::path& folder, const std::string& module, const std::string& body) {
    const std::string program = R"(
import sys, zipfile
folder, module, body = sys.argv[1:]
with zipfile.ZipFile(f"{folder}/{module}-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr(f"{module}.py", body)
    info = f"{module}-1.0.dist-info"
    wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr(f"{info}/RECORD", "")
)";
    shell("mkdir -p " + shellQuote(folder.string()) + " && python3 -c " + shellQuote(program) + " " +
          shellQuote(folder.string()) + " " + module + " " + shellQuote(body));
    const std::string sum =
        shell("sha256sum " + shellQuote((folder / (module + "-1.0-py3-none-any.whl")).string()));
    return module + "==1.0 --hash=sha256:" + sum.substr(0, 64) + "\n";
}

class EnvironmentsTest : public testing::Test {
protected:
    EnvironmentsTest() {
        settings_.grace = 500ms;
        add("a");
        requirements_ = makeWheel(folder_.path() / "index", "tiny_trainer", "value = 1\n");
    }
    void add(const std::string& name) {
        cluster::Node node;
        node.name = name;
        node.local = true;
        node.workDir = (folder_.path() / "work").string();
        node.env = {{"PIP_NO_INDEX", "1"}, {"PIP_FIND_LINKS", (folder_.path() / "index").string()}};
        plan_.cluster.nodes.push_back(std::move(node));
    }
    std::vector<EnvironmentProgress> prepare(const std::stop_token& stop = {},
                                             std::chrono::seconds timeout = 1000s) {
        cluster::RecipeNeeds needs;
        needs.recipe = "toy";
        needs.options["backend"] = "cpu";
        needs.python = cluster::PythonNeeds{">=3.6", {{"cpu", requirements_}}, imports_, {}};
        plan_.recipes.assign(plan_.cluster.nodes.size(), {needs});
        const auto transports =
            [this](const cluster::Node& node) -> Result<std::shared_ptr<remote::Transport>> {
            auto transport = std::make_shared<Watched>(node.name);
            transport->before = before_;
            return transport;
        };
        const auto publish = [this](const EnvironmentProgress& progress) {
            const std::scoped_lock lock(mutex_);
            seen_.push_back(progress);
        };
        return prepareEnvironments(plan_, transports, settings_, timeout, publish, stop);
    }
    bool saw(const std::string& text) {
        const std::scoped_lock lock(mutex_);
        return std::ranges::any_of(seen_, [&](const EnvironmentProgress& one) {
            return one.message.find(text) != std::string::npos;
        });
    }
    // Of any preparation below the test's work folder.
    bool anyProcessLeft() const {
        return !shell("grep -lzF " + shellQuote(folder_.path().string()) +
                      " /proc/[0-9]*/environ 2>/dev/null | grep -v /self/ || true")
                    .empty();
    }

    test::Folder folder_;
    Settings settings_;
    launch::PlanNodes plan_;
    std::string requirements_;
    std::vector<std::string> imports_{"tiny_trainer"};
    Watched::Before before_;  // of each command on a node
    std::mutex mutex_;
    std::vector<EnvironmentProgress> seen_;
};

TEST_F(EnvironmentsTest, AnEnvironmentIsMadeOnceAndFoundAfterwards) {
    const auto first = prepare();
    ASSERT_EQ(first.size(), 1U);
    ASSERT_EQ(first[0].phase, EnvironmentPhase::Ready) << first[0].message;
    EXPECT_EQ(shell(first[0].message + " -c 'import tiny_trainer; print(tiny_trainer.value)'"), "1");
    EXPECT_TRUE(saw("imports tiny_trainer"));
    seen_.clear();
    const auto again = prepare();
    EXPECT_EQ(again[0].message, first[0].message);
    EXPECT_FALSE(saw("imports tiny_trainer")) << "nothing is made again";
    EXPECT_FALSE(anyProcessLeft());
    EXPECT_TRUE(fs::is_empty(folder_.path() / "work/locks"));
}

TEST_F(EnvironmentsTest, ANodeThatCannotSayWhatIsLeftThereStaysLocked) {
    settings_.retryTimeout = 100ms;
    before_ = [](const remote::Command& command) -> std::optional<Error> {
        const bool isSignal = command.script.find("kill -s \"$signal\"") != std::string::npos;
        return isSignal ? std::optional(Error{"it is gone", {}, {}, ErrorKind::Transient}) : std::nullopt;
    };
    EXPECT_EQ(prepare().at(0).phase, EnvironmentPhase::Ready);
    EXPECT_FALSE(fs::is_empty(folder_.path() / "work/locks"));
}

TEST_F(EnvironmentsTest, NodesThatShareADiskMakeItOnce) {
    add("b");
    const auto ends = prepare();
    ASSERT_EQ(ends.size(), 2U);
    EXPECT_EQ(ends[0].message, ends[1].message);
    EXPECT_EQ(ends[1].phase, EnvironmentPhase::Ready) << ends[1].message;
    const std::scoped_lock lock(mutex_);
    const auto made = std::ranges::count_if(seen_, [](const EnvironmentProgress& one) {
        return one.message.find("makes a virtual environment") != std::string::npos;
    });
    EXPECT_LE(made, 1);
}

TEST_F(EnvironmentsTest, APackageThatIsNotWhatItShouldBeIsRefused) {
    requirements_.replace(requirements_.size() - 9, 8, "00000000");
    const auto ends = prepare();
    EXPECT_EQ(ends[0].phase, EnvironmentPhase::Failed);
    EXPECT_THAT(ends[0].message, HasSubstr("could not be made"));
    EXPECT_FALSE(anyProcessLeft());
}

TEST_F(EnvironmentsTest, AModuleThatBreaksLeavesNothingThatLooksReady) {
    requirements_ = makeWheel(folder_.path() / "index", "brittle", "raise ImportError('no libfoo')\n");
    imports_ = {"brittle"};
    EXPECT_THAT(prepare()[0].message, HasSubstr("no libfoo"));
    requirements_ += makeWheel(folder_.path() / "index", "tiny_trainer", "value = 1\n");
    imports_ = {"tiny_trainer"};
    EXPECT_EQ(prepare()[0].phase, EnvironmentPhase::Ready);
}

TEST_F(EnvironmentsTest, OneThatWasCutShortIsMadeAnew) {
    requirements_ += makeWheel(folder_.path() / "index", "slow", "import time; time.sleep(600)\n");
    imports_ = {"tiny_trainer", "slow"};
    std::stop_source stop;
    std::jthread asks([&] {
        while (!saw("imports slow")) {
            std::this_thread::sleep_for(20ms);
        }
        stop.request_stop();
    });
    const auto ends = prepare(stop.get_token());
    EXPECT_EQ(ends[0].phase, EnvironmentPhase::Failed);
    EXPECT_THAT(ends[0].message, HasSubstr("was cancelled"));
    EXPECT_FALSE(anyProcessLeft()) << "on the node all of it has ended";
    imports_ = {"tiny_trainer"};
    EXPECT_EQ(prepare()[0].phase, EnvironmentPhase::Ready);
}

TEST_F(EnvironmentsTest, ATimeLimitEndsIt) {
    requirements_ += makeWheel(folder_.path() / "index", "slow", "import time; time.sleep(600)\n");
    imports_ = {"slow"};
    EXPECT_THAT(prepare({}, 8s)[0].message, HasSubstr("did not end within 8 s"));
    EXPECT_FALSE(anyProcessLeft());
}

TEST_F(EnvironmentsTest, WheelsAreBroughtToANodeThatReachesNoIndex) {
    ::setenv("HOME", folder_.path().c_str(), 1);  // where this machine keeps the wheels that it makes
    ::setenv("PIP_NO_INDEX", "1", 1);
    ::setenv("PIP_FIND_LINKS", (folder_.path() / "index").c_str(), 1);
    plan_.cluster.nodes[0].env = {
        {"PIP_NO_INDEX", "0"}, {"PIP_FIND_LINKS", ""}, {"PIP_INDEX_URL", "http://127.0.0.1:9/simple"}};
    const auto ends = prepare();
    ASSERT_EQ(ends[0].phase, EnvironmentPhase::Ready) << ends[0].message;
    EXPECT_TRUE(saw("reaches no package index"));
    EXPECT_TRUE(saw("copies tiny_trainer-1.0-py3-none-any.whl (1 of 1)"));
    EXPECT_TRUE(fs::is_empty(folder_.path() / "work/cache/wheels")) << "they go once they are installed";
}

}  // namespace
}  // namespace dlperf::run
