// SPDX-License-Identifier: Apache-2.0
// What is dropped on the window goes where it belongs; what comes from outside is asked about.
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QUrl>
#include <QtTest>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <future>

#include "core/base/file.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/chart_view.h"
#include "ui/log/log_view.h"
#include "ui/models/queue_model.h"
#include "ui/pages/cluster_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/launch_page.h"
#include "ui/pages/runs_page.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/shell/drop_target.h"
#include "ui/shell/import_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {
namespace {

using namespace std::chrono_literals;

std::string pytorchLog() {
    std::string log;
    for (int i = 0; i < 130; ++i) {
        log += "Epoch: [0][" + std::to_string(i) + "/10000]\tTime  0.400 ( 0.500)\tData  0.001\n";
    }
    return log;
}

}  // namespace

class DropTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { made_.reset(); }
    void logsAreImported();
    void importsAFolderThatWasOpenedAsAWorkspace();
    void whatWasImportedIsARunAsOthersAre();
    void saysWhatIsMissing();
    void returnInAFieldOnlyApplies();
    void whatNeedsAnAnswerComesFirst();
    void whatIsSaidStaysWithItsLog();
    void theSameLogsAgainSaySo();
    void anArchiveThatIsNotWantedLeavesNothing();
    void anImportGoesOnInAnotherWindow();
    void anotherWindowSaysWhatWasImported();
    void anImportedRunIsFoundByItsLog();
    void anotherWindowAsksAboutLogsThatWereFound();
    void asksBeforeClosingEndsAnImport();
    void formatsAreKnownFromThenOn();
    void reportsFormatsOfUnwantedLogs();
    void aPlanIsAskedAbout();
    void aClusterIsAskedAbout();
    void refusesUnknownFiles();
    void judgesByContents();

private:
    [[nodiscard]] MainWindow& window() const { return made_->window(); }
    [[nodiscard]] QString path(const char* name) const { return made_->path(QLatin1String(name)); }
    void write(const char* name, const std::string& text) const;
    void drop(const QStringList& files);
    // A folder with one log of which nothing is missing.
    void dropTheirs();
    void importAndHold(std::promise<void>& go);
    [[nodiscard]] ImportDialog* dialog() const { return window().findChild<ImportDialog*>(); }
    void accept();
    // What is imported next waits until the promise is kept.
    void holdImports(std::promise<void>& go) const;
    [[nodiscard]] QString said(const char* banner) const;

    std::unique_ptr<test::MadeWindow> made_;
};

void DropTest::init() {
    made_ = test::MadeWindow::open({}, theme_);
    QVERIFY(made_);
}

void DropTest::write(const char* name, const std::string& text) const {
    const std::filesystem::path file = path(name).toStdString();
    QVERIFY(makeFolders(file.parent_path()));
    QVERIFY(writeFileAtomically(file, text));
}

void DropTest::drop(const QStringList& files) {
    QMimeData mime;
    QList<QUrl> urls;
    for (const QString& file : files) {
        urls << QUrl::fromLocalFile(file);
    }
    mime.setUrls(urls);
    QDragEnterEvent enter({700, 400}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event({700, 400}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &event);
}

void DropTest::dropTheirs() {
    write("theirs/1n1g/r50_b128_fp32_1.log", pytorchLog());
    drop({path("theirs")});
}

void DropTest::accept() {
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    QVERIFY(made_->session().own().empty());  // nothing before the user says so
    dialog()->findChild<QPushButton*>(QStringLiteral("import"))->click();
    QTRY_VERIFY(dialog() == nullptr);
}

void DropTest::holdImports(std::promise<void>& go) const {
    made_->session().importBackground().ask(
        qApp, [gone = go.get_future().share()] { return gone.wait_for(30s); }, [](auto) {});
}

QString DropTest::said(const char* name) const {
    const auto* banner = window().findChild<Banner*>(QLatin1String(name));
    return banner->isVisible() ? banner->accessibleName() : QString();
}

void DropTest::logsAreImported() {
    const std::string log = pytorchLog();
    const std::string other = log + "another\n";  // the same log twice would be one
    write("theirs/1n1g/r50_b128_fp32_1.log", log);
    write("theirs/1n1g/r50_b128_fp32_2.log", other);
    // Two logs of one folder are one import.
    drop({path("theirs/1n1g/r50_b128_fp32_1.log"), path("theirs/1n1g/r50_b128_fp32_2.log")});
    accept();
    QTRY_VERIFY_WITH_TIMEOUT(said("import").contains(QLatin1String("2 logs were imported")), 30'000);
    QTRY_COMPARE(made_->session().own().size(), std::size_t{2});
    QCOMPARE(made_->session().own().front().origin, Origin::Imported);
    window().showSection(Section::Runs);
    test::findButton(window(), QStringLiteral("Show in Compare"))->click();
    QCOMPARE(window().section(), Section::Compare);
    QVERIFY(said("import").isEmpty());
    QCOMPARE(window().compare().comparison().series.size(), std::size_t{1});  // nobody asked for others
    QCOMPARE(window().compare().comparison().series.front().key.origin, Origin::Imported);
}

// Opening it left an index among the logs; who drops it may mean the workspace, who imports it does not.
void DropTest::importsAFolderThatWasOpenedAsAWorkspace() {
    write("theirs/1n1g/r50_b128_fp32_1.log", pytorchLog());
    write("theirs/results.sqlite", "");
    QTimer::singleShot(0, qApp, [this] {
        auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(files != nullptr);
        files->selectFile(path("theirs"));
        QMetaObject::invokeMethod(files, "accept");
    });
    QTest::keyClick(&window(), Qt::Key_I, Qt::ControlModifier);
    accept();
    QTRY_COMPARE_WITH_TIMEOUT(made_->session().own().size(), std::size_t{1}, 30'000);
    QCOMPARE(made_->session().own().front().origin, Origin::Imported);
}

void DropTest::whatWasImportedIsARunAsOthersAre() {
    write("theirs/1n1g/r50_b128_fp32_1.log", pytorchLog());
    drop({path("theirs/1n1g/r50_b128_fp32_1.log")});
    accept();
    QTRY_COMPARE_WITH_TIMEOUT(made_->session().imports().size(), std::size_t{1}, 30'000);
    const std::string id = made_->session().imports().front().runs.front().id;
    window().showSection(Section::Runs);
    window().runs().select(id);
    QTRY_VERIFY(window().runs().findChild<LogView*>()->verticalScrollBar()->maximum() > 0);
    QTRY_VERIFY(std::ranges::any_of(window().runs().findChildren<ChartView*>(),
                                    [](const ChartView* chart) { return !chart->spec().series.empty(); }));
    test::findButton(window().runs(), QStringLiteral("Exclude"))->click();
    QTRY_VERIFY(made_->session().note(id).excluded);
    QTRY_VERIFY(made_->session().own().front().excluded);
    test::findButton(window(), QStringLiteral("Undo"))->click();
    QTRY_VERIFY(!made_->session().own().front().excluded);
    // Another program imports: nobody has to open the workspace anew.
    write("more/1n8g/r50_b128_fp32_1.log", pytorchLog() + "another\n");
    QProcess import;
    import.start(QCoreApplication::applicationDirPath() + QStringLiteral("/dlperf"),
                 {QStringLiteral("import"), path("more"), QStringLiteral("--workspace"),
                  QString::fromStdString(made_->session().workspace().root().string())});
    QVERIFY(import.waitForFinished());
    QTRY_COMPARE(made_->session().imports().size(), std::size_t{2});
}

void DropTest::saysWhatIsMissing() {
    write("theirs/out.log", pytorchLog());
    drop({path("theirs")});
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    auto* const import = dialog()->findChild<QPushButton*>(QStringLiteral("import"));
    QVERIFY(!import->isEnabled());
    const auto say = [this](const char* field, const char* text) {
        for (QLineEdit* line : dialog()->findChildren<QLineEdit*>()) {
            if (line->accessibleName() == QLatin1String(field)) {
                line->setText(QLatin1String(text));
            }
        }
    };
    auto* const apply = dialog()->findChild<QPushButton*>(QStringLiteral("apply"));
    say("Topology", "2x2");
    apply->click();
    QVERIFY(dialog()->findChild<QLabel*>(QStringLiteral("word"))->text().contains(QLatin1String("2x2")));
    QVERIFY(!import->isEnabled());
    say("Topology", "2n2g");
    say("Batch size", "32");
    say("Repetition", "none");
    apply->click();
    QVERIFY(dialog()->findChild<QLabel*>(QStringLiteral("word"))->text().contains(QLatin1String("none")));
    QVERIFY(!import->isEnabled());
    say("Repetition", "7");
    say("Framework", "MXNet");
    say("Implementation", "gluon-cv");
    apply->click();
    QVERIFY(import->isEnabled());
    accept();
    QTRY_COMPARE_WITH_TIMEOUT(made_->session().own().size(), std::size_t{1}, 30'000);
    const RunResult& imported = made_->session().own().front();
    QVERIFY(imported.benchmarkCase.topology == (Topology{2, 2}));
    QCOMPARE(imported.repetition, 7);
    QCOMPARE(imported.benchmarkCase.configuration.framework, std::string("mxnet"));
    QCOMPARE(imported.benchmarkCase.configuration.implementation, std::string("gluon-cv"));
    QCOMPARE(made_->session().own().front().throughput, 320.0);
}

void DropTest::returnInAFieldOnlyApplies() {
    dropTheirs();  // it could be imported
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    auto* const import = dialog()->findChild<QPushButton*>(QStringLiteral("import"));
    QVERIFY(import->isEnabled());
    dialog()->findChild<QTableView*>()->selectAll();
    auto* const batchSize = test::findNamed<QLineEdit>(*dialog(), QStringLiteral("Batch size"));
    batchSize->setFocus();
    QTest::keyClicks(batchSize, QStringLiteral("32"));
    QTest::keyClick(batchSize, Qt::Key_Return);
    QVERIFY(dialog() != nullptr && dialog()->isVisible());
    QTest::keyClick(batchSize, Qt::Key_Enter, Qt::KeypadModifier);
    QVERIFY(dialog() != nullptr && dialog()->isVisible());
    accept();
    QTRY_COMPARE_WITH_TIMEOUT(made_->session().own().size(), std::size_t{1}, 30'000);
    QCOMPARE(made_->session().own().front().benchmarkCase.configuration.batchSize, 32);
}

void DropTest::whatNeedsAnAnswerComesFirst() {
    write("theirs/1n1g/r50_b128_fp32_1.log", pytorchLog());
    write("theirs/1n1g/r50_b128_fp32_2.log", "");
    write("theirs/z/out.log", pytorchLog() + "another\n");
    drop({path("theirs")});
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    const auto& rows = *dialog()->findChild<QTableView*>()->model();
    const auto cell = [&](int row, int column) { return rows.index(row, column).data().toString(); };
    QCOMPARE(rows.rowCount(), 3);
    const int remarks = rows.columnCount() - 1;
    QVERIFY2(cell(0, 0).endsWith(QStringLiteral("r50_b128_fp32_2.log")), qPrintable(cell(0, 0)));
    QCOMPARE(cell(0, 1), QStringLiteral("empty"));
    QCOMPARE(cell(0, remarks), QStringLiteral("the file is empty"));
    QVERIFY2(cell(1, 0).endsWith(QStringLiteral("out.log")), qPrintable(cell(1, 0)));
    QCOMPARE(cell(1, 1), QStringLiteral("incomplete"));
    QCOMPARE(cell(2, 1), QStringLiteral("new"));
    dialog()->reject();
}

void DropTest::whatIsSaidStaysWithItsLog() {
    write("theirs/1n1g/r50_b128_fp32_1.log", pytorchLog());
    write("theirs/1n1g/r50_b64_fp32_1.log", pytorchLog() + "another\n");
    drop({path("theirs")});
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    auto* const table = dialog()->findChild<QTableView*>();
    auto* const batchSize = test::findNamed<QLineEdit>(*dialog(), QStringLiteral("Batch size"));
    auto* const apply = dialog()->findChild<QPushButton*>(QStringLiteral("apply"));
    const auto batch = [table](int row) { return table->model()->index(row, 7).data().toString(); };
    const QString first = batch(0);
    const QString second = batch(1);
    table->selectRow(0);
    batchSize->setText(QStringLiteral("256"));
    apply->click();
    QCOMPARE(batch(0), QStringLiteral("256"));
    table->selectRow(1);
    QCOMPARE(batchSize->text(), QString());
    apply->click();
    QCOMPARE(batch(1), second);
    table->selectRow(0);  // there it still is, and can be taken back
    QCOMPARE(batchSize->text(), QStringLiteral("256"));
    batchSize->clear();
    apply->click();
    QCOMPARE(batch(0), first);
    // What was typed for another log empties nothing that was said of this one.
    batchSize->setText(QStringLiteral("256"));
    apply->click();
    auto* const precision = test::findNamed<QLineEdit>(*dialog(), QStringLiteral("Precision"));
    table->selectRow(1);
    precision->setText(QStringLiteral("amp"));
    table->selectRow(0);
    apply->click();
    QCOMPARE(batch(0), QStringLiteral("256"));
    dialog()->reject();
}

void DropTest::theSameLogsAgainSaySo() {
    dropTheirs();
    accept();
    QTRY_VERIFY_WITH_TIMEOUT(said("import").contains(QLatin1String("1 log was imported")), 30'000);
    drop({path("theirs")});
    QTRY_VERIFY_WITH_TIMEOUT(said("import").contains(QLatin1String("nothing is new")), 30'000);
    QVERIFY(dialog() == nullptr);
}

void DropTest::anArchiveThatIsNotWantedLeavesNothing() {
    write("theirs/2n8g/r50_b128_fp32_1.log", pytorchLog());
    QProcess tar;
    tar.setWorkingDirectory(path("theirs"));
    tar.start(QStringLiteral("tar"), {QStringLiteral("czf"), path("a.tgz"), QStringLiteral("2n8g")});
    QVERIFY(tar.waitForFinished());
    QCOMPARE(judgeDropped(path("a.tgz").toStdString())->kind, DroppedKind::Logs);
    drop({path("a.tgz")});
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    const QDir workspace(QString::fromStdString(made_->session().workspace().root().string()));
    const auto staged = [&] {
        return workspace.entryList({QStringLiteral(".import-*")}, QDir::Dirs | QDir::Hidden).size();
    };
    QCOMPARE(staged(), 1);
    dialog()->reject();
    QTRY_COMPARE(staged(), 0);
    QVERIFY(!workspace.exists(QStringLiteral("logs/imported-a")));
    QVERIFY(made_->session().own().empty());
}

// Theirs, accepted; nothing is copied before `go`.
void DropTest::importAndHold(std::promise<void>& go) {
    dropTheirs();
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    holdImports(go);
    accept();
}

// As when another language is chosen while the logs of a large archive are copied.
void DropTest::anImportGoesOnInAnotherWindow() {
    std::promise<void> go;
    importAndHold(go);
    made_->replaceWindow(theme_);
    QTRY_VERIFY(said("import").contains(QLatin1String("Importing logs")));
    go.set_value();
    QTRY_VERIFY_WITH_TIMEOUT(said("import").contains(QLatin1String("1 log was imported")), 30'000);
    QTRY_COMPARE(made_->session().own().size(), std::size_t{1});
}

void DropTest::anotherWindowSaysWhatWasImported() {
    dropTheirs();
    accept();
    QTRY_VERIFY_WITH_TIMEOUT(said("import").contains(QLatin1String("1 log was imported")), 30'000);
    made_->replaceWindow(theme_);
    QVERIFY(said("import").contains(QLatin1String("1 log was imported")));
    test::findButton(window(), QStringLiteral("Show in Compare"))->click();
    QCOMPARE(window().section(), Section::Compare);
    made_->replaceWindow(theme_);
    QVERIFY(said("import").isEmpty());
}

void DropTest::anImportedRunIsFoundByItsLog() {
    write("theirs/1n1g/r50_b128_fp32_1.log", pytorchLog());
    write("theirs/1n1g/r50_b128_fp32_2.log", pytorchLog() + "another\n");
    drop({path("theirs")});
    accept();
    QTRY_COMPARE_WITH_TIMEOUT(made_->session().own().size(), std::size_t{2}, 30'000);
    window().activateWindow();  // again, after the dialog
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(window().focusWidget(), QStringLiteral("r50_b128_fp32_2.log"));
    QTest::keyClick(window().focusWidget(), Qt::Key_Return);
    QCOMPARE(window().section(), Section::Runs);
    const auto* queue = window().runs().findChild<QueueModel*>();
    const auto own = made_->session().own();
    const auto second = std::ranges::find(own, 2, &RunResult::repetition);
    QVERIFY(second != own.end());
    QCOMPARE(queue->indexOf(second->id).data(QueueModel::IdRole).toString(),
             QString::fromStdString(second->id));
}

void DropTest::anotherWindowAsksAboutLogsThatWereFound() {
    dropTheirs();
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    made_->replaceWindow(theme_);
    accept();
    QTRY_COMPARE_WITH_TIMEOUT(made_->session().own().size(), std::size_t{1}, 30'000);
}

void DropTest::asksBeforeClosingEndsAnImport() {
    std::promise<void> go;
    importAndHold(go);
    QVERIFY(!window().close());
    auto* question = test::findPart<QMessageBox>(window());
    QVERIFY(question != nullptr);
    test::findButton(*question, QStringLiteral("Cancel it and close"))->click();
    go.set_value();
    QTRY_VERIFY(!window().isVisible());
    QVERIFY(!QDir(path("w/logs/imported-theirs")).exists());
}

void DropTest::formatsAreKnownFromThenOn() {
    write("z.json", R"({"name": "mine", "unit": "images/s", "window": {"warmup": 1, "train": 3},
                        "lines": {"contain": ["V="]}, "value": {"after": "V=", "is": "speed"},
                        "rule": "mean-of-speeds", "fold": {"average": "numpy:0"}})");
    write("logs/1n1g/r50_b128_fp32_1.log", "V=1\nV=10\nV=11\n");
    drop({path("logs"), path("z.json")});  // in whatever order they come
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    QVERIFY(test::findNamed<QComboBox>(*dialog(), QStringLiteral("Format"))->findText("mine") > 0);
    accept();
    QTRY_COMPARE_WITH_TIMEOUT(made_->session().own().size(), std::size_t{1}, 30'000);
    QCOMPARE(made_->session().own().front().throughput, 10.5);
    QTRY_VERIFY(said("import").contains(QLatin1String("Log formats added: mine.")));
    test::findButton(window(), QStringLiteral("Show in Compare"))->click();
    const auto average = [this] {
        for (const report::ComparedSeries& series : window().compare().comparison().series) {
            if (series.key.origin == Origin::Imported) {
                return series.cells.front().fold.average;
            }
        }
        return std::optional<double>();
    };
    QTRY_VERIFY(average() == 10.0);  // as the format says
    drop({path("z.json")});
    QTRY_VERIFY(said("import").contains(QLatin1String("knows all of these")));
    write("z.json", R"({"name": "mine", "lines": {"contain": ["W="]}, "value": {"after": "W=", "is": "speed"},
                        "rule": "mean-of-speeds"})");
    drop({path("z.json")});
    QTRY_VERIFY(said("import").contains(QLatin1String("mine is in the workspace's formats.json already")));
    write("z.json", R"([{"name": "other", "rule": "mean-of-speeds"}])");
    drop({path("z.json")});
    QTRY_VERIFY(said("import").contains(QLatin1String("z.json, format other")));
}

void DropTest::reportsFormatsOfUnwantedLogs() {
    write("a.json", R"({"name": "mine", "lines": {"contain": ["V="]}, "value": {"after": "V=", "is": "speed"},
                        "rule": "mean-of-speeds"})");
    write("logs/1n1g/r50_b128_fp32_1.log", "V=1\nV=10\nV=20\n");
    drop({path("a.json"), path("logs")});
    QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, 30'000);
    dialog()->reject();
    QTRY_VERIFY(said("import").contains(QLatin1String("Log formats added: mine.")));
}

void DropTest::aPlanIsAskedAbout() {
    write("plan.json",
          R"({"name": "x", "recipes": ["dlperf-worker"], "topologies": ["1n1g"], "batch_sizes": [3]})");
    drop({path("plan.json")});
    QTRY_COMPARE(window().section(), Section::Launch);
    QTRY_VERIFY(!window().launch().isReady());     // until the user says so
    MainWindow another(made_->session(), theme_);  // as in another language
    another.takeOver(window());
    QVERIFY(test::showWithPage(another));
    QTRY_VERIFY(test::findButton(another, QStringLiteral("Use this plan")) != nullptr);
    QVERIFY(!another.launch().isReady());
}

void DropTest::aClusterIsAskedAbout() {
    write("nodes.json", R"({"name": "lab", "nodes": [{"name": "n", "local": true}]})");
    drop({path("nodes.json")});
    QTRY_COMPARE(window().section(), Section::Cluster);
    QTRY_VERIFY(test::findButton(window(), QStringLiteral("Use these nodes")) != nullptr);
    QCOMPARE(made_->session().nodes().name(), std::string("this machine"));
}

void DropTest::refusesUnknownFiles() {
    write("poem.txt", "roses");
    drop({path("poem.txt")});
    QTRY_VERIFY(said("import").contains(QLatin1String("no plan, cluster or log")));
    write("odd.json", "{");
    drop({path("odd.json")});
    QTRY_VERIFY(said("import").contains(QLatin1String("odd.json")));
    QVERIFY(QDir().mkpath(path("empty")));
    drop({path("empty")});
    QTRY_VERIFY(said("import").contains(QLatin1String("no logs were found")));
}

void DropTest::judgesByContents() {
    write("a.json", R"({"nodes": []})");
    write("b.json", R"({"recipes": []})");
    write("c.json", "[]");
    QCOMPARE(judgeDropped(path("a.json").toStdString())->kind, DroppedKind::Cluster);
    QCOMPARE(judgeDropped(path("b.json").toStdString())->kind, DroppedKind::Plan);
    QVERIFY(!judgeDropped(path("c.json").toStdString()));
    write("d.json", R"([{"name": "mine", "lines": {}}])");
    QCOMPARE(judgeDropped(path("d.json").toStdString())->kind, DroppedKind::Formats);
    QVERIFY(QDir().mkpath(path("ws/campaigns")));
    QCOMPARE(judgeDropped(path("ws").toStdString())->kind, DroppedKind::Workspace);
    QVERIFY(!judgeDropped(path("nowhere").toStdString()));
    QVERIFY(QDir().mkpath(path("read/logs/imported-a")));  // nothing but imports
    QCOMPARE(judgeDropped(path("read").toStdString())->kind, DroppedKind::Workspace);
}

DLPERF_UI_TEST(DropTest);

}  // namespace dlperf::ui
#include "drop_test.moc"
