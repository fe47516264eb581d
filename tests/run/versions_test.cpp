// SPDX-License-Identifier: Apache-2.0
// What a run was made of is kept with it: the checkout's commit and changes, packages, kernel.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "core/run/versions.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

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
    for (const RunStatus& run : lab.runs()) {
        const Json json = Json::parse(slurp(run.folder / "versions.json"));
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
    }
}

}  // namespace
}  // namespace dlperf::run
