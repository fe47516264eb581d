// SPDX-License-Identifier: Apache-2.0
#include "core/import/import_logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/analyze.h"
#include "core/base/file.h"
#include "core/import/layout.h"
#include "core/store/names.h"
#include "core/store/notes.h"
#include "core/store/run_record.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;

// What is being imported, outside the logs until it is whole; gone again unless it is kept.
class Staging {
public:
    explicit Staging(fs::path path) : path_(std::move(path)) {}
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

std::string freeName(const store::Workspace& workspace, const fs::path& folder) {
    const std::string base = store::encodedName(folder.filename().string(), "_");
    for (int number = 1;; ++number) {
        std::string name = number == 1 ? base : fmt::format("{}-{}", base, number);
        std::error_code ignored;
        if (!fs::exists(workspace.logs() / store::pathComponent("imported-" + name), ignored)) {
            return name;
        }
    }
}

class Importer {
public:
    Importer(const store::Workspace& workspace, const Vocabulary& vocabulary, const std::stop_token& stop,
             const std::function<void(const Progress&)>& onProgress)
        : workspace_(workspace), vocabulary_(vocabulary), stop_(stop), onProgress_(onProgress) {}

    Result<Imported> run(const fs::path& folder) {
        const auto roots = findLogFolders(folder);
        if (!roots) {
            return Failure(roots.error());
        }
        const fs::path top = roots->size() == 1 ? roots->front() : folder;
        imported_.name = freeName(workspace_, top);
        const std::string target = store::pathComponent("imported-" + imported_.name);
        const Staging staging(workspace_.root() / ("." + target + ".part"));
        for (const fs::path& root : *roots) {
            if (auto added = addFolder(root, staging.path() / root.lexically_relative(top)); !added) {
                return Failure(added.error());
            }
        }
        if (imported_.logs == 0) {
            return imported_.problems.empty() ? fail("no log could be placed", folder.string(),
                                                     "See the findings of `dlperf analyze`.")
                                              : Failure(imported_.problems.front());
        }
        if (auto made = makeFolders(workspace_.logs()); !made) {
            return Failure(made.error());
        }
        std::error_code error;
        fs::rename(staging.path(), workspace_.logs() / target, error);
        if (error) {
            return fail("the import cannot be kept: " + error.message(), workspace_.logs().string(),
                        "Check the permissions and the free space.", ErrorKind::Work);
        }
        excludeReplaced();
        return std::move(imported_);
    }

private:
    static Failure cancelled(const fs::path& root) {
        return fail("the import was cancelled", root.string(), {}, ErrorKind::Work);
    }

    // A folder whose format is not known is left out and told; a disk that refuses ends the import.
    Result<void> addFolder(const fs::path& root, const fs::path& target) {
        if (stop_.stop_requested()) {
            return cancelled(root);
        }
        const auto format = analysis::detectFormat(root);
        if (!format) {
            imported_.problems.push_back(format.error());
            return {};
        }
        auto analysis = analysis::analyzeFolder(root, **format, {}, stop_);
        if (stop_.stop_requested()) {
            return cancelled(root);
        }
        if (!analysis) {
            imported_.problems.push_back(analysis.error());
            return {};
        }
        if (std::ranges::find(imported_.formats, analysis::name(**format)) == imported_.formats.end()) {
            imported_.formats.push_back(analysis::name(**format));
        }
        progress_.of += analysis->logs.size();
        for (const analysis::AnalyzedLog& log : analysis->logs) {
            if (stop_.stop_requested()) {
                return cancelled(root);
            }
            if (auto added = addLog(*analysis, log, root, target); !added) {
                return added;
            }
        }
        imported_.findings.insert(imported_.findings.end(), analysis->findings.begin(),
                                  analysis->findings.end());
        return {};
    }

    Result<void> addLog(const analysis::Analysis& analysis, const analysis::AnalyzedLog& log,
                        const fs::path& root, const fs::path& target) {
        const fs::path file = target / log.file;
        fs::path runFolder = file;
        runFolder.replace_extension();
        if (auto made = makeFolders(runFolder); !made) {
            return made;
        }
        std::error_code error;
        fs::copy_file(root / log.file, file, error);
        if (error) {
            return fail("the log cannot be copied: " + error.message(), (root / log.file).string(),
                        "Check the permissions and the free space.", ErrorKind::Work);
        }
        if (auto written = store::writeRunRecord(runFolder, recordOf(analysis, log, root)); !written) {
            return written;
        }
        ++imported_.logs;
        ++progress_.done;
        if (onProgress_) {
            onProgress_(progress_);
        }
        return {};
    }

    // DLPerf lets the last log of a repetition win; the others are kept and say so.
    void excludeReplaced() {
        for (const std::string& id : replaced_) {
            const store::RunNote note{{}, true, "another log of the same repetition replaced it"};
            if (auto written = store::writeNote(workspace_, id, note); !written) {
                imported_.problems.push_back(written.error());
            }
        }
    }

    store::RunRecord recordOf(const analysis::Analysis& analysis, const analysis::AnalyzedLog& log,
                              const fs::path& root) {
        store::RunRecord record;
        RunResult& result = record.result;
        result.campaign = imported_.name;
        result.id = fmt::format("{}/{:04}", imported_.name, imported_.logs + 1);
        Subject& subject = result.benchmarkCase.subject;
        subject.implementation = analysis::implementation(*analysis.format);
        if (const Word* word = vocabulary_.find(WordKind::Implementation, subject.implementation)) {
            subject.framework = word->framework;
        }
        subject.model = vocabulary_.id(WordKind::Model, log.model);
        subject.precision = log.precision;
        subject.batchSize = log.shape.batchSize;
        result.benchmarkCase.topology = log.shape.topology;
        result.repetition = log.repetition;
        result.origin = Origin::Imported;
        result.unit = analysis::unit(*analysis.format);
        result.format = analysis::name(*analysis.format);
        result.window = analysis.window;
        result.throughput = log.figure.value;
        result.outcome = log.figure.value ? Outcome::Ok : Outcome::Short;
        if (!log.figure.value) {
            result.reason = fmt::format("the log ends at iteration {}, the window at {}",
                                        log.figure.lastIteration, analysis.window.train);
            ++imported_.withoutFigure;
        } else if (!log.folded) {
            replaced_.push_back(result.id);
        }
        record.facts["imported_from"] = (root / log.file).string();
        return record;
    }

    const store::Workspace& workspace_;
    const Vocabulary& vocabulary_;
    const std::stop_token stop_;
    const std::function<void(const Progress&)>& onProgress_;
    Progress progress_;
    Imported imported_;
    std::vector<std::string> replaced_;  // run ids
};

}  // namespace

Result<Imported> importLogs(const fs::path& folder, const store::Workspace& workspace,
                            const Vocabulary& vocabulary, const std::stop_token& stop,
                            const std::function<void(const Progress&)>& onProgress) {
    return Importer(workspace, vocabulary, stop, onProgress).run(fs::absolute(folder).lexically_normal());
}

}  // namespace dlperf::imports
