// SPDX-License-Identifier: Apache-2.0
#include "core/import/copy_logs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "core/analysis/analyze.h"
#include "core/analysis/detect.h"
#include "core/analysis/fitting_range.h"
#include "core/analysis/format_row.h"
#include "core/analysis/line_reader.h"
#include "core/analysis/log_analyzer.h"
#include "core/analysis/log_name.h"
#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/parallel.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/diagnosis/log_end.h"
#include "core/import/place.h"
#include "core/import/ranks.h"
#include "core/import/read_file.h"
#include "core/store/run_record.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;
constexpr double sameFigure = 1e-9;  // relative: the rule's rounding gives the same digits
constexpr const char* prefix = ".import-";

Descriptor lockedFolder(const fs::path& folder) {
    Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    return opened.open() && ::flock(opened.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(opened) : Descriptor();
}

// One that was made this minute may be about to be locked.
bool isFresh(const fs::path& folder) {
    std::error_code unknown;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(folder, unknown);
    return unknown || age < std::chrono::minutes(1);
}

void removeAbandoned(const fs::path& workspace) {
    for (const fs::path& entry : entriesOf(workspace)) {
        if (entry.filename().native().starts_with(prefix) && !isFresh(entry) && lockedFolder(entry).open()) {
            std::error_code ignored;
            fs::remove_all(entry, ignored);
        }
    }
}

namespace fs = std::filesystem;
constexpr std::uint64_t allBytes = std::numeric_limits<std::uint64_t>::max();

// The last number of an import of that name that is there already: ids go on from it.
std::size_t lastNumber(const fs::path& folder) {
    std::error_code error;
    std::size_t last = 0;
    std::size_t count = 0;
    for (fs::recursive_directory_iterator entry(folder, error);
         !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (entry->path().filename() != "run.json") {
            continue;
        }
        const auto record = store::readRunRecord(entry->path().parent_path());
        const std::string id = record ? record->result.id : std::string();
        const auto number = toInt(std::string_view(id).substr(id.rfind('/') + 1));
        last = std::max({last, ++count, static_cast<std::size_t>(std::max(number.value_or(0), 0))});
    }
    return last;
}

// Several threads copy at a time; one tells how far they are.
class ProgressSum {
public:
    ProgressSum(std::uint64_t all, const OnProgress& onProgress)
        : sum_{Stage::Saving, 0, all}, onProgress_(onProgress) {}

    void add(std::uint64_t bytes) {
        const std::lock_guard lock(mutex_);
        sum_.done += bytes;
        if (onProgress_) {
            onProgress_(sum_);
        }
    }

private:
    std::mutex mutex_;
    Progress sum_;
    const OnProgress& onProgress_;
};

using Scanners = std::map<const analysis::Format*, std::shared_ptr<const analysis::LineScanner>>;

// One for all logs of a format.
Scanners scannersFor(const std::vector<Proposal>& proposals) {
    Scanners scanners;
    for (const Proposal& proposal : proposals) {
        if (!proposal.target.empty() && !scanners.contains(proposal.format)) {
            scanners[proposal.format] = std::make_shared<const analysis::LineScanner>(*proposal.format);
        }
    }
    return scanners;
}

void add(std::vector<RunFinding>& findings, std::string kind, std::string what, std::string where = {}) {
    findings.push_back({std::move(kind), std::move(what), std::move(where)});
}

// What the log says, and what its name and its path do.
std::vector<RunFinding> findingsOf(const Proposal& proposal, const analysis::RunFigure& figure) {
    std::vector<RunFinding> findings;
    const std::string& file = proposal.log.parts.back();
    if (const auto name = analysis::parseLogName(file); name && analysis::hasExtraFields(file)) {
        add(findings, "odd-name",
            fmt::format("the name has more than four fields: DLPerf's extractor reads repetition {}",
                        name->repetition));
    }
    for (const std::string& note : proposal.notes) {
        add(findings, "doubtful-case", note);
    }
    findings.insert(findings.end(), figure.findings.begin(), figure.findings.end());
    return findings;
}

// `whole` is what the log gave for the range that was wanted.
RunFinding fittedFinding(const analysis::Format& format, const MeasurementRange& wanted,
                         const MeasurementRange& fitting, const analysis::RunFigure& whole) {
    const std::string measured = analysis::measuredIterations(format, fitting);
    if (whole.firstPass == 0 && whole.lastIteration >= wanted.train) {
        return {
            "fitted-window",
            fmt::format(
                "no lines of the log tell of the measurement range of {} to {} alone: the figure is of {}",
                wanted.warmup, wanted.train, measured),
            {}};
    }
    return {"fitted-window",
            fmt::format("the {} ends before the measurement range of {} to {} does: the figure is of {}",
                        whole.firstPass > 0 ? "first epoch" : "log", wanted.warmup, wanted.train, measured),
            {}};
}

void compare(const std::optional<double>& own, analysis::RunFigure& figure) {
    constexpr double far = 0.05;
    if (!own || !(*own > 0) || !figure.value || std::abs(*figure.value / *own - 1) <= far) {
        return;
    }
    const double measured = *figure.value;
    figure.findings.push_back(
        {"own-figure",
         fmt::format("the trainer itself says {:.2f} for the whole run, {:.1f} % {} than "
                     "the {:.2f} of the measurement range",
                     *own, std::abs(*own / measured - 1) * 100, *own < measured ? "less" : "more", measured),
         {}});
}

class Copier {
public:
    Copier(const std::vector<Proposal>& proposals, fs::path staging, diagnosis::Rules rules,
           std::stop_token stop, ProgressSum& progress)
        : scanners_(scannersFor(proposals)),
          rules_(std::move(rules)),
          staging_(std::move(staging)),
          stop_(std::move(stop)),
          progress_(&progress) {}

    // The log and what it says, all but its record. An Input error leaves nothing of this log behind.
    [[nodiscard]] Result<SavedLog> copy(const Proposal& proposal) const {
        const fs::path file = staging_ / proposal.target;
        const fs::path runFolder = fs::path(file).replace_extension();
        TRY(makeFolders(runFolder));
        auto saved = copyLog(proposal, file);
        if (saved && !proposal.log.memory.empty() && !measuresThroughput(*proposal.format)) {
            saved = withMemory(std::move(*saved), proposal, file);
        }
        if (!saved) {
            std::error_code ignored;
            fs::remove_all(runFolder, ignored);
            fs::remove(file, ignored);
        }
        return saved;
    }

    // And its format, if it is not a built-in one: whoever reads a run's log looks for it beside it.
    [[nodiscard]] Result<void> writeRecord(const Proposal& proposal, const SavedLog& saved) const {
        const fs::path folder = fs::path(staging_ / proposal.target).replace_extension();
        const analysis::Format& format = *proposal.format;
        if (analysis::findFormat(format.name) != &format) {
            TRY(writeNew(folder / "format.json", format.written + "\n"));
        }
        return writeNew(folder / "run.json", store::recordText(recordOf(proposal, saved)));
    }

private:
    // Nobody reads it before publish(), which settles all of them at once: thousands of syncs take minutes.
    [[nodiscard]] static Result<void> writeNew(const fs::path& file, const std::string& text) {
        const Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
        const int error = out.open() ? writeAll(out.get(), text) : errno;
        return error == 0 ? Result<void>() : diskRefuses(file, error);
    }

    [[nodiscard]] analysis::LogAnalyzer analyzerFor(const Proposal& proposal,
                                                    const MeasurementRange& range) const {
        const analysis::RunShape shape{proposal.topology.value_or(Topology{}),
                                       proposal.configuration.batchSize};
        return {scanners_.at(proposal.format), shape, range};
    }

    // One reading gives the copy, its checksum and its figure; a log that ends early takes another one.
    [[nodiscard]] Result<SavedLog> copyLog(const Proposal& proposal, const fs::path& file) const {
        MeasurementRange range = proposal.range.value_or(analysis::defaultRange(*proposal.format));
        if (auto legal = analysis::checkRange(*proposal.format, range); !legal) {
            legal.error().where = proposal.name;
            return Failure(legal.error());
        }
        auto analyzer = analyzerFor(proposal, range);
        Sha256 sum;
        std::string tail;
        TRY(copyFile(proposal.log.file, file, [&](std::string_view bytes) {
            sum.add(bytes);
            analyzer.feed(bytes);
            progress_->add(bytes.size());
            diagnosis::keepTail(tail, bytes);
        }));
        const std::string checksum = sum.digits();
        if (!proposal.log.checksum.empty() && proposal.log.checksum != checksum) {
            return fail("is not the log that was published: its checksum is another one", proposal.name,
                        "Get the bundle once more, or ask whoever published it.");
        }
        analyzer.finish();
        analysis::RunFigure figure = analyzer.figure();
        if (!figure.hasLines) {  // of a log that is too large to be read whole before
            return fail(noLineOf(*proposal.format), proposal.name, "Name another format.");
        }
        const auto own = diagnosis::ownFigure(*proposal.format, tail);
        const auto end = figure.value
                             ? diagnosis::LogEnd()
                             : TRY(diagnosis::endOf(rules_, *scanners_.at(proposal.format), file, stop_));
        // Of a run that was meant to be short; DLPerf has no figure for its logs that were cut off.
        const bool mayFit =
            !proposal.range && end.trouble.empty() && (own || proposal.format->source.empty());
        const auto fitting = mayFit ? analysis::fittingRange(*proposal.format, range, figure) : std::nullopt;
        if (fitting) {
            auto shorter = TRY(measured(proposal, file, *fitting));
            if (shorter.value) {
                shorter.findings.push_back(fittedFinding(*proposal.format, range, *fitting, figure));
                figure = std::move(shorter);
                range = *fitting;
            }
        }
        if (!end.trouble.empty()) {
            figure.whyNone += "; " + end.trouble;
        }
        if (!fitting) {  // else it was tried in vain
            figure.whyNone += analysis::fittingHint(*proposal.format, range, figure);
        }
        compare(own, figure);
        for (const diagnosis::Hint& hint : end.hints) {
            figure.findings.push_back(
                {hint.rule, hint.what + " " + hint.remedy, fmt::format("line {}", hint.line)});
        }
        SavedLog saved;
        saved.checksum = checksum;
        saved.result = resultOf(proposal, figure, end);
        saved.hints = end.hints;
        saved.result.range = range;
        saved.figure = figure.value;
        return saved;
    }

    // The copy once more, with another range.
    [[nodiscard]] Result<analysis::RunFigure> measured(const Proposal& proposal, const fs::path& file,
                                                       const MeasurementRange& range) const {
        auto analyzer = analyzerFor(proposal, range);
        TRY(readPieces(file, allBytes, stop_, [&](std::string_view bytes) -> Result<void> {
            analyzer.feed(bytes);
            return {};
        }));
        analyzer.finish();
        return analyzer.figure();
    }

    [[nodiscard]] Result<SavedLog> withMemory(SavedLog saved, const Proposal& proposal,
                                              const fs::path& file) const {
        (void)TRY(
            copyFile(proposal.log.memory, fs::path(file).replace_extension(".mem"), [](std::string_view) {}));
        return saved;
    }

    [[nodiscard]] Result<void> copyFile(const fs::path& from, const fs::path& to,
                                        const std::function<void(std::string_view)>& onBytes) const {
        const Descriptor out(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
        if (!out.open()) {
            return diskRefuses(to, errno);
        }
        return readPieces(from, allBytes, stop_, [&](std::string_view bytes) -> Result<void> {
            if (const int error = writeAll(out.get(), bytes); error != 0) {
                return diskRefuses(to, error);
            }
            onBytes(bytes);
            return {};
        });
    }

    static RunResult resultOf(const Proposal& proposal, const analysis::RunFigure& figure,
                              const diagnosis::LogEnd& end) {
        RunResult result;
        result.benchmarkCase = {proposal.configuration, proposal.topology.value_or(Topology{})};
        result.defaults = proposal.defaults;
        result.repetition = proposal.repetition.value_or(1);  // a latency's log has no number of its own
        result.origin = Origin::Imported;
        // As published latencies have it: they share an axis.
        result.unit =
            measuresThroughput(*proposal.format) ? analysis::unit(*proposal.format) : "ms/iteration";
        result.format = analysis::name(*proposal.format);
        result.findings = findingsOf(proposal, figure);
        result.outcome = figure.value ? Outcome::Ok : end.outOfMemory ? Outcome::Oom : Outcome::Short;
        result.throughput = figure.value;
        takeRecorded(proposal, result);
        if (!figure.value) {
            const bool isDoubtful = proposal.isGuess && figure.lastIteration == 0 && end.trouble.empty();
            result.reason = isDoubtful ? analysis::nameGuess(figure.whyNone, *proposal.format, proposal.why)
                                       : figure.whyNone;
        }
        return result;
    }

    // What a log does not say; and whether it says what was recorded.
    static void takeRecorded(const Proposal& proposal, RunResult& result) {
        if (!proposal.recorded) {
            return;
        }
        const RunResult& recorded = *proposal.recorded;
        result.started = recorded.started;
        result.ended = recorded.ended;
        result.versions = recorded.versions;
        result.defaults = recorded.defaults;
        if (recorded.throughput && result.throughput &&
            std::abs(*recorded.throughput / *result.throughput - 1) > sameFigure) {
            add(result.findings, "own-figure",
                fmt::format("its record says {:.2f}, its log gives {:.2f}", *recorded.throughput,
                            *result.throughput));
        }
    }

    static store::RunRecord recordOf(const Proposal& proposal, const SavedLog& saved) {
        store::RunRecord record;
        record.result = saved.result;
        record.facts["imported_from"] = proposal.name;
        record.facts["sha256"] = saved.checksum;
        record.facts["format_found"] = proposal.why;
        if (!saved.hints.empty()) {
            record.facts["diagnosis"] = diagnosis::toJson(saved.hints);
        }
        if (!proposal.notes.empty()) {
            record.facts["notes"] = proposal.notes;
        }
        if (!proposal.log.checksum.empty()) {
            record.facts["checked"] = true;  // it is the log that somebody published
        }
        return record;
    }

    Scanners scanners_;
    diagnosis::Rules rules_;
    fs::path staging_;
    std::stop_token stop_;
    ProgressSum* progress_;
};

// DLPerf lets the last log of a repetition win; the others are kept, excluded, and say so.
void excludeReplaced(const std::vector<Proposal>& proposals, SavedLogs& saved) {
    std::map<std::size_t, SavedLog*> byProposal;
    for (SavedLog& log : saved.logs) {
        if (log.figure) {
            byProposal[log.proposal] = &log;
        }
    }
    const auto counts = [&](std::size_t proposal) { return byProposal.contains(proposal); };
    for (const auto& [replaced, by] : replacedLogs(proposals, counts)) {
        SavedLog& log = *byProposal.at(replaced);
        log.result.excluded = true;
        log.result.exclusionReason = "another log of the same repetition replaced it";
        add(log.result.findings, "repeated-repetition",
            fmt::format("{} is repetition {} as {} is; {:.2f} counts, {:.2f} does not",
                        proposals[replaced].name, log.result.repetition, proposals[by].name,
                        *byProposal.at(by)->figure, *log.figure));
    }
}

// torchrun starts a run again when a process of it fails: the last attempt that has a figure is the run.
void excludeOtherAttempts(const std::vector<Proposal>& proposals, SavedLogs& saved) {
    using Attempts = std::map<int, SavedLog*>;
    std::map<std::pair<fs::path, std::string>, Attempts> runs;
    for (SavedLog& log : saved.logs) {
        const Proposal& proposal = proposals[log.proposal];
        const auto attempt = proposal.recorded ? std::nullopt : attemptOf(proposal.log.parts);
        if (attempt) {
            runs[{proposal.target.parent_path(), attempt->run}][attempt->number] = &log;
        }
    }
    for (const auto& [run, attempts] : runs) {
        const auto counts = std::find_if(attempts.rbegin(), attempts.rend(), [](const auto& attempt) {
            return attempt.second->figure.has_value();
        });
        for (const auto& [number, log] : attempts) {
            if (counts != attempts.rend() && log != counts->second) {
                log->result.excluded = true;
                log->result.exclusionReason = "another attempt of the same run counts";
                add(log->result.findings, "repeated-repetition",
                    fmt::format(
                        "the log is left out: {} is another attempt of the same run, and the last one "
                        "with a figure counts",
                        proposals[counts->second->proposal].name));
            }
        }
    }
}

// In the order of the proposals, with ids that go on from what is there.
Result<SavedLogs> gather(std::vector<std::optional<Result<SavedLog>>>&& copies,
                         const std::vector<Proposal>& proposals, const std::string& name,
                         std::size_t lastBefore) {
    SavedLogs saved;
    const TimePoint imported = now();  // one for all of them
    for (std::size_t i = 0; i < copies.size(); ++i) {
        if (!copies[i]) {
            continue;
        }
        Result<SavedLog>& log = *copies[i];
        if (log) {
            log->proposal = i;
            log->result.campaign = campaignOf(name, proposals[i]);
            log->result.imported = imported;
            log->result.id = fmt::format("{}/{:04}", name, lastBefore + saved.logs.size() + 1);
            saved.logs.push_back(std::move(*log));
        } else if (log.error().kind == ErrorKind::Input) {
            saved.problems.push_back(log.error());
        } else {
            return Failure(log.error());
        }
    }
    return saved;
}

Result<void> writeRecords(const Copier& copier, const std::vector<Proposal>& proposals,
                          const SavedLogs& saved) {
    std::vector<Result<void>> written(saved.logs.size());
    inParallel(saved.logs.size(), coresToUse(), [&](std::size_t i) {
        written[i] = copier.writeRecord(proposals[saved.logs[i].proposal], saved.logs[i]);
    });
    return firstFailure(written);
}

}  // namespace

Result<Staging> Staging::make(const fs::path& workspace) {
    removeAbandoned(workspace);
    std::string name = (workspace / prefix).string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
        return fail(std::string("a folder for the import cannot be made: ") + std::strerror(errno),
                    workspace.string(), "Check the permissions and the free space.", ErrorKind::Work);
    }
    Staging staging(name, lockedFolder(name));
    for (const fs::path& folder : {staging.unpacked(), staging.ready()}) {
        TRY(makeFolders(folder));
    }
    return staging;
}

Staging& Staging::operator=(Staging&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
}

Staging::~Staging() {
    if (!path_.empty()) {
        std::error_code ignored;  // the next import tries again
        fs::remove_all(path_, ignored);
    }
}

Result<SavedLogs> copyLogs(const std::vector<Proposal>& proposals, const std::string& name,
                           const store::Workspace& workspace, const fs::path& staging,
                           const std::stop_token& stop, const OnProgress& onProgress) {
    std::uint64_t bytes = 0;
    for (const Proposal& proposal : proposals) {
        bytes += proposal.target.empty() ? 0 : proposal.bytes;
    }
    ProgressSum progress(bytes, onProgress);
    const Copier copier(proposals, staging, TRY(diagnosis::readRules()), stop, progress);
    std::vector<std::optional<Result<SavedLog>>> copies(proposals.size());
    std::atomic<bool> refused{false};
    inParallel(proposals.size(), coresToUse(), [&](std::size_t i) {
        if (proposals[i].target.empty() || refused) {
            return;
        }
        copies[i] = copier.copy(proposals[i]);
        if (!*copies[i] && copies[i]->error().kind != ErrorKind::Input) {
            refused = true;  // a full disk, or a cancel: the others need not try
        }
    });
    auto saved =
        TRY(gather(std::move(copies), proposals, name, lastNumber(workspace.logs() / importFolder(name))));
    excludeReplaced(proposals, saved);
    excludeOtherAttempts(proposals, saved);
    TRY(writeRecords(copier, proposals, saved));
    return saved;
}

}  // namespace dlperf::imports
