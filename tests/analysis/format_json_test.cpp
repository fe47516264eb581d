// SPDX-License-Identifier: Apache-2.0
// Formats as JSON: the built-in ones, and those that users write.
#include <gmock/gmock.h>

#include "core/analysis/analyze.h"
#include "core/analysis/detect.h"
#include "core/analysis/format_json.h"
#include "core/analysis/format_row.h"
#include "core/analysis/log_analyzer.h"
#include "tests/support/folder.h"

namespace dlperf::analysis {
namespace {

using testing::HasSubstr;

constexpr const char* own = R"json({
  "name": "my-trainer", "unit": "images/s", "window": {"warmup": 1, "train": 3},
  "lines": {"contain": ["step="]}, "value": {"after": "took ", "before": "ms/batch", "is": "batch-milliseconds"},
  "rule": "mean-of-speeds", "figure": "numpy:2"
})json";

std::string problemOf(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    const auto rows = formatsFromJson(text.replace(at, from.size(), to), "f.json");
    return rows ? "" : describe(rows.error());
}

TEST(FormatJson, TheBuiltInTableIsWrittenAsUsersWriteTheirs) {
    const auto rows = formatsFromJson(formatsJson(), "built in");
    ASSERT_TRUE(rows) << describe(rows.error());
    EXPECT_EQ(rows->size(), formats().size());
    EXPECT_GE(rows->size(), 27U);
    for (const Format& row : *rows) {
        EXPECT_TRUE(row.secondTo.empty() || findFormat(row.secondTo) != nullptr) << row.name;
        EXPECT_TRUE(row.flavourOf.empty() || findFormat(row.flavourOf) != nullptr) << row.name;
        EXPECT_TRUE(checkRange(row, row.range)) << row.name;
    }
}

TEST(FormatJson, AFormatOfAUserMeasures) {
    const auto rows = formatsFromJson(own, "f.json");
    ASSERT_TRUE(rows) << describe(rows.error());
    const test::Folder folder;
    folder.write("1n2g/r50_b100_fp32_1.log",
                 "step=1 took 9 ms/batch\nstep=2 took 100 ms/batch\nstep=3 took 50 ms/batch\n");
    Reading reading;
    reading.formats = FormatBook(*rows);
    const auto analysis = analyzeFolder(folder.path(), reading);
    ASSERT_TRUE(analysis) << describe(analysis.error());
    EXPECT_EQ(analysis->logs.at(0).figure.value, 3000.0);  // of 2000 and 4000
    EXPECT_THAT(analysis->logs.at(0).why, HasSubstr("my-trainer"));
}

// Of two that read the same lines.
TEST(FormatJson, AFormatOfAUserCanGoBehindAnother) {
    std::string second = own;
    second.replace(second.find("my-trainer"), 10, "my-second");
    const auto found = [&](const std::string& first, const std::string& other) {
        const FormatDetector detector(
            FormatBook(formatsFromJson("[" + first + "," + other + "]", "f.json").value()));
        const Detection detection = detector.detect("step=1 took 9 ms/batch\nstep=2 took 9 ms/batch\n");
        return detection.format == nullptr ? std::string() : detection.format->name;
    };
    EXPECT_EQ(found(own, second), "");
    second.insert(second.find("\"unit\""), R"("second_to": "my-trainer", )");
    EXPECT_EQ(found(own, second), "my-trainer");
    EXPECT_EQ(found(second, own), "my-trainer");
}

TEST(FormatJson, AFlavourOfAUsersFormatIsFound) {
    std::string flavour = own;
    flavour.replace(flavour.find("my-trainer"), 10, "my-flavour");
    flavour.replace(flavour.find("step="), 5, "iter=");
    flavour.insert(flavour.find("\"unit\""), R"("flavour_of": "my-trainer", )");
    const auto rows = formatsFromJson("[" + std::string(own) + "," + flavour + "]", "f.json");
    ASSERT_TRUE(rows) << describe(rows.error());
    const test::Folder folder;
    folder.write("1n1g/r50_b100_fp32_1.log",
                 "iter=1 took 9 ms/batch\niter=2 took 100 ms/batch\niter=3 took 50 ms/batch\n");
    Reading reading;
    reading.formats = FormatBook(*rows);
    reading.format = reading.formats.find("my-trainer");
    EXPECT_EQ(analyzeFolder(folder.path(), reading)->logs.at(0).figure.value, 1500.0);
}

TEST(FormatJson, AnErrorNamesTheFormatTheFieldAndTheWayOut) {
    EXPECT_THAT(problemOf(own, "\"step=\"", "7"), HasSubstr("contain"));
    EXPECT_THAT(problemOf(own, "\"step=\"", "\"\""), HasSubstr("contain"));
    EXPECT_THAT(problemOf(own, "batch-milliseconds", "furlongs"), HasSubstr("latency"));
    EXPECT_THAT(problemOf(own, "numpy:2", "numpy"), HasSubstr("python:2"));
    const std::string rule = R"("rule": "mean-of-speeds")";
    EXPECT_THAT(problemOf(own, rule, rule + R"(, "header": {"options": ["size"]})"),
                HasSubstr("is not a JSON object"));
    EXPECT_THAT(problemOf(own, rule, rule + R"(, "header": {"options": {"size": 224}})"),
                HasSubstr("\"size\" must be a list of texts"));
    EXPECT_THAT(problemOf(own, "numpy:2", "numpy:99"), HasSubstr("figure"));
    EXPECT_THAT(problemOf(own, "mean-of-speeds", "sum-of-durations"), HasSubstr("mean-of-speeds"));
    EXPECT_THAT(problemOf(own, "mean-of-speeds", "between-stamps"), HasSubstr("clock"));
    EXPECT_THAT(problemOf(own, "\"after\": \"took \",", ""), HasSubstr("value"));
    EXPECT_THAT(problemOf(own, "\"unit\"", "\"units\""), HasSubstr("units"));
    EXPECT_THAT(problemOf(own, "\"train\": 3", "\"train\": 1"), HasSubstr("above"));
    EXPECT_THAT(problemOf(own, "my-trainer", "../x y"), HasSubstr("name"));
    const std::string pattern = "\"before\": \"ms/batch\", \"pattern\": ";
    EXPECT_THAT(problemOf(own, "\"before\": \"ms/batch\",", pattern + "\"(\","), HasSubstr("RE2"));
    EXPECT_THAT(problemOf(own, "\"before\": \"ms/batch\",", pattern + "\"[0-9]+\","), HasSubstr("brackets"));
    for (const char* placeless : {"\"above\": 5", "\"multiple_of\": 10", "\"numbers_lines\": true"}) {
        const std::string index = std::string("\"index\": {") + placeless + "}, \"unit\"";
        EXPECT_THAT(problemOf(own, "\"unit\"", index), HasSubstr("\"index\" lacks its place"));
    }
    EXPECT_THAT(problemOf(own, "{", "[{"), HasSubstr("f.json"));
}

// A row that says nothing of what follows the number.
TEST(FormatJson, ANumberThatGoesOnIsNotReadAsItsFirstDigits) {
    std::string open = own;
    const std::string before = R"( "before": "ms/batch",)";
    open.erase(open.find(before), before.size());
    const auto firstWord = [](const std::string& text) { return text.substr(0, text.find(' ')); };
    const auto figure = [&](const std::string& is, const std::string& last) {
        std::string row = open;
        row.replace(row.find("batch-milliseconds"), 18, is);
        const auto rows = formatsFromJson(row, "f.json").value();
        LogAnalyzer analyzer(rows.front(), {{1, 1}, 100}, {1, 3});
        analyzer.feed("step=1 took 9\nstep=2 took 100\nstep=3 took " + last + "\n");
        analyzer.finish();
        return analyzer.figure();
    };
    for (const char* other : {"1,234.5 ms", "1,234", "12,345,678ms", "100,000 ms", "1.2k", "1.2K/s",
                              "1.2Mimg", "100us", "100 \u00b5s", "100 s", "100s", "2 min"}) {
        const RunFigure run = figure("batch-milliseconds", other);
        EXPECT_EQ(run.value, std::nullopt) << other;
        EXPECT_THAT(run.whyNone, HasSubstr("line 3: the line holds \"" + firstWord(other))) << other;
    }
    for (const char* number :
         {"100", "100ms", "100 ms", "100, 200", "100,2000", "100,20", "100,20x", "1e2,300", "100.0,500",
          "100,128,0.1", "100,128,5", "100/s", "100 k=2", "100,128,fp32", "100,128,-0.5", "100,128,nan",
          "100 min 90 max 120", "100 s=4", "100 h: 128"}) {
        EXPECT_EQ(figure("batch-milliseconds", number).value, 1000.0) << number;
    }
    for (const char* other :
         {"500ms", "500 msec", "3us", "2 m 30 s", "2 min 30 s", "1 h 5 m", "500 ms: loss 2", "3 us: x"}) {
        EXPECT_EQ(figure("seconds", other).value, std::nullopt) << other;
    }
    for (const char* number : {"100s", "100 sec", "100 samples", "100 mm", "100m2"}) {
        EXPECT_EQ(figure("seconds", number).value.has_value(), number != std::string("100m2")) << number;
    }
    EXPECT_EQ(figure("speed", "100 s").value, 100.0);
}

// A row whose lines tell of the iterations since the line before.
constexpr const char* intervals = R"json({
  "name": "my-intervals", "window": {"warmup": 1, "train": 3}, "lines": {"contain": ["step="]},
  "index": {"after": "step=", "first_counted": 0, "numbers_lines": true},
  "value": {"after": "speed ", "is": "worker-speed"}, "rule": "sum-of-intervals",
  "header": {"worker_devices": "drives (.*)$"}
})json";

TEST(FormatJson, AFormatSaysHowItsTrainerCountsAndWhoseSpeedItPrints) {
    const auto rows = formatsFromJson(intervals, "f.json");
    ASSERT_TRUE(rows) << describe(rows.error());
    LogAnalyzer analyzer(rows->front(), {{1, 4}, 8}, {1, 3});
    analyzer.feed("drives a, b\nstep=0 speed 1\nstep=1 speed 5\nstep=2 speed 5\n");
    analyzer.finish();
    EXPECT_EQ(analyzer.figure().value, 10.0);
    EXPECT_EQ(rows->front().indexOffset, 1);
    EXPECT_EQ(formatsFromJson(rows->front().written, "kept").value().front().written, rows->front().written);
}

TEST(FormatJson, RowsOfBeforeSayAnOffset) {
    std::string old = intervals;
    old.replace(old.find("\"first_counted\": 0"), 18, "\"offset\": 1");
    EXPECT_EQ(formatsFromJson(old, "f.json").value().front().indexOffset, 1);
    EXPECT_THAT(problemOf(intervals, "\"first_counted\": 0", "\"first_counted\": 0, \"offset\": 1"),
                HasSubstr("is enough"));
    EXPECT_THAT(problemOf(intervals, "\"first_counted\": 0", "\"first_counted\": -1"),
                HasSubstr("first_counted"));
}

TEST(FormatJson, RulesOverNumberedLinesNeedTheirNumbers) {
    for (const char* rule : {"sum-of-intervals", "between-means"}) {
        std::string row = intervals;
        row.replace(row.find("sum-of-intervals"), 16, rule);
        EXPECT_TRUE(formatsFromJson(row, "f.json")) << rule;
        EXPECT_THAT(problemOf(row, ", \"numbers_lines\": true", ""), HasSubstr("numbers_lines")) << rule;
        EXPECT_THAT(problemOf(row, "worker-speed", "latency"), HasSubstr("needs a speed")) << rule;
    }
    EXPECT_TRUE(problemOf(intervals, "worker-speed", "interval-seconds").empty());
    std::string means = intervals;
    means.replace(means.find("sum-of-intervals"), 16, "between-means");
    EXPECT_THAT(problemOf(means, "worker-speed", "interval-seconds"), HasSubstr("needs a speed"));
    EXPECT_THAT(problemOf(intervals, "drives (.*)$", "drives .*$"), HasSubstr("no group"));
    EXPECT_THAT(problemOf(intervals, "drives (.*)$", "drives ("), HasSubstr("\"header\""));
}

TEST(FormatJson, ARuleIsNamedThatTakesTheValue) {
    const auto rule = [](const std::string& value) {
        std::string row = intervals;
        row.replace(row.find("worker-speed"), 12, value);
        return problemOf(row, "sum-of-intervals", "sum-of-durations");
    };
    EXPECT_THAT(rule("batch-milliseconds"), HasSubstr("\"sum-of-intervals\" where a line tells of all"));
    EXPECT_THAT(rule("batch-milliseconds"), HasSubstr("else \"mean-of-speeds\""));
    EXPECT_THAT(rule("interval-seconds"), HasSubstr("for this value take \"sum-of-intervals\""));
    EXPECT_THAT(rule("epoch-milliseconds"), HasSubstr("take \"sum-of-epochs\""));
    EXPECT_THAT(rule("latency"), HasSubstr("take \"mean-of-latencies\""));
}

// What a workspace has kept stays readable.
TEST(FormatJson, ANewRowWhoseRuleCannotTakeItsValueIsRefused) {
    const test::Folder folder;
    const auto file = folder.path() / "f.json";
    const auto refused = [&](const std::string& rule, const std::string& value) {
        std::string row = own;
        row.replace(row.find("mean-of-speeds"), 14, rule);
        row.replace(row.find("batch-milliseconds"), 18, value);
        folder.write("f.json", row);
        EXPECT_TRUE(readFormats(file)) << rule << " " << value;
        const auto rows = readNewFormats(file);
        return rows ? "" : describe(rows.error());
    };
    for (const char* value : {"epoch-milliseconds", "interval-seconds", "latency"}) {
        EXPECT_THAT(refused("mean-of-speeds", value), HasSubstr("for this value take")) << value;
    }
    EXPECT_THAT(refused("mean-of-speeds", "epoch-milliseconds"), HasSubstr("f.json, format my-trainer"));
    EXPECT_THAT(refused("sum-of-epochs", "seconds"), HasSubstr("the rule cannot take"));
    EXPECT_THAT(refused("mean-of-latencies", "seconds"), HasSubstr("the rule cannot take"));
    EXPECT_THAT(refused("mean-of-intervals", "batch-milliseconds"), HasSubstr("the rule cannot take"));
    EXPECT_EQ(refused("mean-of-speeds", "batch-milliseconds"), "");
    EXPECT_EQ(refused("mean-of-latencies", "latency"), "");
    folder.write("f.json", std::string(formatsJson()));
    EXPECT_TRUE(readNewFormats(file));
}

// What a recipe brings beside what is known; a copy keeps its rows when the first is gone.
TEST(FormatJson, ABookIsExtendedByRowsThatMeanSomethingNew) {
    const auto rows = formatsFromJson(own, "f.json").value();
    auto book = FormatBook().with(rows, "f.json", "in the recipe");
    ASSERT_TRUE(book) << describe(book.error());
    const Format* format = book->find("my-trainer");
    ASSERT_NE(format, nullptr);
    EXPECT_EQ(book->with(rows, "g.json", "in the recipe")->own().size(), 1U);
    std::string other = own;
    other.replace(other.find("took "), 5, "cost ");
    const auto clash = book->with(formatsFromJson(other, "g.json").value(), "g.json", "in the recipe");
    EXPECT_EQ(describe(clash.error()).find("g.json: the format my-trainer is in the recipe already"), 0U)
        << describe(clash.error());
    const FormatBook copy = *book;
    *book = FormatBook();
    EXPECT_EQ(copy.find("my-trainer"), format);
    LogAnalyzer analyzer(*format, {{1, 2}, 100}, {1, 3});
    analyzer.feed("step=1 took 9 ms/batch\nstep=2 took 100 ms/batch\nstep=3 took 50 ms/batch\n");
    EXPECT_TRUE(analyzer.rangeReached());
    EXPECT_EQ(analyzer.figure().value, 3000.0);
}

TEST(FormatJson, NamesComeOnce) {
    const auto rows = formatsFromJson(std::string("[") + own + "," + own + "]", "f.json");
    ASSERT_FALSE(rows);
    EXPECT_THAT(describe(rows.error()), HasSubstr("my-trainer"));
    EXPECT_FALSE(formatsFromJson("[]", "f.json"));
    EXPECT_FALSE(formatsFromJson("[7]", "f.json"));
}

}  // namespace
}  // namespace dlperf::analysis
