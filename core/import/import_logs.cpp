// SPDX-License-Identifier: Apache-2.0
#include "core/import/import_logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "core/analysis/format_json.h"
#include "core/analysis/format_row.h"
#include "core/base/parallel.h"
#include "core/import/place.h"
#include "core/import/publish.h"
#include "core/import/ranks.h"
#include "core/measure/own_formats.h"
#include "core/store/names.h"
#include "core/store/notes.h"
#include "core/store/ranges.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;

// After what is imported; the folders of topologies are no names.
std::string nameAfter(const std::vector<std::string>& above) {
    const auto found = std::find_if(above.rbegin(), above.rend(),
                                    [](const std::string& part) { return !parseTopology(part); });
    return store::encodedName(found == above.rend() ? "logs" : *found, "_");
}

std::string freeName(const store::Workspace& workspace, const std::string& base) {
    for (int number = 1;; ++number) {
        std::string name = number == 1 ? base : fmt::format("{}-{}", base, number);
        std::error_code ignored;
        if (!fs::exists(fs::symlink_status(workspace.logs() / importFolder(name), ignored))) {
            return name;
        }
    }
}

// What may be anything, like a README, is not worth a word unless it is a log.
bool isWorthProposing(const Proposal& proposal) {
    return proposal.format != nullptr || proposal.log.kind == FileKind::Log;
}

// What a workspace or a bundle brings along beside those that are known.
Result<void> takeFormats(FoundLogs& found, ImportOptions& options) {
    for (const FoundFormats& file : found.formats) {
        const auto rows = analysis::formatsFromJson(file.text, file.name);
        if (!rows && !file.isPublished) {
            found.remarks.add("a file that holds no log formats was left out", file.name);
            continue;
        }
        if (!rows) {
            return Failure(rows.error());
        }
        options.formats = TRY(measure::withFormats(options.formats, *rows, file.name));
    }
    const analysis::Format*& format = options.corrections.format;
    format = format != nullptr ? options.formats.find(format->name) : nullptr;  // among those of the plan
    return {};
}

// One for each log, in their order.
std::vector<Result<Proposal>> proposals(const FoundLogs& found, const Vocabulary& vocabulary,
                                        const ImportOptions& options, const std::stop_token& stop,
                                        const OnProgress& onProgress) {
    const analysis::FormatDetector detector(options.formats);
    std::vector<Result<Proposal>> all(found.logs.size());
    std::mutex telling;
    std::size_t done = 0;
    inParallel(found.logs.size(), coresToUse(), [&](std::size_t i) {
        all[i] = propose(found.logs[i], found.above, options.corrections.format, detector, vocabulary, stop);
        const std::lock_guard lock(telling);
        ++done;
        if (onProgress) {
            onProgress({Stage::Reading, done, found.logs.size()});
        }
    });
    return all;
}

// Repetitions count from 1 here; logs of a folder that count from 0 are one higher.
void countFromOne(std::vector<Proposal>& proposals) {
    const auto folderOf = [](const Proposal& proposal) { return proposal.log.file.parent_path(); };
    std::set<fs::path> fromZero;
    for (const Proposal& proposal : proposals) {
        if (proposal.repetition == 0) {
            fromZero.insert(folderOf(proposal));
        }
    }
    for (Proposal& proposal : proposals) {
        if (proposal.repetition && fromZero.contains(folderOf(proposal))) {
            ++*proposal.repetition;
        }
    }
}

Result<void> proposeAll(ImportPlan& plan, const FoundLogs& found, const Vocabulary& vocabulary,
                        const ImportOptions& options, const std::stop_token& stop,
                        const OnProgress& onProgress) {
    Remarks remarks = found.remarks;
    std::vector<Error> unreadable;
    Corrections corrections = options.corrections;
    corrections.format = nullptr;  // propose() took it, where the log has a line of it
    for (Result<Proposal>& proposal : proposals(found, vocabulary, options, stop, onProgress)) {
        if (!proposal && proposal.error().kind == ErrorKind::Work) {
            return Failure(proposal.error());
        }
        if (!proposal) {
            unreadable.push_back(proposal.error());
        } else if (!isWorthProposing(*proposal) && proposal->bytes == 0) {
            remarks.add("an empty file was skipped", proposal->name);
        } else if (!isWorthProposing(*proposal)) {
            remarks.add("a text that is no log of a known format was skipped", proposal->name);
        } else {
            correct(*proposal, corrections, vocabulary);
            plan.proposals.push_back(std::move(*proposal));
        }
    }
    keepFirstRanks(plan.proposals, remarks);
    countFromOne(plan.proposals);
    plan.remarks = remarks.list();
    plan.leftOut = remarks.all();
    for (std::vector<Error>* list : {&plan.remarks, &plan.leftOut}) {
        list->insert(list->end(), unreadable.begin(), unreadable.end());
    }
    return {};
}

// The import's name may be that of one whose folder was removed: what was said of those runs is not said of
// these.
Result<void> forgetEarlier(const store::Workspace& workspace, const SavedLogs& copied) {
    const auto ranges = store::readRanges(workspace).value_or(store::ChangedRanges());
    store::RangeChanges gone;
    for (const SavedLog& log : copied.logs) {
        TRY(store::writeNote(workspace, log.result.id, {}));
        if (ranges.contains(log.result.id)) {
            gone[log.result.id] = std::nullopt;
        }
    }
    return gone.empty() ? Result<void>() : store::changeRanges(workspace, gone);
}

// The result says it, and the note makes it so for who reads the workspace.
void keepExclusions(const store::Workspace& workspace, Imported& imported) {
    for (const SavedLog& log : imported.saved) {
        if (!log.result.excluded) {
            continue;
        }
        const store::RunNote note{{}, true, log.result.exclusionReason};
        if (auto written = store::writeNote(workspace, log.result.id, note); !written) {
            imported.problems.push_back(written.error());
        }
    }
}

void count(const ImportPlan& plan, Imported& imported) {
    imported.logs = imported.saved.size();
    imported.duplicates = plan.count(Verdict::Duplicate);
    for (const SavedLog& log : imported.saved) {
        imported.withoutFigure += log.result.outcome == Outcome::Ok ? 0U : 1U;
        if (std::find(imported.formats.begin(), imported.formats.end(), log.result.format) ==
            imported.formats.end()) {
            imported.formats.push_back(log.result.format);
        }
        const std::string& name = plan.proposals[log.proposal].name;
        for (RunFinding finding : log.result.findings) {
            finding.where = finding.where.empty() ? name : name + ", " + finding.where;
            imported.findings.push_back(std::move(finding));
        }
    }
}

std::string remedyOf(const std::string& missing) {
    return missing == "topology" ? "Say it (--topology 2n8g), or lay the log into a folder like 2n8g."
                                 : "Say it (--batch-size 128), or lay the log into a folder like bz128.";
}

// Why single logs are not saved; duplicates are only counted.
void reportSkipped(const ImportPlan& plan, Imported& imported) {
    for (const Proposal& proposal : plan.proposals) {
        if (proposal.verdict == Verdict::NoFormat) {
            imported.problems.push_back(fail(proposal.why, proposal.name,
                                             proposal.bytes == 0 ? "" : "Name the format, if it is a log.")
                                            .value());
        } else if (proposal.verdict == Verdict::Incomplete) {
            imported.problems.push_back(fail(fmt::format("its {} is not known", proposal.missing.front()),
                                             proposal.name, remedyOf(proposal.missing.front()))
                                            .value());
        }
    }
}

// The user's own formats that some new log is of.
std::vector<analysis::Format> formatsOf(const ImportPlan& plan) {
    std::vector<analysis::Format> used;
    for (const analysis::Format& format : plan.formats.own()) {
        if (std::any_of(plan.proposals.begin(), plan.proposals.end(), [&](const Proposal& proposal) {
                return proposal.verdict == Verdict::New && proposal.format == &format;
            })) {
            used.push_back(format);
        }
    }
    return used;
}

// A file that is named and cannot be read is the user's error; a folder without logs is work without a
// result.
Failure noLogs(const ImportPlan& plan, const fs::path& path) {
    const auto unreadable = std::find_if(plan.remarks.begin(), plan.remarks.end(),
                                         [](const Error& remark) { return !remark.remedy.empty(); });
    if (unreadable != plan.remarks.end()) {
        return Failure(*unreadable);
    }
    std::string what = "no logs were found";
    for (const Error& remark : plan.remarks) {
        what += "; " + remark.what + ": " + remark.where;
    }
    return fail(std::move(what), path.string(), "Name a folder, an archive or a log (*.log, *.out, *.txt).",
                ErrorKind::Work);
}

Failure nothingNew(const ImportPlan& plan) {
    const std::size_t duplicates = plan.count(Verdict::Duplicate);
    if (duplicates > 0) {
        const auto first = std::ranges::find(plan.proposals, Verdict::Duplicate, &Proposal::verdict);
        return fail(
            fmt::format("nothing is new: {} of {} logs are in the workspace already, the first as {}",
                        duplicates, plan.proposals.size(), first->sameAs),
            plan.name,
            "For another measurement range use Run, Change the measurement range in the window. For that "
            "or another case, delete the import that has them (`dlperf delete`) and import them again.",
            ErrorKind::Work);
    }
    Imported told;
    reportSkipped(plan, told);
    Error why =
        told.problems.empty() ? fail("nothing can be imported", plan.name).value() : told.problems.front();
    why.kind = ErrorKind::Work;
    return Failure(why);
}

}  // namespace

std::size_t ImportPlan::count(Verdict verdict) const {
    return static_cast<std::size_t>(
        std::count_if(proposals.begin(), proposals.end(),
                      [&](const Proposal& proposal) { return proposal.verdict == verdict; }));
}

Result<ImportPlan> planImport(const fs::path& path, const store::Workspace& workspace,
                              const Vocabulary& vocabulary, const ImportOptions& given,
                              const std::stop_token& stop, const OnProgress& onProgress) {
    ImportPlan plan{{}, given.formats, {}, {}, {}, TRY(Staging::make(workspace.root()))};
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error).lexically_normal();
    FoundLogs found = TRY(findLogs(absolute.has_filename() ? absolute : absolute.parent_path(),
                                   plan.staging.unpacked(), given.limits, stop, onProgress));
    ImportOptions options = given;
    TRY(takeFormats(found, options));
    plan.formats = options.formats;
    plan.name = options.name.empty() ? freeName(workspace, nameAfter(found.above)) : options.name;
    TRY(proposeAll(plan, found, vocabulary, options, stop, onProgress));
    if (plan.proposals.empty()) {
        return noLogs(plan, path);
    }
    TRY(place(plan.proposals, workspace, plan.name, vocabulary, stop));
    return plan;
}

Result<Imported> saveImport(ImportPlan& plan, const store::Workspace& workspace, const Vocabulary& vocabulary,
                            const std::stop_token& stop, const OnProgress& onProgress) {
    const Descriptor turn = TRY(waitForTurn(workspace, stop, onProgress));
    TRY(place(plan.proposals, workspace, plan.name, vocabulary, stop));
    if (plan.count(Verdict::New) == 0) {
        return nothingNew(plan);
    }
    auto copied = TRY(copyLogs(plan.proposals, plan.name, workspace, plan.staging.ready(), stop, onProgress));
    if (copied.logs.empty()) {
        return Failure(copied.problems.front());
    }
    TRY(measure::keepFormats(workspace, formatsOf(plan), "the import"));
    TRY(forgetEarlier(workspace, copied));
    TRY(publish(plan.staging.ready(), plan.name, workspace));
    Imported imported;
    imported.name = plan.name;
    imported.saved = std::move(copied.logs);
    imported.problems = plan.remarks;
    imported.refused = copied.problems.size();
    imported.problems.insert(imported.problems.end(), copied.problems.begin(), copied.problems.end());
    reportSkipped(plan, imported);
    keepExclusions(workspace, imported);
    count(plan, imported);
    return imported;
}

}  // namespace dlperf::imports
