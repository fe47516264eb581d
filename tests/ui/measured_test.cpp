// SPDX-License-Identifier: Apache-2.0
// What was measured of a node, on Cluster; and measuring it there, by the real program on nodes of this
// machine, one of them behind a real sshd.
#include <QClipboard>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QtTest>
#include <algorithm>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/cluster/baseline.h"
#include "tests/report/report_fixture.h"
#include "tests/support/sshd.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/pages/cluster_page.h"
#include "ui/pages/node_details.h"
#include "ui/session/measurement.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {
namespace {

constexpr int benchWait = 120'000;  // ms; reached only when something is broken

bool hasWorker() {
    return QFile::exists(QCoreApplication::applicationDirPath() + QStringLiteral("/dlperf-worker"));
}

}  // namespace

class MeasuredTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void withoutMeasurementsTheCommandsAreSaid();
    void theChosenNodesFiguresAreShown();
    void anotherNodesLinesStandAtTheSamePlaces();
    void aDamagedFileIsSaid();
    void itFitsNarrowWindows();
    void readingIsMeasuredOverSsh();
    void aFailureIsSaidAndKeepsWhatWasMeasured();
    void aMeasurementIsCancelled();
    void nothingIsMeasuredWhileAPlanStarts();
    void theWindowAsksBeforeItCloses();
    void anotherWindowTakesOverMeanwhile();

private:
    void open(const std::vector<cluster::Node>& nodes);
    void openThreeMeasured();
    void choose(int row) const;
    void trigger(const QString& text) const;
    void answerFolder(const QString& folder) const;
    [[nodiscard]] cluster::Node nodeHere(const std::string& name) const;
    [[nodiscard]] const store::Workspace& workspace() const { return session_->workspace(); }
    [[nodiscard]] QPushButton* measureButton() const {
        return qobject_cast<QPushButton*>(test::findButton(*page_, QStringLiteral("Measure")));
    }
    [[nodiscard]] QTextBrowser* view() const {
        return test::findNamed<QTextBrowser>(*page_, QStringLiteral("What was measured of the node"));
    }
    [[nodiscard]] QString words() const { return view()->toPlainText(); }
    [[nodiscard]] QTabBar* tabs() const {
        return test::findNamed<QTabBar>(*page_, QStringLiteral("Details of the node"));
    }
    // "ok", "warn", …; empty while none is shown.
    [[nodiscard]] QString bannerState() const {
        const auto* banner = page_->findChild<Banner*>(QStringLiteral("measured"));
        return banner->isVisible() ? banner->property("state").toString() : QString();
    }
    [[nodiscard]] QString bannerText() const {
        return page_->findChild<Banner*>(QStringLiteral("measured"))->accessibleName();
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<ClusterPage> page_;
};

void MeasuredTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
}

void MeasuredTest::cleanup() {
    page_.reset();
    session_.reset();
}

cluster::Node MeasuredTest::nodeHere(const std::string& name) const {
    cluster::Node node;
    node.name = name;
    node.local = true;
    node.devices = 2;
    node.workDir = folder_->filePath(QString::fromStdString("work-" + name)).toStdString();
    return node;
}

void MeasuredTest::open(const std::vector<cluster::Node>& nodes) {
    session_ = test::openSession(*folder_);
    QVERIFY(writeFileAtomically(workspace().root() / "cluster.json",
                                cluster::toJson(cluster::Cluster{"lab", nodes}).dump()));
    session_->start();
    QTRY_VERIFY(session_->nodes().isRead());
    page_ = std::make_unique<ClusterPage>(*session_);
    page_->resize(1200, 800);
    page_->show();
    QVERIFY(QTest::qWaitForWindowExposed(page_.get()));
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().isChecked(), benchWait);
    tabs()->setCurrentIndex(NodeDetails::Measured);
    QVERIFY(view() != nullptr);
}

void MeasuredTest::openThreeMeasured() {
    open({nodeHere("node1"), nodeHere("node2"), nodeHere("node3"), nodeHere("node4")});
    const report::HardwareBaselines hardware = report::test::measuredHardware();
    QVERIFY(cluster::writeLinkBaseline(workspace().linkBaseline(), *hardware.links));
    QVERIFY(cluster::writeBaseline(workspace().computeBaseline(), cluster::toJson(*hardware.compute)));
    QVERIFY(cluster::writeBaseline(workspace().dataBaseline(), cluster::toJson(*hardware.data)));
    page_->enter();  // somebody measured at a terminal
    QTRY_VERIFY(words().contains(QStringLiteral("400.50 images/s")));
}

void MeasuredTest::choose(int row) const {
    auto* table = page_->findChild<QTableView*>(QStringLiteral("nodes"));
    table->setCurrentIndex(table->model()->index(row, 0));
}

void MeasuredTest::trigger(const QString& text) const {
    const auto actions = measureButton()->menu()->actions();
    const auto found = std::ranges::find(actions, text, &QAction::text);
    QVERIFY2(found != actions.end(), qPrintable(text));
    (*found)->trigger();
}

void MeasuredTest::answerFolder(const QString& folder) const {
    auto* ask = test::findPart<QInputDialog>(*page_);
    QVERIFY(ask != nullptr);
    ask->setTextValue(folder);
    ask->accept();
    page_->activateWindow();
}

void MeasuredTest::withoutMeasurementsTheCommandsAreSaid() {
    open({nodeHere("a")});
    for (const char* command : {"dlperf bench compute ", "dlperf bench data ", "dlperf bench links "}) {
        QTRY_VERIFY2(words().contains(QLatin1String(command)), command);
    }
    QVERIFY(
        words().contains(QString::fromStdString("--workspace " + shellQuote(workspace().root().string()))));
    test::keepPictures(*page_, theme_, QStringLiteral("measured-nothing"));
}

void MeasuredTest::theChosenNodesFiguresAreShown() {
    openThreeMeasured();
    for (const char* said :
         {"measured 2026-11-21", "measured 2026-11-22", "measured 2026-11-23",
          "median of 2 (400.00 to 401.00)", "1,200.00 MB/s", "2,100.50 images/s prepared", "/data/images",
          "Not slow beside the other nodes", "in the ring", "node2\n10\n→ 8\n0.01",
          "its 4 devices\n75\n\n0.002", "all 3 nodes together", "gloo"}) {
        QVERIFY2(words().contains(QString::fromUtf8(said)),
                 qPrintable(QString(QString::fromUtf8(said) + words())));
    }
    QVERIFY(!words().contains(QLatin1String("dlperf bench")));
    test::keepPictures(*page_, theme_, QStringLiteral("measured"));
    choose(2);
    QVERIFY2(words().contains(QLatin1String("Slow: node3 computes 33.")), qPrintable(words()));
    QVERIFY(words().contains(QLatin1String("Slow: node3 reads 400 MB/s")));
    QVERIFY(words().contains(QLatin1String("Slow: node1 and node3: 2.5 GB/s")));
    QVERIFY(words().contains(QStringLiteral("node1\n2.5\n→ 1\n0.04\nslow")));
    QVERIFY(words().contains(QLatin1String("may have been in the page cache")));
    QVERIFY(words().contains(QLatin1String("no route to host")));
    test::findNamed<QPushButton>(*page_, QStringLiteral("Copy as text"))->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), words());
    test::keepPictures(*page_, theme_, QStringLiteral("measured-slow"));
    choose(1);
    QVERIFY(words().contains(QLatin1String("Missing: cannot read the folder /data/images")));
    choose(3);
    QCOMPARE(words().count(QLatin1String("This node was not among those that were measured.")), 3);
    QVERIFY(!words().contains(QLatin1String("nodes together")));
}

void MeasuredTest::anotherNodesLinesStandAtTheSamePlaces() {
    openThreeMeasured();
    const auto lineOf = [&](const QString& heading) {
        const QStringList lines = words().split(QLatin1Char('\n'));
        const auto found = std::ranges::find_if(lines, [&](const QString& line) {
            return line.startsWith(heading + QLatin1String(" measured"));
        });
        return found - lines.begin();
    };
    const auto reading = lineOf(QStringLiteral("Reading"));
    const auto links = lineOf(QStringLiteral("Links"));
    QVERIFY(reading > 0 && links > reading);
    for (const int row : {1, 2, 3}) {  // missing a part, slow, not measured
        choose(row);
        QCOMPARE(lineOf(QStringLiteral("Reading")), reading);
        QCOMPARE(lineOf(QStringLiteral("Links")), links);
    }
}

void MeasuredTest::aDamagedFileIsSaid() {
    openThreeMeasured();
    QVERIFY(writeFileAtomically(workspace().dataBaseline(), "{"));
    page_->enter();
    QTRY_VERIFY(words().contains(QLatin1String("data.json")));
    QVERIFY(words().contains(QLatin1String("400.50 images/s")));  // the others stand
}

void MeasuredTest::itFitsNarrowWindows() {
    openThreeMeasured();
    choose(2);
    // Of windows of 1280x720, of the narrowest one with both panels side by side, of 960x600.
    for (const QSize size : {QSize(1106, 660), QSize(1060, 660), QSize(786, 560)}) {
        page_->resize(size);
        QTest::qWait(50);
        QCOMPARE(view()->horizontalScrollBar()->maximum(), 0);
        QTRY_VERIFY2(tabs()->tabRect(tabs()->count() - 1).right() <= tabs()->width(),
                     qPrintable(QString::number(tabs()->width())));
    }
    test::keepPictures(*page_, theme_, QStringLiteral("measured-narrow"));
}

void MeasuredTest::readingIsMeasuredOverSsh() {
    if (!hasWorker()) {
        QSKIP("this build has no worker");
    }
    const dlperf::test::Sshd sshd;
    cluster::Node far = sshd.node();
    far.name = "far";
    far.devices = 1;
    far.workDir = (sshd.folder().path() / "work").string();
    const QString data = folder_->filePath(QStringLiteral("it's data"));
    QVERIFY(QDir().mkpath(data));
    for (int i = 0; i < 10; ++i) {
        QVERIFY(writeFileAtomically(QString(data + QStringLiteral("/%1").arg(i)).toStdString(),
                                    std::string(102'400, 'x')));
    }
    open({far, nodeHere("near")});
    QTRY_VERIFY(words().contains(QLatin1String("dlperf bench data")));
    trigger(QStringLiteral("Measure &reading …"));
    answerFolder(data);
    QVERIFY(session_->measurement().isRunning());
    QVERIFY(!measureButton()->isEnabled());
    const auto started = session_->startPlan(workspace().root() / "plan.json");
    QVERIFY(!started && started.error().what == "the hardware is being measured");
    QTRY_VERIFY_WITH_TIMEOUT(!session_->measurement().isRunning(), benchWait);
    QVERIFY2(bannerState() == QLatin1String("ok"), qPrintable(bannerText()));
    QTRY_VERIFY(words().contains(QLatin1String(" MB/s")));
    QVERIFY(words().contains(data));
    const auto baseline = cluster::readDataBaseline(workspace().dataBaseline());
    QVERIFY(baseline);
    QCOMPARE(baseline->nodes.size(), std::size_t{2});
    QCOMPARE(baseline->nodes[0].node, std::string("far"));
    QCOMPARE(baseline->nodes[0].files, std::int64_t{10});
    choose(1);
    QVERIFY(words().contains(QLatin1String(" MB/s")));
    trigger(QStringLiteral("Measure &reading …"));
    const auto* ask = test::findPart<QInputDialog>(*page_);
    QVERIFY(ask != nullptr);
    QCOMPARE(ask->textValue(), data);
}

void MeasuredTest::aFailureIsSaidAndKeepsWhatWasMeasured() {
    if (!hasWorker()) {
        QSKIP("this build has no worker");
    }
    openThreeMeasured();
    trigger(QStringLiteral("Measure &reading …"));
    answerFolder(QStringLiteral("/nowhere/data"));
    QTRY_COMPARE_WITH_TIMEOUT(bannerState(), QStringLiteral("fail"), benchWait);
    QVERIFY2(bannerText().contains(QLatin1String("/nowhere/data")), qPrintable(bannerText()));
    QVERIFY(words().contains(QLatin1String("1,200.00 MB/s")));
    QVERIFY(measureButton()->isEnabled());
}

void MeasuredTest::aMeasurementIsCancelled() {
    if (!hasWorker()) {
        QSKIP("this build has no worker");
    }
    open({nodeHere("a")});
    QTRY_VERIFY(words().contains(QLatin1String("dlperf bench links")));
    trigger(QStringLiteral("Measure &links"));
    auto* cancel = test::findNamed<QPushButton>(*page_, QStringLiteral("Cancel the measurement"));
    QVERIFY(cancel != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(session_->measurement().progress().contains(QLatin1String("[1/1]")), benchWait);
    test::keepPictures(*page_, theme_, QStringLiteral("measured-running"));
    cancel->click();
    QVERIFY(cancel->isEnabled());  // in case the first signal is lost
    cancel->click();
    QTRY_COMPARE_WITH_TIMEOUT(bannerState(), QStringLiteral("info"), benchWait);
    QVERIFY(!cancel->isVisible());
    QVERIFY(measureButton()->isEnabled());
    QVERIFY(!std::filesystem::exists(workspace().linkBaseline()));
}

void MeasuredTest::nothingIsMeasuredWhileAPlanStarts() {
    open({nodeHere("a")});
    QTRY_VERIFY(measureButton()->isEnabled());
    QVERIFY(session_->startPlan(workspace().root() / "missing.json"));
    QVERIFY(!measureButton()->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(measureButton()->isEnabled(), benchWait);  // it was refused
}

void MeasuredTest::theWindowAsksBeforeItCloses() {
    if (!hasWorker()) {
        QSKIP("this build has no worker");
    }
    const auto made = test::MadeWindow::open({}, theme_);
    QVERIFY(made != nullptr);
    made->session().nodes().use({"here", {nodeHere("a")}});
    Measurement& measurement = made->session().measurement();
    QVERIFY(made->session().measure(Measurement::Kind::Links));
    const auto answer = [&](const QString& text) {
        QVERIFY(!made->window().close());
        auto* question = test::findPart<QMessageBox>(made->window());
        QVERIFY(question != nullptr);
        QAbstractButton* button = test::findButton(*question, text);
        QVERIFY(button != nullptr);
        button->click();
    };
    answer(QStringLiteral("Cancel"));
    QVERIFY(measurement.isRunning() && !measurement.isCancelled());
    QVERIFY(made->window().isVisible());
    QTest::qWait(0);  // the question is gone
    answer(QStringLiteral("Cancel it and close"));
    QTRY_VERIFY_WITH_TIMEOUT(!measurement.isRunning(), benchWait);
    QTRY_VERIFY(!made->window().isVisible());
    QVERIFY(measurement.isCancelled());
}

// As when another language is chosen: how the first was left is kept, and nobody is asked.
void MeasuredTest::anotherWindowTakesOverMeanwhile() {
    if (!hasWorker()) {
        QSKIP("this build has no worker");
    }
    const auto made = test::MadeWindow::open({}, theme_);
    QVERIFY(made != nullptr);
    made->window().remember();
    made->window().showSection(Section::Report);
    made->session().nodes().use({"here", {nodeHere("a")}});
    Measurement& measurement = made->session().measurement();
    QVERIFY(made->session().measure(Measurement::Kind::Links));
    const test::ApartScope apart(test::Apart::StartUp);  // of two windows
    MainWindow second(made->session(), theme_);
    second.takeOver(made->window());
    QVERIFY(!made->window().isVisible());
    QVERIFY(made->window().findChild<QMessageBox*>() == nullptr);
    QVERIFY(measurement.isRunning() && !measurement.isCancelled());
    MainWindow later(made->session(), theme_);
    later.remember();
    QCOMPARE(later.section(), Section::Report);
    measurement.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!measurement.isRunning(), benchWait);
}

DLPERF_UI_TEST(MeasuredTest);

}  // namespace dlperf::ui
#include "measured_test.moc"
