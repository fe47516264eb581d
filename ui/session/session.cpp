// SPDX-License-Identifier: Apache-2.0
#include "ui/session/session.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <algorithm>

#include "core/base/resources.h"
#include "core/store/results.h"

namespace dlperf::ui {
namespace {

constexpr int statusMilliseconds = 500;

std::size_t countFinished(const std::vector<run::CampaignStatus>& campaigns) {
    std::size_t count = 0;
    for (const run::CampaignStatus& campaign : campaigns) {
        count += static_cast<std::size_t>(
            std::ranges::count(campaign.runs, run::RunState::Finished, &run::RunStatus::state));
    }
    return count;
}

}  // namespace

Result<std::unique_ptr<Session>> Session::open(const std::filesystem::path& root) {
    auto resources = resourceFolder();
    if (!resources) {
        return Failure(resources.error());
    }
    auto vocabulary = Vocabulary::fromFile(*resources / "vocabulary.json");
    if (!vocabulary) {
        return Failure(vocabulary.error());
    }
    auto workspace = store::Workspace::open(root);
    if (!workspace) {
        return Failure(workspace.error());
    }
    return std::unique_ptr<Session>(
        new Session(std::move(*workspace), std::move(*vocabulary), std::move(*resources)));
}

Session::Session(store::Workspace workspace, Vocabulary vocabulary, std::filesystem::path resources)
    : workspace_(std::move(workspace)),
      vocabulary_(std::move(vocabulary)),
      resources_(std::move(resources)),
      statusReader_(std::make_shared<run::StatusReader>(workspace_)),
      background_(std::make_unique<Background>()) {
    timer_.setInterval(statusMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &Session::readStatus);
}

void Session::start() {
    readStatus();
    readResults();
    readPublished();
    timer_.start();
}

void Session::readResults() {
    background_->ask(
        this, [workspace = workspace_] { return store::readResults(workspace); },
        [this](const Result<store::StoredResults>& stored) {
            ownRead_ = true;
            if (!stored) {
                report(stored.error());
            } else {
                own_ = stored->results;
                for (const Error& problem : stored->problems) {
                    report(problem);
                }
            }
            emit resultsChanged();
        });
}

void Session::readPublished() {
    background_->ask(
        this,
        [file = resources_ / "published" / "dlperf.json", &vocabulary = vocabulary_] {
            return store::readPublished(file, vocabulary);
        },
        [this](const Result<std::vector<RunResult>>& results) {
            publishedRead_ = true;
            if (!results) {
                report(results.error());
            } else {
                published_ = *results;
            }
            emit resultsChanged();
        });
}

void Session::readStatus() {
    if (statusPending_) {
        return;  // a slow disk: do not queue up
    }
    statusPending_ = true;
    background_->ask(
        this, [reader = statusReader_] { return reader->read(); },
        [this](const run::WorkspaceStatus& status) {
            statusPending_ = false;
            for (const Error& problem : status.problems) {
                if (reportedStatus_.insert(describe(problem)).second) {  // it is found at every look
                    report(problem);
                }
            }
            takeStatus(status.campaigns);
        });
}

void Session::takeStatus(std::vector<run::CampaignStatus> campaigns) {
    campaigns_ = std::move(campaigns);
    if (const std::size_t finished = countFinished(campaigns_); finished != finishedRuns_) {
        finishedRuns_ = finished;
        readResults();
    }
    emit statusChanged();
}

void Session::report(const Error& error) {
    emit problemFound(QString::fromStdString(error.what), QString::fromStdString(error.where),
                      QString::fromStdString(error.remedy));
}

const run::CampaignStatus* Session::openCampaign() const {
    const auto found = std::find_if(campaigns_.rbegin(), campaigns_.rend(), [](const auto& campaign) {
        return campaign.runnerAlive || !campaign.finished;
    });
    return found == campaigns_.rend() ? nullptr : &*found;
}

const run::RunStatus* Session::activeRun() const {
    for (const run::CampaignStatus& campaign : campaigns_) {
        for (const run::RunStatus& run : campaign.runs) {
            if (campaign.runnerAlive && run.state != run::RunState::Queued &&
                run.state != run::RunState::Finished) {
                return &run;
            }
        }
    }
    return nullptr;
}

Result<void> Session::startPlan(const std::filesystem::path& plan) {
    return startRunner({QStringLiteral("run"), QString::fromStdString(plan.string()),
                        QStringLiteral("--workspace"), QString::fromStdString(workspace_.root().string()),
                        QStringLiteral("--detach")});
}

Result<void> Session::resume() {
    return startRunner({QStringLiteral("resume"), QStringLiteral("--workspace"),
                        QString::fromStdString(workspace_.root().string()), QStringLiteral("--detach")});
}

// The program detaches by itself and its parent ends at once: with 0 when the runner began, else with a
// message.
Result<void> Session::startRunner(const QStringList& arguments) {
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/dlperf");
    if (!QFileInfo(program).isExecutable()) {
        return fail("the program dlperf is missing beside the dashboard", program.toStdString(),
                    "Build or install it: cmake --build build --target dlperf", ErrorKind::Work);
    }
    auto* process = new QProcess(this);
    connect(process, &QProcess::finished, this, [this, process](int code, QProcess::ExitStatus) {
        if (code != 0) {
            emit runnerRefused(QString::fromUtf8(process->readAllStandardError()).trimmed());
        }
        process->deleteLater();
        readStatus();
    });
    process->setStandardInputFile(QProcess::nullDevice());
    process->start(program, arguments);
    return {};
}

void Session::request(run::Request request, const std::string& runId) {
    if (auto written = run::writeRequest(workspace_, request, runId); !written) {
        report(written.error());
    }
}

}  // namespace dlperf::ui
