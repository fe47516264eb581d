// SPDX-License-Identifier: Apache-2.0
#include "core/publish/bundle.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/analysis/format_json.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/cluster/compute_baseline.h"
#include "core/cluster/data_baseline.h"
#include "core/cluster/link_baseline.h"
#include "core/import/import_logs.h"
#include "core/publish/mask.h"
#include "core/report/comparison.h"
#include "core/report/result_filter.h"
#include "core/store/manifest.h"
#include "core/store/ranges.h"
#include "core/store/results.h"
#include "core/store/run_record.h"
#include "tests/support/folder.h"
#include "tests/support/program.h"

namespace dlperf::publish {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Vocabulary& vocabulary() {
    static const Vocabulary words =
        Vocabulary::fromFile(fs::path(DLPERF_SOURCE_DIR) / "resources" / "vocabulary.json").value();
    return words;
}

class Bundle : public testing::Test {
protected:
    Bundle() {
        folder_.write("theirs/1n1g/r50_b100_fp32_1.log", test::workerLog(120));
        folder_.write("theirs/1n1g/r50_b100_fp32_2.log", test::workerLog(130));
        imports::ImportOptions options;
        options.corrections.range = MeasurementRange{10, 60};  // not what the format would take by itself
        take(folder_.path() / "theirs", "own", options).value();
    }

    store::Workspace workspace(const std::string& name) const {
        return store::Workspace::open(folder_.path() / name).value();
    }
    Result<imports::Imported> take(const fs::path& from, const std::string& into,
                                   const imports::ImportOptions& options = {}) const {
        auto plan = imports::planImport(from, workspace(into), vocabulary(), options);
        return plan ? imports::saveImport(*plan, workspace(into), vocabulary())
                    : Result<imports::Imported>(Failure(plan.error()));
    }
    std::vector<RunResult> results(const std::string& name) const {
        return store::readResults(workspace(name)).value().results;
    }
    Result<Bundled> bundle(const std::string& file, BundleOptions options = {}) const {
        options.program = "dlperf 9";
        return writeBundle(workspace("own"), vocabulary(), {}, folder_.path() / file, options);
    }
    // The archive as a folder.
    fs::path unpacked(const std::string& file) const {
        const fs::path target = folder_.path() / "unpacked";
        fs::create_directories(target);
        const auto ran = test::runProgram(
            "tar", {"-xf", (folder_.path() / file).string(), "-C", target.string()}, scratch_);
        EXPECT_EQ(ran.exitCode, 0) << ran.errors;
        return target;
    }
    // All of its files' bytes.
    std::string textOf(const std::string& file) const {
        std::string all;
        for (const auto& entry : fs::recursive_directory_iterator(unpacked(file))) {
            all += entry.is_regular_file() ? readFile(entry.path()).value() : std::string();
        }
        return all;
    }
    void writeCampaign(const std::string& cluster) const {
        folder_.write("own/campaigns/theirs/plan.json", "{\"name\": \"p\"}");
        folder_.write("own/campaigns/theirs/cluster.json", cluster);
    }

    test::Folder folder_;
    test::Folder scratch_;
};

TEST_F(Bundle, IsImportedAgainWithTheSameFigures) {
    for (const char* file : {"b.tar.zst", "b.tar.gz", "b.tar.xz", "b.tar"}) {
        const auto bundled = bundle(file);
        ASSERT_TRUE(bundled) << describe(bundled.error());
        EXPECT_EQ(bundled->runs, 2U);
        const std::string target = std::string("of ") + file;
        const auto imported = take(folder_.path() / file, target);
        ASSERT_TRUE(imported) << describe(imported.error());
        const auto before = results("own");
        const auto after = results(target);
        ASSERT_EQ(after.size(), before.size());
        for (std::size_t i = 0; i < after.size(); ++i) {
            EXPECT_EQ(after[i].throughput, before[i].throughput);
            EXPECT_EQ(after[i].range, before[i].range) << "the range that its record says";
            EXPECT_EQ(after[i].benchmarkCase, before[i].benchmarkCase);
            EXPECT_EQ(after[i].repetition, before[i].repetition);
            EXPECT_TRUE(store::readRunRecord(workspace(target).root() / after[i].folder)
                            .value()
                            .facts.value("checked", false));
        }
    }
}

// A workspace's folder is imported in the same way.
TEST_F(Bundle, BringsTheFormatsOfTheUsersOwn) {
    const auto format = [](const char* rule) {
        return fmt::format(R"({{"name": "mine", "lines": {{"contain": ["step ", "images/sec"]}},
            "index": {{"after": "step ", "numbers_lines": true}}, "value": {{"after": "speed ", "is": "speed"}},
            "rule": "{}", "short_run": "unknown"}})",
                           rule);
    };
    std::string log;
    for (int step = 1; step <= 120; ++step) {
        log += fmt::format("step {} speed 250.5 images/sec\n", step);
    }
    folder_.write("mine/1n1g/r50_b100_fp32_3.log", log);
    imports::ImportOptions options;
    options.formats =
        analysis::FormatBook(analysis::formatsFromJson(format("mean-of-speeds"), "mine.json").value());
    ASSERT_TRUE(take(folder_.path() / "mine", "own", options));
    ASSERT_TRUE(bundle("b.tar"));
    for (const fs::path& from : {folder_.path() / "b.tar", folder_.path() / "own"}) {
        const std::string target = "of " + from.filename().string();
        const auto imported = take(from, target);
        ASSERT_TRUE(imported) << describe(imported.error());
        EXPECT_EQ(imported->logs, 3U) << from;
        EXPECT_THAT(readFile(workspace(target).formats()).value(), HasSubstr("mine"));
    }

    // The name means something else there.
    folder_.write("another/formats.json", format("sum-of-intervals"));
    options.formats = analysis::FormatBook(analysis::readFormats(workspace("another").formats()).value());
    const auto refused = take(folder_.path() / "b.tar", "another", options);
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), AllOf(HasSubstr("b/formats.json"), HasSubstr("mine")));

    const fs::path changed = unpacked("b.tar") / "b";
    ASSERT_TRUE(writeFileAtomically(changed / "formats.json", format("sum-of-intervals")));
    const auto other = take(changed, "other");
    ASSERT_FALSE(other);
    EXPECT_THAT(describe(other.error()),
                AllOf(HasSubstr("formats.json"), HasSubstr("is not what was published")));
}

TEST_F(Bundle, TakesNoFormatsThatItsManifestDoesNotList) {
    ASSERT_TRUE(bundle("b.tar"));
    const fs::path folder = unpacked("b.tar") / "b";
    ASSERT_TRUE(writeFileAtomically(folder / "formats.json", "[]"));
    const auto refused = take(folder, "refused");
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), HasSubstr("is not what was published"));
}

// Any trainer's folder may hold a file of this name beside its logs.
TEST_F(Bundle, LeavesOutAFileThatHoldsNoLogFormats) {
    const fs::path own = workspace("own").root();
    ASSERT_TRUE(writeFileAtomically(own / "formats.json", R"({"video": ["mp4"]})"));
    const auto imported = take(own, "other");
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->logs, 2U);
    EXPECT_FALSE(fs::exists(workspace("other").formats()));
}

TEST_F(Bundle, ALinkIsNeitherFollowedNorLeftOut) {
    folder_.write("secret", "of somebody else");
    const std::string run = results("own").at(0).folder;
    const fs::path own = workspace("own").root();
    writeCampaign("{}");
    for (const std::string& name : {run + ".log", run + "/node0.env", std::string("campaigns/theirs/notes"),
                                    std::string("formats.json")}) {
        const fs::path link = own / name;
        const fs::path aside = folder_.path() / "aside";
        if (fs::exists(link)) {
            fs::rename(link, aside);
        }
        fs::create_symlink(folder_.path() / "secret", link);
        const auto refused = bundle("b.tar");
        ASSERT_FALSE(refused) << name;
        EXPECT_THAT(describe(refused.error()), AllOf(HasSubstr(link.string()), HasSubstr("is a link")));
        EXPECT_FALSE(fs::exists(folder_.path() / "b.tar"));
        fs::remove(link);
        if (fs::exists(aside)) {
            fs::rename(aside, link);
        }
    }
    EXPECT_TRUE(bundle("b.tar"));
}

// The same case of two campaigns is two series before; merged, it would be one with a figure of neither.
TEST_F(Bundle, CampaignsStayApartWhereItIsImported) {
    folder_.write("faster/1n1g/r50_b100_fp32_1.log", test::workerLog(140));
    take(folder_.path() / "faster", "own").value();
    ASSERT_TRUE(bundle("b.tar"));
    ASSERT_TRUE(take(folder_.path() / "b.tar", "other"));
    const auto after = results("other");
    ASSERT_EQ(after.size(), 3U);
    std::multiset<std::string> campaigns;
    for (const RunResult& result : after) {
        campaigns.insert(fmt::format("{} {}", result.campaign, result.repetition));
    }
    EXPECT_THAT(campaigns, ElementsAre("b/faster 1", "b/theirs 1", "b/theirs 2"));
    const auto compared = report::compare(after, vocabulary());
    EXPECT_EQ(compared.series.size(), report::compare(results("own"), vocabulary()).series.size());

    report::ResultFilter filter;
    EXPECT_TRUE(makeVisible(filter, "b", after)) << "the import is all of them";
    BundleOptions again;
    again.campaigns = {"b"};
    const auto bundled = writeBundle(workspace("other"), vocabulary(), {}, folder_.path() / "c.tar", again);
    ASSERT_TRUE(bundled) << describe(bundled.error());
    EXPECT_EQ(bundled->runs, 3U);
}

TEST_F(Bundle, WhatCompletesACampaignStaysOneSeriesWithIt) {
    folder_.write("faster/1n1g/r50_b100_fp32_1.log", test::workerLog(140));
    take(folder_.path() / "faster", "own").value();
    for (const RunResult& result : results("own")) {
        if (result.campaign == "faster") {
            const fs::path folder = workspace("own").root() / result.folder;
            auto record = store::readRunRecord(folder).value();
            record.result.completes = "theirs";
            ASSERT_TRUE(store::writeRunRecord(folder, record));
        }
    }
    BundleOptions options;
    options.masked = true;
    options.campaigns = {"theirs"};
    const auto bundled = writeBundle(workspace("own"), vocabulary(), {}, folder_.path() / "b.tar", options);
    ASSERT_TRUE(bundled) << describe(bundled.error());
    EXPECT_EQ(bundled->runs, 3U) << "with those that complete it";
    ASSERT_TRUE(take(folder_.path() / "b.tar", "other"));
    EXPECT_EQ(report::compare(results("other"), vocabulary()).series.size(), 1U);
}

// What somebody wrote into a record leads nowhere.
TEST_F(Bundle, NoCampaignsNameLeadsOutOfTheImport) {
    folder_.write("faster/1n1g/r50_b100_fp32_1.log", test::workerLog(140));
    take(folder_.path() / "faster", "own").value();
    ASSERT_TRUE(bundle("b.tar"));
    const fs::path folder = unpacked("b.tar") / "b";
    fs::remove(folder / store::manifestName);
    for (const auto& entry : fs::recursive_directory_iterator(folder / "logs" / "imported-faster")) {
        if (entry.path().filename() == "run.json") {
            auto json = readJsonFile(entry.path()).value();
            json["campaign"] = "../../../up";
            ASSERT_TRUE(writeFileAtomically(entry.path(), json.dump()));
        }
    }
    ASSERT_TRUE(take(folder, "other"));
    ASSERT_EQ(results("other").size(), 3U);
    EXPECT_TRUE(std::ranges::any_of(results("other"), [](const RunResult& result) {
        return result.campaign == "b/%2E.%2F..%2F..%2Fup" &&
               result.folder.starts_with("logs/imported-b/%2E.%2F..%2F..%2Fup/");
    }));
}

TEST_F(Bundle, AChangedLogIsRefusedByItsName) {
    ASSERT_TRUE(bundle("b.tar"));
    const fs::path folder = unpacked("b.tar");
    fs::path changed;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().filename() == "r50_b100_fp32_2.log") {
            changed = entry.path();
        }
    }
    std::string text = readFile(changed).value();
    text.replace(text.rfind("0.500000"), 8, "0.250000");
    ASSERT_TRUE(writeFileAtomically(changed, text));
    const auto imported = take(folder, "other");
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->logs, 1U) << "the others stay";
    EXPECT_EQ(imported->refused, 1U);
    ASSERT_EQ(imported->problems.size(), 1U);
    EXPECT_THAT(describe(imported->problems[0]),
                AllOf(HasSubstr("r50_b100_fp32_2.log"), HasSubstr("is not the log that was published")));
}

TEST_F(Bundle, ABrokenManifestIsNoManifest) {
    ASSERT_TRUE(bundle("b.tar"));
    const fs::path folder = unpacked("b.tar");
    for (const char* text : {"{", "[]", R"({"files": []})", R"({"files": {"a": "00"}})"}) {
        ASSERT_TRUE(writeFileAtomically(folder / "b" / store::manifestName, text));
        const auto imported = take(folder, "other");
        ASSERT_FALSE(imported) << text;
        EXPECT_THAT(describe(imported.error()), HasSubstr(store::manifestName));
    }
}

TEST_F(Bundle, HoldsFiguresInTwoLanguagesAndWhatTheyCameFrom) {
    writeCampaign(R"({"nodes": [{"name": "n", "host": "gpu01.lab.example"}]})");
    ASSERT_TRUE(bundle("b.tar"));
    const fs::path folder = unpacked("b.tar") / "b";
    EXPECT_THAT(readFile(folder / "README.md").value(),
                AllOf(HasSubstr("| Nodes | Devices |"), HasSubstr("200.00"), HasSubstr("## Method")));
    EXPECT_THAT(readFile(folder / "README_zh_CN.md").value(),
                AllOf(HasSubstr("| 节点数 | 设备数 |"), HasSubstr("200.00"), HasSubstr("## 方法")));
    EXPECT_TRUE(fs::exists(folder / "results.json"));
    EXPECT_TRUE(fs::exists(folder / "campaigns" / "theirs" / "plan.json"));
    const auto manifest =
        store::manifestFromJson(readJsonFile(folder / store::manifestName).value(), "it").value();
    EXPECT_EQ(manifest.program, "dlperf 9");
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        files += entry.is_regular_file() && entry.path().filename() != store::manifestName ? 1 : 0;
    }
    EXPECT_EQ(manifest.files.size(), files);
}

TEST_F(Bundle, MaskedItTellsNeitherHostsNorUsersNorTokens) {
    writeCampaign(
        R"({"nodes": [{"name": "gpu01", "host": "gpu01.lab.example", "user": "robin", "env": {"HF_TOKEN": "hf_x1y2"}}]})");
    const auto own = results("own");
    folder_.write("own/" + own[0].folder + "/node0.env",
                  "export HF_TOKEN='hf_x1y2'\nexport DATA='/home/robin/data'\nexport HOST='gpu01'\n");
    BundleOptions options;
    options.masked = true;
    ASSERT_TRUE(bundle("b.tar", options));
    const std::string all = textOf("b.tar");
    EXPECT_THAT(all, AllOf(Not(HasSubstr("gpu01")), Not(HasSubstr("robin")), Not(HasSubstr("hf_x1y2"))));
    EXPECT_THAT(all, AllOf(HasSubstr("node1"), HasSubstr("DATA='~/data'"), HasSubstr("HF_TOKEN='masked'")));
    ASSERT_TRUE(take(folder_.path() / "b.tar", "other"));
    EXPECT_EQ(results("other").at(0).throughput, own[0].throughput);
}

// `bench` names nodes that no campaign used, and Slurm's are in the runs alone.
TEST_F(Bundle, MaskedItTellsNoNodeOfMeasurementsOrRuns) {
    writeCampaign(
        R"({"slurm": {"login": {"host": "front.lab", "user": "robin"}}, "nodes": [{"name": "gpu01"}]})");
    const TimePoint then = parseIso8601("2026-11-21T09:15:02.123Z").value();
    const auto write = [&](const char* name, const Json& json) {
        folder_.write(std::string("own/") + name, json.dump());
    };
    write("compute.json", toJson(cluster::ComputeBaseline{.measured = then,
                                                          .by = "dlperf-worker",
                                                          .nodes = {{.node = "oakbox",
                                                                     .backend = "cpu",
                                                                     .batchSize = 2,
                                                                     .imageSize = 64,
                                                                     .throughputs = {4.0}}}}));
    write("links.json", toJson(cluster::LinkBaseline{
                            .measured = then,
                            .by = "gloo",
                            .nodes = {"oakbox", "elmbox", "gpu01"},
                            .pairs = {{"elmbox", "gpu01", {.missing = "elmbox: no route to host"}}}}));
    write("data.json",
          toJson(cluster::DataBaseline{
              .measured = then, .by = "dlperf-worker", .nodes = {{.node = "ashbox", .missing = "no data"}}}));
    const auto own = results("own");
    auto record = store::readRunRecord(workspace("own").root() / own[0].folder).value();
    record.facts["nodes"] = {{{"name", "pinebox"}, {"facts", {"env=NCCL_DEBUG=pinebox"}}}};
    folder_.write("own/" + own[0].folder + "/run.json", store::recordText(record));
    ASSERT_TRUE(bundle("plain.tar"));
    const std::string plain = textOf("plain.tar");
    BundleOptions options;
    options.masked = true;
    ASSERT_TRUE(bundle("masked.tar", options));
    fs::remove_all(folder_.path() / "unpacked");
    const std::string masked = textOf("masked.tar");
    for (const char* name : {"oakbox", "elmbox", "ashbox", "pinebox", "gpu01", "front.lab", "robin"}) {
        EXPECT_THAT(plain, HasSubstr(name));
        EXPECT_THAT(masked, Not(HasSubstr(name)));
    }
}

TEST_F(Bundle, MaskedFilesOfRanksKeepTheirNames) {
    writeCampaign(R"({"nodes": [{"name": "node0"}, {"name": "node1"}]})");
    const auto own = results("own");
    folder_.write("own/" + own[0].folder + "/node1.log", "of node1\n");
    folder_.write("own/" + own[0].folder + "/node2.log", "of node2\n");
    BundleOptions options;
    options.masked = true;
    ASSERT_TRUE(bundle("b.tar", options));
    const fs::path run = unpacked("b.tar") / "b" / own[0].folder;
    EXPECT_EQ(readFile(run / "node1.log").value(), "of node2\n");  // its second node
    EXPECT_EQ(readFile(run / "node2.log").value(), "of node2\n");
}

TEST_F(Bundle, TheRecordIsOfTheRangeThatTheUserChose) {
    const auto own = results("own");
    const auto workspace = store::Workspace::open(folder_.path() / "own").value();
    // It is short by itself, and has a figure where the user looks.
    auto record = store::readRunRecord(workspace.root() / own[0].folder).value();
    record.result.outcome = Outcome::Short;
    record.result.reason = "the log ends at iteration 90";
    record.result.throughput.reset();
    folder_.write("own/" + own[0].folder + "/run.json", store::recordText(record));
    const store::ChangedRange shorter{
        .range = {10, 90}, .outcome = Outcome::Ok, .figure = 123.0, .reason = {}};
    ASSERT_TRUE(store::changeRanges(workspace, {{own[0].id, shorter}}));
    ASSERT_TRUE(bundle("b.tar"));
    const auto shown = store::readRunRecord(unpacked("b.tar") / "b" / own[0].folder).value().result;
    EXPECT_EQ(shown.outcome, Outcome::Ok);
    EXPECT_EQ(shown.reason, "");
    EXPECT_EQ(shown.throughput, 123.0);
    EXPECT_EQ(shown.range, (MeasurementRange{10, 90}));
}

TEST_F(Bundle, ExcludedRunsAndOtherCampaignsStayOut) {
    const auto own = results("own");
    folder_.write("own/notes/" + own[0].campaign + "~0001.json", R"({"excluded": true, "reason": "hot"})");
    EXPECT_EQ(bundle("b.tar").value().runs, 1U);
    BundleOptions options;
    options.campaigns = {"another"};
    const auto nothing = bundle("c.tar", options);
    ASSERT_FALSE(nothing);
    EXPECT_THAT(nothing.error().what, HasSubstr("there is no campaign or import another"));
    EXPECT_FALSE(fs::exists(folder_.path() / "c.tar"));
}

TEST_F(Bundle, WhereItCannotBeWrittenNothingIsLeft) {
    EXPECT_THAT(bundle("b.zip").error().remedy, HasSubstr(".tar.zst"));
    EXPECT_EQ(bundle("nowhere/b.tar").error().kind, ErrorKind::Work);
    for (const fs::path& entry : entriesOf(folder_.path())) {
        EXPECT_THAT(entry.filename().string(), Not(HasSubstr("part")));
    }
}

TEST(Mask, ReplacesWholeWordsOnly) {
    Mask mask;
    mask.addCluster(Json::parse(R"({"nodes": [{"host": "n1"}, {"host": "10.0.0.12", "user": "bo"}]})"));
    EXPECT_EQ(mask("n1 n12 n1.lab 10.0.0.12 10.0.0.120 bo bot"),
              "node1 n12 node1.lab node2 10.0.0.120 user bot");
    EXPECT_EQ(mask("/home/bo/x /root/y a/root/b"), "~/x ~/y a/root/b");
    EXPECT_EQ(mask("API_KEY=abc password: \"x y\", tokens 12"),
              "API_KEY=masked password: \"masked y\", tokens 12");
    EXPECT_EQ(
        mask("\"interface=eth0 10000 used 10.0.0.12/24 fd00::1/64\", \"interface=ib0 -1 10.1.0.1/8\", 1/2"),
        "\"interface=eth0 10000 used\", \"interface=ib0 -1\", 1/2");
    EXPECT_EQ(mask("interface=tun0 -1 10.8.0.6 fd00::1/64 ::1"), "interface=tun0 -1") << "ends of a tunnel";
    mask.addCluster(Json::parse(R"(["no cluster"])"));
}

TEST(Mask, NodesThatAreCalledAsItsOwnWordsStayApart) {
    Mask mask;
    mask.addCluster(Json::parse(
        R"({"nodes": [{"name": "node0", "host": "10.0.0.10"}, {"name": "node1", "host": "10.0.0.11"}]})"));
    EXPECT_EQ(mask("node0 node1 10.0.0.10 10.0.0.11"), "node1 node2 node1 node2");
}

TEST(Mask, ANodeKeepsItsNumberHoweverOftenItIsNamed) {
    Mask mask;
    const Json cluster =
        Json::parse(R"({"nodes": [{"name": "a1", "host": "hh"}, {"name": "a2", "host": "hh"}]})");
    mask.addCluster(cluster);
    mask.addCluster(cluster);
    mask.addNode("a2");
    mask.addNode("a3");
    EXPECT_EQ(mask("a1 a2 a3 hh"), "node1 node2 node3 node1");
}

TEST(Mask, LeavesNamesOfTrainersAndNumbersAlone) {
    Mask mask;
    mask.addCluster(Json::parse(R"({"nodes": [{"name": "128", "user": "dlperf"}, {"user": "worker"}]})"));
    EXPECT_EQ(mask("# dlperf-worker 0.1.0, batch 128, dlperf@n, /data/worker"),
              "# dlperf-worker 0.1.0, batch 128, user@n, /data/user");
}

}  // namespace
}  // namespace dlperf::publish
