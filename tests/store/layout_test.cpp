// SPDX-License-Identifier: Apache-2.0
// DLPerf's log layout, whatever names a recipe or an option brings.
#include <gtest/gtest.h>

#include <fstream>

#include "core/store/names.h"
#include "tests/store/fixture.h"

namespace dlperf::store {
namespace {

namespace fs = std::filesystem;
using test::someConfiguration;

TEST(Layout, NamesAreThoseOfTheDesign) {
    Configuration configuration = someConfiguration();
    EXPECT_EQ(seriesFolderName(configuration), "pytorch-examples");
    configuration.features = {"xla", "dali-gpu"};
    configuration.variant = {{"workers", "8"}, {"image_size", "64"}};
    EXPECT_EQ(seriesFolderName(configuration), "pytorch-examples+dali-gpu+xla+image_size=64+workers=8");
    EXPECT_EQ(batchFolderName(configuration), "b128_fp32");
    EXPECT_EQ(runName(configuration, 3), "r50_b128_fp32_3");
}

TEST(Layout, ValuesAreWrittenPercentEncoded) {
    Configuration configuration = someConfiguration();
    configuration.variant = {{"data", "/data/img net+1=2%"}};
    EXPECT_EQ(seriesFolderName(configuration), "pytorch-examples+data=%2Fdata%2Fimg%20net%2B1%3D2%25");
    configuration.variant = {{"data", "é_.-"}};
    EXPECT_EQ(seriesFolderName(configuration), "pytorch-examples+data=%C3%A9_.-");
}

TEST(Layout, AFieldOfALogNameHoldsNoUnderscoreBecauseDlperfSplitsThere) {
    Configuration configuration = someConfiguration();
    configuration.model = "bert_base";
    configuration.precision = "";
    EXPECT_EQ(runName(configuration, 1), "bert%5Fbase_b128_unknown_1");
}

TEST(Layout, HostileNamesStayInsideTheWorkspace) {
    const test::Folder folder;
    const auto workspace = Workspace::open(folder.path());
    ASSERT_TRUE(workspace);
    for (const std::string& name :
         {std::string(".."), std::string("../../etc"), std::string("/etc/passwd"), std::string("a\0b", 3),
          std::string(), std::string("."), std::string(900, 'x'), std::string("-rf"), std::string("a\nb"),
          std::string("\xff\xfe")}) {
        Configuration configuration = someConfiguration();
        configuration.recipe = name;
        configuration.model = name;
        configuration.precision = name;
        configuration.features = {name};
        configuration.variant = {{name, name}};
        const fs::path path =
            workspace->caseFolder({configuration, {1, 1}}) / (runName(configuration, 1) + ".log");
        const fs::path relative = path.lexically_relative(workspace->logs());
        EXPECT_EQ(path, path.lexically_normal());
        EXPECT_EQ(std::distance(relative.begin(), relative.end()), 4) << relative;
        for (const fs::path& part : relative) {
            EXPECT_NE(part, "..");
            EXPECT_NE(part.string().front(), '.');
            EXPECT_LE(part.string().size(), 255U);
            EXPECT_EQ(part.string().find('\0'), std::string::npos);
        }
        fs::create_directories(path.parent_path());
        std::ofstream(path) << "log\n";
        EXPECT_TRUE(fs::exists(path)) << path;
    }
}

TEST(Layout, AProposedNameStaysReadable) {
    EXPECT_EQ(proposedFileName("ResNet50 on this machine"), "ResNet50 on this machine");
    EXPECT_EQ(proposedFileName("Throughput, images/s: fp16"), "Throughput, images-s- fp16");
    EXPECT_EQ(proposedFileName("\xe5\x90\x9e\xe5\x90\x90\xe7\x8e\x87"),
              "\xe5\x90\x9e\xe5\x90\x90\xe7\x8e\x87");
    EXPECT_EQ(proposedFileName("../a\nb"), "%2E.-a-b");
    EXPECT_EQ(proposedFileName(""), "unknown");
}

TEST(Layout, LongNamesStayDifferent) {
    Configuration one = someConfiguration();
    Configuration two = one;
    one.variant = {{"data", std::string(400, 'x') + "1"}};
    two.variant = {{"data", std::string(400, 'x') + "2"}};
    EXPECT_NE(seriesFolderName(one), seriesFolderName(two));
}

TEST(Layout, FreeRepetitionsLeaveOutLogsAndFolders) {
    const test::Folder folder;
    const auto workspace = Workspace::open(folder.path() / "new" / "workspace");
    ASSERT_TRUE(workspace);
    const Case benchmarkCase{someConfiguration(), {2, 8}};
    EXPECT_EQ(workspace->freeRepetitions(benchmarkCase, 3), (std::vector{1, 2, 3}));
    const fs::path cases = workspace->caseFolder(benchmarkCase);
    fs::create_directories(cases / "r50_b128_fp32_2");
    fs::create_directories(cases / "r50_b128_fp32_3.attempt1");  // failed: the number is still free
    fs::create_directories(cases / "r50_b256_fp32_1");           // another case
    std::ofstream(cases / "r50_b128_fp32_4_6.log") << "x";       // DLPerf reads this as repetition 4
    std::ofstream(cases / "r50_b128_fp32_5.log") << "x";
    EXPECT_EQ(workspace->freeRepetitions(benchmarkCase, 3), (std::vector{1, 3, 6}));
}

TEST(Layout, AWorkspaceThatCannotBeMadeIsAWorkError) {
    const test::Folder folder;
    std::ofstream(folder.path() / "file") << "x";
    const auto workspace = Workspace::open(folder.path() / "file" / "workspace");
    ASSERT_FALSE(workspace);
    EXPECT_EQ(workspace.error().kind, ErrorKind::Work);
}

}  // namespace
}  // namespace dlperf::store
