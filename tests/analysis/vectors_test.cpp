// SPDX-License-Identifier: Apache-2.0
// Every set of logs that the independent reference (reference/make_vectors.py) writes against its JSON, to
// the last digit; and any cut into chunks against the whole.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "core/analysis/analyze.h"
#include "core/analysis/detect.h"
#include "core/analysis/format_row.h"
#include "core/analysis/header_reader.h"
#include "core/analysis/json_table.h"
#include "core/analysis/line_reader.h"
#include "core/analysis/log_analyzer.h"
#include "core/analysis/log_name.h"
#include "core/analysis/rank_prefix.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "tests/support/folder.h"

namespace dlperf::analysis {
namespace {

namespace fs = std::filesystem;

struct LogSet {
    std::string name;  // of its file
    std::string format;
    MeasurementRange window;
    std::string expected;
    std::vector<std::pair<std::string, std::string>> logs;  // path, bytes
};

std::string_view headValue(std::string_view head, std::string_view key) {
    const std::size_t at = head.find(key) + key.size();
    return head.substr(at, head.find('\n', at) - at);
}

LogSet readSet(const fs::path& file) {
    const std::string text = readFile(file).value();
    std::string_view rest = text;
    const std::string_view head = rest.substr(0, rest.find(">>> "));
    LogSet set{file.stem().string(),
               std::string(headValue(head, "format: ")),
               {toInt(headValue(head, "warmup: ")).value(), toInt(headValue(head, "train: ")).value()},
               std::string(headValue(head, "expected: ")),
               {}};
    rest.remove_prefix(head.size());
    while (!rest.empty()) {
        const std::size_t lineEnd = rest.find('\n');
        const std::size_t next = std::min(rest.find("\n>>> ", lineEnd), rest.size() - 1);
        set.logs.emplace_back(rest.substr(4, lineEnd - 4), rest.substr(lineEnd + 1, next - lineEnd));
        rest.remove_prefix(next + 1);
    }
    return set;
}

using SetsOfFormats = std::map<std::string, std::vector<LogSet>>;

SetsOfFormats readSets() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(DLPERF_BINARY_DIR) / "tests/analysis/vectors")) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    SetsOfFormats sets;
    for (const fs::path& file : files) {
        LogSet set = readSet(file);
        sets[set.format].push_back(std::move(set));
    }
    return sets;
}

TEST(Vectors, ThereAreEnoughOfEachFormat) {
    const SetsOfFormats sets = readSets();
    for (const Format& format : formats()) {
        const std::string& name = format.flavourOf.empty() ? format.name : format.flavourOf;
        if (format.source.empty() && !sets.contains(name)) {  // today_test.cpp has its logs
            continue;
        }
        EXPECT_GE(sets.at(name).size(), 10U) << format.name;
    }
}

// A test for each format, over all its sets.
class VectorSets : public testing::TestWithParam<std::string> {
protected:
    template <class Check>
    static void forEachSet(const Check& check) {
        const SetsOfFormats sets = readSets();
        for (const LogSet& set : sets.at(GetParam())) {
            SCOPED_TRACE(set.name);
            check(set);
        }
    }
    // Its logs, without what lies beside them.
    template <class Check>
    static void forEachLog(const Check& check) {
        forEachSet([&](const LogSet& set) {
            for (const auto& [path, bytes] : set.logs) {
                if (!path.ends_with(".mem")) {
                    check(set, path, bytes);
                }
            }
        });
    }
};

// What is said of a log whose figure is right: the sets are made of odd windows and random times.
bool isHarmless(const std::string& kind) {
    const std::set<std::string> known{"mixed-folder", "odd-window",    "data-share",
                                      "drift",        "several-ranks", "coarse-mean"};
    return known.contains(kind);
}

TEST_P(VectorSets, AgreeToTheLastDigit) {
    forEachSet([](const LogSet& set) {
        const test::Folder folder;
        for (const auto& [path, bytes] : set.logs) {
            folder.write(path, bytes);
        }
        const auto analysis =
            analyzeFolder(folder.path(), {findFormat(set.format), {}, set.window.warmup, set.window.train});
        ASSERT_TRUE(analysis) << describe(analysis.error());
        EXPECT_EQ(toJson(*analysis), set.expected);
        for (const Finding& finding : analysis->findings) {
            EXPECT_TRUE(isHarmless(finding.kind)) << finding.where << ": " << finding.what;
        }
    });
}

// What an analyzer gives, with the bits of its numbers.
struct Outcome {
    std::vector<Iteration> iterations;
    RunFigure figure;
};

// As the path says it; how many devices print decides how many lines there are.
RunShape shapeOf(const std::string& path) {
    return {parseTopology(path.substr(0, path.find('/'))).value_or(Topology{2, 4}), 32};
}

// The flavour that a log under the format's name is of.
const Format& formatOf(const LogSet& set, const std::string& bytes) {
    return FormatDetector().flavourOf(*findFormat(set.format), bytes);
}

// Chunks of up to so many bytes; 0: the whole.
Outcome analyzeInChunks(const LogSet& set, const std::string& path, const std::string& bytes,
                        std::size_t most, std::minstd_rand& random, bool withIterations = true) {
    Outcome outcome;
    const auto keep = [&](const Iteration& iteration) { outcome.iterations.push_back(iteration); };
    LogAnalyzer analyzer(std::make_shared<const LineScanner>(formatOf(set, bytes)), shapeOf(path), set.window,
                         withIterations ? OnIteration(keep) : OnIteration());
    std::string_view rest = bytes;
    while (!rest.empty()) {
        const std::size_t size =
            most == 0 ? rest.size() : std::min<std::size_t>(rest.size(), 1 + random() % most);
        const std::string chunk(rest.substr(0, size));  // a copy of its own: nothing may be kept of it
        analyzer.feed(chunk);
        rest.remove_prefix(size);
    }
    analyzer.finish();
    outcome.figure = analyzer.figure();
    return outcome;
}

bool same(const std::optional<double>& a, const std::optional<double>& b) {
    return a.has_value() == b.has_value() && (!a || *a == *b || (std::isnan(*a) && std::isnan(*b)));
}

void expectSame(const RunFigure& a, const RunFigure& b) {
    EXPECT_TRUE(same(a.value, b.value));
    EXPECT_TRUE(same(a.dlperfValue, b.dlperfValue));
    EXPECT_EQ(a.whyNone, b.whyNone);
    EXPECT_EQ(a.lastIteration, b.lastIteration);
    EXPECT_EQ(a.header, b.header);
    EXPECT_EQ(a.findings, b.findings);
}

void expectSame(const Outcome& a, const Outcome& b) {
    expectSame(a.figure, b.figure);
    ASSERT_EQ(a.iterations.size(), b.iterations.size());
    for (std::size_t i = 0; i < a.iterations.size(); ++i) {
        const Iteration& left = a.iterations[i];
        const Iteration& right = b.iterations[i];
        EXPECT_TRUE(left.number == right.number && left.line == right.line &&
                    same(left.seconds, right.seconds) && same(left.throughput, right.throughput) &&
                    same(left.loss, right.loss) && same(left.dataSeconds, right.dataSeconds))
            << "iteration " << i;
    }
}

TEST_P(VectorSets, GiveTheSameInAnyChunks) {
    std::minstd_rand random(7);
    forEachLog([&](const LogSet& set, const std::string& path, const std::string& bytes) {
        const Outcome whole = analyzeInChunks(set, path, bytes, 0, random);
        EXPECT_TRUE(whole.figure.value.has_value()) << path;
        expectSame(whole, analyzeInChunks(set, path, bytes, 90, random));
        expectSame(whole, analyzeInChunks(set, path, bytes, 20'000, random));
        expectSame(whole.figure, analyzeInChunks(set, path, bytes, 2000, random, false).figure);
    });
}

// Other digits at the same places, now and then a digit more, a sign or a blank.
std::string alike(std::string log, std::minstd_rand& random) {
    const std::string rare = "0 -.e:,";
    for (char& c : log) {
        if (!isDigit(c)) {
            continue;
        }
        c = static_cast<char>('0' + random() % 10);
        if (random() % 300 == 0) {
            c = rare[random() % rare.size()];
        }
    }
    return log;
}

void zeroDigitsOf(std::string& line) {
    std::replace_if(line.begin(), line.end(), isDigit, '0');
}

// Now and then a line that is missing, comes twice or too early, has other digits, a rank or a CR; and an end
// without its line's.
std::string withFaults(const std::string& log, std::minstd_rand& random) {
    constexpr std::size_t rare = 320;
    std::vector<std::string> lines;
    std::istringstream stream(log);
    for (std::string line; std::getline(stream, line);) {
        const auto fault = random() % rare;
        if (fault == 0) {
            continue;
        }
        if (fault == 1) {
            lines.push_back(line);
        }
        if (fault == 2 && !lines.empty()) {
            std::swap(line, lines.back());
        }
        if (fault == 3) {
            zeroDigitsOf(line);
        }
        if (fault == 4) {
            line = alike(line, random);
        }
        if (fault == 5) {
            line.insert(0, fmt::format("[rank{}]: ", random() % 3));
        }
        if (fault == 6) {
            line += '\r';
        }
        if (fault == 7) {
            line.insert(line.size() / 2, 1, '\r');
        }
        if (fault == 8) {
            line.append(LineSplitter::maxBytes, 'x');
        }
        if (fault == 9 && !lines.empty()) {
            lines.push_back(lines.front());
        }
        lines.push_back(line);
    }
    std::string bytes;
    for (const std::string& line : lines) {
        bytes += line + '\n';
    }
    bytes.resize(bytes.size() - random() % std::min<std::size_t>(bytes.size(), 30));
    return bytes;
}

TEST_P(VectorSets, GiveTheSameInChunksWhateverIsWrong) {
    std::minstd_rand random(13);
    forEachLog([&](const LogSet& set, const std::string& path, const std::string& bytes) {
        for (int i = 0; i < 3; ++i) {
            const std::string log = withFaults(bytes, random);
            const Outcome whole = analyzeInChunks(set, path, log, 0, random);
            expectSame(whole.figure, analyzeInChunks(set, path, log, 2000, random, false).figure);
            if (testing::Test::HasFailure()) {
                FAIL() << "log " << i << " of " << path;
            }
        }
    });
}

// The line without its launcher's prefix, without a word of any shape.
ScannedLine scanPlainly(const LineScanner& scanner, const Line& line) {
    const std::string_view text = withoutRank(line.text).text;
    ScannedLine plain{line, text, isHeaderLine(scanner.format().header.style, text), false, false, {}};
    plain.counts = scanner.counts(plain.text);
    if (!plain.counts) {
        return plain;
    }
    plain.isOdd = scanner.isOdd(plain.text);
    scanner.read(plain.text, scanner.find(plain.text), true, plain.counted);
    return plain;
}

void expectSameLine(const ScannedLine& a, const ScannedLine& b, Clock clock) {
    ASSERT_EQ(a.counts, b.counts) << a.line.text;
    EXPECT_EQ(a.text, b.text);
    EXPECT_EQ(a.isHeader, b.isHeader) << a.line.text;
    if (!a.counts) {
        return;
    }
    EXPECT_EQ(a.isOdd, b.isOdd) << a.line.text;
    EXPECT_EQ(a.counted.index, b.counted.index) << a.line.text;
    EXPECT_TRUE(same(a.counted.value, b.counted.value)) << a.line.text;
    EXPECT_TRUE(same(a.counted.dlperfValue, b.counted.dlperfValue)) << a.line.text;
    EXPECT_TRUE(same(a.counted.data, b.counted.data)) << a.line.text;
    EXPECT_TRUE(same(a.counted.loss, b.counted.loss)) << a.line.text;
    const auto left = a.counted.stamp.read();
    const auto right = b.counted.stamp.read();
    ASSERT_EQ(left.has_value(), right.has_value()) << a.line.text;
    EXPECT_TRUE(left || !a.counted.stamp.isSure) << a.line.text;
    if (!left) {
        return;
    }
    EXPECT_EQ(secondsBetween(*left, *right, clock), 0) << a.line.text;
}

// Holds each line beside what is read of it without any other.
class ComparedReader final : public LineReader {
public:
    explicit ComparedReader(std::shared_ptr<const LineScanner> scanner)
        : LineReader(std::move(scanner), true) {}

private:
    void take(const ScannedLine& scanned) override {
        if (scanned.counts) {
            expectedRanks_.add(withoutRank(scanned.line.text).rank);
        }
        EXPECT_EQ(ranks().mixed(), expectedRanks_.mixed()) << scanned.line.text;
        expectSameLine(scanned, scanPlainly(scanner(), scanned.line), scanner().format().clock);
    }

    RankMix expectedRanks_;
};

TEST_P(VectorSets, ReadLinesOfKnownShapesAsAnyOther) {
    std::minstd_rand random(11);
    forEachLog([&](const LogSet& set, const std::string& /*path*/, const std::string& bytes) {
        ComparedReader reader(std::make_shared<const LineScanner>(formatOf(set, bytes)));
        reader.feed(bytes + alike(bytes, random) + alike(bytes, random));
        reader.finish();
    });
}

// Most rows can: those that cannot are read line by line, in more time.
TEST(LineShapes, ServeEveryFormatWithoutAPattern) {
    for (const Format& format : formats()) {
        const bool hasPattern = !format.value.pattern.empty() || !format.index.pattern.empty();
        EXPECT_EQ(LineScanner(format).followsShape(), !hasPattern) << format.name;
    }
}

std::vector<std::string> formatNames() {
    std::vector<std::string> names;
    for (const auto& [format, sets] : readSets()) {
        names.push_back(format);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(All, VectorSets, testing::ValuesIn(formatNames()), nameOfFormat);

}  // namespace
}  // namespace dlperf::analysis
