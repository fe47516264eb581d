// SPDX-License-Identifier: Apache-2.0
// Tells the desktop when a campaign ends or a run fails while the window is not looked at.
#pragma once

#include <QObject>
#include <map>
#include <set>
#include <string>

class QWidget;

namespace dlperf::run {
struct Campaign;
struct RunState;
}  // namespace dlperf::run

namespace dlperf::ui {

class Session;

class Notifier final : public QObject {
    Q_OBJECT

public:
    // Both outlive it.
    Notifier(Session& session, QWidget& window);

signals:
    // Whether a desktop takes it or not.
    void notified(const QString& summary, const QString& body);

private:
    struct Seen {
        bool isOver = false;
        std::set<std::string> failed;  // ids of runs
    };

    void look();
    void tellEnd(const run::Campaign& campaign);
    void tellFailure(const run::RunState& run);
    void notify(const QString& summary, const QString& body);

    Session& session_;
    QWidget& window_;
    std::map<std::string, Seen> seen_;  // by campaign
};

}  // namespace dlperf::ui
