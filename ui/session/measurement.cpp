// SPDX-License-Identifier: Apache-2.0
#include "ui/session/measurement.h"

#include <QLocale>
#include <QProcessEnvironment>
#include <algorithm>
#include <chrono>

#include "core/run/settings.h"

namespace dlperf::ui {
namespace {

constexpr std::chrono::milliseconds cleanUp{5'000};  // once its trainers have ended
constexpr qsizetype longestLine = 4'096;
constexpr qsizetype mostProblems = 20;

// As the command calls them.
QString wordOf(Measurement::Kind kind) {
    return kind == Measurement::Kind::Links       ? QStringLiteral("links")
           : kind == Measurement::Kind::Computing ? QStringLiteral("compute")
                                                  : QStringLiteral("data");
}

QStringList argumentsOf(const Measurement::Wanted& wanted, const std::filesystem::path& cluster) {
    QStringList arguments{QStringLiteral("bench"),
                          wordOf(wanted.kind),
                          QString::fromStdString(cluster.string()),
                          QStringLiteral("--workspace"),
                          QString::fromStdString(wanted.workspace.string()),
                          QStringLiteral("--answers")};
    if (!wanted.folder.isEmpty()) {
        arguments << QStringLiteral("--data") << wanted.folder;
    }
    return arguments;
}

// It speaks the language of the window.
QProcessEnvironment environmentOfWindow() {
    auto environment = QProcessEnvironment::systemEnvironment();
    const bool isChinese = QLocale().language() == QLocale::Chinese;
    environment.insert(QStringLiteral("LANGUAGE"),
                       isChinese ? QStringLiteral("zh_CN") : QStringLiteral("en"));
    return environment;
}

}  // namespace

Measurement::Measurement(QObject* parent) : QObject(parent) {
    connect(&process_, &QProcess::readyReadStandardOutput, this, &Measurement::readOutput);
    connect(&process_, &QProcess::readyReadStandardError, this, &Measurement::readErrors);
    connect(&process_, &QProcess::finished, this, [this] { end(tr("The program ended without a word.")); });
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            end(process_.errorString());
        }
    });
}

Measurement::~Measurement() {
    if (isRunning_) {
        process_.disconnect(this);
        process_.terminate();
        process_.waitForFinished(static_cast<int>((run::Settings().grace + cleanUp).count()));
    }
}

Result<void> Measurement::start(const Wanted& wanted) {
    constexpr unsigned ownOnly = 0600;
    auto input = TRY(TemporaryFolder::make("dlperf-bench"));
    const auto list = input.path() / "cluster.json";
    TRY(writeFileAtomically(list, cluster::toJson(wanted.cluster).dump() + "\n", ownOnly));
    input_.emplace(std::move(input));
    kind_ = wanted.kind;
    progress_.clear();
    problems_.clear();
    rest_.clear();
    isCancelled_ = false;
    hasPrinted_ = false;
    isRunning_ = true;
    process_.setProcessEnvironment(environmentOfWindow());
    process_.start(wanted.program, argumentsOf(wanted, list));
    if (isRunning_) {  // it was found
        process_.write(QByteArray::fromStdString(wanted.answers));
        process_.closeWriteChannel();
        emit changed();
    }
    return {};
}

// As SIGINT does; but programs that a shell started in the background ignore that one. Again, where it goes
// on: the first may have come at a moment when nobody listened.
void Measurement::cancel() {
    if (isRunning_) {
        isCancelled_ = true;
        process_.terminate();
        emit changed();
    }
}

void Measurement::readOutput() {
    hasPrinted_ = hasPrinted_ || !process_.readAllStandardOutput().isEmpty();
}

void Measurement::readErrors() {
    rest_ += process_.readAllStandardError();
    for (qsizetype end = rest_.indexOf('\n'); end >= 0; end = rest_.indexOf('\n')) {
        take(QString::fromUtf8(rest_.first(std::min(end, longestLine))).trimmed());
        rest_.remove(0, end + 1);
    }
    rest_.truncate(longestLine);
    emit changed();
}

void Measurement::take(const QString& line) {
    const QString problem = QStringLiteral("dlperf bench: ");
    if (line.startsWith(problem)) {
        if (problems_.size() < mostProblems) {
            problems_ << line.sliced(problem.size());
        }
    } else if (!line.isEmpty()) {
        progress_ = line;
    }
}

void Measurement::end(const QString& whyNot) {
    readOutput();
    rest_ += '\n';
    readErrors();
    isRunning_ = false;
    input_.reset();
    emit changed();
    if (hasPrinted_) {
        emit ended(End::Measured, problems_);
    } else if (isCancelled_) {
        emit ended(End::Cancelled, {});
    } else if (!problems_.isEmpty()) {
        emit ended(End::Failed, problems_);
    } else {
        emit ended(End::Failed, {progress_.isEmpty() ? whyNot : progress_});
    }
}

}  // namespace dlperf::ui
