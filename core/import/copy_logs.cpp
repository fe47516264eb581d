// SPDX-License-Identifier: Apache-2.0
#include "core/import/copy_logs.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "core/analysis/line_scanner.h"
#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/import/place.h"
#include "core/import/read_file.h"
#include "core/import/sha256.h"
#include "core/store/run_record.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t allBytes = std::numeric_limits<std::uint64_t>::max();

// How many logs an import of that name holds already: ids go on from there.
std::size_t logsThere(const fs::path& folder) {
    std::error_code error;
    std::size_t count = 0;
    for (fs::recursive_directory_iterator entry(folder, error);
         !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        count += entry->path().filename() == "run.json" ? 1U : 0U;
    }
    return count;
}

class Copier {
public:
    Copier(std::string name, std::size_t logsBefore, fs::path staging, std::stop_token stop,
           const OnProgress& onProgress)
        : name_(std::move(name)),
          number_(logsBefore),
          staging_(std::move(staging)),
          stop_(std::move(stop)),
          onProgress_(onProgress) {}

    void expect(std::uint64_t bytes) { progress_.of += bytes; }

    // An Input error leaves nothing of this log behind.
    Result<SavedLog> add(const Proposal& proposal) {
        const fs::path file = staging_ / proposal.target;
        const fs::path runFolder = fs::path(file).replace_extension();
        if (auto made = makeFolders(runFolder); !made) {
            return Failure(made.error());
        }
        auto saved = copy(proposal, file);
        if (saved && !proposal.log.memory.empty() && !measuresThroughput(*proposal.format)) {
            saved = withMemory(std::move(*saved), proposal, file);
        }
        if (!saved) {
            std::error_code ignored;
            fs::remove_all(runFolder, ignored);
            fs::remove(file, ignored);
            return saved;
        }
        if (auto written = writeRecord(runFolder / "run.json", recordOf(proposal, *saved)); !written) {
            return Failure(written.error());
        }
        ++number_;
        return saved;
    }

private:
    // One reading gives the copy, its checksum and its figure.
    Result<SavedLog> copy(const Proposal& proposal, const fs::path& file) {
        const analysis::RunShape shape{proposal.topology.value_or(Topology{}), proposal.subject.batchSize};
        const Window window = analysis::defaultWindow(*proposal.format);
        analysis::LogAnalyzer analyzer(scannerOf(*proposal.format), shape, window,
                                       analysis::Detail::FigureOnly);
        Sha256 sum;
        const auto copied = copyFile(proposal.log.file, file, [&](std::string_view bytes) {
            sum.add(bytes);
            analyzer.feed(bytes);
            progress_.stage = Stage::Saving;
            progress_.done += bytes.size();
            if (onProgress_) {
                onProgress_(progress_);
            }
        });
        if (!copied) {
            return Failure(copied.error());
        }
        analyzer.finish();
        SavedLog saved;
        saved.checksum = sum.digits();
        analysis::RunFigure figure = analyzer.figure();
        saved.result = resultOf(proposal, figure);
        saved.figure = figure.value;
        saved.findings = std::move(figure.findings);
        return saved;
    }

    Result<SavedLog> withMemory(SavedLog saved, const Proposal& proposal, const fs::path& file) const {
        const auto copied =
            copyFile(proposal.log.memory, fs::path(file).replace_extension(".mem"), [](std::string_view) {});
        if (!copied) {
            return Failure(copied.error());
        }
        return saved;
    }

    Result<void> copyFile(const fs::path& from, const fs::path& to,
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

    // Nobody reads it before publish(), which settles all of them at once: thousands of syncs take minutes.
    static Result<void> writeRecord(const fs::path& file, const store::RunRecord& record) {
        const Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
        const int error = out.open() ? writeAll(out.get(), store::textOf(record)) : errno;
        return error == 0 ? Result<void>() : diskRefuses(file, error);
    }

    RunResult resultOf(const Proposal& proposal, const analysis::RunFigure& figure) const {
        RunResult result;
        result.campaign = name_;
        result.id = fmt::format("{}/{:04}", name_, number_ + 1);
        result.benchmarkCase = {proposal.subject, proposal.topology.value_or(Topology{})};
        result.repetition = proposal.repetition.value_or(0);
        result.origin = Origin::Imported;
        result.unit = analysis::unit(*proposal.format);
        result.format = analysis::name(*proposal.format);
        result.window = analysis::defaultWindow(*proposal.format);
        result.outcome = figure.value ? Outcome::Ok : Outcome::Short;
        if (!figure.value) {
            result.reason = fmt::format("the log ends at iteration {}, the window at {}",
                                        figure.lastIteration, result.window.train);
        } else if (measuresThroughput(*proposal.format)) {
            result.throughput = figure.value;
        }
        return result;
    }

    static store::RunRecord recordOf(const Proposal& proposal, const SavedLog& saved) {
        store::RunRecord record;
        record.result = saved.result;
        record.facts["imported_from"] = proposal.name;
        record.facts["sha256"] = saved.checksum;
        record.facts["format_found"] = proposal.why;
        if (saved.figure && !saved.result.throughput) {
            record.facts["latency_ms"] = *saved.figure;
        }
        if (!proposal.notes.empty()) {
            record.facts["notes"] = proposal.notes;
        }
        return record;
    }

    // Made once for all logs of a format.
    std::shared_ptr<const analysis::LineScanner> scannerOf(const analysis::Format& format) {
        auto& scanner = scanners_[&format];
        if (!scanner) {
            scanner = std::make_shared<const analysis::LineScanner>(format);
        }
        return scanner;
    }

    std::map<const analysis::Format*, std::shared_ptr<const analysis::LineScanner>> scanners_;
    std::string name_;
    std::size_t number_;
    fs::path staging_;
    std::stop_token stop_;
    const OnProgress& onProgress_;
    Progress progress_{Stage::Saving, 0, 0};
};

}  // namespace

Result<SavedLogs> copyLogs(const std::vector<Proposal>& proposals, const std::string& name,
                           const store::Workspace& workspace, const fs::path& staging,
                           const std::stop_token& stop, const OnProgress& onProgress) {
    Copier copier(name, logsThere(workspace.logs() / importFolder(name)), staging, stop, onProgress);
    for (const Proposal& proposal : proposals) {
        copier.expect(proposal.target.empty() ? 0 : proposal.bytes);
    }
    SavedLogs saved;
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        if (proposals[i].target.empty()) {
            continue;
        }
        auto log = copier.add(proposals[i]);
        if (log) {
            log->proposal = i;
            saved.logs.push_back(std::move(*log));
        } else if (log.error().kind == ErrorKind::Input) {
            saved.problems.push_back(log.error());
        } else {
            return Failure(log.error());
        }
    }
    return saved;
}

}  // namespace dlperf::imports
