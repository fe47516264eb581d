// SPDX-License-Identifier: Apache-2.0
// How a session starts runners: processes that outlive the window, whose first words it waits for.
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QUuid>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/remote/credentials.h"
#include "core/run/retry.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"

namespace dlperf::ui {
namespace {

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

}  // namespace

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

}  // namespace dlperf::ui
