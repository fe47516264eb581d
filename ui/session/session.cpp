// SPDX-License-Identifier: Apache-2.0
#include "ui/session/session.h"

#include <algorithm>
#include <system_error>

#include "core/base/mapped.h"
#include "core/base/resources.h"
#include "core/measure/own_formats.h"
#include "core/model/campaign.h"
#include "core/remote/credentials.h"
#include "core/run/campaign.h"
#include "core/run/campaign_names.h"
#include "core/store/file_stamp.h"
#include "ui/session/log_imports.h"
#include "ui/session/node_list.h"
#include "ui/session/readiness.h"
#include "ui/session/user_questions.h"

namespace dlperf::ui {
namespace {

constexpr int statusMilliseconds = 500;
constexpr int startMilliseconds = 100;
constexpr std::size_t mostAsked = 32;  // nodes at once

std::size_t countFinished(const std::vector<run::Campaign>& campaigns) {
    std::size_t count = 0;
    for (const run::Campaign& campaign : campaigns) {
        count += static_cast<std::size_t>(
            std::ranges::count(campaign.runs, run::RunPhase::Finished, &run::RunState::phase));
    }
    return count;
}

// Of one that was imported in parts: when its last came.
std::optional<TimePoint> importTime(const run::Campaign& import) {
    return std::ranges::max(mapped(import.runs, [](const run::RunState& run) { return run.imported; }));
}

// The newest last.
std::vector<run::Campaign> importsAmong(const std::vector<RunResult>& results,
                                        const std::filesystem::path& root) {
    std::map<std::string, run::Campaign> byName;
    for (const RunResult& result : results) {
        if (result.origin != Origin::Imported || result.folder.empty()) {
            continue;
        }
        run::Campaign& campaign = byName[result.campaign];
        campaign.id = campaign.plan = result.campaign;
        run::RunState& state = campaign.runs.emplace_back();
        state.result() = result;
        state.phase = run::RunPhase::Finished;
        state.nodes = {"log"};
        state.path = root / result.folder;
    }
    std::vector<run::Campaign> imports;
    imports.reserve(byName.size());
    for (auto& [name, campaign] : byName) {
        imports.push_back(std::move(campaign));
    }
    std::ranges::stable_sort(imports, {}, importTime);
    return imports;
}

}  // namespace

// What a look at the campaigns depends on. While it stays the same there is nothing to announce: to copy,
// compare and show 10,000 runs twice a second would hold the window.
struct Session::StatusSource {
    struct Runner {
        std::string campaign;
        bool alive = false;
        std::string host;
        std::string lastWords;
        bool hasLostJournal = false;
        friend bool operator==(const Runner&, const Runner&) = default;
    };
    std::vector<std::optional<store::FileStamp>> files;
    std::vector<Runner> runners;
    bool settles = false;  // a run's files are being renamed, which no stamp tells

    explicit StatusSource(const store::Workspace& workspace)
        : files{store::stampOf(workspace.ranges()), store::stampOf(workspace.reportFile())} {
        for (const std::string& id : run::campaignIds(workspace)) {
            files.push_back(store::stampOf(run::campaignFolder(workspace, id) / "campaign.json"));
            files.push_back(store::stampOf(run::journalFile(workspace, id)));
        }
    }

    void take(const std::vector<run::Campaign>& campaigns) {
        runners = mapped(campaigns, [](const run::Campaign& campaign) {
            return Runner{campaign.id, campaign.runnerAlive, campaign.runnerHost, campaign.lastWords,
                          campaign.lostJournal.has_value()};
        });
        settles = std::ranges::any_of(campaigns, [](const run::Campaign& campaign) {
            return std::ranges::any_of(campaign.runs, &run::RunState::settling);
        });
    }

    [[nodiscard]] bool isSame(const StatusSource& other) const {
        return !settles && !other.settles && files == other.files && runners == other.runners;
    }
};

Result<std::unique_ptr<Session>> Session::open(const std::filesystem::path& root) {
    auto resources = TRY(resourceFolder());
    auto vocabulary = TRY(Vocabulary::fromFile(resources / "vocabulary.json"));
    auto workspace = TRY(store::Workspace::open(root));
    return std::unique_ptr<Session>(
        new Session(std::move(workspace), std::move(vocabulary), std::move(resources)));
}

Session::Session(store::Workspace workspace, Vocabulary vocabulary, std::filesystem::path resources)
    : workspace_(std::move(workspace)),
      vocabulary_(std::move(vocabulary)),
      resources_(std::move(resources)),
      published_(std::make_shared<std::vector<RunResult>>()),
      statusReader_(std::make_shared<run::StatusReader>(workspace_)),
      background_(std::make_unique<Background>()),
      importBackground_(std::make_unique<Background>()),
      machineBackground_(std::make_unique<Background>(mostAsked)),
      questions_(std::make_unique<UserQuestions>()),
      credentials_(std::make_shared<remote::CredentialCache>(questions_->questions())),
      nodes_(std::make_unique<NodeList>(workspace_.root(), *background_, *machineBackground_, credentials_)),
      readiness_(std::make_unique<Readiness>(*machineBackground_, credentials_)),
      measurement_(std::make_unique<Measurement>()),
      logImports_(std::make_unique<LogImports>(workspace_, vocabulary_, *importBackground_)) {
    if (auto rules = diagnosis::readRules()) {
        rules_ = std::move(*rules);
    } else {
        badRules_ = rules.error();
    }
    connect(nodes_.get(), &NodeList::problemFound, this, &Session::report);
    connect(logImports_.get(), &LogImports::changed, this, &Session::reload);
    timer_.setInterval(statusMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &Session::readStatus);
    startTimer_.setInterval(startMilliseconds);
    connect(&startTimer_, &QTimer::timeout, this, &Session::pollStarts);
    for (Background* background : {background_.get(), importBackground_.get(), machineBackground_.get()}) {
        background->onError([this](const QString& what) {
            reportOnce(
                {tr("Something could not be read").toStdString(), what.toStdString(), {}, ErrorKind::Work});
        });
    }
}

Session::~Session() = default;

void Session::start() {
    nodes_->start();
    if (badRules_) {
        report(*badRules_);
    }
    readStatus();
    readPublished();
    readResults();
    timer_.start();
}

Session::Joined Session::join(std::vector<RunResult> own, const std::vector<RunResult>& published,
                              const std::filesystem::path& root, const Vocabulary& vocabulary) {
    Joined joined;
    joined.ownCount = own.size();
    joined.imports = std::make_shared<const std::vector<run::Campaign>>(importsAmong(own, root));
    own.insert(own.end(), published.begin(), published.end());
    joined.looks = std::make_shared<const report::SeriesLooks>(own, vocabulary);
    joined.results = std::make_shared<const std::vector<RunResult>>(std::move(own));
    return joined;
}

void Session::readResults() {
    const auto end = [this] {
        ownRead_ = true;
        emitResults();
    };
    struct Read {
        std::optional<Joined> joined;  // none: the results could not be read, and those that are shown stay
        std::vector<Error> problems;
        store::StoredNotes notes;
        Result<analysis::FormatBook> formats;
    };
    background_->ask(
        this,
        [workspace = workspace_, published = published_, &vocabulary = vocabulary_] {
            if (isGone(workspace)) {
                return std::optional<Read>();  // reading would make it anew
            }
            auto stored = store::readResults(workspace);
            Read read{{}, {}, store::readNotes(workspace), measure::readFormats(workspace)};
            if (stored) {
                read.joined = join(std::move(stored->results), *published, workspace.root(), vocabulary);
                read.problems = std::move(stored->problems);
            } else {
                read.problems = {stored.error()};
            }
            return std::optional(std::move(read));
        },
        [this, end](std::optional<Read>&& there) {
            if (!there) {  // what is shown stays
                end();
                return;
            }
            Read& read = *there;
            if (notesOnTheWay_ == 0 && notes_ != read.notes.byFile) {
                notes_ = std::move(read.notes.byFile);
                emit notesChanged();
            }
            if (read.formats) {
                formats_ = std::move(*read.formats);
            } else {
                reportOnce(read.formats.error());
            }
            if (read.joined) {
                joined_ = *std::move(read.joined);
            }
            for (const Error& problem : read.problems) {
                reportOnce(problem);
            }
            end();
        },
        end);
}

// Not before all results are there, and in a turn of its own: freeing 10,000 results takes time.
void Session::emitResults() {
    if (isLoaded()) {
        QMetaObject::invokeMethod(this, &Session::resultsChanged, Qt::QueuedConnection);
    }
}

store::RunNote Session::note(const std::string& runId) const {
    const auto found = notes_.find(store::noteFile(workspace_, runId).filename().string());
    return found == notes_.end() ? store::RunNote{} : found->second;
}

void Session::setNote(const std::string& runId, const store::RunNote& note) {
    setNotes({{runId, note}});
}

// Shown at once; if the disk refuses one, the next read shows the old note again.
void Session::setNotes(const std::map<std::string, store::RunNote>& notes) {
    std::map<std::string, std::pair<store::RunNote, store::RunNote>> changes;  // before and after, by run
    for (const auto& [runId, after] : notes) {
        const store::RunNote before = note(runId);
        if (after != before) {
            changes[runId] = {before, after};
            notes_[store::noteFile(workspace_, runId).filename().string()] = after;
        }
    }
    if (changes.empty()) {
        return;
    }
    ++notesOnTheWay_;
    background_->write(
        this,
        [workspace = workspace_, changes] {
            Result<void> written;  // the first error; one file that is refused keeps no other from the disk
            for (const auto& [runId, change] : changes) {
                auto one = store::changeNote(workspace, runId, change.first, change.second);
                if (!one && written) {
                    written = std::move(one);
                }
            }
            return written;
        },
        [this](const Result<void>& written) {
            --notesOnTheWay_;
            if (!written) {
                report(written.error());
            }
            readResults();
        },
        [this] {
            --notesOnTheWay_;
            readResults();
        });
    emit notesChanged();
}

std::map<std::string, std::string> Session::campaignNames() const {
    std::map<std::string, std::string> names;
    for (const run::Campaign& campaign : *campaigns_) {
        const std::string given = note(campaign.id).note;
        names[campaign.id] = given.empty() ? usualNames_.at(campaign.id) : given;
    }
    return names;
}

void Session::nameCampaign(const std::string& id, const std::string& name) {
    const auto usual = usualNames_.find(id);
    const bool isUsual = usual != usualNames_.end() && name == usual->second;
    setNote(id, {.note = isUsual ? std::string() : name});
}

void Session::takeDeletion(const Result<run::Deletion>& deletion, const DeletionDone& onDone) {
    if (deletion) {
        onDone(*deletion);
    } else {
        report(deletion.error());
    }
    readAll();
}

void Session::moveToTrash(const run::Unwanted& unwanted, const DeletionDone& onMoved) {
    background_->write(
        this, [workspace = workspace_, unwanted] { return run::moveToTrash(workspace, unwanted); },
        [this, onMoved](const Result<run::Deletion>& moved) { takeDeletion(moved, onMoved); });
}

void Session::putBack(const std::string& deletion, const DeletionDone& onBack,
                      const std::function<void(const Error&)>& onRefused) {
    background_->write(
        this, [workspace = workspace_, deletion] { return run::putBack(workspace, deletion); },
        [this, onBack, onRefused](const Result<run::Deletion>& back) {
            takeDeletion(back, onBack);
            if (!back) {
                onRefused(back.error());
            }
        });
}

void Session::readTrash(const std::function<void(const run::Trash&)>& onRead) {
    background_->ask(
        this, [workspace = workspace_] { return run::readTrash(workspace); }, onRead);
}

void Session::emptyTrash(const std::function<void()>& onEmpty) {
    background_->write(
        this, [workspace = workspace_] { return run::emptyTrash(workspace); },
        [this, onEmpty](const Result<void>& emptied) {
            if (emptied) {
                onEmpty();
            } else {
                report(emptied.error());
            }
        });
}

void Session::readAll() {
    readResults();
    readStatus();
}

void Session::changeRanges(const store::RangeChanges& changes, const std::function<void()>& onWritten) {
    background_->write(
        this, [workspace = workspace_, changes] { return store::changeRanges(workspace, changes); },
        [this, onWritten](const Result<void>& written) {
            if (!written) {
                report(written.error());
            } else {
                emit rangesChanged();
                if (onWritten) {
                    onWritten();
                }
            }
            readAll();
        });
}

std::vector<RunResult> Session::repetitionsOf(const std::string& runId) const {
    const auto all = own();
    const auto run = std::ranges::find(all, runId, &RunResult::id);
    std::vector<RunResult> repetitions;
    if (run != all.end() && store::mayChangeRange(*run)) {
        std::ranges::copy_if(all, std::back_inserter(repetitions), [&](const RunResult& other) {
            return seriesCampaign(other) == seriesCampaign(*run) &&
                   other.benchmarkCase == run->benchmarkCase && store::mayChangeRange(other);
        });
    }
    return repetitions;
}

std::vector<RunResult> Session::resultsOf(const std::string& campaign) const {
    const std::string first = seriesCampaign(own(), campaign);
    std::vector<RunResult> results;
    std::ranges::copy_if(own(), std::back_inserter(results),
                         [&](const RunResult& result) { return seriesCampaign(result) == first; });
    return results;
}

// Before the workspace's own ones, which are joined to them there.
void Session::readPublished() {
    const auto end = [this] {
        publishedRead_ = true;
        emitResults();
    };
    background_->ask(
        this,
        [file = resources_ / "published" / "dlperf.json", published = published_, root = workspace_.root(),
         &vocabulary = vocabulary_]() -> Result<Joined> {
            *published = TRY(store::readPublished(file, vocabulary));
            return join({}, *published, root, vocabulary);
        },
        [this, end](Result<Joined>&& joined) {
            if (!joined) {
                report(joined.error());
            } else {
                joined_ = *std::move(joined);
            }
            end();
        },
        end);
}

void Session::readStatus() {
    if (statusPending_) {
        return;  // a slow disk: do not queue up
    }
    statusPending_ = true;
    struct Look {
        std::optional<std::vector<run::Campaign>> campaigns;  // none: as they were
        std::shared_ptr<const StatusSource> source;
        std::vector<Error> problems;
        std::filesystem::file_time_type logsChanged;
    };
    background_->ask(
        this,
        [reader = statusReader_, workspace = workspace_, before = statusSource_] {
            if (isGone(workspace)) {
                return std::optional<Look>();
            }
            // Stamps before contents: what is written in between is read again at the next look.
            auto source = std::make_shared<StatusSource>(workspace);
            run::WorkspaceStatus status = reader->read();
            source->take(status.campaigns);
            std::error_code none;
            Look look{{},
                      source,
                      std::move(status.problems),
                      std::filesystem::last_write_time(workspace.logs(), none)};
            if (before == nullptr || !before->isSame(*source)) {
                look.campaigns = std::move(status.campaigns);
            }
            return std::optional(std::move(look));
        },
        [this](std::optional<Look>&& look) {
            statusPending_ = false;
            tellIfGone(!look);
            if (!look) {
                return;
            }
            for (const Error& problem : look->problems) {
                reportOnce(problem);
            }
            if (look->campaigns) {
                statusSource_ = look->source;
                takeStatus(*std::move(look->campaigns));
            }
            forgetReadSkips();
            // Another program imported logs.
            if (std::exchange(logsChanged_, look->logsChanged).value_or(look->logsChanged) !=
                look->logsChanged) {
                readResults();
            }
        },
        [this] { statusPending_ = false; });
}

// Once each time that the folder goes; when it is back all is read again.
void Session::tellIfGone(bool gone) {
    if (gone == gone_) {
        return;
    }
    gone_ = gone;
    if (gone) {
        report(goneError());
    } else {
        readResults();
    }
}

bool Session::isGone(const store::Workspace& workspace) {
    std::error_code error;
    return !std::filesystem::is_directory(workspace.root(), error);
}

Error Session::goneError() const {
    return {tr("The workspace's folder is gone").toStdString(), workspace_.root().string(),
            tr("Put it back where it was, or open it where it is now; what was read from it stays in sight.")
                .toStdString(),
            ErrorKind::Work};
}

bool Session::isSkipped(const run::RunState& run) const {
    const auto asked = skipAsked_.find(run.id);
    return run.phase == run::RunPhase::Queued && (asked == skipAsked_.end() ? run.skipped : asked->second);
}

bool Session::isBeingCancelled(const run::RunState& run) const {
    const auto asked = skipAsked_.find(run.id);
    return run.isActive() && asked != skipAsked_.end() && asked->second;
}

void Session::takeStatus(std::vector<run::Campaign> campaigns) {
    const bool areSame =
        std::ranges::equal(campaigns, *campaigns_, {}, &run::Campaign::id, &run::Campaign::id);
    campaigns_ = std::make_shared<const std::vector<run::Campaign>>(std::move(campaigns));
    if (!areSame) {
        usualNames_ = run::campaignNames(*campaigns_);
    }
    // A run that ended has its figure in run.json.
    if (const std::size_t finished = countFinished(*campaigns_); finished != finishedRuns_) {
        finishedRuns_ = finished;
        readResults();
    }
    emit statusChanged();
}

// What the journal says as well.
void Session::forgetReadSkips() {
    if (skipAsked_.empty()) {
        return;
    }
    for (const run::Campaign& campaign : *campaigns_) {
        for (const run::RunState& run : campaign.runs) {
            const auto asked = skipAsked_.find(run.id);
            // One that has ended may be retried from elsewhere.
            if (asked != skipAsked_.end() &&
                (asked->second == run.skipped || run.phase == run::RunPhase::Finished)) {
                skipAsked_.erase(asked);
            }
        }
    }
}

// Reports what every poll finds again only once: a banner that was closed stays closed.
void Session::reportOnce(const Error& error) {
    if (reported_.insert(describe(error)).second) {
        report(error);
    }
}

QString Session::settingsGroup() const {
    const QByteArray root = QByteArray::fromStdString(workspace_.root().string());
    return QStringLiteral("workspaces/") + QString::fromLatin1(root.toHex());
}

const run::Campaign* Session::openCampaign() const {
    const auto newest = [this](auto holds) {
        const auto found = std::find_if(campaigns_->rbegin(), campaigns_->rend(), holds);
        return found == campaigns_->rend() ? nullptr : &*found;
    };
    const run::Campaign* running = newest([](const run::Campaign& campaign) { return campaign.runnerAlive; });
    const auto isOpen = [](const run::Campaign& campaign) { return !campaign.finished(); };
    const run::Campaign* resumable =
        newest([&](const run::Campaign& campaign) { return isOpen(campaign) && !campaign.lostJournal; });
    return running != nullptr ? running : resumable != nullptr ? resumable : newest(isOpen);
}

const run::RunState* Session::activeRun() const {
    for (const run::Campaign& campaign : *campaigns_) {
        for (const run::RunState& run : campaign.runs) {
            if (campaign.runnerAlive && run.isActive()) {
                return &run;
            }
        }
    }
    return nullptr;
}

void Session::request(run::Request request, const std::string& runId) {
    requestOfMany(request, {runId});
}

void Session::requestOfMany(run::Request request, const std::vector<std::string>& runIds) {
    if (runIds.empty()) {
        return;
    }
    if (auto written =
            run::writeRequest(workspace_, request, runIds.front(), {runIds.begin() + 1, runIds.end()});
        !written) {
        report(written.error());
        return;
    }
    if (request == run::Request::CancelRun || request == run::Request::KeepRun) {
        for (const std::string& runId : runIds) {
            skipAsked_[runId] = request == run::Request::CancelRun;
        }
    }
    emit statusChanged();
}

}  // namespace dlperf::ui
