// SPDX-License-Identifier: Apache-2.0
// The whole way through the window, with the real runner: a plan is started, its curve grows, it is
// cancelled, its figures arrive in Compare and go out as a report.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <csignal>
#include <fstream>

#include "core/report/live_chart.h"
#include "core/run/lock.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/chart_view.h"
#include "ui/models/queue_model.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/launch_page.h"
#include "ui/pages/planned_runs.h"
#include "ui/pages/report_page.h"
#include "ui/pages/runs_page.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_control.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {

namespace {

std::filesystem::path writePlan(const QString& folder, const QByteArray& more) {
    const std::string path = folder.toStdString() + "/plan.json";
    std::ofstream(path) << R"({"name": "toy", "recipes": ["toy"], "topologies": ["1n1g", "1n2g"],)"
                        << R"("batch_sizes": [8], "warmup": 2, )" << more.toStdString() << "}";
    return path;
}

}  // namespace

class WindowTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void firstStartShowsCompare();
    void sectionsByKeyboard();
    void themeChangesInPlace();
    void exportsWhatIsShownNow();
    void runsAPlanToTheReport();
    void cancelsARun();
    void theWheelScrollsAndChangesNoField();
    void saysWhyARunFailed();
    void goesOnAfterACrash();
    void aRefusalIsSeenWhereTheUserIs();
    void closingRightAfterAStartStopsNothing();
    void runsWhatWasLookedAt();
    void theChosenCaseStays();
    void asksBeforeAPlanFromOutside();

private:
    void start(const QByteArray& plan);
    [[nodiscard]] const run::Campaign& campaign() const { return session_->campaigns().back(); }
    [[nodiscard]] bool runnerAlive() const { return test::isRunnerAlive(*session_); }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
};

void WindowTest::init() {
    const test::ApartScope apart(test::Apart::StartUp);
    folder_ = std::make_unique<QTemporaryDir>();
    test::useToyRecipe(*folder_);
    session_ = test::openSession(*folder_);
    window_ = std::make_unique<MainWindow>(*session_, theme_);
    session_->start();
    window_->resize(1440, 900);
    QVERIFY(test::showWithPage(*window_));
    QTRY_VERIFY(session_->isLoaded());
}

void WindowTest::cleanup() {
    QVERIFY(!session_ || test::endRunner(*session_));
    window_.reset();
    session_.reset();
}

void WindowTest::start(const QByteArray& plan) {
    window_->showPlan(writePlan(folder_->path(), plan));
    QSignalSpy shown(&window_->launch(), &LaunchPage::planShown);
    QVERIFY(shown.wait(longWait));
    QCOMPARE(window_->section(), Section::Launch);
    window_->launch().primaryAction();
    QCOMPARE(window_->section(), Section::Runs);
    QTRY_VERIFY_WITH_TIMEOUT(runnerAlive(), longWait);
}

void WindowTest::firstStartShowsCompare() {
    QCOMPARE(window_->section(), Section::Compare);
    QTRY_COMPARE(window_->compare().comparison().series.size(), std::size_t{8});
}

void WindowTest::sectionsByKeyboard() {
    const std::array<Qt::Key, sectionCount> keys{Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5};
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    for (int i = 0; i < sectionCount; ++i) {
        QTest::keyClick(window_.get(), keys[static_cast<std::size_t>(i)], Qt::ControlModifier);
        QCOMPARE(window_->section(), static_cast<Section>(i));
        QVERIFY(window_->focusWidget() != nullptr);
    }
    // The sidebar itself: the place has the focus, Space opens it.
    auto* sidebar = window_->findChild<Sidebar*>();
    auto* launch = sidebar->findChildren<QToolButton*>().at(2);
    launch->setFocus(Qt::TabFocusReason);
    QTest::keyClick(launch, Qt::Key_Space);
    QCOMPARE(window_->section(), Section::Launch);
}

void WindowTest::themeChangesInPlace() {
    QTRY_COMPARE(window_->compare().comparison().series.size(), std::size_t{8});
    const auto checkRoom = [this] {
        for (const QScrollArea* area : window_->compare().findChildren<QScrollArea*>()) {
            QVERIFY2(area->widget() == nullptr || area->widget()->width() <= area->viewport()->width(),
                     "cut at the right");
        }
        for (const QToolButton* button : window_->findChildren<QToolButton*>()) {
            const bool legend = button->property("kind").toString() == QLatin1String("legend");
            QVERIFY2(
                !legend || button->fontMetrics().horizontalAdvance(button->text()) + 20 < button->width(),
                qPrintable(button->text()));
        }
    };
    // Until what was read stands there and nothing moves any more, however busy the machine is.
    const auto isChip = [](const QToolButton* button) {
        return button->isVisible() && button->text() == QLatin1String("fp32");
    };
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(window_->findChildren<QToolButton*>(), isChip), longWait);
    const auto settled = [this] {
        QImage last;
        for (int tries = 0; tries < 50; ++tries) {
            QImage now = window_->grab().toImage();
            if (now == last) {
                break;
            }
            last = std::move(now);
            QTest::qWait(200);
        }
        return last;
    };
    const QImage light = settled();
    for (int i = 0; i < 2; ++i) {
        checkRoom();
        QSignalSpy applied(&theme_, &ThemeControl::applied);
        theme_.toggle();
        QVERIFY(applied.wait());
        QTest::qWait(100);
    }
    checkRoom();
    // There and back again: the same but for how a line falls between two pixels.
    const QImage again = settled();
    QCOMPARE(again.size(), light.size());
    int different = 0;
    for (int y = 0; y < light.height(); ++y) {
        for (int x = 0; x < light.width(); ++x) {
            different += again.pixel(x, y) != light.pixel(x, y) ? 1 : 0;
        }
    }
    QVERIFY2(different * 500 < light.width() * light.height(), qPrintable(QString::number(different)));
}

// From the menu, before the page has ever been read; with a title that was just typed; after a filter.
void WindowTest::exportsWhatIsShownNow() {
    QTRY_COMPARE(window_->compare().comparison().series.size(), std::size_t{8});
    QAction* action = nullptr;
    for (QAction* one : window_->menuBar()->actions().front()->menu()->actions()) {
        action = one->text().contains(QStringLiteral("report")) ? one : action;
    }
    QVERIFY(action != nullptr);
    const QString file = folder_->filePath(QStringLiteral("w/report/report.html"));
    const auto written = [&file] {
        QFile html(file);
        return html.open(QIODevice::ReadOnly) ? html.readAll() : QByteArray();
    };
    action->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(written().contains("12,411.97"), longWait);
    QVERIFY(written().contains("1n1g"));

    auto* title = window_->report().findChildren<QLineEdit*>().front();
    title->setText(QStringLiteral("Typed just now"));
    window_->report().primaryAction();
    QTRY_VERIFY_WITH_TIMEOUT(written().contains("Typed just now"), longWait);

    emit window_->compare().findChild<FilterPanel*>()->edited([](report::ResultFilter& filter) {
        filter.hiddenTopologies.insert(Topology{1, 1});
    });
    window_->report().primaryAction();
    QTRY_VERIFY_WITH_TIMEOUT(!written().contains("<td>1n1g") && !written().contains(">1n1g<"), longWait);
    QVERIFY(written().contains("12,411.97"));
}

void WindowTest::runsAPlanToTheReport() {
    start(R"("train": 12, "repetitions": 2)");
    QTRY_VERIFY_WITH_TIMEOUT(window_->runs().live() && window_->runs().live()->iteration >= 3, longWait);
    const auto charts = window_->runs().findChildren<ChartView*>();
    const auto* chart = *std::ranges::find_if(
        charts, [](const ChartView* one) { return one->spec().title == "Throughput per node"; });
    const auto early = chart->whole().series.front().samples->size();
    const std::string run = window_->runs().live()->runId;
    QTRY_VERIFY_WITH_TIMEOUT(
        window_->runs().live()->runId != run || chart->whole().series.front().samples->size() > early,
        longWait);
    QTRY_VERIFY_WITH_TIMEOUT(!session_->campaigns().empty() && campaign().finished() && !runnerAlive(),
                             longWait);
    for (const run::RunState& status : campaign().runs) {
        QCOMPARE(toString(status.outcome), "ok");
    }
    // 1n1g: 8 / mean(time of iterations 3 to 12) by the rule of dlperf-worker's format.
    QTRY_COMPARE_WITH_TIMEOUT(window_->compare().comparison().series.size(), std::size_t{1}, longWait);
    const report::ComparedSeries& series = window_->compare().comparison().series.front();
    QCOMPARE(series.cells.size(), std::size_t{2});
    const double expected =
        1 * 8 * 10 /
        (0.50003 + 0.50004 + 0.50005 + 0.50006 + 0.50007 + 0.50008 + 0.50009 + 0.5 + 0.50001 + 0.50002);
    QVERIFY(std::abs(*series.cells[0].fold.median - expected) < 0.006);
    QCOMPARE(series.cells[0].repetitions.size(), std::size_t{2});

    window_->showSection(Section::Report);
    QSignalSpy shown(&window_->report(), &ReportPage::shown);
    QTRY_VERIFY_WITH_TIMEOUT(window_->report().isShown(), longWait);
    window_->report().primaryAction();
    const QString report = folder_->filePath(QStringLiteral("w/report/"));
    QFile html(report + QStringLiteral("report.html"));
    QTRY_VERIFY_WITH_TIMEOUT(html.isOpen() || html.open(QIODevice::ReadOnly), longWait);
    const QByteArray text = html.readAll();
    QVERIFY(text.contains("<svg") && text.contains("1n2g"));
    QTRY_VERIFY(QFile::exists(report + QStringLiteral("report.md")));
}

void WindowTest::cancelsARun() {
    start(R"("train": 100000, "repetitions": 1)");
    QTRY_VERIFY_WITH_TIMEOUT(window_->runs().live() && window_->runs().live()->iteration >= 2, longWait);
    QAbstractItemModelTester tester(window_->runs().findChild<QueueModel*>(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    window_->runs().cancelAll();
    QTRY_VERIFY_WITH_TIMEOUT(!runnerAlive(), longWait);
    QTRY_VERIFY_WITH_TIMEOUT(campaign().finished(), longWait);
    QCOMPARE(toString(campaign().runs.front().outcome), "cancelled");
    QCOMPARE(toString(campaign().runs.back().outcome), "not-run");
    QTRY_VERIFY(!window_->runs().findChild<Banner*>(QStringLiteral("said"))->isVisible());
}

void WindowTest::theWheelScrollsAndChangesNoField() {
    window_->showSection(Section::Launch);
    QTRY_VERIFY(window_->launch().isReady());
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    auto* box = test::findNamed<QSpinBox>(window_->launch(), QStringLiteral("Warmup"));
    const int before = box->value();
    for (const QWidget* field : window_->launch().findChildren<QWidget*>()) {
        QVERIFY2(field->focusPolicy() != Qt::WheelFocus, field->metaObject()->className());
    }
    const auto turn = [box] {
        const QPointF center = box->rect().center();
        QWheelEvent event(center, box->mapToGlobal(center), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(box, &event);
    };
    turn();
    QCOMPARE(box->value(), before);
    box->setFocus();  // the page is scrolled then, too
    turn();
    QCOMPARE(box->value(), before);
}

void WindowTest::saysWhyARunFailed() {
    start(R"("train": 50, "options": {"toy": {"fail_at": "4"}})");
    QTRY_VERIFY_WITH_TIMEOUT(!session_->campaigns().empty() && campaign().finished() && !runnerAlive(),
                             longWait);
    QCOMPARE(toString(campaign().runs.front().outcome), "failed");
    QVERIFY(!campaign().runs.front().reason.empty());
    // By the palette, from another place.
    window_->showSection(Section::Compare);
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(window_->focusWidget(), QStringLiteral("1n1g b8 repetition 1"));
    QTest::keyClick(window_->focusWidget(), Qt::Key_Return);
    QCOMPARE(window_->section(), Section::Runs);
    const auto banners = window_->runs().findChildren<Banner*>();
    QTRY_VERIFY(banners.front()->isVisible());
    QVERIFY(
        banners.front()->accessibleName().contains(QString::fromStdString(campaign().runs.front().reason)));
}

void WindowTest::goesOnAfterACrash() {
    start(R"("train": 30)");
    QTRY_VERIFY_WITH_TIMEOUT(window_->runs().live() && window_->runs().live()->iteration >= 2, longWait);
    const auto owner = run::readLock(session_->workspace());
    QVERIFY(owner);
    QCOMPARE(::kill(static_cast<pid_t>(owner->process.pid), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(!runnerAlive(), longWait);
    auto* banner = window_->runs().findChildren<Banner*>().front();
    QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), longWait);
    emit banner->actionTriggered();
    QTRY_VERIFY_WITH_TIMEOUT(campaign().finished() && !runnerAlive(), longWait);
    for (const run::RunState& status : campaign().runs) {
        QCOMPARE(toString(status.outcome), "ok");
    }
    QTRY_VERIFY(!banner->isVisible());
}

// The refusal arrives when the window has gone to Runs.
void WindowTest::aRefusalIsSeenWhereTheUserIs() {
    start(R"("train": 100000)");
    auto* banner = window_->findChild<Banner*>(QStringLiteral("problem"));
    QVERIFY(!banner->isVisible());
    QVERIFY(session_->startPlan(folder_->filePath(QStringLiteral("plan.json")).toStdString()));
    QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), longWait);
    QVERIFY2(banner->accessibleName().startsWith(QStringLiteral("The runs did not start. ")),
             qPrintable(banner->accessibleName()));
    QVERIFY(banner->accessibleName().size() > 40);  // with what the runner said
    QVERIFY(!session_->isStarting());
    QCOMPARE(QDir(folder_->filePath(QStringLiteral("w/starts"))).entryList(QDir::Files).size(), 0);
}

void WindowTest::closingRightAfterAStartStopsNothing() {
    window_->showPlan(writePlan(folder_->path(), R"("train": 100000)"));
    QSignalSpy shown(&window_->launch(), &LaunchPage::planShown);
    QVERIFY(shown.wait(longWait));
    window_->launch().primaryAction();
    window_.reset();
    session_.reset();
    session_ = test::openSession(*folder_);
    session_->start();
    QTRY_VERIFY_WITH_TIMEOUT(runnerAlive(), longWait);
}

// The file is changed between the look and the start.
void WindowTest::runsWhatWasLookedAt() {
    window_->showPlan(writePlan(folder_->path(), R"("train": 100000, "repetitions": 1)"));
    QSignalSpy shown(&window_->launch(), &LaunchPage::planShown);
    QVERIFY(shown.wait(longWait));
    writePlan(folder_->path(), R"("train": 50, "repetitions": 7)");
    window_->launch().primaryAction();
    QTRY_VERIFY_WITH_TIMEOUT(runnerAlive(), longWait);
    QCOMPARE(campaign().runs.size(), std::size_t{2});
    QCOMPARE(campaign().runs.front().range.train, 100000);
}

// A run that finishes anywhere tells new times; the user looks at the second case all the while.
void WindowTest::theChosenCaseStays() {
    window_->showPlan(writePlan(folder_->path(), R"("train": 5)"));
    QSignalSpy shown(&window_->launch(), &LaunchPage::planShown);
    QVERIFY(shown.wait(longWait));
    const auto cells = [this] { return window_->findChild<RunMatrix*>()->findChildren<QAbstractButton*>(); };
    QCOMPARE(cells().size(), 2);
    cells().back()->click();
    QSignalSpy learnt(&window_->launch(), &LaunchPage::timesShown);
    emit session_->resultsChanged();
    QVERIFY(learnt.wait(longWait));
    QCOMPARE(cells().size(), 2);
    QVERIFY(cells().back()->isChecked() && !cells().front()->isChecked());
}

void WindowTest::asksBeforeAPlanFromOutside() {
    QSignalSpy shown(&window_->launch(), &LaunchPage::planShown);
    window_->showSection(Section::Launch);
    window_->launch().openPlan(writePlan(folder_->path(), R"("train": 5)"));
    QVERIFY(shown.wait(longWait));
    QVERIFY(!window_->launch().isReady());
    window_->launch().primaryAction();
    QCOMPARE(window_->section(), Section::Launch);  // nothing started
    test::findButton(window_->launch(), QStringLiteral("Use this plan"))->click();
    QVERIFY(window_->launch().isReady());
}

DLPERF_UI_TEST(WindowTest);

}  // namespace dlperf::ui
#include "window_test.moc"
