// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/analyze.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/analysis/detect.h"
#include "core/analysis/fitting_range.h"
#include "core/analysis/format_row.h"
#include "core/analysis/log_folder.h"
#include "core/analysis/log_name.h"
#include "core/analysis/number.h"
#include "core/base/file.h"
#include "core/base/parallel.h"
#include "core/base/text.h"

namespace dlperf::analysis {
namespace {

// "wdl_1", as DLPerf's extractor has it of logs that lie flat; "1n8g/wdl_1" in a folder of its own.
std::string withoutEnding(const std::string& file) {
    return std::filesystem::path(file).replace_extension().string();
}

// What the path says. A format whose header names the case does not need it, and takes what it finds.
Result<AnalyzedLog> placeByPath(const LogFile& file, const Format& format) {
    AnalyzedLog log;
    log.file = cleanUtf8(file.path());
    log.topologyName = cleanUtf8(file.folder);
    const auto topology = parseTopology(lower(file.folder));
    const auto name = parseLogName(file.name);
    if (topology && name) {
        log.shape = {*topology, name->batchSize};
        log.model = name->model;
        log.precision = name->precision;
        log.repetition = name->repetition;
    }
    log.format = &format;
    if (!format.header.namesCase) {
        if (!topology) {
            return fail("the folder's name is no topology", log.file, "Name it like 2n8g.");
        }
        if (!name) {
            return Failure(name.error());
        }
    }
    if (!format.model.empty()) {
        log.model = format.model;
    }
    return log;
}

// What the header says counts, over the path.
void placeByHeader(AnalyzedLog& log, const Format& format) {
    if (const auto& header = log.figure.headerShape) {
        log.shape = *header;
        if (format.header.namesCase) {
            log.topologyName = toString(header->topology);
        }
    }
    if (measuresLatency(format)) {
        log.topologyName = withoutEnding(log.file);
    }
    if (format.header.namesCase) {
        log.precision.clear();
    }
    const auto precision = log.figure.header.find(format.header.precision);
    if (precision != log.figure.header.end() && !log.precision.empty() &&
        precision->second != log.precision) {
        log.figure.findings.push_back({"header-contradicts",
                                       fmt::format("the log's header says precision {}, its name {}",
                                                   cleanUtf8(precision->second), log.precision),
                                       {}});
    }
}

std::string place(const std::string& file, const std::string& where) {
    return where.empty() ? file : file + ", " + where;
}

// HugeCTR's and OneFlow's scripts keep what nvidia-smi saw beside the log: "max device0 memory usage is:
// 2307915776".
std::optional<std::int64_t> memoryBeside(const std::filesystem::path& file) {
    const auto text = readFile(std::filesystem::path(file).replace_extension(".mem"));
    if (!text) {
        return std::nullopt;
    }
    for (const std::string_view line : split(*text, '\n')) {
        const auto words = split(trim(line), ' ');
        if (words.front() != "max" || words.size() < 5) {
            continue;
        }
        const auto bytes = toNumber(words.back());
        constexpr double most = 1e18;
        if (!bytes || !(*bytes >= 0 && *bytes < most)) {
            return std::nullopt;
        }
        return static_cast<std::int64_t>(*bytes / 1024 / 1024);
    }
    return std::nullopt;
}

// What became of one file.
struct Outcome {
    std::optional<AnalyzedLog> log;
    std::string why;  // the format was taken
    std::vector<Finding> findings;
    bool isOfAnother = false;  // no line is of the format that was named
};

// Reads one folder's logs, from several threads at once.
class FolderReader {
public:
    FolderReader(const std::filesystem::path& folder, const Reading& reading, std::stop_token stop)
        : folder_(folder), reading_(reading), stop_(std::move(stop)), detector_(reading.formats) {}

    // The outcomes in the order of the files; not all of them when asked to stop.
    std::vector<Outcome> read(const std::vector<LogFile>& files) {
        std::vector<Outcome> outcomes(files.size());
        inParallel(files.size(), coresToUse(), [&](std::size_t i) {
            if (!stop_.stop_requested()) {
                outcomes[i] = readLog(files[i]);
            }
        });
        return outcomes;
    }

    MeasurementRange rangeFor(const Format& format) const {
        return {reading_.warmup.value_or(format.range.warmup), reading_.train.value_or(format.range.train)};
    }

private:
    Outcome readLog(const LogFile& file) const {
        Outcome outcome;
        const Format* format = formatOf(file, outcome);
        if (format == nullptr) {
            return outcome;
        }
        auto log = placeByPath(file, *format);
        if (!log) {
            outcome.findings.push_back({"bad-name",
                                        describe({log.error().what, "", log.error().remedy}) +
                                            " The log is skipped; DLPerf's extractor aborts here",
                                        cleanUtf8(file.path())});
            return outcome;
        }
        if (hasExtraFields(file.name)) {
            outcome.findings.push_back(
                {"odd-name",
                 fmt::format("the name has more than four fields: DLPerf's extractor reads repetition {}",
                             log->repetition),
                 log->file});
        }
        log->range = rangeFor(*format);
        log->why = outcome.why;
        auto figure = figureOf(file, *log);
        if (!figure) {
            outcome.findings.push_back({"unreadable-file", figure.error().what, log->file});
            return outcome;
        }
        log->figure = std::move(*figure);
        if (reading_.format != nullptr && !log->figure.hasLines) {
            outcome.isOfAnother = true;
            log->figure.findings.clear();  // one for all such logs says it
        }
        nameFittingRange(*log);
        nameGuess(*log);
        placeByHeader(*log, *format);
        for (Finding& finding : log->figure.findings) {
            finding.where = place(log->file, finding.where);
            outcome.findings.push_back(finding);
        }
        if (measuresLatency(*format)) {
            log->memoryMiB = memoryBeside(folder_ / file.path());
        }
        const bool headerMissing = format->header.required && !log->figure.headerShape;
        if (!headerMissing) {
            outcome.log = std::move(*log);
        }
        return outcome;
    }

    // Where there is no figure the last finding tells why, too.
    static void rewriteWhy(RunFigure& figure, const std::function<std::string(std::string)>& rewrite) {
        figure.whyNone = rewrite(std::move(figure.whyNone));
        if (!figure.findings.empty()) {
            std::string& what = figure.findings.back().what;
            what = rewrite(std::move(what));
        }
    }

    static void nameFittingRange(AnalyzedLog& log) {
        const std::string hint = fittingHint(*log.format, log.range, log.figure);
        if (!hint.empty()) {
            rewriteWhy(log.figure, [&](std::string why) { return std::move(why) + hint; });
        }
    }

    static void nameGuess(AnalyzedLog& log) {
        // Where lines were read as iterations the format is hardly the wrong one.
        if (!log.why.empty() && !log.figure.value && log.figure.lastIteration == 0) {
            rewriteWhy(log.figure, [&](std::string why) {
                return analysis::nameGuess(std::move(why), *log.format, log.why);
            });
        }
    }

    // Nothing where no format fits, with a finding that says so.
    const Format* formatOf(const LogFile& file, Outcome& outcome) const {
        const auto suits = [&](const Format& format) { return !file.folder.empty() || format.logsLieFlat; };
        if (reading_.format != nullptr) {
            const auto known = reading_.formats.all();
            const bool hasFlavours = std::any_of(known.begin(), known.end(), [&](const Format* other) {
                return other->flavourOf == reading_.format->name;
            });
            const Format& format =
                hasFlavours ? detector_.flavourOf(*reading_.format, readHead(folder_ / file.path()))
                            : *reading_.format;
            return suits(format) ? &format : nullptr;
        }
        const Detection found = detector_.detect(readHead(folder_ / file.path()));
        outcome.why = found.why;
        if (found.format != nullptr) {
            return suits(*found.format) ? found.format : nullptr;
        }
        if (!file.folder.empty()) {
            outcome.findings.push_back(
                {"unknown-format", found.why + "; the log is skipped", cleanUtf8(file.path())});
        }
        return nullptr;
    }

    Result<RunFigure> figureOf(const LogFile& file, const AnalyzedLog& log) const {
        LogAnalyzer analyzer(detector_.scannerOf(*log.format), log.shape, log.range);
        (void)TRY(feedFile(folder_ / file.path(), analyzer, stop_));
        analyzer.finish();
        return analyzer.figure();
    }

    std::filesystem::path folder_;
    Reading reading_;
    std::stop_token stop_;
    FormatDetector detector_;
};

void addOutcome(Analysis& analysis, Outcome&& outcome) {
    for (Finding& finding : outcome.findings) {
        analysis.findings.push_back(std::move(finding));
    }
    if (!outcome.log) {
        return;
    }
    if (analysis.logs.empty()) {
        analysis.format = outcome.log->format;
        analysis.range = outcome.log->range;
    }
    analysis.logs.push_back(std::move(*outcome.log));
}

// Where each log has its own format, a range may suit one and not another: those are skipped. Gives the first
// reason.
std::optional<Error> dropUnsuited(std::vector<Outcome>& outcomes) {
    std::optional<Error> first;
    for (Outcome& outcome : outcomes) {
        if (!outcome.log) {
            continue;
        }
        const auto good = checkRange(*outcome.log->format, outcome.log->range);
        if (!good) {
            first = first.value_or(good.error());
            outcome.findings = {{"window", describe(good.error()), outcome.log->file}};
            outcome.log.reset();
        }
    }
    return first;
}

void noteOthers(Analysis& analysis, const std::vector<Outcome>& outcomes) {
    const auto isOther = [](const Outcome& outcome) { return outcome.isOfAnother && outcome.log; };
    const auto count = std::ranges::count_if(outcomes, isOther);
    if (count > 0) {
        analysis.findings.push_back(
            {"other-format",
             fmt::format(
                 "{} of {} logs hold no line of {}. Leave out --format: each log's own is found by its "
                 "lines.",
                 count, outcomes.size(), analysis.format->name),
             std::ranges::find_if(outcomes, isOther)->log->file});
    }
}

}  // namespace

Result<void> checkRange(const Format& format, const MeasurementRange& range) {
    constexpr int mostIterations = 100'000'000;
    if (range.warmup < format.lowestWarmup) {
        return fail(fmt::format("warmup must be at least {} for {}", format.lowestWarmup, format.name),
                    "--warmup", "Choose a larger number.");
    }
    if (range.warmup % format.warmupMultipleOf != 0) {
        return fail(
            fmt::format("warmup must be a multiple of {} for {}", format.warmupMultipleOf, format.name),
            "--warmup", "Choose another number.");
    }
    if (range.train % format.trainMultipleOf != 0) {
        return fail(fmt::format("train must be a multiple of {} for {}", format.trainMultipleOf, format.name),
                    "--train", "Choose another number.");
    }
    if (range.train <= range.warmup || range.train > mostIterations) {
        return fail(
            fmt::format(
                "train is the number of the measurement range's last iteration: it must be above warmup ({}) "
                "and at most {}",
                range.warmup, mostIterations),
            "--train", "Choose another number.");
    }
    return {};
}

namespace {

constexpr const char* noLogs = "there are no logs: none matches */*.log";

std::string noLogsRemedy(const std::filesystem::path& folder, const LogListing& listing) {
    std::error_code unknown;
    const auto whole = (std::filesystem::absolute(folder, unknown) / "").lexically_normal().parent_path();
    if (!listing.files.empty() && parseTopology(lower(whole.filename().string()))) {
        return fmt::format("This is the folder of one topology: name the one above, {}.",
                           cleanUtf8(whole.parent_path().string()));
    }
    return "Logs stand in folders of their topologies, as 1n8g/r50_b128_fp32_1.log; `dlperf import` takes "
           "others.";
}

}  // namespace

Result<Analysis> analyzeFolder(const std::filesystem::path& folder, const Reading& reading,
                               const std::stop_token& stop) {
    Analysis analysis;
    analysis.formats = reading.formats;
    FolderReader reader(folder, reading, stop);
    if (reading.format != nullptr) {
        analysis.format = reading.format;
        analysis.range = reader.rangeFor(*reading.format);
        TRY(checkRange(*reading.format, analysis.range));
    }
    const auto listing = TRY(listLogs(folder));
    for (const Error& problem : listing.problems) {
        analysis.findings.push_back({"unreadable-file", problem.what, cleanUtf8(problem.where)});
    }
    std::vector<Outcome> outcomes = reader.read(listing.files);
    if (stop.stop_requested()) {
        return fail("was cancelled", folder.string(), {}, ErrorKind::Work);
    }
    const auto unsuited = dropUnsuited(outcomes);
    noteOthers(analysis, outcomes);
    for (Outcome& outcome : outcomes) {
        addOutcome(analysis, std::move(outcome));
    }
    if (analysis.format == nullptr && unsuited) {
        return Failure(*unsuited);
    }
    if (analysis.format == nullptr && analysis.findings.empty()) {
        return fail(noLogs, folder.string(), noLogsRemedy(folder, listing));
    }
    if (analysis.format == nullptr) {
        return fail(analysis.findings.front().what, folder.string(),
                    "Pass --format; `dlperf formats` lists them.");
    }
    if (analysis.logs.empty() && analysis.findings.empty()) {
        analysis.findings.push_back({"no-logs", std::string(noLogs) + ". " + noLogsRemedy(folder, listing),
                                     cleanUtf8(folder.string())});
    }
    summarize(analysis);
    return analysis;
}

}  // namespace dlperf::analysis
