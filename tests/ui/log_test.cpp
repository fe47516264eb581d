// SPDX-License-Identifier: Apache-2.0
// Logs of any size: indexed, searched, copied and painted a bounded part at a time, also while they grow.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <fstream>
#include <stdexcept>

#include "tests/ui/watchdog.h"
#include "ui/pages/log_panel.h"
#include "ui/session/background.h"
#include "ui/widgets/log_view.h"

namespace dlperf::ui {
namespace {

LogMatcher text(const char* what) {
    return LogMatcher({QString::fromUtf8(what), false});
}

LogQuery query(const char* what) {
    return {QString::fromUtf8(what), false};
}

}  // namespace

class LogTest : public QObject {
    Q_OBJECT

private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
    void showsTheLastStateOfLongProgressBars();
    void readsABoundedPart();
    void findsInWhatGrows();
    void isSearchedAndFollowed();
    void anotherLogStartsAfresh();
    void draggingStopsFollowing();
    void copiesInOnePass();
    void panelShowsTheNodeThatWasChosenLast();
    void panelSearchesTheUnfinishedLineAgain();
    void onlyHitsAreShownAndCopied();
    void panelTellsABrokenPattern();
    void panelGivesACostlyPatternUp();
    void workThatThrowsIsReported();

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

    std::unique_ptr<QTemporaryDir> folder_;
};

void LogTest::readsABoundedPart() {
    const std::string block(1U << 20U, 'x');
    const auto path = write("big.log", "first\n");
    for (int i = 0; i < 40; ++i) {
        write("big.log", block);  // one line that is longer than any block
    }
    write("big.log", "\nlast\n");
    LogFile log(path);
    int parts = 0;
    while (log.index()) {
        ++parts;
    }
    QVERIFY(parts >= 3);
    QCOMPARE(log.lineCount(), std::size_t{3});
    QCOMPARE(log.line(0), QStringLiteral("first"));
    QCOMPARE(log.line(1).size(), 4000);
    QCOMPARE(log.line(2), QStringLiteral("last"));
    QCOMPARE(log.lines(1, 9).size(), 2);
    QCOMPARE(log.find(text("last"), 0).lines, std::vector<std::size_t>{2});

    LogFile many(writeLong("many.log", 1'500'000));
    while (many.index()) {
    }
    std::size_t found = 0;
    int questions = 0;
    LogFile::Hits part{{}, 0, true};
    for (; part.more; ++questions) {
        part = many.find(text("needle"), part.next);
        found += part.lines.size();
    }
    QVERIFY(questions >= 2);
    QCOMPARE(found, std::size_t{1500});
}

void LogTest::findsInWhatGrows() {
    const auto path = write("live.log", "one\nnee");
    LogFile log(path);
    QVERIFY(log.index());
    const LogFile::Hits before = log.find(text("needle"), 0);
    QVERIFY(before.lines.empty());
    QCOMPARE(before.next, std::size_t{1});  // the unfinished line comes again
    write("live.log", "dle\nthree\n");
    QVERIFY(log.index());
    const LogFile::Hits after = log.find(text("NEEDLE"), before.next);
    QCOMPARE(after.lines, std::vector<std::size_t>{1});
    QCOMPARE(after.next, std::size_t{3});
}

void LogTest::isSearchedAndFollowed() {
    const auto path = writeLong("long.log", 5000);
    write("long.log", "10%\r50%\r\x1b[32m100%\x1b[0m");
    auto log = std::make_shared<LogFile>(path);
    QVERIFY(log->index());
    QVERIFY(!log->index());
    QCOMPARE(log->lineCount(), std::size_t{5001});
    QCOMPARE(log->line(7), QStringLiteral("line 7 needle"));
    QCOMPARE(log->line(5000), QStringLiteral("100%"));  // what the progress bar last showed
    const std::vector<std::size_t> hits{7, 1007, 2007, 3007, 4007};
    QCOMPARE(log->find(text("NEEDLE"), 0).lines, hits);
    LogView view;
    view.resize(600, 300);
    view.setLog(log);
    view.show();
    QVERIFY(view.isFollowing());
    QTest::keyClick(&view, Qt::Key_Home);
    QVERIFY(!view.isFollowing());
    QTest::keyClick(&view, Qt::Key_End);
    QVERIFY(view.isFollowing());
    view.setSearch(query("needle"), hits);
    QCOMPARE(view.goToHit(true), std::size_t{1});
    QCOMPARE(view.selectedText(), QStringLiteral("line 7 needle\n"));
    QCOMPARE(view.goToHit(false), std::size_t{5});
}

// The place among the hits of the log before is no place among these.
void LogTest::anotherLogStartsAfresh() {
    auto first = std::make_shared<LogFile>(writeLong("first.log", 5000));
    auto second = std::make_shared<LogFile>(writeLong("second.log", 1500));
    QVERIFY(first->index() && second->index());
    const LogQuery needle = query("needle");
    LogView view;
    view.resize(600, 300);
    view.setLog(first);
    view.setSearch(needle, first->find(text("needle"), 0).lines);
    QCOMPARE(view.goToHit(false), std::size_t{5});
    view.setLog(second);
    QVERIFY(view.selectedText().isEmpty());
    view.setSearch(needle, second->find(text("needle"), 0).lines);
    QCOMPARE(view.goToHit(false), std::size_t{2});
    QCOMPARE(view.selectedText(), QStringLiteral("line 1007 needle\n"));
    view.setSearch(needle, {7});  // fewer hits, same text
    QCOMPARE(view.goToHit(false), std::size_t{1});
}

void LogTest::draggingStopsFollowing() {
    auto log = std::make_shared<LogFile>(writeLong("long.log", 3000));
    QVERIFY(log->index());
    LogView view;
    view.resize(600, 300);
    view.setLog(log);
    view.show();
    QScrollBar* bar = view.verticalScrollBar();
    bar->setSliderDown(true);
    bar->setSliderPosition(10);
    QVERIFY(!view.isFollowing());
    write("long.log", "more\n");
    QVERIFY(log->index());
    view.refresh();
    QCOMPARE(bar->value(), 10);
    bar->setSliderPosition(bar->maximum());
    bar->setSliderDown(false);
    QVERIFY(view.isFollowing());
}

void LogTest::copiesInOnePass() {
    auto log = std::make_shared<LogFile>(writeLong("long.log", 200'000));
    QVERIFY(log->index());
    const LogFile::Text cut = log->text(10, 1000, 100);
    QVERIFY(cut.lines > 2 && cut.lines < 20);
    QVERIFY(cut.text.startsWith(QStringLiteral("line 10\nline 11\n")));
    LogView view;
    view.resize(600, 300);
    view.setLog(log);
    const QSignalSpy notAll(&view, &LogView::copyCut);
    QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    const QString copied = QGuiApplication::clipboard()->text();
    QCOMPARE(copied.count(QLatin1Char('\n')), 200'000);
    QVERIFY(copied.endsWith(QStringLiteral("line 199999\n")));
    QCOMPARE(notAll.count(), 0);
}

// The second node is chosen while the first one's log is being indexed.
void LogTest::panelShowsTheNodeThatWasChosenLast() {
    Background background;
    LogPanel panel(background);
    panel.setLogs({QStringLiteral("node1"), QStringLiteral("node2")},
                  {writeLong("node0.log", 5000), write("node1.log", "the other one\n")});
    const auto buttons = panel.findChildren<QToolButton*>();
    const auto second = std::ranges::find(buttons, QStringLiteral("node2"), &QToolButton::text);
    QVERIFY(second != buttons.end());
    (*second)->click();
    const auto shown = [&panel] {
        QTest::keyClick(&panel.view(), Qt::Key_A, Qt::ControlModifier);
        return panel.view().selectedText();
    };
    QTRY_COMPARE(shown(), QStringLiteral("the other one\n"));
}

void LogTest::panelSearchesTheUnfinishedLineAgain() {
    Background background;
    LogPanel panel(background);
    panel.setLogs({QStringLiteral("node1")}, {write("node0.log", "a needle\nnee")});
    panel.findChild<QLineEdit*>()->setText(QStringLiteral("needle"));
    const auto says = [&panel](const QString& text) {
        const auto labels = panel.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == text; });
    };
    QTRY_VERIFY(says(QStringLiteral("1 hit")));
    write("node0.log", "dle\n");
    panel.refresh();
    QTRY_VERIFY(says(QStringLiteral("2 hits")));
}

// Within a block, and longer than any.
void LogTest::showsTheLastStateOfLongProgressBars() {
    std::string bar;
    for (int i = 0; i < 3000; ++i) {
        bar += "epoch " + std::to_string(i) + "\r";
    }
    std::string longer;
    while (longer.size() < (2U << 20U)) {
        longer += bar;
    }
    LogFile log(write("bars.log", bar + "\n" + longer + "\x1b[1mdone\x1b[0m\r\nnext\n"));
    while (log.index()) {
    }
    QCOMPARE(log.lines(0, 9),
             (QStringList{QStringLiteral("epoch 2999"), QStringLiteral("done"), QStringLiteral("next")}));
    QCOMPARE(log.find(text("done"), 0).lines, std::vector<std::size_t>{1});
    QVERIFY(log.find(text("epoch 7"), 0).lines.empty());  // is not shown
}

void LogTest::onlyHitsAreShownAndCopied() {
    auto log = std::make_shared<LogFile>(writeLong("long.log", 5000));
    QVERIFY(log->index());
    LogView view;
    view.resize(600, 300);
    view.setLog(log);
    view.setSearch(query("needle"), log->find(text("needle"), 0).lines);
    view.setFiltered(true);
    view.show();
    QCOMPARE(view.verticalScrollBar()->maximum(), 0);  // five lines have room
    QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    const QString copied = QGuiApplication::clipboard()->text();
    QCOMPARE(copied.count(QLatin1Char('\n')), 5);
    QVERIFY(copied.startsWith(QStringLiteral("line 7 needle\nline 1007 needle\n")));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(100, 2));
    QCOMPARE(view.selectedText(), QStringLiteral("line 7 needle\n"));
    QCOMPARE(view.goToHit(false), std::size_t{5});
    QCOMPARE(view.selectedText(), QStringLiteral("line 4007 needle\n"));
    view.setFiltered(false);
    QVERIFY(view.verticalScrollBar()->maximum() > 4000);
    QCOMPARE(view.selectedText(), QStringLiteral("line 4007 needle\n"));  // it is still the same line
    view.setFiltered(true);
    view.setSearch({}, {});  // nothing is searched for: all lines again
    QVERIFY(view.verticalScrollBar()->maximum() > 4000);
}

void LogTest::panelTellsABrokenPattern() {
    Background background;
    LogPanel panel(background);
    panel.setLogs({QStringLiteral("node1")}, {writeLong("node0.log", 5000)});
    auto* field = panel.findChild<QLineEdit*>();
    const auto buttons = panel.findChildren<QToolButton*>();
    const auto pattern = std::ranges::find(buttons, QStringLiteral(".*"), &QToolButton::text);
    QVERIFY(pattern != buttons.end());
    (*pattern)->click();
    field->setText(QStringLiteral("line (7"));
    QTRY_VERIFY(field->accessibleDescription().startsWith(QStringLiteral("No regular expression")));
    field->setText(QStringLiteral("^line \\d007 n"));
    QTRY_VERIFY(field->accessibleDescription().isEmpty());
    const auto says = [&panel](const QString& what) {
        const auto labels = panel.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == what; });
    };
    QTRY_VERIFY(says(QStringLiteral("4 hits")));
    (*pattern)->click();  // the same as a text is nowhere
    QTRY_VERIFY(says(QStringLiteral("0 hits")));
}

void LogTest::panelGivesACostlyPatternUp() {
    Background background;
    LogPanel panel(background);
    std::string lines;
    for (int i = 0; i < 1000; ++i) {
        lines += std::string(100, 'a') + "!\n";
    }
    panel.setLogs({QStringLiteral("node1")}, {write("node0.log", lines)});
    const auto buttons = panel.findChildren<QToolButton*>();
    (*std::ranges::find(buttons, QStringLiteral(".*"), &QToolButton::text))->click();
    auto* field = panel.findChild<QLineEdit*>();
    field->setText(QStringLiteral("^(a|aa|a+)+$"));
    QTRY_VERIFY(field->accessibleDescription().contains(QStringLiteral("too long")));
    int answer = 0;
    background.ask(
        this, [] { return 7; }, [&](int value) { answer = value; });
    QTRY_COMPARE(answer, 7);  // nobody waits for it any more
}

void LogTest::workThatThrowsIsReported() {
    Background background;
    QString said;
    bool failed = false;
    int answer = 0;
    background.onTrouble([&](const QString& what) { said = what; });
    background.ask(
        this, []() -> int { throw std::runtime_error("no such thing"); }, [&](int value) { answer = value; },
        [&] { failed = true; });
    QTRY_COMPARE(said, QStringLiteral("no such thing"));
    QVERIFY(failed);
    QCOMPARE(answer, 0);
    background.ask(
        this, [] { return 7; }, [&](int value) { answer = value; });
    QTRY_COMPARE(answer, 7);  // the thread is still there
}

}  // namespace dlperf::ui

DLPERF_WATCHED_MAIN(dlperf::ui::LogTest)
#include "log_test.moc"
