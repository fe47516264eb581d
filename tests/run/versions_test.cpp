// SPDX-License-Identifier: Apache-2.0
// What a run was made of is kept with it: the checkout's commit and changes, packages, kernel.
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "core/run/container_image.h"
#include "core/run/key_versions.h"
#include "core/run/versions.h"
#include "core/store/run_record.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(Versions, LinesBecomeAnObject) {
    const Json json = versionsToJson(
        "kernel=Linux "
        "6.1\nrepository=DLPERF_OPT_SOURCE_DIR\npath=/src\ncommit=abc\ndirty=yes\ndiff=-a=1\ndiff=+b\n"
        "python=Python 3.11\npackage=torch==2.1\npackage=x @ file:///a\n\nnonsense\n");
    EXPECT_EQ(json["kernel"], "Linux 6.1");
    EXPECT_EQ(json["repositories"][0], (Json{{"option", "DLPERF_OPT_SOURCE_DIR"},
                                             {"path", "/src"},
                                             {"commit", "abc"},
                                             {"dirty", true},
                                             {"diff", "-a=1\n+b\n"}}));
    EXPECT_EQ(json["packages"], Json({"torch==2.1", "x @ file:///a"}));
    EXPECT_EQ(versionsToJson(""), Json::object());
    EXPECT_EQ(versionsToJson("kernel=\xff\n")["kernel"], "\xEF\xBF\xBD");
}

TEST(Versions, ARunKeepsTheCheckoutsCommitAndChanges) {
    Lab lab;
    const auto source = lab.root / "source";
    const std::string make = "mkdir '" + source.string() + "' && cd '" + source.string() +
                             "' && git init -q && echo one >train.py && git add . && git -c user.name=a -c "
                             "user.email=a@b commit -qm x && echo two >>train.py";
    ASSERT_EQ(std::system(make.c_str()), 0);
    const Ended ended =
        lab.dlperf(lab.runArguments(lab.plan({{"text", source.string()}}, {{"repetitions", 2}})));
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    for (const RunState& run : lab.runs()) {
        const Json json = Json::parse(slurp(run.path / "versions.json"));
        ASSERT_EQ(json["nodes"].size(), 1U);
        const Json versions = json["nodes"][0]["versions"];
        EXPECT_THAT(versions["kernel"].get<std::string>(), HasSubstr("Linux"));
        ASSERT_TRUE(versions.contains("packages"));
        EXPECT_THAT(versions["packages"][0].get<std::string>(), testing::ContainsRegex("[=@]"));
        ASSERT_EQ(versions["repositories"].size(), 1U);
        const Json& repository = versions["repositories"][0];
        EXPECT_EQ(repository["commit"].get<std::string>().size(), 40U);
        EXPECT_EQ(repository["dirty"], true);
        EXPECT_THAT(repository["diff"].get<std::string>(), HasSubstr("\n+two\n"));
        const auto key = store::readRunRecord(run.path)->result.versions;
        EXPECT_THAT(key.at("checkout text"), testing::MatchesRegex("[0-9a-f]{12}, changed .[0-9a-f]{12}.$"));
        EXPECT_THAT(key.at("kernel"), HasSubstr("Linux"));
    }
}

// Whether the run's node was asked, or an earlier run of the campaign.
bool asks(const Lab& lab, const RunState& run) {
    return fs::exists(lab.home / "dlperf/runs" / run.id / "this/versions.sh");
}

std::vector<std::string> nodesWithVersions(const RunState& run) {
    std::vector<std::string> nodes;
    for (const auto& [node, versions] : readVersions(run.path).value_or(NodeVersions{})) {
        nodes.push_back(versions.contains("kernel") ? node : "");
    }
    return nodes;
}

TEST(Versions, ANodeIsAskedOnceARecipe) {
    Lab lab;
    const auto plan = lab.plan({}, {{"recipes", {"toy", "toy-measured"}}, {"repetitions", 2}});
    const Ended ended = lab.dlperf(lab.runArguments(plan, {"--keep-node-files"}));
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    const auto runs = lab.runs();
    ASSERT_EQ(runs.size(), 4U);
    std::vector<bool> asked;
    for (const RunState& run : runs) {
        asked.push_back(asks(lab, run));
        EXPECT_THAT(nodesWithVersions(run), testing::ElementsAre("this"));
    }
    EXPECT_THAT(asked, testing::ElementsAre(true, false, true, false));
}

TEST(Versions, AResumedCampaignAsksAgain) {
    Lab lab;
    const auto plan = lab.plan({{"seconds", "0.1"}}, {{"repetitions", 3}});
    const pid_t runner = lab.start(lab.runArguments(plan, {"--keep-node-files"}));
    ASSERT_TRUE(lab.waitForLog(1));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    const Ended resumed = lab.dlperf({"resume", "--workspace", lab.workspace.root().string()});
    ASSERT_EQ(resumed.exitCode, 0) << resumed.errors;
    const auto runs = lab.runs();
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_FALSE(asks(lab, runs[1]));
    EXPECT_TRUE(asks(lab, runs[2]));
    for (const RunState& run : runs) {
        EXPECT_THAT(nodesWithVersions(run), testing::ElementsAre("this"));
    }
}

TEST(Versions, FilesOfAnyShapeDoNoHarm) {
    const test::Folder folder;
    EXPECT_FALSE(readVersions(folder.path()));
    for (const char* text :
         {"[]", "7", R"({"nodes": 7})", R"({"nodes": [1, {"name": 2}, {"name": "a", "versions": 3}]})"}) {
        std::ofstream(folder.path() / "versions.json") << text;
        const auto versions = readVersions(folder.path());
        ASSERT_TRUE(versions) << text;
        EXPECT_TRUE(versions->empty()) << text;
    }
    EXPECT_FALSE(
        keyVersions({{"a", Json{{"packages", 7}, {"repositories", "x"}, {"image", 1}, {"cuda", "12"}}}},
                    "pytorch", true, {"torch"})
            .contains("image"));
}

TEST(KeyVersions, TakeWhatDecidesSpeed) {
    const Json node = versionsToJson(
        "driver=535.161.08\nnccl=/usr/lib/libnccl.so.2.18.3\npython=Python 3.11\npackage=torch==2.1.0+cu121\n"
        "package=Pillow==9\npackage=tensorflow==2.15\npackage=nvidia-nccl-cu12==2.18.1\npackage=extra==1\n"
        "package=nvidia-dali-cuda110==1.2.0\n"
        "repository=DLPERF_OPT_SOURCE_DIR\ncommit=0123456789abcdef\ndirty=no\n");
    using Texts = std::map<std::string, std::string>;
    EXPECT_EQ(keyVersions({{"a", node}}, "pytorch", true, {"torch", "extra"}),
              (Texts{{"driver", "535.161.08"},
                     {"nccl", "2.18.3"},
                     {"python", "Python 3.11"},
                     {"torch", "2.1.0+cu121"},
                     {"extra", "1"},
                     {"nvidia-nccl-cu12", "2.18.1"},
                     {"nvidia-dali-cuda110", "1.2.0"},
                     {"checkout source_dir", "0123456789ab"}}));
    EXPECT_EQ(keyVersions({{"a", node}}, "dlperf-worker", false, {}).count("torch"), 0U)
        << "no Python, no packages";
}

TEST(KeyVersions, LibrariesOfGpusAreNotNamedWhereThereIsNone) {
    const Json node = versionsToJson(
        "cuda=13.0\nnccl=/usr/lib/libnccl.so.2.18.3\npython=Python 3.11\npackage=mxnet==1.9.1\n"
        "package=nvidia-nccl-cu12==2.18.1\n");
    using Texts = std::map<std::string, std::string>;
    EXPECT_EQ(keyVersions({{"a", node}}, "mxnet", true, {}),
              (Texts{{"python", "Python 3.11"}, {"mxnet", "1.9.1"}}));
}

TEST(KeyVersions, SayWhichNodeHasWhat) {
    NodeVersions nodes;
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
        nodes[name] = {{"driver", *name == 'f' ? "550" : "535"}};
    }
    EXPECT_EQ(keyVersions(nodes, "", false, {}).at("driver"), "535 (a, b, c, d and 1 more), 550 (f)");
}

TEST(ContainerImage, OfDockerAndPodmanOnly) {
    for (const std::vector<std::string>& prefix :
         std::vector<std::vector<std::string>>{{},
                                               {"env"},
                                               {"docker"},
                                               {"docker", "run", "x"},
                                               {"docker", "exec"},
                                               {"docker", "exec", "-i"},
                                               {"apptainer", "exec", "docker"},
                                               {"ssh", "x", "docker", "exec", "pt"}}) {
        cluster::Node node;
        node.container = prefix;
        EXPECT_FALSE(imageScript(node)) << testing::PrintToString(prefix);
    }
    cluster::Node node;
    node.container = {"sudo", "-n", "/usr/bin/podman", "exec", "-iu", "root", "--env=A=b",
                      "-w",   "/x", "it's $(touch x)", "nice"};
    const auto script = imageScript(node);
    ASSERT_TRUE(script);
    EXPECT_THAT(*script, HasSubstr("'sudo' '-n' '/usr/bin/podman' inspect"));
    EXPECT_THAT(*script, HasSubstr(R"(-- 'it'\''s $(touch x)')"));
}

TEST(ContainerImage, IsReadFromWhatTheRuntimeSays) {
    EXPECT_EQ(imageFrom("sha256:aa pytorch:23.10\n[\"pytorch@sha256:bb\", 7]\n"),
              (Json{{"id", "sha256:aa"}, {"name", "pytorch:23.10"}, {"digests", {"pytorch@sha256:bb"}}}));
    EXPECT_EQ(imageFrom("sha256:aa own\nnull\n")["digests"], Json::array());
    EXPECT_TRUE(imageFrom("").is_null());
    EXPECT_TRUE(imageFrom("Error\n").is_null());
}

// A docker that has one container, this machine itself, whose name is no word for a shell.
constexpr const char* fakeDocker = R"sh(#!/bin/bash
case $1 in
  exec) shift 2; [ "$1" = "it's pt" ] && shift && exec env IN_CONTAINER=yes "$@" ;;
  inspect) [ -z "$IN_CONTAINER" ] && [ "${!#}" = "it's pt" ] && echo "sha256:aaaabbbbccccdddd pytorch:23.10" && exit ;;
  image) [ "${!#}" = sha256:aaaabbbbccccdddd ] && echo '["pytorch@sha256:0123456789abcdef"]' && exit ;;
esac
exit 1
)sh";

TEST(ContainerImage, IsKeptWithTheRun) {
    Lab lab;
    const auto tools = lab.root / "tools";
    fs::create_directories(tools);
    std::ofstream(tools / "docker") << fakeDocker;
    fs::permissions(tools / "docker", fs::perms::owner_all);
    lab.environment["PATH"] = tools.string() + ":/usr/local/bin:/usr/bin:/bin";
    const auto cluster = lab.cluster(1, {{"container", {"docker", "exec", "-i", "it's pt"}}}).string();
    const Ended ended = lab.dlperf(lab.runArguments(lab.plan(), {"--cluster", cluster}));
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    const RunState run = lab.runs().at(0);
    const auto versions = readVersions(run.path);
    ASSERT_TRUE(versions);
    EXPECT_EQ(versions->at("a")["image"]["digests"], Json({"pytorch@sha256:0123456789abcdef"}));
    EXPECT_EQ(store::readRunRecord(run.path)->result.versions.at("image"), "pytorch:23.10 0123456789ab");
}

}  // namespace
}  // namespace dlperf::run
