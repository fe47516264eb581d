// SPDX-License-Identifier: Apache-2.0
#include "ui/session/session.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QUuid>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/measure/own_formats.h"
#include "core/model/campaign.h"
#include "core/remote/credentials.h"
#include "core/run/campaign.h"
#include "core/run/campaign_names.h"
#include "core/run/retry.h"
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

QString textOf(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

constexpr std::uintmax_t longestMessage = 64U << 10U;

// Writes the exit code by rename, after the output is complete.
constexpr const char* runnerScript =
    "code=$1; shift; \"$@\"; echo $? >\"$code.new\" && mv \"$code.new\" \"$code\"";

std::filesystem::path unfinished(const std::filesystem::path& code) {
    return std::filesystem::path(code) += ".new";
}

std::filesystem::path outputBeside(const std::filesystem::path& code) {
    return code.parent_path() / (code.stem().string() + ".said");
}

struct Detached {
    std::filesystem::path code;  // the file where the exit code will stand
    qint64 id = 0;
    Descriptor process;  // readable once it has ended; not open on a system that has no such descriptors
};

bool hasEnded(qint64 id, const Descriptor& process) {
    pollfd end{process.get(), POLLIN, 0};
    return process.open() ? ::poll(&end, 1, 0) > 0 : ::kill(static_cast<pid_t>(id), 0) != 0;
}

// `input` is the program's standard input, in memory only.
Result<Detached> startDetached(const QString& program, const QStringList& arguments,
                               const std::filesystem::path& folder, const std::string& input) {
    const Descriptor memory(::memfd_create("dlperf-input", MFD_CLOEXEC));
    if (const int failed = memory.open() ? writeAll(memory.get(), input) : errno; failed != 0) {
        return fail("no process can be started", std::strerror(failed), {}, ErrorKind::Work);
    }
    TRY(makeFolder(folder));
    auto code = folder / (QUuid::createUuid().toString(QUuid::Id128).toStdString() + ".code");
    QProcess process;
    process.setProgram(QStringLiteral("/bin/sh"));
    process.setArguments(QStringList{QStringLiteral("-c"), QString::fromLatin1(runnerScript),
                                     QStringLiteral("sh"), QString::fromStdString(code.string()), program} +
                         arguments);
    // Opened anew by this name, it is read from its begin.
    process.setStandardInputFile(QStringLiteral("/proc/self/fd/%1").arg(memory.get()));
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QString::fromStdString(outputBeside(code).string()));
    qint64 id = 0;
    if (!process.startDetached(&id)) {
        return fail("no process can be started", process.errorString().toStdString(), {}, ErrorKind::Work);
    }
    return Detached{std::move(code), id, Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)))};
}

bool isGone(const store::Workspace& workspace) {
    std::error_code error;
    return !std::filesystem::is_directory(workspace.root(), error);
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
        [this](std::optional<Read>&& there) {
            if (!there) {  // what is shown stays
                ownRead_ = true;
                emitResults();
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
            ownRead_ = true;
            if (read.joined) {
                joined_ = *std::move(read.joined);
            }
            for (const Error& problem : read.problems) {
                reportOnce(problem);
            }
            emitResults();
        },
        [this] {
            ownRead_ = true;
            emitResults();
        });
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

// Shown at once; if the disk refuses it, the next read shows the old note again.
void Session::setNote(const std::string& runId, const store::RunNote& note) {
    const store::RunNote before = this->note(runId);
    if (note == before) {
        return;
    }
    notes_[store::noteFile(workspace_, runId).filename().string()] = note;
    ++notesOnTheWay_;
    background_->write(
        this,
        [workspace = workspace_, runId, before, note] {
            return store::changeNote(workspace, runId, before, note);
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
    background_->ask(
        this,
        [file = resources_ / "published" / "dlperf.json", published = published_, root = workspace_.root(),
         &vocabulary = vocabulary_]() -> Result<Joined> {
            *published = TRY(store::readPublished(file, vocabulary));
            return join({}, *published, root, vocabulary);
        },
        [this](Result<Joined>&& joined) {
            publishedRead_ = true;
            if (!joined) {
                report(joined.error());
            } else {
                joined_ = *std::move(joined);
            }
            emitResults();
        },
        [this] {
            publishedRead_ = true;
            emitResults();
        });
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

Result<void> Session::startPlan(const std::filesystem::path& plan, const std::filesystem::path& cluster) {
    QStringList arguments{QStringLiteral("run"), textOf(plan)};
    if (!cluster.empty()) {
        arguments << QStringLiteral("--cluster") << textOf(cluster);
    }
    return startRunner(arguments, tr("The runs did not start."));
}

void Session::resume() {
    skipAsked_.clear();  // what is in the journal counts
    startOrRefuse({QStringLiteral("resume")}, tr("The runs did not resume."));
}

void Session::retry(const std::string& campaignId, const std::set<std::string>& runIds) {
    QStringList arguments{QStringLiteral("retry"), QStringLiteral("--campaign"),
                          QString::fromStdString(campaignId)};
    for (const std::string& id : runIds) {
        arguments << QStringLiteral("--run") << QString::fromStdString(id);
    }
    skipAsked_.clear();  // what is in the journal counts
    startOrRefuse(arguments, tr("The runs were not started again."));
}

void Session::repeat(const run::Campaign& campaign, const std::string& runId) {
    background_->ask(
        this,
        [workspace = workspace_, campaign, runId] { return run::writeRetry(workspace, campaign, {runId}); },
        [this, refusal = tr("The run was not started again.")](const Result<run::Retry>& retry) {
            if (retry) {
                startOrRefuse({QStringLiteral("run"), textOf(retry->plan), QStringLiteral("--cluster"),
                               textOf(retry->cluster), QStringLiteral("--recipes"), textOf(retry->recipes)},
                              refusal);
            } else {
                emit runnerRefused(refusal, QString::fromStdString(describe(retry.error())));
            }
        });
}

void Session::startOrRefuse(const QStringList& arguments, const QString& refusal) {
    if (const auto started = startRunner(arguments, refusal); !started) {
        emit runnerRefused(refusal, QString::fromStdString(describe(started.error())));
    }
}

Result<QString> Session::runnerProgram() const {
    QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/dlperf");
    if (!QFileInfo(program).isExecutable()) {
        return fail("the program dlperf is missing beside the dashboard", program.toStdString(),
                    "Build or install it: cmake --build build --target dlperf", ErrorKind::Work);
    }
    if (isGone(workspace_)) {  // the runner would make another one
        return Failure(goneError());
    }
    return program;
}

// The program detaches: its parent ends with 0 when the runner began, else with a message.
Result<void> Session::startRunner(QStringList arguments, const QString& refusal) {
    if (measurement_->isRunning()) {
        return fail("the hardware is being measured", {}, "Wait for its end, or cancel it on Cluster.",
                    ErrorKind::Work);
    }
    const QString program = TRY(runnerProgram());
    arguments << QStringLiteral("--workspace") << textOf(workspace_.root()) << QStringLiteral("--detach");
    // The runner has nobody to ask: it knows what was answered here.
    const remote::CachedCredentials given = credentials_->cached();
    if (!given.empty()) {
        arguments << QStringLiteral("--answers");
    }
    auto started = TRY(startDetached(program, arguments, workspace_.root() / "starts",
                                     given.empty() ? std::string() : remote::toJson(given)));
    starts_.push_back({std::move(started.code), started.id, std::move(started.process), refusal});
    startTimer_.start();
    emit runnerStarted();
    return {};
}

Result<void> Session::measure(Measurement::Kind kind, const QString& folder) {
    return measurement_->start({.program = TRY(runnerProgram()),
                                .workspace = workspace_.root(),
                                .cluster = nodes_->written(),
                                .answers = remote::toJson(credentials_->cached()),
                                .kind = kind,
                                .folder = folder});
}

// Whether the runner has begun, or refused to, which is said.
bool Session::takeEnd(const Start& start) {
    const bool ended = hasEnded(start.id, start.process);  // before the look for what it wrote last
    std::error_code error;
    if (!std::filesystem::exists(start.code, error) && !ended) {
        return false;
    }
    const auto output = outputBeside(start.code);
    const auto code = readFile(start.code);
    const std::string said(trim(readFile(output, longestMessage).value_or("")));
    for (const std::filesystem::path& file : {start.code, unfinished(start.code), output}) {
        std::filesystem::remove(file, error);
    }
    if (!code || toInt(trim(*code)).value_or(1) != 0) {
        emit runnerRefused(start.refusal,
                           said.empty() ? tr("It ended and could not say why. See whether the disk of the "
                                             "workspace is full, and start again.")
                                        : QString::fromStdString(said));
    }
    return true;
}

void Session::pollStarts() {
    if (std::erase_if(starts_, [this](const Start& start) { return takeEnd(start); }) > 0) {
        statusSource_.reset();  // what waits for the start is told of its end, whatever is read
        readStatus();
    }
    if (starts_.empty()) {
        startTimer_.stop();
    }
}

void Session::request(run::Request request, const std::string& runId) {
    if (auto written = run::writeRequest(workspace_, request, runId); !written) {
        report(written.error());
        return;
    }
    if (request == run::Request::CancelRun) {
        skipAsked_[runId] = true;
    } else if (request == run::Request::KeepRun) {
        skipAsked_[runId] = false;
    }
    emit statusChanged();
}

}  // namespace dlperf::ui
