// SPDX-License-Identifier: Apache-2.0
// Containers that are started of a node's image and end by themselves: by podman for real, of an image that
// holds a handful of this machine's own programs. Where podman cannot run (a container without rights, say)
// they are skipped.
#include <gmock/gmock.h>
#include <csignal>

#include <thread>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/store/run_record.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr const char* image = "localhost/dlperf-test:1";

// Prints what podman says when it cannot make or run the image.
constexpr const char* makeImage = R"sh(
set -e
mkdir -p root/tmp root/proc root/sys root/dev root/etc root/var/tmp root/usr
ln -s bin root/sbin
for tool in awk bash basename cat chmod cksum cp cut date df dirname env find getent grep head hostname id ln ls mkdir mkfifo \
    mktemp mv nproc od ps readlink rm rmdir sed setsid sh sha256sum sleep sort stat tail tee timeout touch tr uname wc xargs; do
  path=$(command -v "$tool") && mkdir -p root/bin && cp -L "$path" root/bin/
  for library in $(ldd "$path" | grep -o '/[^ )]*'); do
    mkdir -p "root${library%/*}" && cp -Ln "$library" "root$library" || true
  done
done
tar -C root -c . | podman import - "$1" >/dev/null 2>said || { cat said; exit 1; }
podman run --rm --network none "$1" sh -c : 2>said || { cat said; exit 1; }
)sh";

// podman with a place of its own, and limits that a machine without rights can keep.
class OwnContainer : public testing::Test {
protected:
    void SetUp() override {
        const std::string root = lab_.root.string();
        ASSERT_TRUE(writeFileAtomically(lab_.root / "containers.conf",
                                        "[containers]\ndefault_ulimits = [\"nofile=1024:1024\", "
                                        "\"nproc=4096:4096\"]\n[engine]\nruntime = \"runc\"\n"));
        ASSERT_TRUE(writeFileAtomically(lab_.root / "storage.conf",
                                        "[storage]\ndriver = \"vfs\"\ngraphroot = \"" + root +
                                            "/graph\"\nrunroot = \"" + root + "/podman\"\n"));
        lab_.environment["CONTAINERS_CONF"] = root + "/containers.conf";
        lab_.environment["CONTAINERS_STORAGE_CONF"] = root + "/storage.conf";
        ASSERT_TRUE(writeFileAtomically(lab_.root / "make.sh", makeImage));
        if (const Shell made = shell("cd " + shellQuote(root) + " && sh make.sh " + image); made.code != 0) {
            GTEST_SKIP() << "podman makes and runs no image here: " << made.said;
        }
    }
    void TearDown() override {
        (void)shell("podman rm --all --force; podman unshare rm -rf " +
                    shellQuote((lab_.root / "graph").string()));
    }

    struct Shell {
        int code = -1;
        std::string said;
    };
    Shell shell(const std::string& script) {
        std::string settings;
        for (const auto& [name, value] : lab_.environment) {
            settings += name + "=" + shellQuote(value) + " ";
        }
        const std::string out = (lab_.root / "out").string();
        const int status = std::system(
            (settings + "sh -c " + shellQuote(script) + " >" + shellQuote(out) + " 2>&1").c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(out)};
    }
    std::string containers() {
        return std::string(trim(shell("podman ps --all --format '{{.Names}}'").said));
    }

    std::vector<std::string> arguments(const std::map<std::string, std::string>& options,
                                       const Json& changes = {}) {
        Json node{{"image", image}, {"runtime", "podman"}, {"image_options", {"--env=DLPERF_IDLE=15"}}};
        if (changes.is_object()) {
            node.update(changes);
        }
        return lab_.runArguments(lab_.plan(options), {"--cluster", lab_.cluster(1, node).string()});
    }
    bool eventuallyNone() {
        for (const auto until = std::chrono::steady_clock::now() + bound;
             std::chrono::steady_clock::now() < until;) {
            if (containers().empty()) {
                return true;
            }
            std::this_thread::sleep_for(200ms);
        }
        return false;
    }

    Lab lab_;
};

TEST_F(OwnContainer, IsStartedForARunAndEndsByItself) {
    const Ended ended = lab_.dlperf(arguments({{"seconds", "0.1"}}));
    ASSERT_EQ(ended.exitCode, 0) << ended.errors << ended.output;
    const RunState run = lab_.runs().at(0);
    EXPECT_EQ(iterationsOf(lab_.log(run)).size(), 20U);
    EXPECT_THAT(store::readRunRecord(run.path)->result.versions.at("image"), HasSubstr(image));
    EXPECT_TRUE(eventuallyNone()) << containers();
    EXPECT_TRUE(lab_.trainers().empty());
}

TEST_F(OwnContainer, OfAKilledRunnerEndsWithTheLease) {
    auto words = arguments({{"behaviour", "endless"}});
    words.insert(words.end(), {"--lease", "2"});
    const pid_t runner = lab_.start(words);
    ASSERT_TRUE(lab_.waitForLog(0));
    EXPECT_THAT(containers(), HasSubstr("dlperf-"));
    EXPECT_FALSE(lab_.trainers().empty());
    ::kill(runner, SIGKILL);
    (void)lab_.wait(runner);
    EXPECT_TRUE(eventuallyNone()) << containers();
    EXPECT_TRUE(lab_.trainers().empty());
    (void)lab_.dlperf({"resume", "--workspace", lab_.workspace.root().string()});
    EXPECT_THAT(lab_.runs().at(0).reason, HasSubstr("no runner was heard of for 2 s"));
    EXPECT_TRUE(eventuallyNone()) << containers();
}

TEST_F(OwnContainer, WhatCannotBeFetchedIsSaid) {
    const Ended ended = lab_.dlperf(arguments({}, {{"image", "localhost/no-such:1"}}));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("localhost/no-such:1 cannot be fetched: "));
    const Ended odd = lab_.dlperf(arguments({}, {{"image_options", {"--no-such-option"}}}));
    EXPECT_THAT(odd.errors, HasSubstr("does not start: "));
    EXPECT_EQ(containers(), "");
}

TEST_F(OwnContainer, ThatRunsAlreadyIsEnteredAndStays) {
    const std::string work = (lab_.root / "nodes").string();
    ASSERT_EQ(shell("mkdir -p " + work + " && podman run --detach --rm --name mine --network host --volume " +
                    work + ":" + work + " " + image + " sleep 1000")
                  .code,
              0);
    const auto cluster =
        lab_.cluster(1, {{"container", {"podman", "exec", "-i", "mine"}}, {"work_dir", work}}).string();
    const pid_t runner = lab_.start(
        lab_.runArguments(lab_.plan({{"behaviour", "endless"}}), {"--cluster", cluster, "--lease", "2"}));
    ASSERT_TRUE(lab_.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab_.wait(runner);
    for (const auto until = std::chrono::steady_clock::now() + bound;
         !lab_.trainers().empty() && std::chrono::steady_clock::now() < until;) {
        std::this_thread::sleep_for(200ms);
    }
    EXPECT_TRUE(lab_.trainers().empty());
    EXPECT_EQ(containers(), "mine");
}

}  // namespace
}  // namespace dlperf::run
