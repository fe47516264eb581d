// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/notifier.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QFileInfo>
#include <QStringList>
#include <QVariantMap>
#include <QWidget>
#include <utility>
#include <vector>

#include "core/report/report.h"
#include "core/run/run_state.h"
#include "ui/models/queue_model.h"
#include "ui/session/session.h"
#include "ui/theme/localized.h"

namespace dlperf::ui {
namespace {

// By the Desktop Notifications Specification of freedesktop.org. On a thread that may wait for the bus; where
// there is no bus, or nobody shows notifications, nothing happens.
void sendNotification(const QString& summary, const QString& body) {
    // Without its address Qt would try to start a bus.
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") &&
        !QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"))) {
        return;
    }
    const QString name = QStringLiteral("dlperf-notifications");
    {
        const QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, name);
        if (bus.isConnected()) {
            QDBusMessage call = QDBusMessage::createMethodCall(
                QStringLiteral("org.freedesktop.Notifications"),
                QStringLiteral("/org/freedesktop/Notifications"),
                QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
            constexpr uint replacesNone = 0;
            constexpr int usualTime = -1;
            constexpr int longestWait = 1000;  // ms
            call << QStringLiteral("DLPerf Dashboard") << replacesNone << QStringLiteral("dlperf-dashboard")
                 << summary << body << QStringList() << QVariantMap() << usualTime;
            bus.call(call, QDBus::Block, longestWait);
        }
    }
    QDBusConnection::disconnectFromBus(name);
}

bool hasFailed(const run::RunState& run) {
    return run.phase == run::RunPhase::Finished &&
           (run.outcome == Outcome::Failed || run.outcome == Outcome::Oom);
}

}  // namespace

Notifier::Notifier(Session& session, QWidget& window) : session_(session), window_(window) {
    connect(&session_, &Session::statusChanged, this, &Notifier::look);
}

// What was so before the window opened, or while it is looked at, is no news.
void Notifier::look() {
    for (const run::Campaign& campaign : session_.campaigns()) {
        const bool isNew = !seen_.contains(campaign.id);
        Seen& seen = seen_[campaign.id];
        const bool wasOver = std::exchange(seen.isOver, campaign.finished());
        const run::RunState* failure = nullptr;
        for (const run::RunState& run : campaign.runs) {
            if (hasFailed(run) && seen.failed.insert(run.id).second) {
                failure = &run;
            } else if (!hasFailed(run)) {
                seen.failed.erase(run.id);  // it was retried
            }
        }
        if (isNew || window_.isActiveWindow()) {
            continue;
        }
        if (seen.isOver && !wasOver) {
            tellEnd(campaign);
        } else if (failure != nullptr) {
            tellFailure(*failure);
        }
    }
}

void Notifier::tellEnd(const run::Campaign& campaign) {
    const auto outcomes = campaign.outcomes();
    const auto count = [&](Outcome outcome) {
        const auto found = outcomes.find(outcome);
        return found == outcomes.end() ? 0 : found->second;
    };
    const int failed = count(Outcome::Failed) + count(Outcome::Oom);
    QString body = tr("%1 of %2 runs have a figure").arg(count(Outcome::Ok)).arg(campaign.runs.size());
    body += failed > 0 ? tr(", %1 failed").arg(failed) : QString();
    session_.background().ask(
        this,
        [results = std::vector<RunResult>(campaign.runs.begin(), campaign.runs.end()),
         formats = session_.formats(),
         &vocabulary = session_.vocabulary()] { return report::headlineOf(results, vocabulary, formats); },
        [this, body, plan = QString::fromStdString(campaign.plan)](const std::string& headline) {
            notify(tr("The plan \"%1\" has ended").arg(plan),
                   headline.empty() ? body : body + QStringLiteral(". ") + localized(headline));
        });
}

void Notifier::tellFailure(const run::RunState& run) {
    notify(tr("A run has failed"),
           tr("%1: %2").arg(runTitle(run, session_.vocabulary()), localized(run.reason)));
}

void Notifier::notify(const QString& summary, const QString& body) {
    QApplication::alert(&window_);
    emit notified(summary, body);
    // A body may be shown as markup, and it holds what plans and trainers say.
    session_.background().ask(
        this,
        [summary, escaped = body.toHtmlEscaped()] {
            sendNotification(summary, escaped);
            return true;
        },
        [](bool) {});
}

}  // namespace dlperf::ui
