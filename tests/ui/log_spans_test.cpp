// SPDX-License-Identifier: Apache-2.0
// What a line of a log is, by its text alone.
#include <QtTest>

#include "core/log/log_book.h"
#include "tests/ui/watchdog.h"
#include "ui/log/log_lines.h"
#include "ui/log/log_search.h"

namespace dlperf::ui {
namespace {

ShownLine show(const char* text) {
    log::LogLine line;
    line.bytes = text;
    return showLine(line, {"node1", "node2"});
}

}  // namespace

class LogSpansTest : public QObject {
    Q_OBJECT

private slots:
    void levelsFollowTheMessages();
    void prefixes_data();
    void prefixes();
    void longLinesBreak();
    void linesAreClean();
    void queriesFind();
    void aBadPatternSaysWhere();
    void aPatternThatNeverEndsIsGivenUp();
};

void LogSpansTest::levelsFollowTheMessages() {
    QCOMPARE(show("[rank1]: ValueError: no such file").level, log::Level::Error);
    QCOMPARE(show("node2:1:2 [0] NCCL WARN slow").level, log::Level::Warning);
    QCOMPARE(show("iteration 21 loss 6.9").level, log::Level::Plain);
}

void LogSpansTest::prefixes_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("length");  // 0: none
    const auto row = [](const char* line, int length) {
        QTest::newRow(line) << QString::fromUtf8(line) << length;
    };
    row("[rank0]: Traceback", 8);
    row("[default12]:step 1", 12);
    row("[1,3]<stderr>: hello", 14);
    row("[1,0]<stdout>:", 14);
    row("[7]<stdout>:step", 12);
    row(" 3: srun says", 4);
    row("node2: pdsh says", 6);
    row("[node1] started", 7);
    row("node2:211:342 [5] NCCL INFO", 17);
    row("node23: another machine", 0);
    row("[21/313] an iteration", 0);
    row("12:30:05 a time", 0);
    row("", 0);
}

void LogSpansTest::prefixes() {
    QFETCH(QString, line);
    QFETCH(int, length);
    const ShownLine shown = show(line.toUtf8().constData());
    QCOMPARE(static_cast<int>(shown.prefix), length);
}

void LogSpansTest::longLinesBreak() {
    const QString text = QStringLiteral("abcdefg");
    QCOMPARE(wrapLine(text, 3), (std::vector<LogSpan>{{0, 3}, {3, 3}, {6, 1}}));
    QCOMPARE(wrapLine(text, 7), (std::vector<LogSpan>{{0, 7}}));
    QCOMPARE(wrapLine({}, 7), (std::vector<LogSpan>{{0, 0}}));
    const QString wide = QString(3, QChar(0x8bad));
    QCOMPARE(wrapLine(wide, 4), (std::vector<LogSpan>{{0, 2}, {2, 1}}));
}

void LogSpansTest::linesAreClean() {
    QCOMPARE(cleanLogLine("10%\r50%\r\x1b[32m100%\x1b[0m\r\n"), QStringLiteral("100%"));
    QCOMPARE(cleanLogLine("\x1b[1;31;48;5;16mred\x1b[K\x1b[?25l!\x1b(B"), QStringLiteral("red!"));
    QCOMPARE(cleanLogLine("\x1b]0;title\x07"
                          "a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"),
             QStringLiteral("alink"));
    QCOMPARE(cleanLogLine("cut \x1b["),
             QStringLiteral("cut ") + QChar(QChar::ReplacementCharacter) + QLatin1Char('['));
    QCOMPARE(cleanLogLine("a\tb\x01"), QStringLiteral("a    b") + QChar(QChar::ReplacementCharacter));
    const std::string rocket = "go \xF0\x9F\x9A\x80";
    QCOMPARE(cleanLogLine(rocket), QString::fromStdString(rocket));
}

void LogSpansTest::queriesFind() {
    using Answer = LogMatcher::Answer;
    const LogMatcher text({QStringLiteral("Loss"), false});
    QCOMPARE(text.look("train loss 6.9\n"), Answer::Yes);
    QCOMPARE(text.look("lo\x1b[1mss"), Answer::Yes);  // as it is shown
    QCOMPARE(text.look("loss 1\rdone\n"), Answer::No);
    QCOMPARE(text.find(QStringLiteral("loss LOSS")), (std::vector<LogSpan>{{0, 4}, {5, 4}}));
    QCOMPARE(LogMatcher({QStringLiteral("1.2"), false}).look("1x2"), Answer::No);

    const LogMatcher pattern({QStringLiteral("loss (\\d+)\\.\\d"), true});
    QCOMPARE(pattern.look("loss 6.9"), Answer::Yes);
    QCOMPARE(pattern.look("Loss 6.9"), Answer::No);
    QCOMPARE(pattern.find(QStringLiteral("loss 6.9, loss 7.1")), (std::vector<LogSpan>{{0, 8}, {10, 8}}));
    QVERIFY(LogMatcher({QStringLiteral("x*"), true}).find(QStringLiteral("abc")).empty());
    QVERIFY(LogMatcher().find(QStringLiteral("abc")).empty());
}

void LogSpansTest::aBadPatternSaysWhere() {
    const LogMatcher broken({QStringLiteral("ab(c"), true});
    QVERIFY2(broken.problem().contains(QStringLiteral("at character 4")), qPrintable(broken.problem()));
    QVERIFY(LogMatcher({QStringLiteral("ab(c"), false}).problem().isEmpty());
    QVERIFY(LogMatcher({QStringLiteral("ab(c)"), true}).problem().isEmpty());
}

void LogSpansTest::aPatternThatNeverEndsIsGivenUp() {
    // No back references here, so the fast engine answers at once.
    QCOMPARE(LogMatcher({QStringLiteral("^(a|aa|a+)+$"), true}).look(std::string(200, 'a') + "!"),
             LogMatcher::Answer::No);
    const LogMatcher matcher({QStringLiteral("^(a|aa|a+)+(?=$)"), true});
    QVERIFY(matcher.problem().isEmpty());
    QCOMPARE(matcher.look(std::string(200, 'a') + "!"), LogMatcher::Answer::TooCostly);
    QVERIFY(matcher.find(QString(200, QLatin1Char('a')) + QLatin1Char('!')).empty());
}

DLPERF_UI_TEST(LogSpansTest);

}  // namespace dlperf::ui
#include "log_spans_test.moc"
