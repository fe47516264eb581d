// SPDX-License-Identifier: Apache-2.0
#include "core/import/import_logs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

#include "core/analysis/analyze.h"
#include "core/analysis/format_json.h"
#include "core/analysis/json_table.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/diagnosis/diagnose.h"
#include "core/import/publish.h"
#include "core/measure/own_formats.h"
#include "core/report/comparison.h"
#include "core/report/report.h"
#include "core/report/result_filter.h"
#include "core/store/notes.h"
#include "core/store/ranges.h"
#include "core/store/results.h"
#include "core/store/run_record.h"
#include "tests/import/archive_maker.h"
#include "tests/support/as_nobody.h"
#include "tests/support/folder.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Lines as pytorch/examples prints them: `seconds` an iteration.
std::string pytorchLog(int iterations, const std::string& seconds) {
    std::string log;
    for (int i = 0; i < iterations; ++i) {
        log += "Epoch: [0][" + std::to_string(i) + "/10000]\tTime  " + seconds +
               " ( 0.500)\tData  0.001 ( 0.001)\tLoss 6.9e+00 (6.9e+00)\tAcc@1   0.00 (  0.00)\n";
    }
    return log;
}

std::string workerLog(int worldSize, int batchSize, const std::string& precision = "bf16",
                      const std::string& options = "") {
    std::string log = "# dlperf-worker 0.1.0\n# backend: cuda\n# precision: " + precision +
                      "\n# batch_size: " + std::to_string(batchSize) +
                      "\n# world_size: " + std::to_string(worldSize) + "\n" + options;
    for (int i = 1; i <= 120; ++i) {
        log += "iteration " + std::to_string(i) +
               " epoch 0 loss 6.9 time 0.500000 s data 0.0 s comm 0.0 s throughput 200.00 images/s\n";
    }
    return log;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + by.size())) {
        text.replace(at, part.size(), by);
    }
    return text;
}

class Import : public testing::Test {
protected:
    // So deep that no folder of a random name ("…-a3x8Gk") is read as words of the logs.
    fs::path logs() const { return folder_.path() / "home" / "ada" / "logs" / "theirs"; }
    void write(const std::string& name, std::string_view bytes) const {
        folder_.write((logs() / name).lexically_relative(folder_.path()).string(), bytes);
    }
    store::Workspace workspace() const { return store::Workspace::open(folder_.path() / "w").value(); }
    fs::path saved(const std::string& name) const { return workspace().logs() / name; }

    Result<ImportPlan> plan(const fs::path& path, const ImportOptions& options = {}) const {
        return planImport(path, workspace(), vocabulary_, options);
    }
    // The plan and what it holds are gone when this returns.
    Result<Imported> importUntil(const fs::path& path, const std::stop_token& stop,
                                 const OnProgress& onProgress) const {
        auto plan = planImport(path, workspace(), vocabulary_, {}, stop, onProgress);
        return plan ? saveImport(*plan, workspace(), vocabulary_, stop, onProgress)
                    : Result<Imported>(Failure(plan.error()));
    }

    Result<Imported> import(const fs::path& path, const ImportOptions& options = {}) const {
        auto planned = plan(path, options);
        return planned ? saveImport(*planned, workspace(), vocabulary_) : Failure(planned.error());
    }
    std::vector<RunResult> results() const { return store::readResults(workspace()).value().results; }

    // All that a failed import must not leave: names under W but the index and notes.
    std::vector<std::string> leftBehind() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(workspace().root())) {
            names.push_back(entry.path().lexically_relative(workspace().root()).string());
        }
        return names;
    }

    test::Folder folder_;
    Vocabulary vocabulary_ =
        Vocabulary::fromFile(fs::path(DLPERF_SOURCE_DIR) / "resources" / "vocabulary.json").value();
};

TEST_F(Import, LogsBecomeResultsOfTheWorkspace) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_2.log", pytorchLog(130, "0.500"));
    write("2n8g/r50_b128_fp32_1.log", pytorchLog(30, "0.500"));
    const auto imported = import(logs());
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->name, "theirs");
    EXPECT_EQ(imported->logs, 3U);
    EXPECT_EQ(imported->withoutFigure, 1U);
    EXPECT_THAT(imported->formats, ElementsAre("pytorch-examples"));
    fs::remove_all(logs());  // the workspace stays whole
    const auto stored = results();
    ASSERT_EQ(stored.size(), 3U);
    const RunResult& first = stored.front();
    EXPECT_EQ(first.origin, Origin::Imported);
    EXPECT_EQ(first.campaign, "theirs");
    EXPECT_EQ(first.benchmarkCase.configuration.framework, "pytorch");
    EXPECT_EQ(first.benchmarkCase.configuration.implementation, "pytorch-examples");
    EXPECT_EQ(first.benchmarkCase.configuration.model, "r50");
    EXPECT_EQ(first.benchmarkCase.configuration.batchSize, 128);
    EXPECT_EQ(first.throughput, 320.0);
    EXPECT_EQ(stored[2].outcome, Outcome::Short);
    EXPECT_THAT(stored[2].reason, HasSubstr("the measurement range needs 120"));
    EXPECT_EQ(readFile(saved("imported-theirs/pytorch-examples/b128_fp32/2n8g/r50_b128_fp32_1.log")).value(),
              pytorchLog(30, "0.500"));
}

// What DLPerf Dashboard makes of the originals it makes of what was saved.
TEST_F(Import, AnalysisGivesTheSameFiguresBeforeAndAfter) {
    for (int i = 1; i <= 3; ++i) {
        const std::string name = "/r50_b128_fp32_" + std::to_string(i) + ".log";
        write("1n1g" + name, pytorchLog(130, "0.40" + std::to_string(i)));
        write("1n8g" + name, pytorchLog(130, "0.43" + std::to_string(i)));
    }
    write("1n8g/r50_b128_fp32_3_5.log", pytorchLog(130, "0.999"));  // gives way to repetition 3
    const analysis::Reading reading{analysis::findFormat("pytorch-examples"), {}, {}, {}};
    const auto before = analysis::analyzeFolder(logs(), reading);
    for (const test::ArchiveKind kind : {test::ArchiveKind::TarGz, test::ArchiveKind::Zip}) {
        const fs::path archive = folder_.path() / "packed.archive";
        test::ArchiveMaker maker(archive, kind);
        for (const auto& entry : fs::recursive_directory_iterator(logs())) {
            if (entry.is_regular_file()) {
                maker.file("x/" + entry.path().lexically_relative(logs()).string(),
                           readFile(entry.path()).value());
            }
        }
        maker.close();
        const auto imported = import(archive);
        ASSERT_TRUE(imported) << describe(imported.error());
        const fs::path folder = saved("imported-" + imported->name) / "pytorch-examples" / "b128_fp32";
        const auto after = analysis::analyzeFolder(folder, reading);
        EXPECT_EQ(analysis::toJson(*after), analysis::toJson(*before));
        EXPECT_THAT(analysis::toJson(*after), HasSubstr("\"1n8g\""));
        const auto stored = results();
        EXPECT_EQ(
            std::count_if(stored.begin(), stored.end(), [](const RunResult& run) { return run.excluded; }),
            1);
        fs::remove_all(workspace().root());
    }
}

TEST_F(Import, TheSameLogTwiceIsImportedOnce) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("copy/1n1g/r50_b128_fp32_7.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_2.log", pytorchLog(130, "0.401"));  // as long, and another
    auto planned = plan(logs());
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->count(Verdict::Duplicate), 1U);
    EXPECT_EQ(planned->proposals.back().sameAs, "1n1g/r50_b128_fp32_1.log");
    EXPECT_EQ(saveImport(*planned, workspace(), vocabulary_)->duplicates, 1U);
    EXPECT_EQ(results().size(), 2U);
    const auto before = leftBehind();
    const auto again = import(logs());
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind, ErrorKind::Work);
    EXPECT_THAT(describe(again.error()), HasSubstr("3 of 3 logs are in the workspace already"));
    EXPECT_EQ(leftBehind(), before);
}

// As a share of Windows, an editor there, PowerShell or gzip gives it back; a progress bar's "\r" is no line
// end.
TEST_F(Import, TheSameTextIsTheSameLog) {
    const std::string text = "0 %\r100 %\n" + pytorchLog(130, "0.400");
    const std::string crlf = replaced(text, "\n", "\r\n");
    const std::string mark = "\xEF\xBB\xBF";
    for (const std::string& first : {text, crlf, mark + crlf}) {
        fs::remove_all(folder_.path());
        write("1n1g/r50_b128_fp32_1.log", first);
        ASSERT_TRUE(import(logs()));
        for (const std::string& again : {text, mark + text, crlf, mark + crlf}) {
            write("1n1g/r50_b128_fp32_1.log", again);
            const auto planned = plan(logs());
            ASSERT_TRUE(planned);
            EXPECT_EQ(planned->count(Verdict::Duplicate), 1U);
        }
        write("1n1g/r50_b128_fp32_1.log", replaced(text, "\r", ""));
        EXPECT_EQ(plan(logs())->count(Verdict::New), 1U);
    }
}

// Of which the head alone is read at first.
TEST_F(Import, TheSameLargeTextIsTheSameLog) {
    const std::string text = pytorchLog(50'000, "0.400");
    ASSERT_GT(text.size(), std::size_t{4U << 20U});
    write("1n1g/r50_b128_fp32_1.log", text);
    ASSERT_TRUE(import(logs()));
    for (const std::string& again : {replaced(text, "\n", "\r\n"), text}) {
        write("1n1g/r50_b128_fp32_1.log", again);
        EXPECT_EQ(plan(logs())->count(Verdict::Duplicate), 1U);
    }
    write("1n1g/r50_b128_fp32_1.log", text + "done\n");
    EXPECT_EQ(plan(logs())->count(Verdict::New), 1U);
}

TEST_F(Import, ASecondImportTakesAnotherName) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    ASSERT_TRUE(import(logs()));
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.500"));
    const auto again = import(logs());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->name, "theirs-2");
    EXPECT_EQ(results().size(), 2U);
}

TEST_F(Import, ComparisonsBeginWithTheLastOneAndNotWithTheLastName) {
    write("zebra/r50_b64_fp32_1n1g/train.log", pytorchLog(130, "0.400"));
    write("apple/r50_b32_fp32_1n1g/train.log", pytorchLog(130, "0.410"));
    ASSERT_TRUE(import(logs() / "zebra"));
    ASSERT_TRUE(import(logs() / "apple"));
    auto all = results();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_LE(all[1].imported, all[0].imported);
    all[0].imported = *all[1].imported + std::chrono::milliseconds(1);  // a clock may be coarse
    EXPECT_EQ(all[0].campaign, "apple");
    EXPECT_THAT(report::firstFilter(all).batchSizes, ElementsAre(32));
}

// Of before imports recorded their time.
TEST_F(Import, AnImportWithoutATimeIsAsOldAsItsRecord) {
    write("r50_b64_fp32_1n1g/train.log", pytorchLog(130, "0.400"));
    ASSERT_TRUE(import(logs()));
    const fs::path record = workspace().root() / results().at(0).folder / "run.json";
    Json json = readJsonFile(record).value();
    EXPECT_EQ(parseIso8601(json.at("imported")), results().at(0).imported);
    json.erase("imported");
    ASSERT_TRUE(writeFileAtomically(record, json.dump()));
    const auto earlier = fs::file_time_type::clock::now() - std::chrono::hours(24);
    fs::last_write_time(record, earlier);
    const auto imported = results().at(0).imported;
    ASSERT_TRUE(imported);
    EXPECT_LT(*imported, now() - std::chrono::hours(23));
    EXPECT_EQ(results().at(0).imported, imported) << "by the index";
}

TEST_F(Import, IntoAnImportThatIsThereTheNextRepetitionIsTaken) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_2.log", pytorchLog(130, "0.410"));
    ImportOptions options;
    options.name = "lab";
    ASSERT_TRUE(import(logs(), options));
    fs::remove_all(logs());
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.500"));
    write("4n8g/r50_b128_fp32_1.log", pytorchLog(130, "0.600"));
    const auto imported = import(logs(), options);
    ASSERT_TRUE(imported) << describe(imported.error());
    const auto stored = results();
    ASSERT_EQ(stored.size(), 4U);
    EXPECT_EQ(stored[2].repetition, 3);
    EXPECT_EQ(stored[2].throughput, 256.0);
    EXPECT_EQ(stored[2].campaign, "lab");
    EXPECT_TRUE(fs::exists(saved("imported-lab/pytorch-examples/b128_fp32/1n1g/r50_b128_fp32_3.log")));
    std::vector<std::string> ids;
    std::transform(stored.begin(), stored.end(), std::back_inserter(ids),
                   [](const RunResult& run) { return run.id; });
    std::sort(ids.begin(), ids.end());
    EXPECT_THAT(ids, ElementsAre("lab/0001", "lab/0002", "lab/0003", "lab/0004"));
}

TEST_F(Import, RepetitionsThatCountFromZeroCountFromOneHere) {
    write("1n1g/r50_b128_fp32_0.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.500"));
    write("1n1g/r50_b128_fp32_2.log", pytorchLog(131, "0.500"));  // the same bytes would be one run
    write("2n8g/r50_b128_fp32_1.log", pytorchLog(132, "0.500"));
    ASSERT_TRUE(import(logs()));
    const auto stored = results();
    ASSERT_EQ(stored.size(), 4U);
    EXPECT_EQ(stored[0].repetition, 1);
    EXPECT_EQ(stored[2].repetition, 3);
    EXPECT_EQ(stored[3].repetition, 1);  // its folder counts from 1
    const auto comparison = report::compare(stored, vocabulary_, analysis::FormatBook());
    ASSERT_EQ(comparison.series.size(), 1U);
    EXPECT_EQ(comparison.series[0].cells[0].repetitions.size(), 3U);
    EXPECT_EQ(comparison.series[0].cells[0].fold.median, 256.0);
}

// As the program says to do it where the case was wrong.
TEST_F(Import, AnImportInThePlaceOfARemovedOneTakesNothingOver) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    ASSERT_TRUE(import(logs()));
    const std::string id = results().at(0).id;
    ASSERT_TRUE(store::writeNote(workspace(), id, {.note = "hot", .excluded = true, .reason = "hot"}));
    ASSERT_TRUE(store::changeRanges(
        workspace(),
        {{id, store::ChangedRange{.range = {10, 60}, .outcome = Outcome::Ok, .figure = 1.0, .reason = {}}}}));
    EXPECT_EQ(results().at(0).throughput, 1.0);
    fs::remove_all(saved("imported-theirs"));
    ASSERT_TRUE(import(logs()));
    const RunResult again = results().at(0);
    EXPECT_EQ(again.id, id);
    EXPECT_EQ(again.throughput, 320.0);
    EXPECT_FALSE(again.excluded);
    EXPECT_EQ(again.range, (MeasurementRange{20, 120}));
}

TEST_F(Import, ARunThatWasRemovedLeavesItsNumberToNoOther) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_2.log", pytorchLog(130, "0.410"));
    ImportOptions options;
    options.name = "lab";
    ASSERT_TRUE(import(logs(), options));
    for (const RunResult& run : results()) {
        if (run.id == "lab/0001") {
            fs::remove_all(workspace().root() / run.folder);
        }
    }
    write("4n8g/r50_b128_fp32_1.log", pytorchLog(130, "0.600"));
    ASSERT_TRUE(import(logs() / "4n8g", options));
    std::set<std::string> ids;
    for (const RunResult& run : results()) {
        ids.insert(run.id);
    }
    EXPECT_THAT(ids, ElementsAre("lab/0002", "lab/0003"));
}

TEST_F(Import, TheWorkspaceKeepsTheFormatsOfItsLogs) {
    const std::string format =
        R"({"name": "NAME", "unit": "images/s", "window": {"warmup": 1, "train": 3}, "lines": {"contain": ["NAME="]},
            "value": {"after": "NAME=", "is": "speed"}, "rule": "mean-of-speeds"})";
    const auto named = [&](const std::string& name) {
        std::string text = format;
        for (std::size_t at = 0; (at = text.find("NAME", at)) != std::string::npos;) {
            text.replace(at, 4, name);
        }
        return analysis::formatsFromJson(text, "f.json").value().front();
    };
    write("1n1g/r50_b128_fp32_1.log", "speed=1\nspeed=10\nspeed=20\n");
    ImportOptions options;
    options.formats = analysis::FormatBook({named("speed"), named("pace")});
    ASSERT_TRUE(import(logs(), options));
    EXPECT_EQ(results().front().throughput, 15.0);
    // Only what a log is of; the next import knows it without being told.
    ImportOptions later;
    later.formats = measure::readFormats(workspace()).value();
    ASSERT_EQ(later.formats.own().size(), 1U);
    write("1n1g/r50_b128_fp32_1.log", "speed=1\nspeed=20\nspeed=30\n");
    ASSERT_TRUE(import(logs(), later));
    EXPECT_EQ(results().at(1).throughput, 25.0);
}

TEST_F(Import, TheFlavourOfANamedFormatIsFound) {
    write("n1g1_wdl_1.log",
          "[rank:0] iter: 100/1200, loss: 0.08, latency(ms): 81.58 | 2021-12-01 13:19:02.625\n");
    ImportOptions options;
    options.corrections.format = analysis::findFormat("oneflow-wdl");
    EXPECT_EQ(analysis::name(*plan(logs(), options)->proposals.at(0).format), "oneflow-wdl-models");
}

TEST_F(Import, OneNameInTwoFoldersIsTwoRepetitions) {
    write("a/1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("b/1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.500"));
    write("b/1n1g/r50_b128_fp32_2.log", pytorchLog(130, "0.600"));
    const auto planned = plan(logs());
    ASSERT_EQ(planned->proposals.size(), 3U);
    EXPECT_EQ(planned->proposals[1].target.filename(), "r50_b128_fp32_3.log");
    EXPECT_THAT(planned->proposals[1].notes, Contains(HasSubstr("saved as r50_b128_fp32_3")));
    EXPECT_EQ(planned->proposals[2].target.filename(), "r50_b128_fp32_2.log");
}

TEST_F(Import, TheHeaderCountsOverThePath) {
    write("1n4g/r50_b8_fp32_1.log", workerLog(2, 16));
    const auto planned = plan(logs());
    const Proposal& proposal = planned->proposals.front();
    EXPECT_EQ(proposal.topology, (Topology{1, 2}));
    EXPECT_EQ(proposal.configuration.batchSize, 16);
    EXPECT_EQ(proposal.configuration.precision, "bf16");
    EXPECT_THAT(
        proposal.notes,
        ElementsAre("1n2g, as the log\'s header says, though its path says 1n4g",
                    "batch size 16, as the log\'s header says, though its path says batch size 8",
                    "precision bf16, as the log\'s header says, though its path says precision fp32"));
    EXPECT_EQ(proposal.target, "imported-theirs/dlperf-worker/b16_bf16/1n2g/r50_b16_bf16_1.log");
}

TEST_F(Import, TheHeaderOfTheWorkerSaysEveryPrecisionThatItHas) {
    for (const char* precision : {"fp32", "tf32", "fp16", "bf16"}) {
        write(std::string(precision) + "-of-mine.log", workerLog(1, 8, precision));
    }
    write("w/resnet50.log", workerLog(2, 8, "tf32"));
    const auto planned = plan(logs());
    ASSERT_TRUE(planned) << describe(planned.error());
    std::vector<std::string> seen;
    for (const Proposal& proposal : planned->proposals) {
        seen.push_back(proposal.configuration.precision);
        EXPECT_THAT(proposal.notes, IsEmpty()) << proposal.log.file;
    }
    EXPECT_THAT(seen, ElementsAre("bf16", "fp16", "fp32", "tf32", "tf32"));
    EXPECT_EQ(planned->proposals.back().target,
              "imported-theirs/dlperf-worker/b8_tf32/1n2g/r50_b8_tf32_1.log");
    ASSERT_TRUE(import(logs()));
    EXPECT_EQ(results().size(), 5U);
}

TEST_F(Import, OptionsInTheHeaderTellCasesApart) {
    write("1n1g/usual.log",
          workerLog(1, 8, "fp32", "# image_size: 224\n# threads: 1\n# data: synthetic\n# seed: 7\n"));
    write("1n1g/small.log", workerLog(1, 8, "fp32", "# image_size: 32\n# data: /images\n"));
    write("1n1g/smaller.log", workerLog(1, 8, "fp32", "# image_size: 64\n"));
    ASSERT_TRUE(import(logs()));
    std::map<std::string, Variant> variants;
    for (const RunResult& run : results()) {
        const Configuration& configuration = run.benchmarkCase.configuration;
        EXPECT_EQ(configuration.model, "r50");
        EXPECT_EQ(run.repetition, 1) << run.folder;
        variants[fs::path(run.folder).parent_path().parent_path().parent_path().filename()] =
            configuration.variant;
        EXPECT_EQ(run.defaults.at("image_size"), "224") << "also of one that is set otherwise";
        if (configuration.variant.empty()) {
            EXPECT_EQ(run.defaults,
                      (Variant{{"backend", "auto"}, {"data", ""}, {"image_size", "224"}, {"threads", "1"}}));
        }
    }
    EXPECT_THAT(variants,
                ElementsAre(testing::Pair("dlperf-worker", Variant()),
                            testing::Pair("dlperf-worker+data=%2Fimages+image_size=32",
                                          Variant{{"data", "/images"}, {"image_size", "32"}}),
                            testing::Pair("dlperf-worker+image_size=64", Variant{{"image_size", "64"}})));
}

// As a launched run has it, whatever the machine made of it.
TEST_F(Import, WhatTheWorkerWasAskedForTellsCasesApart) {
    const auto log = [](const std::string& asked) {
        return workerLog(1, 8, "fp32", "# backend: cpu\n# comm: gloo\n" + asked);
    };
    write("1n1g/auto.log", log("# asked_backend: auto\n# asked_comm: auto\n# asked_decode: host\n"));
    write("1n1g/cpu.log", log("# asked_backend: cpu\n# asked_comm: gloo\n"));
    write("1n1g/mpi.log", log("# asked_backend: auto\n# asked_launcher: mpirun\n# asked_bind_to: core\n"));
    write("1n1g/own.log", log("# asked_backend: auto\n# asked_launcher: own\n# asked_bind_to: none\n"));
    write("1n1g/old.log", log(""));
    ASSERT_TRUE(import(logs()));
    std::vector<Variant> variants;
    for (const RunResult& run : results()) {
        variants.push_back(run.benchmarkCase.configuration.variant);
    }
    EXPECT_THAT(variants, testing::UnorderedElementsAre(
                              Variant{}, Variant{}, Variant{{"bind_to", "core"}, {"launcher", "mpirun"}},
                              Variant{{"backend", "cpu"}, {"comm", "gloo"}}, Variant{{"backend", "cpu"}}));
}

std::string tfCnnLog(const std::string& batchSizes) {
    std::string log =
        "TensorFlow:  2.3\nModel:       resnet50\nDataset:     imagenet (synthetic)\nMode:        training\n"
        "Batch size:  " +
        batchSizes + " per device\nNum batches: 100\nDevices:     ['/gpu:0', '/gpu:1']\n";
    for (const int step : {1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120}) {
        log += fmt::format("{}\timages/sec: 126.0 +/- 0.2 (jitter = 0.4)\t7.849\n", step);
    }
    return log;
}

TEST_F(Import, TheHeadOfTfCnnBenchmarksSaysTheCase) {
    write("a/train.log", tfCnnLog("128 global\n             64"));
    write("b_r50_b32_1n2g/train.log", tfCnnLog("128.0 global\n             64.0"));
    write("c_4n8g/train.log", tfCnnLog("1024 global\n             64"));
    const auto planned = plan(logs());
    ASSERT_TRUE(planned) << describe(planned.error());
    const Proposal& whole = planned->proposals.at(0);
    EXPECT_EQ(whole.topology, (Topology{1, 2}));
    EXPECT_EQ(whole.configuration.batchSize, 64);
    EXPECT_EQ(whole.configuration.model, "r50");
    EXPECT_THAT(whole.notes, IsEmpty());
    const Proposal& named = planned->proposals.at(1);
    EXPECT_EQ(named.configuration.batchSize, 32) << "as its folder says";
    EXPECT_THAT(named.notes, Contains("batch size 32, as its path says, though the log says 64"));
    EXPECT_THAT(planned->proposals.at(2).notes,
                ElementsAre("32 devices, as its path says, though the log says 16"));
}

TEST_F(Import, TheArgumentsOfMxnetsModuleSayTheCase) {
    const auto log = [](const std::string& arguments) {
        std::string text = "INFO:root:start with arguments Namespace(" + arguments + ")\n";
        for (int batch = 20; batch <= 140; batch += 20) {
            text +=
                fmt::format("INFO:root:Epoch[0] Batch [{}]\tSpeed: 84.39 samples/sec\taccuracy=0.1\n", batch);
        }
        return text;
    };
    write("a/train.log", log("batch_size=256, dtype='float16', gpus='0,1', kv_store='device', "
                             "network='resnet-v1', num_classes=1000, num_layers=50"));
    write("b_2n2g/train.log", log("batch_size=64, dtype='float32', gpus='0,1', kv_store='dist_sync', "
                                  "network='resnet', num_layers=152"));
    write("c_fp32_1n1g/train.log", log("batch_size=32, dtype='float16', gpus='0', network='resnet-v1b', "
                                       "num_layers=50"));
    const auto planned = plan(logs());
    ASSERT_TRUE(planned) << describe(planned.error());
    const Proposal& one = planned->proposals.at(0);
    EXPECT_EQ(one.topology, (Topology{1, 2}));
    EXPECT_EQ(one.configuration.batchSize, 128);
    EXPECT_EQ(one.configuration.precision, "fp16");
    EXPECT_EQ(one.configuration.model, "r50");
    const Proposal& two = planned->proposals.at(1);
    EXPECT_EQ(two.topology, (Topology{2, 2}));
    EXPECT_EQ(two.configuration.batchSize, 32) << "a worker's two devices share its batch";
    EXPECT_EQ(two.configuration.model, "") << "not of 50 layers";
    const Proposal& said = planned->proposals.at(2);
    EXPECT_EQ(said.configuration.precision, "fp32");
    EXPECT_THAT(said.notes, Contains("precision fp32, as its path says, though the log says fp16"));
}

TEST_F(Import, TheHeadOfTimmSaysModelAndDevices) {
    std::string log =
        "Training with a single process on 1 device (cuda:0).\n"
        "Model resnet50 created, param count:25557032\n";
    for (int i = 0; i < 130; ++i) {
        log += fmt::format(
            "Train: 0 [{:>4}/1251 ({:>3}%)]  Loss: 6.95 (6.95)  Time: 0.335s,  381.68/s  (0.335s,  "
            "381.68/s)  LR: 1.000e-05  Data: 0.010 (0.011)\n",
            i, i / 13);
    }
    write("train.log", log);
    const auto planned = plan(logs());
    ASSERT_TRUE(planned) << describe(planned.error());
    const Proposal& proposal = planned->proposals.front();
    EXPECT_EQ(proposal.configuration.model, "r50");
    EXPECT_EQ(proposal.topology, (Topology{1, 1}));
    EXPECT_THAT(proposal.missing, ElementsAre("batch size", "precision"));
}

// What reports and charts say of a log comes from its run.json.
std::vector<std::string> kindsOf(const RunResult& run) {
    std::vector<std::string> kinds;
    for (const RunFinding& finding : run.findings) {
        kinds.push_back(finding.kind);
    }
    return kinds;
}

TEST_F(Import, ResultsSayWhatTheirLogsShow) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_2.log", pytorchLog(30, "0.400") + "Epoch: [0][30/10000]\tTim");
    write("2n8g/r50_b16_bf16_1.log", workerLog(4, 16));
    ASSERT_TRUE(import(logs()));
    const auto stored = results();
    ASSERT_EQ(stored.size(), 3U);
    EXPECT_THAT(kindsOf(stored[0]), ElementsAre("doubtful-case"));
    EXPECT_THAT(stored[0].findings[0].what, HasSubstr("1n4g, as the log's header says"));
    EXPECT_THAT(kindsOf(stored[1]), IsEmpty());
    EXPECT_THAT(kindsOf(stored[2]), ElementsAre("torn-line", "short-window"));
    EXPECT_EQ(stored[2].findings[0].where, "line 31");
    EXPECT_THAT(stored[2].findings[0].what, HasSubstr("is skipped"));
}

TEST_F(Import, ALogThatAnotherOneReplacesSaysSo) {
    write("1n1g/r50_b128_fp32_4.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_4_6.log", pytorchLog(130, "0.800"));
    write("1n1g/r50_b128_fp32_5.log", pytorchLog(30, "0.400"));  // has no figure to replace one with
    write("1n1g/r50_b128_fp32_5_7.log", pytorchLog(130, "0.500"));
    ASSERT_TRUE(import(logs()));
    std::vector<std::string> excluded;
    for (const RunResult& run : results()) {
        if (run.excluded) {
            excluded.push_back(run.folder);
            EXPECT_THAT(kindsOf(run), ElementsAre("odd-name", "repeated-repetition"));
            EXPECT_THAT(run.findings.at(1).what, HasSubstr("320.00 counts, 160.00 does not"));
        }
    }
    EXPECT_THAT(excluded, ElementsAre(EndsWith("r50_b128_fp32_4_6")));
}

TEST_F(Import, ALogWithoutAFigureSaysWhy) {
    std::string log;
    for (int i = 1; i <= 130; ++i) {
        log += fmt::format(
            "DLL 2020-09-15 14:{:02}:{:02}.000001 - Epoch: 0 Iteration: {}  train.loss : 7.0  "
            "train.total_ips : 300.0 img/s\n",
            i < 60 ? 30 : 10, i % 60, i);
    }
    write("1n1g/r50_b128_fp32_1.log", log);
    ASSERT_TRUE(import(logs()));
    EXPECT_EQ(results().at(0).outcome, Outcome::Short);
    EXPECT_THAT(results().at(0).reason, HasSubstr("the clock does not go forward"));
}

// Of a run of 40 steps of 0.5 s, 2 x 64 samples each.
std::string shortNgcLog(const std::string& summary) {
    std::string log = "DLL 2020-09-15 14:00:00.000000 - PARAMETER data : x  batch_size : 64  lr : 0.1\n";
    for (int i = 1; i <= 40; ++i) {
        log += fmt::format(
            "DLL 2020-09-15 14:00:{:02}.{}00000 - Epoch: 0 Iteration: {}  train.loss : 7.0  train.total_ips "
            ": "
            "256.0 img/s\n",
            i / 2, i % 2 == 0 ? 0 : 5, i);
    }
    return log + summary;
}

TEST_F(Import, ARunThatWasMeantToBeShortIsMeasuredInProportion) {
    write("8x/2xV100_r50_fp32.txt",
          shortNgcLog(
              "DLL 2020-09-15 14:00:21.0 - Summary: train.loss : 6.8  train.total_ips : 200.00 img/s\n"));
    write("cut/2xV100_r50_fp32.txt", shortNgcLog(""));
    ASSERT_TRUE(import(logs()));
    const auto stored = results();
    ASSERT_EQ(stored.size(), 2U);
    const RunResult& whole = stored[0];
    EXPECT_EQ(whole.throughput, 256.0);
    EXPECT_EQ(toString(whole.range), "6:35") << "the lines that count are those above iteration 5";
    EXPECT_EQ(whole.benchmarkCase.topology, (Topology{1, 2}));
    EXPECT_EQ(whole.benchmarkCase.configuration.batchSize, 64) << "as its first line says";
    EXPECT_THAT(kindsOf(whole), ElementsAre("fitted-window", "own-figure"));
    EXPECT_THAT(whole.findings.at(0).what, HasSubstr("iterations 12 to 40"));
    EXPECT_THAT(whole.findings.at(1).what,
                HasSubstr("200.00 for the whole run, 21.9 % less than the 256.00"));
    EXPECT_EQ(stored[1].outcome, Outcome::Short) << "it was cut off";
}

// As tf_cnn_benchmarks prints by default: 100 batches, a line each tenth.
TEST_F(Import, ARunOfTfCnnBenchmarksIsMeasuredBetweenTheLinesThatItHas) {
    std::string log;
    for (const int step : {1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}) {
        log += fmt::format("{}\timages/sec: 126.0 +/- 0.2 (jitter = 0.4)\t7.849\n", step);
    }
    write("r50_b64_fp32_1n1g/train.log", log);
    ASSERT_TRUE(import(logs()));
    const RunResult run = results().at(0);
    EXPECT_EQ(run.throughput, 126.0);
    EXPECT_EQ(toString(run.range), "20:100");
    EXPECT_THAT(run.findings.at(0).what, HasSubstr("the figure is of iterations 21 to 100"));
}

// As timm prints, of which no log of DLPerf's is known: what is short may be measured in proportion.
std::string timmLog(int iterations) {
    std::string log;
    for (int i = 0; i < iterations; ++i) {
        log += fmt::format(
            "Train: 0 [{:4}/5005 (  1%)]  Loss:  6.95 (6.95)  Time: 0.350s,  365.71/s  (0.350s, "
            " 365.71/s)  LR: 1.0e-04  Data: 0.001 (0.002)\n",
            i);
    }
    return log;
}

TEST_F(Import, ATrainerThatDidNotEndByItselfHasNoFigureInProportion) {
    write("1n1g/r50_b128_fp32_1.log", timmLog(60) + "RuntimeError: NCCL error in: ProcessGroupNCCL.cpp:1\n");
    write("1n1g/r50_b128_fp32_2.log", timmLog(60) + "Killed\n");
    write("1n1g/r50_b128_fp32_3.log", timmLog(60));
    write("1n1g/r50_b128_fp32_4.log", timmLog(130) + "Killed\n");
    write("1n1g/r50_b128_fp32_5.log", "ImportError: no apex, going on without\n" + timmLog(61));
    write("1n1g/r50_b128_fp32_6.log", timmLog(62) + "\x1b[31mRuntimeError: red\x1b[0m\n");
    ASSERT_TRUE(import(logs()));
    const auto stored = results();
    ASSERT_EQ(stored.size(), 6U);
    EXPECT_EQ(stored[0].outcome, Outcome::Short);
    EXPECT_THAT(stored[0].reason,
                HasSubstr("did not end by itself: line 61 says \"RuntimeError: NCCL error"));
    EXPECT_EQ(stored[1].outcome, Outcome::Short);
    EXPECT_THAT(stored[1].reason, HasSubstr("line 61 says \"Killed\""));
    EXPECT_EQ(stored[2].outcome, Outcome::Ok) << "nothing says that it did not";
    EXPECT_EQ(stored[3].outcome, Outcome::Ok) << "the whole range was reached";
    EXPECT_EQ(stored[4].outcome, Outcome::Ok) << "that did not end it";
    EXPECT_EQ(stored[5].outcome, Outcome::Short);
    EXPECT_THAT(stored[5].reason, HasSubstr("line 63 says \"RuntimeError: red\""));
}

TEST_F(Import, AWorkersLogThatIsCutHasNoFigureInProportion) {
    const std::string whole = workerLog(1, 64);
    const std::string cut = whole.substr(0, whole.find("iteration 9 ") + 20);
    const std::string summary = "# ranks: means of iterations 3 to 12\n# rank 0: 0.5 s\n";
    write("1n1g/r50_b64_bf16_1.log", cut);
    write("1n1g/r50_b64_bf16_2.log", whole.substr(0, whole.find("iteration 13 ")) + summary);
    ASSERT_TRUE(import(logs()));
    EXPECT_EQ(results().at(0).outcome, Outcome::Short);
    EXPECT_THAT(results().at(0).reason, HasSubstr("the line \"# ranks: …\" is missing"));
    EXPECT_EQ(results().at(1).outcome, Outcome::Ok);
}

TEST_F(Import, WhatEndedATrainerIsSaidAsOfARunOfOnesOwn) {
    write("1n1g/r50_b128_fp32_1.log",
          pytorchLog(4, "0.400") + "RuntimeError: CUDA out of memory. Tried to allocate 1 GiB\n");
    ASSERT_TRUE(import(logs()));
    const RunResult run = results().at(0);
    EXPECT_EQ(run.outcome, Outcome::Oom);
    EXPECT_THAT(run.reason, HasSubstr("line 5 says \"RuntimeError: CUDA out of memory"));
    EXPECT_THAT(run.reason, Not(HasSubstr("nobody named")));
    EXPECT_THAT(kindsOf(run), Contains("gpu-memory"));
    const auto record =
        store::readRunRecord(saved("imported-theirs/pytorch-examples/b128_fp32/1n1g/r50_b128_fp32_1"));
    ASSERT_TRUE(record);
    const auto hints = diagnosis::hintsFromJson(record->facts.value("diagnosis", Json()));
    ASSERT_EQ(hints.size(), 1U);
    EXPECT_EQ(hints[0].what, "This run's machine ran out of GPU memory.");
    EXPECT_THAT(hints[0].remedy, HasSubstr("smaller batch size"));
}

TEST_F(Import, ALogThatIsTooShortNamesARangeThatFits) {
    write("r50_b64_fp32_1n1g/train.log", pytorchLog(66, "0.400"));
    ASSERT_TRUE(import(logs()));
    EXPECT_THAT(
        results().at(0).reason,
        HasSubstr("the measurement range needs 120; --warmup 10 --train 60 measures what the log holds"));
    EXPECT_THAT(results().at(0).reason, Not(HasSubstr("nobody named")));
}

// Between them the trainer does other things.
TEST_F(Import, AWindowGoesOverNoEpochsEnd) {
    std::string log = "DLL 2020-09-15 14:00:00.000000 - PARAMETER data : x  batch_size : 64  lr : 0.1\n";
    for (int i = 0; i < 160; ++i) {
        const int seconds = i / 2 + (i < 80 ? 0 : 60);
        log += fmt::format(
            "DLL 2020-09-15 14:{:02}:{:02}.{}00000 - Epoch: {} Iteration: {}  train.loss : 7.0  "
            "train.total_ips : "
            "256.0 img/s\n",
            seconds / 60, seconds % 60, i % 2 == 0 ? 0 : 5, i / 80, i % 80 + 1);
    }
    write("2xV100_r50_fp32.txt",
          log + "DLL 2020-09-15 14:10:00.0 - Summary: train.loss : 6.8  train.total_ips : 256.00 img/s\n");
    ASSERT_TRUE(import(logs()));
    EXPECT_EQ(results().at(0).throughput, 256.0);
    EXPECT_THAT(results().at(0).findings.at(0).what,
                HasSubstr("the first epoch ends before the measurement range"));
}

TEST_F(Import, APatternThatMatchesNothingOrEverywhereHangsNoImport) {
    for (const char* pattern : {"()", "([0-9]*)", "x|(y)", "(?s)(.).*z?"}) {
        const auto rows = analysis::formatsFromJson(
            fmt::format(
                R"({{"name": "own", "lines": {{"contain": ["speed "]}}, "value": {{"after": "speed ", "is": "speed"}},
                           "rule": "mean-of-speeds", "said": {{"figure": "{}"}}}})",
                pattern),
            "own.json");
        ASSERT_TRUE(rows) << describe(rows.error());
        std::string log;
        for (int i = 0; i < 10'000; ++i) {
            log += fmt::format("speed {} x\n", 100 + i % 7);
        }
        write("1n1g/r50_b8_fp32_1.log", log);
        ImportOptions options;
        options.formats = analysis::FormatBook(*rows);
        fs::remove_all(folder_.path() / "w");  // where it would be a duplicate
        EXPECT_TRUE(import(logs(), options)) << pattern;
    }
}

TEST_F(Import, AWindowOfTheUsersOwnIsMeasured) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_2.log", pytorchLog(30, "0.400"));
    ImportOptions options;
    options.corrections.range = MeasurementRange{5, 20};
    ASSERT_TRUE(import(logs(), options));
    for (const RunResult& run : results()) {
        EXPECT_EQ(run.throughput, 320.0);
        EXPECT_EQ(toString(run.range), "5:20");
    }
}

TEST_F(Import, AWindowThatAFormatCannotMeasureIsRefused) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    ImportOptions options;
    options.corrections.range = MeasurementRange{20, 20};
    const auto imported = import(logs(), options);
    ASSERT_FALSE(imported);
    EXPECT_THAT(describe(imported.error()), HasSubstr("must be above warmup (20)"));
}

TEST_F(Import, EachFileThatIsLeftOutIsNamed) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("README.txt", "words");
    write("more.txt", "words");
    const auto planned = plan(logs());
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->remarks.size(), 1U);
    ASSERT_EQ(planned->leftOut.size(), 2U);
    EXPECT_THAT(describe(planned->leftOut[0]) + describe(planned->leftOut[1]),
                testing::AllOf(HasSubstr("README.txt"), HasSubstr("more.txt")));
}

// All threads may find the same bytes at once, and numbers must not depend on who is first.
TEST_F(Import, ManyLogsKeepTheirOrder) {
    constexpr int many = 200;
    for (int i = 1; i <= many; ++i) {
        write(fmt::format("1n1g/r50_b128_fp32_{}.log", i), pytorchLog(130, fmt::format("0.{:03}", 400 + i)));
        write(fmt::format("again/1n1g/r50_b128_fp32_{}.log", i),
              pytorchLog(130, fmt::format("0.{:03}", 400 + i)));
    }
    const auto imported = import(logs());
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->logs, std::size_t{many});
    EXPECT_EQ(imported->duplicates, std::size_t{many});
    for (std::size_t i = 0; i < imported->saved.size(); ++i) {
        EXPECT_EQ(imported->saved[i].result.id, fmt::format("theirs/{:04}", i + 1));
    }
    for (const RunResult& run : results()) {
        EXPECT_NEAR(*run.throughput, 128 / (0.4 + run.repetition / 1000.0), 0.01) << run.repetition;
    }
}

TEST_F(Import, WhatIsMissingCanBeSaid) {
    write("out.log", pytorchLog(130, "0.400"));
    auto planned = plan(logs());
    ASSERT_TRUE(planned);
    Proposal& proposal = planned->proposals.front();
    EXPECT_EQ(proposal.verdict, Verdict::Incomplete);
    EXPECT_THAT(proposal.missing, ElementsAre("topology", "batch size", "precision", "model"));
    EXPECT_THAT(describe(saveImport(*planned, workspace(), vocabulary_).error()),
                HasSubstr("topology is not known"));
    Corrections said;
    said.topology = Topology{2, 2};
    said.batchSize = 5;
    said.model = "ResNet-50";
    said.implementation = "NGC PyTorch";
    correct(proposal, said, vocabulary_);
    EXPECT_EQ(proposal.verdict, Verdict::New);
    EXPECT_THAT(proposal.missing, ElementsAre("precision"));
    ASSERT_TRUE(saveImport(*planned, workspace(), vocabulary_));
    const RunResult run = results().front();
    EXPECT_EQ(run.benchmarkCase.topology, (Topology{2, 2}));
    EXPECT_EQ(run.benchmarkCase.configuration.model, "r50");
    EXPECT_EQ(run.benchmarkCase.configuration.implementation, "ngc-pytorch");
    EXPECT_EQ(run.benchmarkCase.configuration.framework, "pytorch");
    EXPECT_EQ(run.throughput, 50.0);  // 2 x 2 x 5 / 0.4
    EXPECT_EQ(run.repetition, 1);
}

TEST_F(Import, NamesOfOnesOwnAreKeptAsTheyAreWritten) {
    ImportOptions options;
    options.corrections.framework = "FooBar";
    for (const auto& [folder, name] : {std::pair("one", "mytrainer"), std::pair("another", " MyTrainer "),
                                       std::pair("third", "MYtrainer")}) {
        write(std::string(folder) + "/1n1g/r50_b128_fp32_1.log",
              pytorchLog(130 + static_cast<int>(std::string(folder).size()), "0.400"));
        options.corrections.implementation = name;
        ASSERT_TRUE(import(logs() / folder, options)) << name;
    }
    std::vector<int> repetitions;
    for (const RunResult& run : results()) {
        EXPECT_EQ(run.benchmarkCase.configuration.implementation, "MYtrainer") << "they are one";
        EXPECT_EQ(run.benchmarkCase.configuration.framework, "FooBar");
        repetitions.push_back(run.repetition);
    }
    EXPECT_THAT(repetitions, ElementsAre(1, 1, 1)) << "of an import each";
}

TEST_F(Import, CorrectionsGoOverWhatIsKnown) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    ImportOptions options;
    options.corrections.precision = "FP16";
    options.corrections.framework = "Paddle";
    options.corrections.repetition = 4;
    const auto planned = plan(logs(), options);
    EXPECT_EQ(planned->proposals.front().target,
              "imported-theirs/pytorch-examples+paddle/b128_fp16/1n1g/r50_b128_fp16_4.log");
    EXPECT_EQ(planned->proposals.front().configuration.framework, "paddle");
}

TEST_F(Import, OneTreeMayMixFormats) {
    write("a/1n2g/r50_b8_bf16_1.log", workerLog(2, 8));
    write("a/1n2g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("a/1n2g/notes.txt", "remember the milk\n");
    write("a/1n2g/odd.log", "hello\n");
    const auto imported = import(logs());
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->logs, 2U);
    EXPECT_THAT(imported->formats, testing::UnorderedElementsAre("dlperf-worker", "pytorch-examples"));
    ASSERT_EQ(imported->problems.size(), 2U);
    EXPECT_THAT(describe(imported->problems[0]), HasSubstr("notes.txt"));
    EXPECT_THAT(describe(imported->problems[1]), HasSubstr("odd.log: no known format"));
}

TEST_F(Import, CapturesAreSavedAsLogs) {
    write("2n2g/slurm-17.out", pytorchLog(130, "0.400"));
    ImportOptions options;
    options.corrections.batchSize = 32;
    ASSERT_TRUE(import(logs(), options));
    EXPECT_TRUE(
        fs::exists(saved("imported-theirs/pytorch-examples/b32_unknown/2n2g/unknown_b32_unknown_1.log")));
}

std::string hugectrLog(const std::string& seconds) {
    std::string log =
        "num_nodes = 1\ngpu_num_per_node = 8\nbatch_size = 16384\nbatch_size_per_proc = 2048\n"
        "loss_print_every_n_iter = 100\n";
    for (int i = 100; i <= 1200; i += 100) {
        log += "[HUGECTR][02:51:59][INFO][RANK0]: Iter: " + std::to_string(i) +
               " Time(100 iters): " + seconds + "s Loss: 0.125152 lr:0.001000\n";
    }
    return log;
}

// Wide & Deep: the logs lie flat, their memory beside them, and their figure is a time.
TEST_F(Import, LogsOfALatencyLieFlatWithTheirMemory) {
    write("a/n1g8_b16384.log", hugectrLog("0.315066"));
    write("a/n1g8_b16384.mem", "max device0 memory usage is: 2307915776\n");
    write("b/n1g8_b16384.log", hugectrLog("0.213347"));
    write("b/other.mem", "of no log");
    const auto imported = import(logs());
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->logs, 2U);
    EXPECT_EQ(readFile(saved("imported-theirs/hugectr-wdl/n1g8_b16384.log")).value(), hugectrLog("0.315066"));
    EXPECT_EQ(readFile(saved("imported-theirs/hugectr-wdl/n1g8_b16384.mem")).value(),
              "max device0 memory usage is: 2307915776\n");
    EXPECT_TRUE(fs::exists(saved("imported-theirs/hugectr-wdl/n1g8_b16384_2.log")));
    EXPECT_FALSE(fs::exists(saved("imported-theirs/hugectr-wdl/n1g8_b16384_2.mem")));
    EXPECT_NEAR(results().front().throughput.value_or(0), 3.15066, 1e-6);  // 0.315066 s for 100 iterations
    EXPECT_EQ(results().front().unit, "ms/iteration");
    EXPECT_EQ(results().front().benchmarkCase.topology, (Topology{1, 8}));
}

// Beside the published ones, on their axis: lower is better, and there is no speedup.
TEST_F(Import, LatenciesAreCompared) {
    write("a/n1g8_b16384.log", hugectrLog("0.315066"));
    write("b/n1g8_b16384.log", hugectrLog("0.213347"));
    ASSERT_TRUE(import(logs()));
    const report::Comparison comparison = report::compare(results(), vocabulary_);
    ASSERT_EQ(comparison.series.size(), 1U);
    EXPECT_EQ(comparison.series[0].key.configuration.model, "wide-deep");
    EXPECT_EQ(comparison.series[0].unit, "ms/iteration");
    const report::Cell* cell = report::findCell(comparison.series[0], {1, 8});
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(cell->repetitions.size(), 2U);
    EXPECT_NEAR(cell->fold.median.value_or(0), (3.15066 + 2.13347) / 2, 0.01);
    EXPECT_FALSE(cell->speedup);
    // As many decimals as the median has.
    EXPECT_THAT(report::repetitionTable(comparison).rows.at(0).at(5).text, HasSubstr("2.133 to 3.15"));
    const report::ChartSpec chart = report::throughputBars(comparison, vocabulary_, {});
    EXPECT_EQ(chart.title, "Time");
    EXPECT_EQ(chart.series.at(0).points.size(), 1U);
}

// Their names say repetitions, and nothing of their case is in doubt.
TEST_F(Import, LatenciesOfEqualNamesKeepTheirRepetitions) {
    for (const int repetition : {1, 2}) {
        write(fmt::format("a/wdl_b2048_fp32_{}.log", repetition),
              hugectrLog(fmt::format("0.31{}", repetition)));
        write(fmt::format("b/wdl_b2048_fp32_{}.log", repetition),
              hugectrLog(fmt::format("0.21{}", repetition)));
    }
    ASSERT_TRUE(import(logs()));
    std::vector<int> repetitions;
    for (const RunResult& run : results()) {
        repetitions.push_back(run.repetition);
        EXPECT_THAT(kindsOf(run), IsEmpty());
    }
    EXPECT_THAT(repetitions, testing::UnorderedElementsAre(1, 1, 2, 2));
    const report::Comparison comparison = report::compare(results(), vocabulary_);
    EXPECT_EQ(report::findCell(comparison.series.at(0), {1, 8})->repetitions.size(), 4U);
}

TEST_F(Import, AnotherWorkspaceGivesEachRunOnce) {
    write("logs/x/b128_fp32/1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("logs/x/b128_fp32/1n1g/r50_b128_fp32_1/run.json", "{}");
    write("logs/x/b128_fp32/1n1g/r50_b128_fp32_1/node0.log", pytorchLog(130, "0.400"));
    write("logs/x/b128_fp32/1n1g/r50_b128_fp32_1/node1.log", pytorchLog(130, "0.300"));
    write("trash/20261129-181500/deleted.json", "{}");
    write("trash/20261129-181500/logs/x/b128_fp32/1n1g/r50_b128_fp32_2.log", pytorchLog(130, "0.500"));
    const auto planned = plan(logs());
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->proposals.size(), 1U);
}

TEST_F(Import, LinksInFoldersAreNotFollowed) {
    folder_.write("secret/1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_2.log", pytorchLog(130, "0.500"));
    fs::create_symlink(folder_.path() / "secret/1n1g/r50_b128_fp32_1.log",
                       logs() / "1n1g/r50_b128_fp32_1.log");
    fs::create_directory_symlink(folder_.path() / "secret", logs() / "more");
    fs::create_directory_symlink("/", logs() / "root");
    ASSERT_EQ(::mkfifo((logs() / "1n1g/pipe.log").c_str(), 0600), 0);
    const auto planned = plan(logs());
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->proposals.size(), 1U);
    ASSERT_EQ(planned->remarks.size(), 1U);
    EXPECT_THAT(planned->remarks.front().what,
                HasSubstr("a link, or what is no file, was skipped (and 1 more)"));
}

TEST_F(Import, AFolderThatCannotBeReadIsNamed) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("2n8g/r50_b128_fp32_1.log", pytorchLog(130, "0.500"));
    fs::permissions(folder_.path(), fs::perms(0755));
    fs::permissions(logs() / "2n8g", fs::perms::none);
    const auto found = [&](const fs::path& folder) {
        const test::AsNobody nobody;
        EXPECT_TRUE(nobody.ok());
        return findLogs(folder, folder_.path() / "unpacked", {}, {}, {});
    };
    const auto some = found(logs());
    ASSERT_TRUE(some) << describe(some.error());
    EXPECT_EQ(some->logs.size(), 1U);
    ASSERT_EQ(some->remarks.list().size(), 1U);
    EXPECT_EQ(some->remarks.list().front().what, "a folder cannot be read: Permission denied");
    EXPECT_EQ(some->remarks.list().front().where, (logs() / "2n8g").string());
    const auto none = found(logs() / "2n8g");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().what, "the folder cannot be read: Permission denied");
}

TEST_F(Import, OneLogByItself) {
    write("bz128/4n8g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    const auto imported = import(logs() / "bz128/4n8g/r50_b128_fp32_1.log");
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->name, "bz128");
    EXPECT_EQ(results().front().benchmarkCase.topology, (Topology{4, 8}));
}

TEST_F(Import, NothingIsLeftOfWhatWasCancelledOrFailed) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b128_fp32_2.log", pytorchLog(130, "0.500"));
    for (const Stage stage : {Stage::Reading, Stage::Saving}) {
        std::stop_source stop;
        const auto stopAt = [&](const Progress& progress) {
            if (progress.stage == stage) {
                stop.request_stop();
            }
        };
        const auto imported = importUntil(logs(), stop.get_token(), stopAt);
        ASSERT_FALSE(imported);
        EXPECT_THAT(describe(imported.error()), HasSubstr("cancelled"));
        EXPECT_THAT(leftBehind(), IsEmpty());
    }
    folder_.write("broken.zip", "PK\x03\x04 and nothing else");
    EXPECT_FALSE(import(folder_.path() / "broken.zip"));
    EXPECT_THAT(leftBehind(), IsEmpty());
}

// Each found the name of their folder free.
TEST_F(Import, ImportsAtOnceSaveOneAfterTheOther) {
    constexpr int many = 4;
    std::vector<ImportPlan> plans;
    plans.reserve(many);
    for (int i = 0; i < many; ++i) {
        const std::string folder = fmt::format("{}/theirs", i);
        write(folder + "/1n1g/r50_b128_fp32_1.log", pytorchLog(130, fmt::format("0.{}00", i % 3 + 1)));
        plans.push_back(std::move(plan(logs() / folder).value()));
    }
    std::vector<std::optional<Result<Imported>>> imported(many);
    inParallel(many, many,
               [&](std::size_t i) { imported[i] = saveImport(plans[i], workspace(), vocabulary_); });
    const auto isNew = [](const auto& one) { return one->operator bool(); };
    EXPECT_EQ(std::ranges::count_if(imported, isNew), 3);
    for (const auto& one : imported) {
        EXPECT_TRUE(isNew(one) || one->error().what.starts_with("nothing is new")) << describe(one->error());
    }
    EXPECT_EQ(results().size(), 3U);
}

TEST_F(Import, SaysOnceThatItWaitsForAnother) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    auto planned = plan(logs()).value();
    const Descriptor other(::open(workspace().root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
    std::vector<Stage> stages;
    const auto imported = saveImport(planned, workspace(), vocabulary_, {}, [&](const Progress& progress) {
        stages.push_back(progress.stage);
        if (progress.stage == Stage::Waiting) {
            ::flock(other.get(), LOCK_UN);
        }
    });
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(stages.front(), Stage::Waiting);
    EXPECT_EQ(std::ranges::count(stages, Stage::Waiting), 1);
}

// A killed import leaves its folder; the next one takes it away, but not that of one that lives.
TEST_F(Import, TheNextImportClearsUp) {
    write("1n1g/r50_b128_fp32_1.log", pytorchLog(130, "0.400"));
    const fs::path abandoned = workspace().root() / ".import-dead00";
    fs::create_directories(abandoned / "ready");
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    fs::last_write_time(abandoned, long_ago);
    const auto living = Staging::make(workspace().root()).value();
    fs::last_write_time(living.ready().parent_path(), long_ago);
    ASSERT_TRUE(import(logs()));
    EXPECT_FALSE(fs::exists(abandoned));
    EXPECT_TRUE(fs::exists(living.ready()));
}

TEST_F(Import, AFailedMergeTakesBackWhatItMoved) {
    folder_.write("stage/imported-lab/s/1n1g/a.log", "a");
    folder_.write("stage/imported-lab/s/1n1g/a/run.json", "{}");
    folder_.write("stage/imported-lab/s/2n2g/b.log", "b");
    folder_.write("w/logs/imported-lab/s/1n1g/a/old", "taken meanwhile");
    folder_.write("w/logs/imported-lab/s/1n1g/kept.log", "kept");
    const auto before = leftBehind();
    EXPECT_FALSE(publish(folder_.path() / "stage", "lab", workspace()));
    auto after = leftBehind();
    EXPECT_THAT(after, testing::UnorderedElementsAreArray(before));
    EXPECT_EQ(readFile(saved("imported-lab/s/1n1g/a/old")).value(), "taken meanwhile");
}

// One log of each rank or node is one run: that of the first counts, as where it was launched from here.
TEST_F(Import, OfTheRanksOfARunTheFirstOneCounts) {
    for (const std::string rank : {"0", "1"}) {
        const auto log = [&](const std::string& launcher) { return pytorchLog(130, "0." + launcher + rank); };
        write("a/r50_b64_fp32/1n2g/rank" + rank + ".log", log("30"));
        write("b/r50_b64_fp32_1n2g/log/workerlog." + rank, log("31"));
        write("c/r50_b64_fp32_1n2g/none_x/attempt_0/" + rank + "/stdout.log", log("32"));
        write("d/r50_b64_fp32_1n2g/log_rank_" + rank + ".txt", log("33"));
        write("e/r50_b64_fp32_2n4g/slurm-1234_node" + rank + ".out", log("34"));
        write("f/r50_b64_fp32_2n4g/node" + rank + "/train.log", log("35"));
    }
    const auto planned = plan(logs());
    ASSERT_TRUE(planned);
    ASSERT_EQ(planned->proposals.size(), 6U);
    for (const Proposal& proposal : planned->proposals) {
        EXPECT_THAT(proposal.name, testing::ContainsRegex("(rank|workerlog.|attempt_0/|rank_|node)0"));
    }
    ASSERT_EQ(planned->leftOut.size(), 6U);
    EXPECT_THAT(describe(planned->leftOut[0]),
                testing::AllOf(HasSubstr("another rank or node of the same run"), HasSubstr("rank1.log")));
}

TEST_F(Import, OfRanksTheFirstOneThatPrintsCounts) {
    write("b64_fp32/1n2g/rank0.log", "nothing here\n");
    write("b64_fp32/1n2g/rank1.log", pytorchLog(130, "0.400"));
    const auto imported = import(logs());
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->logs, 1U);
    EXPECT_THAT(describe(imported->problems.at(0)), HasSubstr("rank0.log"));
}

// torchrun starts a run again when a process fails.
TEST_F(Import, OfTheAttemptsOfARunTheLastOneWithAFigureCounts) {
    const auto attempt = [](const std::string& run, int number) {
        return fmt::format("r50_b64_fp32_1n1g/{}/attempt_{}/0/stdout.log", run, number);
    };
    write(attempt("one", 0), pytorchLog(130, "0.400"));
    write(attempt("one", 1), pytorchLog(130, "0.410"));
    write(attempt("one", 2), pytorchLog(30, "0.420"));
    write(attempt("two", 0), pytorchLog(30, "0.430"));
    const auto imported = import(logs());
    ASSERT_TRUE(imported) << describe(imported.error());
    std::vector<double> counting;
    std::vector<std::string> reasons;
    for (const RunResult& run : results()) {
        if (run.excluded) {
            reasons.push_back(run.exclusionReason);
        } else if (run.throughput) {
            counting.push_back(*run.throughput);
        }
    }
    EXPECT_THAT(counting, ElementsAre(testing::DoubleNear(64 / 0.41, 0.01)));
    ASSERT_EQ(reasons.size(), 2U);
    EXPECT_THAT(reasons[0], HasSubstr("another attempt of the same run"));
    EXPECT_TRUE(std::ranges::any_of(imported->findings, [&](const RunFinding& finding) {
        return finding.where == attempt("one", 0) && finding.what.find("is left out") != std::string::npos;
    }));
}

// Numbers that no rank of the run can have are of repetitions, or of settings.
TEST_F(Import, OtherNumbersAreOfRunsOfTheirOwn) {
    for (const char* name :
         {"b64_fp32/1n8g/worker_8.log", "b64_fp32/1n8g/worker_0.log", "b32_fp32/1n8g/node0.log",
          "b32_fp32/1n8g/node1.log", "b16_fp32/2n8g/node1.log", "b16_fp32/2n8g/node2.log"}) {
        write(name, pytorchLog(130, "0.4") + name + "\n");
    }
    const auto planned = plan(logs());
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->proposals.size(), 6U);
}

TEST_F(Import, LogsAsBatchSystemsNameThemAreTaken) {
    const std::vector<std::string> names{"job.o12345", "job.e12346", "job.err",   "workerlog.0",
                                         "nohup.out",  "stdout",     "train_log", "slurm.12345",
                                         "train.log",  "old.log.1"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        write("r50_b64_fp32_1n8g/" + names[i], pytorchLog(130, "0.4" + std::to_string(i)));
    }
    write("r50_b64_fp32_1n8g/train.log.1", pytorchLog(60, "0.400"));
    write("r50_b64_fp32_1n8g/events.out.tfevents.17.host.0", pytorchLog(130, "0.600"));
    write("r50_b64_fp32_1n8g/train.py", pytorchLog(130, "0.700"));
    const auto planned = plan(logs());
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->count(Verdict::New), names.size());
    ASSERT_EQ(planned->leftOut.size(), 1U);
    EXPECT_THAT(describe(planned->leftOut[0]),
                testing::AllOf(HasSubstr("older part"), HasSubstr("train.log.1")));
}

void pack(const fs::path& file, const std::string& bytes) {
    test::ArchiveMaker(file, test::ArchiveKind::Gz).file("packed", bytes);
}

TEST_F(Import, APackedLogHasTheCaseOfItsFolder) {
    write("r50_b64_fp32_1n8g/train_2.log", pytorchLog(130, "0.500"));
    const fs::path packed = logs() / "r50_b64_fp32_1n8g" / "train.log.gz";
    pack(packed, pytorchLog(130, "0.400"));
    write("r50_b64_fp32_1n8g/broken.log.gz", "\x1F\x8B and nothing else");
    write("r50_b64_fp32_1n8g/all.tar.gz", "x");
    const auto planned = plan(logs());
    ASSERT_TRUE(planned);
    ASSERT_EQ(planned->count(Verdict::New), 2U);
    EXPECT_EQ(planned->proposals[0].topology, (Topology{1, 8}));
    EXPECT_EQ(planned->proposals[0].configuration.batchSize, 64);
    ASSERT_EQ(planned->leftOut.size(), 2U);
    const std::string left = describe(planned->leftOut[0]) + describe(planned->leftOut[1]);
    EXPECT_THAT(left, testing::AllOf(HasSubstr("a packed log cannot be read"), HasSubstr("broken.log.gz"),
                                     HasSubstr("import it by itself"), HasSubstr("all.tar.gz")));
    const auto alone = import(packed);
    ASSERT_TRUE(alone) << describe(alone.error());
    EXPECT_EQ(results().front().benchmarkCase.topology, (Topology{1, 8}));
}

TEST_F(Import, PackedLogsOfAFolderAreBoundedTogether) {
    ImportOptions options;
    options.limits.bytes = pytorchLog(130, "0.400").size() + 1;
    write("1n1g/b64_fp32/a.log", pytorchLog(130, "0.500"));
    pack(logs() / "1n1g/b64_fp32/b.log.gz", pytorchLog(130, "0.400"));
    pack(logs() / "1n1g/b64_fp32/c.log.gz", pytorchLog(130, "0.300"));
    const auto planned = plan(logs(), options);
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->count(Verdict::New), 2U);
    ASSERT_EQ(planned->leftOut.size(), 1U);
    EXPECT_THAT(describe(planned->leftOut[0]), HasSubstr("MiB of logs"));
}

std::string utf16(const std::string& latin, bool isBigEndian) {
    std::string bytes;
    for (const char c : latin) {
        bytes += isBigEndian ? std::string{'\0', c} : std::string{c, '\0'};
    }
    return bytes;
}

// As PowerShell's ">" writes them.
TEST_F(Import, LogsInUtf16AreRead) {
    const auto log = [](const char* seconds) { return pytorchLog(130, seconds); };
    write("1n1g/r50_b64_fp32_1.log", "\xFF\xFE" + utf16(log("0.400"), false));
    write("1n1g/r50_b64_fp32_2.log", "\xFE\xFF" + utf16(log("0.410"), true));
    write("1n1g/r50_b64_fp32_3.log", utf16(log("0.420"), false));
    write("1n1g/r50_b64_fp32_4.log",
          "\xFF\xFE" + std::string("\xE9\0\x3D\xD8\0\xDE\x3D\xD8\n\0", 10) + utf16(log("0.430"), false));
    const auto imported = import(logs());
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->logs, 4U);
    EXPECT_EQ(imported->withoutFigure, 0U);
    const fs::path folder = saved("imported-theirs/pytorch-examples/b64_fp32/1n1g");
    EXPECT_EQ(readFile(folder / "r50_b64_fp32_1.log").value(), log("0.400"));
    EXPECT_EQ(readFile(folder / "r50_b64_fp32_4.log").value(),
              "\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBD\n" + log("0.430"));
    EXPECT_THAT(describe(import(logs()).error()), HasSubstr("nothing is new"));
}

TEST_F(Import, AnEmptyFileSaysThatItIs) {
    write("1n1g/r50_b64_fp32_1.log", "");
    EXPECT_THAT(describe(import(logs()).error()), HasSubstr("the file is empty"));
}

TEST_F(Import, ALogWithoutALineOfTheNamedFormatIsLeftOut) {
    write("1n1g/r50_b64_fp32_1.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b64_fp32_2.log", "hello\n");
    ImportOptions options;
    options.corrections.format = analysis::findFormat("pytorch-examples");
    const auto imported = import(logs(), options);
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->logs, 1U);
    ASSERT_EQ(imported->problems.size(), 1U);
    EXPECT_THAT(describe(imported->problems[0]),
                testing::AllOf(HasSubstr("no line of the format pytorch-examples"), HasSubstr("_2.log")));
}

// Too large to be read whole before it is copied.
TEST_F(Import, ALargeLogWithoutALineOfTheNamedFormatIsLeftOut) {
    std::string words;
    while (words.size() < (5U << 20U)) {
        words += "these are no lines of any trainer, and there are many of them\n";
    }
    write("1n1g/r50_b64_fp32_1.log", pytorchLog(130, "0.400"));
    write("1n1g/r50_b64_fp32_2.log", words);
    write("1n1g/r50_b64_fp32_3.log", words + pytorchLog(130, "0.410"));
    ImportOptions options;
    options.corrections.format = analysis::findFormat("pytorch-examples");
    const auto imported = import(logs(), options);
    ASSERT_TRUE(imported) << describe(imported.error());
    EXPECT_EQ(imported->logs, 2U);
    EXPECT_EQ(imported->withoutFigure, 0U);
    ASSERT_EQ(imported->problems.size(), 1U);
    EXPECT_THAT(describe(imported->problems[0]),
                testing::AllOf(HasSubstr("no line of the format pytorch-examples"), HasSubstr("_2.log")));
}

// The log is there; what is wanted is another range.
TEST_F(Import, ASecondImportForAnotherRangeSaysWhereItIsChanged) {
    write("1n1g/r50_b64_fp32_1.log", pytorchLog(60, "0.400"));
    ASSERT_TRUE(import(logs()));
    ImportOptions options;
    options.corrections.range = MeasurementRange{10, 50};
    EXPECT_THAT(describe(import(logs(), options).error()),
                testing::AllOf(HasSubstr("nothing is new"), HasSubstr("Change the measurement range")));
}

TEST_F(Import, SaysWhatIsMissing) {
    ASSERT_TRUE(makeFolders(logs()));
    EXPECT_THAT(describe(import(logs()).error()), HasSubstr("no logs were found"));
    write("old.tar.gz", "x");
    EXPECT_THAT(describe(import(logs()).error()), HasSubstr("import it by itself: old.tar.gz"));
    write("1n1g/r50_b128_fp32_1.log", "hello\n");
    EXPECT_THAT(describe(import(logs()).error()), HasSubstr("no known format"));
    EXPECT_EQ(import(folder_.path() / "nowhere").error().kind, ErrorKind::Input);
}

}  // namespace
}  // namespace dlperf::imports
