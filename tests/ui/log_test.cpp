// SPDX-License-Identifier: Apache-2.0
// Logs of any size on the screen: read on another thread, followed, searched, folded and copied, also while
// they grow. What a log is without a window is tested in tests/log.
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <fstream>

#include "tests/ui/find_part.h"
#include "tests/ui/watchdog.h"
#include "ui/log/log_view.h"
#include "ui/pages/log_panel.h"
#include "ui/session/background.h"

namespace dlperf::ui {

class LogTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void opensAtItsLastError();
    void theLastLineStaysWholeBelowALongOne();
    void isFollowedUntilOneScrollsUp();
    void draggingStopsFollowing();
    void copiesInTheBackground();
    void aLargeCopyIsBounded();
    void panelShowsTheNodeThatWasChosenLast();
    void allNodesStandTogether();
    void manyNodesAreChosenFromABox();
    void panelSearchesTheUnfinishedLineAgain();
    void hitsAreGoneToFromWhereOneIs();
    void onlyHitsAreShownAndCopied();
    void panelReportsABrokenPattern();
    void panelGivesACostlyPatternUp();
    void foldsOpenByMouseAndKey();
    void theWarmupFollowsTheRange();
    void countersLeadToTheNextOne();
    void brokenLinesShowTheEnd();
    void aCutLogBeginsAnew();
    void reportsALogThatIsGone();
    void anotherPanelGoesOnWhereOneWasRead();
    void anotherPanelKeepsFilterAndFolds();

private:
    std::filesystem::path write(const char* name, const std::string& text) const {
        const auto path = std::filesystem::path(folder_->path().toStdString()) / name;
        std::ofstream(path, std::ios::binary | std::ios::app) << text;
        return path;
    }
    std::filesystem::path writeLong(const char* name, int lines) const {
        std::string text;
        for (int i = 0; i < lines; ++i) {
            text += "line " + std::to_string(i) + (i % 1000 == 7 ? " needle" : "") + "\r\n";
        }
        return write(name, text);
    }
    void show(const QStringList& nodes, const std::vector<std::filesystem::path>& files) {
        panel_->setLogs(nodes, files);
        QTRY_VERIFY(panel_->isIndexed() && panel_->view().isComplete());
    }
    void showOne(const std::filesystem::path& file) { show({QStringLiteral("node1")}, {file}); }
    void grow() {
        panel_->refresh();
        QTRY_VERIFY(panel_->isIndexed() && panel_->view().isComplete());
    }
    QString copied(Qt::Key key = Qt::Key_A) {
        const QSignalSpy done(&panel_->view(), &LogView::copied);
        if (key == Qt::Key_A) {
            QTest::keyClick(&panel_->view(), Qt::Key_A, Qt::ControlModifier);
        }
        QTest::keyClick(&panel_->view(), Qt::Key_C, Qt::ControlModifier);
        for (int i = 0; i < 3000 && done.isEmpty(); ++i) {
            QTest::qWait(10);
        }
        return QGuiApplication::clipboard()->text();
    }
    QString copiedSelection() { return copied(Qt::Key_C); }
    SearchField& field() { return *panel_->findChild<SearchField*>(); }
    QAbstractButton* button(const QString& text) { return test::findButton(*panel_, text); }
    QScrollBar& bar() { return *panel_->view().verticalScrollBar(); }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Background> background_;
    std::unique_ptr<LogPanel> panel_;
};

void LogTest::init() {
    panel_.reset();
    background_ = std::make_unique<Background>();
    folder_ = std::make_unique<QTemporaryDir>();
    panel_ = std::make_unique<LogPanel>(*background_);
    panel_->resize(1000, 300);
    panel_->show();
}

void LogTest::opensAtItsLastError() {
    panel_->goToLastError();  // as soon as there is a log
    showOne(write("a.log", "fine\nerror: the first\nfine\nerror: the last\nfine\n"));
    panel_->goToLastError();
    QTRY_VERIFY(!panel_->view().isFollowing());
    QCOMPARE(copiedSelection().trimmed(), QStringLiteral("error: the last"));
    showOne(write("b.log", "nothing went wrong\n"));
    panel_->goToLastError();
    panel_->goToLine("a", 1);  // what is not there is not waited for
}

void LogTest::theLastLineStaysWholeBelowALongOne() {
    showOne(writeLong("a.log", 100));
    panel_->goToLine("node1", 100);
    QVERIFY(!panel_->view().isFollowing() && bar().maximum() > 0);
    QCOMPARE(bar().value(), bar().maximum());
    panel_->resize(panel_->width(), panel_->height() - 30);  // as a bar below takes it
    QCOMPARE(bar().value(), bar().maximum());
    QTest::keyClick(&panel_->view(), Qt::Key_Home);
    panel_->resize(panel_->width(), panel_->height() - 30);
    QCOMPARE(bar().value(), 0);
}

void LogTest::isFollowedUntilOneScrollsUp() {
    showOne(writeLong("a.log", 5000));
    auto* follow = panel_->findChild<QCheckBox*>(QStringLiteral("follow"));
    QVERIFY(panel_->view().isFollowing() && follow->isChecked());
    QCOMPARE(bar().value(), bar().maximum());
    QTest::keyClick(&panel_->view(), Qt::Key_Home);
    QVERIFY(!panel_->view().isFollowing());
    QVERIFY(!follow->isChecked());
    QCOMPARE(follow->text(), QStringLiteral("Stopped"));
    write("a.log", "more\n");
    grow();
    QCOMPARE(bar().value(), 0);
    QTest::keyClick(&panel_->view(), Qt::Key_End);
    QVERIFY(panel_->view().isFollowing());
    QCOMPARE(follow->text(), QStringLiteral("Follow"));
    const int before = bar().maximum();
    write("a.log", "and more\n");
    grow();
    QCOMPARE(bar().maximum(), before + 1);
    QCOMPARE(bar().value(), before + 1);
}

void LogTest::draggingStopsFollowing() {
    showOne(writeLong("a.log", 3000));
    bar().setSliderDown(true);
    bar().setSliderPosition(10);
    QVERIFY(!panel_->view().isFollowing());
    write("a.log", "more\n");
    grow();
    QCOMPARE(bar().value(), 10);
    bar().setSliderPosition(bar().maximum());
    bar().setSliderDown(false);
    QVERIFY(panel_->view().isFollowing());
}

void LogTest::copiesInTheBackground() {
    showOne(writeLong("a.log", 200'000));
    const QString text = copied();
    QCOMPARE(text.count(QLatin1Char('\n')), 200'000);
    QVERIFY(text.startsWith(QStringLiteral("line 0\nline 1\n")));
    QVERIFY(text.endsWith(QStringLiteral("line 199999\n")));
}

void LogTest::aLargeCopyIsBounded() {
    std::string text;
    for (int i = 0; i < 200'000; ++i) {
        text += std::to_string(i) + std::string(120, 'x') + "\n";
    }
    showOne(write("a.log", text));
    const QSignalSpy done(&panel_->view(), &LogView::copied);
    const QString taken = copied();
    QCOMPARE(done.count(), 1);
    QVERIFY(!done.front()[1].toBool());
    QCOMPARE(static_cast<qulonglong>(taken.count(QLatin1Char('\n'))), done.front()[0].toULongLong());
    QVERIFY(taken.size() > 10'000'000 && taken.size() < 20'000'000);
}

// The second node is chosen while the first one's log is being indexed.
void LogTest::panelShowsTheNodeThatWasChosenLast() {
    panel_->setLogs({QStringLiteral("node1"), QStringLiteral("node2")},
                    {writeLong("a.log", 5000), write("b.log", "the other one\n")});
    QVERIFY(button(QStringLiteral("node2")) != nullptr);
    button(QStringLiteral("node2"))->click();
    QTRY_VERIFY(panel_->isIndexed() && panel_->view().isComplete());
    QCOMPARE(copied(), QStringLiteral("the other one\n"));
}

void LogTest::allNodesStandTogether() {
    show({QStringLiteral("node1"), QStringLiteral("node2")},
         {write("a.log", "a0\na1\n"), write("b.log", "b0\n")});
    QVERIFY(button(QStringLiteral("All nodes"))->isChecked());
    QCOMPARE(copied(), QStringLiteral("node1: a0\nnode2: b0\nnode1: a1\n"));
    write("b.log", "b1\n");
    grow();
    write("a.log", "a2 b\n");
    grow();
    QCOMPARE(copied(), QStringLiteral("node1: a0\nnode2: b0\nnode1: a1\nnode2: b1\nnode1: a2 b\n"));
    field().setText(QStringLiteral("b"));
    QTRY_COMPARE(field().count(), QStringLiteral("3 hits"));
    panel_->findChild<QToolButton*>(QStringLiteral("onlyHits"))->click();
    QCOMPARE(copied(), QStringLiteral("node2: b0\nnode2: b1\nnode1: a2 b\n"));
}

void LogTest::manyNodesAreChosenFromABox() {
    QStringList nodes;
    std::vector<std::filesystem::path> files;
    for (int i = 0; i < 200; ++i) {
        const std::string name = "node" + std::to_string(i);
        nodes << QString::fromStdString(name);
        files.push_back(write(name.c_str(), "from " + name + "\n"));
    }
    show(nodes, files);
    QVERIFY(panel_->minimumSizeHint().width() < 1000);
    QCOMPARE(copied().count(QLatin1Char('\n')), 200);
}

void LogTest::panelSearchesTheUnfinishedLineAgain() {
    showOne(write("a.log", "a needle\nnee"));
    field().setText(QStringLiteral("needle"));
    QTRY_COMPARE(field().count(), QStringLiteral("1 hit"));
    write("a.log", "dle\n");
    panel_->refresh();
    QTRY_COMPARE(field().count(), QStringLiteral("2 hits"));
}

void LogTest::hitsAreGoneToFromWhereOneIs() {
    showOne(writeLong("a.log", 5000));
    field().setText(QStringLiteral("NEEDLE"));
    QTRY_COMPARE(field().count(), QStringLiteral("5 hits"));
    QTest::keyClick(&field(), Qt::Key_Return);
    QCOMPARE(field().count(), QStringLiteral("1 of 5"));
    QCOMPARE(copiedSelection(), QStringLiteral("line 7 needle\n"));
    QTest::keyClick(panel_.get(), Qt::Key_F3, Qt::ShiftModifier);
    QTRY_COMPARE(field().count(), QStringLiteral("5 of 5"));
    QCOMPARE(copiedSelection(), QStringLiteral("line 4007 needle\n"));
    QVERIFY(!panel_->view().isFollowing());
    panel_->view().goTo(1500);
    QCOMPARE(panel_->view().goToHit(true), std::size_t{3});  // the next one from there
    QTest::keyClick(&field(), Qt::Key_Escape);
    QTRY_VERIFY(field().count().isEmpty());
}

void LogTest::onlyHitsAreShownAndCopied() {
    showOne(writeLong("a.log", 5000));
    auto* only = panel_->findChild<QToolButton*>(QStringLiteral("onlyHits"));
    only->click();
    QVERIFY(bar().maximum() > 4000);  // nothing is searched for
    field().setText(QStringLiteral("needle"));
    QTRY_COMPARE(field().count(), QStringLiteral("5 hits"));
    QCOMPARE(bar().maximum(), 0);  // five lines have room
    const QString text = copied();
    QCOMPARE(text.count(QLatin1Char('\n')), 5);
    QVERIFY(text.startsWith(QStringLiteral("line 7 needle\nline 1007 needle\n")));
    QTRY_VERIFY(panel_->view().isComplete());
    panel_->view().grab();
    QTest::mouseClick(panel_->view().viewport(), Qt::LeftButton, {}, QPoint(100, 2));
    QCOMPARE(copiedSelection(), QStringLiteral("line 7 needle\n"));
    only->click();
    QVERIFY(bar().maximum() > 4000);
    QCOMPARE(copiedSelection(), QStringLiteral("line 7 needle\n"));  // it is still the same line
}

void LogTest::panelReportsABrokenPattern() {
    showOne(writeLong("a.log", 5000));
    button(QStringLiteral(".*"))->click();
    field().setText(QStringLiteral("line (7"));
    QTRY_VERIFY(field().problem().startsWith(QStringLiteral("No regular expression")));
    field().setText(QStringLiteral("^line \\d007 n"));
    QTRY_COMPARE(field().count(), QStringLiteral("4 hits"));
    QVERIFY(field().problem().isEmpty());
    button(QStringLiteral(".*"))->click();  // the same as a text is nowhere
    QTRY_COMPARE(field().count(), QStringLiteral("0 hits"));
}

void LogTest::panelGivesACostlyPatternUp() {
    std::string lines;
    for (int i = 0; i < 1000; ++i) {
        lines += std::string(100, 'a') + "!\n";
    }
    showOne(write("a.log", lines));
    button(QStringLiteral(".*"))->click();
    field().setText(QStringLiteral("^(a|aa|a+)+(?=$)"));
    QTRY_VERIFY(field().problem().contains(QStringLiteral("too long")));
    int answer = 0;
    background_->ask(
        this, [] { return 7; }, [&](int value) { answer = value; });
    QTRY_COMPARE(answer, 7);  // nobody waits for it any more
}

void LogTest::foldsOpenByMouseAndKey() {
    showOne(write("a.log", "first\n[rank0]: GPU\n[rank1]: GPU\n[rank2]: GPU\nlast\n"));
    LogView& view = panel_->view();
    view.grab();
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(100, 2));
    QTest::keyClick(&view, Qt::Key_Down);                     // the fold
    QCOMPARE(copiedSelection().count(QLatin1Char('\n')), 3);  // its lines, though they are not seen
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(copiedSelection(), QStringLiteral("[rank0]: GPU\n"));
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(copiedSelection(), QStringLiteral("[rank1]: GPU\n"));
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Return);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(copiedSelection(), QStringLiteral("last\n"));  // closed again
}

void LogTest::theWarmupFollowsTheRange() {
    std::string text = "# dlperf-worker 0.1.0\n# batch_size: 8\n# world_size: 1\n";
    for (int i = 1; i <= 12; ++i) {
        text += "iteration " + std::to_string(i) +
                " epoch 0 loss 6.9 time 0.5 s data 0.1 s comm 0.1 s throughput 16 images/s\n";
    }
    const auto file = write("a.log", text);
    log::Measured measured;
    measured.format = measured.formats.find("dlperf-worker");
    QVERIFY(measured.format != nullptr);
    measured.shape = {{1, 1}, 8};
    // The warmup is one row: below the three lines of the head it is the fourth.
    const auto firstMeasured = [&](int warmup) {
        measured.range = {warmup, 12};
        panel_->setLogs({QStringLiteral("node1")}, {file}, measured);
        (void)QTest::qWaitFor([&] { return panel_->isIndexed() && panel_->view().isComplete(); });
        panel_->view().grab();
        QTest::keyClick(&panel_->view(), Qt::Key_Home);
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&panel_->view(), Qt::Key_Down);
        }
        return copiedSelection().section(QLatin1Char(' '), 0, 1);
    };
    QCOMPARE(firstMeasured(5), QStringLiteral("iteration 6"));
    QCOMPARE(firstMeasured(8), QStringLiteral("iteration 9"));
}

void LogTest::countersLeadToTheNextOne() {
    std::string text;
    for (int i = 0; i < 4000; ++i) {
        text += i % 1000 == 500 ? "driver: Warning: slow " + std::to_string(i) + "\n"
                                : "step " + std::to_string(i) + "\n";
    }
    showOne(write("a.log", text + "RuntimeError: at the end\n"));
    auto* warnings = panel_->findChild<QPushButton*>(QStringLiteral("warnings"));
    auto* errors = panel_->findChild<QPushButton*>(QStringLiteral("errors"));
    QCOMPARE(warnings->text(), QStringLiteral("4"));
    QCOMPARE(errors->text(), QStringLiteral("1"));
    warnings->click();
    QCOMPARE(copiedSelection(), QStringLiteral("driver: Warning: slow 500\n"));
    warnings->click();
    QCOMPARE(copiedSelection(), QStringLiteral("driver: Warning: slow 1500\n"));
    errors->click();
    QCOMPARE(copiedSelection(), QStringLiteral("RuntimeError: at the end\n"));
}

void LogTest::brokenLinesShowTheEnd() {
    std::string text;
    for (int i = 0; i < 300; ++i) {
        text += std::to_string(i) + std::string(500, 'x') + "\n";
    }
    showOne(write("a.log", text));
    const int whole = bar().maximum();
    QVERIFY(panel_->view().horizontalScrollBar()->maximum() > 0);
    panel_->findChild<QCheckBox*>(QStringLiteral("wrap"))->click();
    QTRY_VERIFY(bar().maximum() > whole);  // fewer lines have room
    QCOMPARE(panel_->view().horizontalScrollBar()->maximum(), 0);
    QCOMPARE(bar().value(), bar().maximum());
}

void LogTest::aCutLogBeginsAnew() {
    const auto path = writeLong("a.log", 3000);
    showOne(path);
    QTest::keyClick(&panel_->view(), Qt::Key_A, Qt::ControlModifier);
    std::ofstream(path, std::ios::trunc) << "after\n";
    panel_->refresh();
    QTRY_COMPARE(bar().maximum(), 0);
    QTRY_VERIFY(panel_->view().isComplete());
    QCOMPARE(copied(), QStringLiteral("after\n"));
}

void LogTest::reportsALogThatIsGone() {
    const auto path = writeLong("a.log", 100);
    showOne(path);
    std::filesystem::remove(path);
    panel_->refresh();
    QTRY_VERIFY(test::findWords(*panel_, QStringLiteral("not there any more")) != nullptr);
    QVERIFY(copied().startsWith(QStringLiteral("line 0\n")));
}

// As when another language is chosen: what was being read stays in sight.
void LogTest::anotherPanelGoesOnWhereOneWasRead() {
    const QStringList nodes{QStringLiteral("node1"), QStringLiteral("node2")};
    const std::vector<std::filesystem::path> files{write("a.log", "short\n"), writeLong("b.log", 30'000)};
    show(nodes, files);
    button(QStringLiteral("node2"))->click();
    field().setText(QStringLiteral("line 1[0-9]+ needle"));
    button(QStringLiteral(".*"))->click();
    QTRY_VERIFY(panel_->isIndexed() && panel_->view().isComplete());
    bar().setValue(12'345);
    bar().triggerAction(QAbstractSlider::SliderSingleStepAdd);
    QVERIFY(!panel_->view().isFollowing());

    LogPanel other(*background_);
    other.setLogs(nodes, files);
    other.takeOver(*panel_);
    other.resize(panel_->size());
    other.show();
    QTRY_COMPARE(other.view().verticalScrollBar()->value(), 12'346);
    QVERIFY(!other.view().isFollowing());
    QVERIFY(test::findButton(other, QStringLiteral("node2"))->isChecked());
    QTRY_VERIFY(!field().count().isEmpty());
    QTRY_COMPARE(other.findChild<SearchField*>()->count(), field().count());
}

void LogTest::anotherPanelKeepsFilterAndFolds() {
    const QStringList nodes{QStringLiteral("node1"), QStringLiteral("node2")};
    const std::vector<std::filesystem::path> files{
        write("a.log", "first\n[rank0]: GPU\n[rank1]: GPU\n[rank2]: GPU\nlast\n"),
        write("b.log", "one\n[rank0]: GPU\n[rank1]: GPU\ntwo\n")};
    show(nodes, files);
    QTRY_VERIFY(panel_->isIndexed() && panel_->view().isComplete());
    LogView& view = panel_->view();
    view.grab();
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(100, 2));
    for (int row = 0; row < 5 && view.opened().repeats.empty(); ++row) {
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Return);
    }
    QCOMPARE(view.opened().repeats.size(), std::size_t{1});
    field().setText(QStringLiteral("rank1"));
    panel_->findChild<QToolButton*>(QStringLiteral("onlyHits"))->click();

    LogPanel other(*background_);
    other.setLogs(nodes, files);
    other.takeOver(*panel_);
    other.resize(panel_->size());
    other.show();
    QTRY_COMPARE(other.view().opened().repeats, view.opened().repeats);
    QVERIFY(other.findChild<QToolButton*>(QStringLiteral("onlyHits"))->isChecked());
    QTRY_COMPARE(other.findChild<SearchField*>()->count(), QStringLiteral("2 hits"));
}

DLPERF_UI_TEST(LogTest);

}  // namespace dlperf::ui
#include "log_test.moc"
