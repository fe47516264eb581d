// SPDX-License-Identifier: Apache-2.0
// What a line of a log is, by its text alone.
#include <QtTest>

#include "tests/ui/watchdog.h"
#include "ui/widgets/log_query.h"
#include "ui/widgets/log_spans.h"

namespace dlperf::ui {

class LogSpansTest : public QObject {
    Q_OBJECT

private slots:
    void levels_data();
    void levels();
    void prefixes_data();
    void prefixes();
    void linesAreClean();
    void queriesFind();
    void aPatternThatIsNoneSaysWhere();
    void aPatternThatNeverEndsIsGivenUp();
};

void LogSpansTest::levels_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("level");
    const auto row = [](const char* line, LogLevel level) {
        QTest::newRow(line) << QString::fromUtf8(line) << static_cast<int>(level);
    };
    row("Traceback (most recent call last):", LogLevel::Error);
    row("  File \"train.py\", line 31, in <module>", LogLevel::Error);
    row("ValueError: no such file", LogLevel::Error);
    row("torch.cuda.OutOfMemoryError: CUDA out of memory.", LogLevel::Error);
    row("2026-11-21 08:15:30 ERROR cannot open /data", LogLevel::Error);
    row("toy: error: out of patience", LogLevel::Error);
    row("E1121 08:15:30.123 net.cpp:31] refused", LogLevel::Error);
    row("bash: line 1: 2936 Segmentation fault (core dumped)", LogLevel::Error);
    row("a:1:2 [0] misc/socket.cc:47 NCCL WARN Connect to b failed", LogLevel::Error);
    row("libibverbs: Warning: no userspace driver", LogLevel::Warning);
    row("train.py:7: UserWarning: deprecated", LogLevel::Warning);
    row("[W socket.cpp:426] cannot be initialized", LogLevel::Warning);
    row("node3:211:342 [0] NCCL INFO NET/IB : No device found.", LogLevel::Info);
    row("[08:15:30] INFO loading", LogLevel::Info);
    row("# backend: cpu", LogLevel::Quiet);
    row("DEBUG cache hit", LogLevel::Quiet);
    row("top-1 error 0.31, 0 failed", LogLevel::Plain);
    row("iteration 21 epoch 0 loss 6.9312 throughput 12.46 images/s", LogLevel::Plain);
    row("mean_absolute_error 0.3 information warnings_total 0", LogLevel::Plain);
}

void LogSpansTest::levels() {
    QFETCH(QString, line);
    QFETCH(int, level);
    QCOMPARE(static_cast<int>(levelOf(line)), level);
}

void LogSpansTest::prefixes_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("length");  // 0: none
    QTest::addColumn<int>("rank");    // -1: none
    QTest::addColumn<int>("node");
    const auto row = [](const char* line, int length, int rank, int node) {
        QTest::newRow(line) << QString::fromUtf8(line) << length << rank << node;
    };
    row("[rank0]: Traceback", 8, 0, -1);
    row("[default12]:step 1", 12, 12, -1);
    row("[1,3]<stderr>: hello", 14, 3, -1);
    row("[1,0]<stdout>:", 14, 0, -1);
    row("[7]<stdout>:step", 12, 7, -1);
    row(" 3: srun says", 4, 3, -1);
    row("node2: pdsh says", 6, -1, 1);
    row("[node1] started", 7, -1, 0);
    row("node2:211:342 [5] NCCL INFO", 17, 5, 1);
    row("node23: another machine", 0, -1, -1);
    row("[21/313] an iteration", 0, -1, -1);
    row("12:30:05 a time", 0, -1, -1);
    row("", 0, -1, -1);
}

void LogSpansTest::prefixes() {
    QFETCH(QString, line);
    QFETCH(int, length);
    QFETCH(int, rank);
    QFETCH(int, node);
    const auto prefix = prefixOf(line, {QStringLiteral("node1"), QStringLiteral("node2")});
    QCOMPARE(prefix ? static_cast<int>(prefix->span.length) : 0, length);
    QCOMPARE(prefix ? prefix->rank.value_or(-1) : -1, rank);
    QCOMPARE(prefix ? prefix->node : -1, node);
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
    QCOMPARE(lastState("a\rb\r\r\n"), std::string_view("b"));
    QCOMPARE(lastState("\r\n"), std::string_view());
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

void LogSpansTest::aPatternThatIsNoneSaysWhere() {
    const LogMatcher broken({QStringLiteral("ab(c"), true});
    QVERIFY2(broken.problem().contains(QStringLiteral("at character 4")), qPrintable(broken.problem()));
    QVERIFY(LogMatcher({QStringLiteral("ab(c"), false}).problem().isEmpty());
    QVERIFY(LogMatcher({QStringLiteral("ab(c)"), true}).problem().isEmpty());
}

void LogSpansTest::aPatternThatNeverEndsIsGivenUp() {
    const LogMatcher matcher({QStringLiteral("^(a|aa|a+)+$"), true});
    QVERIFY(matcher.problem().isEmpty());
    QCOMPARE(matcher.look(std::string(200, 'a') + "!"), LogMatcher::Answer::TooCostly);
    QVERIFY(matcher.find(QString(200, QLatin1Char('a')) + QLatin1Char('!')).empty());
}

}  // namespace dlperf::ui

DLPERF_WATCHED_MAIN(dlperf::ui::LogSpansTest)
#include "log_spans_test.moc"
