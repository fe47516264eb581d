// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/analyze.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "core/analysis/format_row.h"
#include "core/analysis/log_folder.h"
#include "core/analysis/log_name.h"
#include "core/analysis/summarize.h"
#include "core/base/text.h"

namespace dlperf::analysis {
namespace {

// Reads the log and gives its figure; findings get the log's name.
Result<RunFigure> readFigure(const std::filesystem::path& file, const Format& format, const RunShape& shape,
                             const Window& window) {
    LogAnalyzer analyzer(format, shape, window);
    const auto read =
        readInPieces(file, std::numeric_limits<std::uintmax_t>::max(), [&](std::string_view bytes) {
            analyzer.feed(bytes);
            (void)analyzer.takeIterations();  // not needed here, and must not pile up
        });
    if (!read) return Failure(read.error());
    analyzer.finish();
    return analyzer.figure();
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
    if (!format.header.namesCase) {
        if (!topology) return fail("the folder's name is no topology", log.file, "Name it like 2n8g.");
        if (!name) return Failure(name.error());
    }
    if (!format.model.empty()) log.model = format.model;
    return log;
}

// What the header says counts, over the path.
void placeByHeader(AnalyzedLog& log, const Format& format) {
    if (const auto& header = log.figure.headerShape) {
        log.shape = *header;
        if (format.header.namesCase) log.topologyName = toString(header->topology);
    }
    if (format.header.namesCase) log.precision.clear();
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

void addLog(Analysis& analysis, const std::filesystem::path& folder, const LogFile& file) {
    auto log = placeByPath(file, *analysis.format);
    if (!log) {
        analysis.findings.push_back({"bad-name",
                                     describe({log.error().what, "", log.error().remedy}) +
                                         " The log is left out; DLPerf's extractor aborts here.",
                                     cleanUtf8(file.path())});
        return;
    }
    auto figure = readFigure(folder / file.folder / file.name, *analysis.format, log->shape, analysis.window);
    if (!figure) {
        analysis.findings.push_back({"unreadable-file", figure.error().what, log->file});
        return;
    }
    log->figure = std::move(*figure);
    placeByHeader(*log, *analysis.format);
    for (Finding& finding : log->figure.findings) {
        finding.where = place(log->file, finding.where);
        analysis.findings.push_back(finding);
    }
    const bool headerMissing = analysis.format->header.namesCase && !log->figure.headerShape;
    if (!headerMissing) analysis.logs.push_back(std::move(*log));
}

}  // namespace

Result<void> checkWindow(const Format& format, const Window& window) {
    constexpr int mostIterations = 100'000'000;
    if (window.warmup < format.lowestWarmup) {
        return fail(fmt::format("warmup must be at least {} for {}", format.lowestWarmup, format.name),
                    "--warmup", "Choose a larger number.");
    }
    if (window.train <= window.warmup || window.train > mostIterations) {
        return fail(
            fmt::format("train is the number of the window's last iteration: it must be above warmup ({}) "
                        "and at most {}",
                        window.warmup, mostIterations),
            "--train", "Choose another number.");
    }
    return {};
}

Result<Analysis> analyzeFolder(const std::filesystem::path& folder, const Format& format,
                               std::optional<Window> window, const std::stop_token& stop) {
    Analysis analysis;
    analysis.format = &format;
    analysis.window = window.value_or(format.window);
    if (const auto good = checkWindow(format, analysis.window); !good) return Failure(good.error());
    const auto listing = listLogs(folder);
    if (!listing) return Failure(listing.error());
    for (const Error& problem : listing->problems) {
        analysis.findings.push_back({"unreadable-file", problem.what, cleanUtf8(problem.where)});
    }
    if (listing->files.empty()) {
        analysis.findings.push_back(
            {"no-logs", "there are no logs: none matches */*.log", cleanUtf8(folder.string())});
    }
    for (const LogFile& file : listing->files) {
        if (stop.stop_requested()) {
            return fail("was cancelled", folder.string(), {}, ErrorKind::Work);
        }
        addLog(analysis, folder, file);
    }
    summarize(analysis);
    return analysis;
}

}  // namespace dlperf::analysis
