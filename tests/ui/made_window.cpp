// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/made_window.h"

#include <QtTest>

#include "tests/ui/watchdog.h"
#include "ui/pages/launch_page.h"

namespace dlperf::ui::test {

void useToyRecipe(const QTemporaryDir& folder) {
    const QString source = QStringLiteral(DLPERF_SOURCE_DIR);
    const QString resources = folder.filePath(QStringLiteral("resources"));
    QDir(resources).mkpath(QStringLiteral("recipes"));
    const auto take = [&](const QString& from, const QString& name) {
        QFile::link(source + from + name, resources + QLatin1Char('/') + name);
    };
    for (const QString& name : {QStringLiteral("vocabulary.json"), QStringLiteral("diagnosis.json"),
                                QStringLiteral("ssh_askpass.sh"), QStringLiteral("published"),
                                QStringLiteral("plans"), QStringLiteral("recipes/dlperf-worker")}) {
        take(QStringLiteral("/resources/"), name);
    }
    take(QStringLiteral("/tests/ui/"), QStringLiteral("recipes/toy"));
    qputenv("DLPERF_RESOURCES", resources.toUtf8());
}

std::unique_ptr<Session> openSession(const QTemporaryDir& folder) {
    return Session::open(folder.filePath(QStringLiteral("w")).toStdString()).value();
}

bool isRunnerAlive(const Session& session) {
    return !session.campaigns().empty() && session.campaigns().back().runnerAlive;
}

bool endRunner(Session& session) {
    if (isRunnerAlive(session)) {
        session.request(run::Request::Cancel);
    }
    return QTest::qWaitFor([&] { return !isRunnerAlive(session); }, longWait);
}

bool showWithPage(MainWindow& window) {
    const ApartScope apart(Apart::StartUp);
    const QSignalSpy shown(&window, &MainWindow::shown);
    window.show();
    return QTest::qWaitForWindowActive(&window) &&
           QTest::qWaitFor([&] { return !shown.isEmpty(); }, longWait);
}

std::unique_ptr<MadeWindow> MadeWindow::open(const Made& made, ThemeControl& theme) {
    std::unique_ptr<MadeWindow> result(new MadeWindow);
    auto session = Session::open(result->path(QStringLiteral("w")).toStdString());
    if (!session || !dlperf::test::makeResults((*session)->workspace(), made.results)) {
        return nullptr;
    }
    if (made.nights && !dlperf::test::makeTwoNights((*session)->workspace())) {
        return nullptr;
    }
    result->session_ = std::move(*session);
    if (made.runs > 0) {
        const store::Workspace& workspace = result->session_->workspace();
        const auto campaign = dlperf::test::makeCampaign(workspace, made.runs);
        auto lock = campaign ? dlperf::test::seemToRun(workspace, *campaign) : Failure(campaign.error());
        if (!lock) {
            return nullptr;
        }
        result->lock_.emplace(std::move(*lock));
    }
    result->window_ = std::make_unique<MainWindow>(*result->session_, theme);
    result->session_->start();
    result->window_->resize(1440, 900);
    const Session& shown = *result->session_;
    const bool ready = showWithPage(*result->window_) && QTest::qWaitFor(
                                                             [&] {
                                                                 return shown.isLoaded() &&
                                                                        result->window_->launch().isReady() &&
                                                                        (made.runs == 0 || shown.activeRun());
                                                             },
                                                             longWait);
    QTest::qWait(50);  // what was read is laid out
    return ready ? std::move(result) : nullptr;
}

MadeWindow::~MadeWindow() = default;

void MadeWindow::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus != nullptr ? focus : window_.get(), key, modifiers);
}

void MadeWindow::type(const QString& text) {
    QTest::keyClicks(QApplication::focusWidget(), text);
}

void MadeWindow::find(const QString& text) {
    press(Qt::Key_K, Qt::ControlModifier);
    type(text);
    press(Qt::Key_Return);
}

void MadeWindow::replaceWindow(ThemeControl& theme) {
    const ApartScope apart(Apart::StartUp);
    const std::unique_ptr<MainWindow> before = std::move(window_);
    window_ = std::make_unique<MainWindow>(*session_, theme);
    window_->takeOver(*before);
    QVERIFY(showWithPage(*window_));
}

}  // namespace dlperf::ui::test
