// SPDX-License-Identifier: Apache-2.0
// What the window has done by other threads: in order by one, at once by several, and nothing written is
// lost.
#include "ui/session/background.h"

#include <QtTest>
#include <algorithm>
#include <atomic>
#include <latch>
#include <stdexcept>

#include "tests/ui/watchdog.h"

namespace dlperf::ui {

class BackgroundTest : public QObject {
    Q_OBJECT

private slots:
    void oneThreadKeepsTheOrder();
    void severalThreadsWorkAtOnce();
    void onlyWritesOutliveIt();
    void workThatThrowsIsReported();
};

void BackgroundTest::oneThreadKeepsTheOrder() {
    Background background;
    QList<int> answers;
    for (int i = 0; i < 20; ++i) {
        background.ask(
            this, [i] { return i; }, [&](int value) { answers.append(value); });
    }
    QTRY_COMPARE(answers.size(), 20);
    QVERIFY(std::ranges::is_sorted(answers));
}

// Each waits for all others: one after the other they would never end.
void BackgroundTest::severalThreadsWorkAtOnce() {
    constexpr int count = 8;
    std::latch all(count);
    Background background(count);
    int done = 0;
    for (int i = 0; i < count; ++i) {
        background.ask(
            this,
            [&] {
                all.arrive_and_wait();
                return true;
            },
            [&](bool) { ++done; });
    }
    QTRY_COMPARE(done, count);
}

void BackgroundTest::onlyWritesOutliveIt() {
    std::atomic<int> read = 0;
    std::atomic<int> written = 0;
    {
        Background background;
        std::latch begun(1);
        background.ask(
            this,
            [&, stop = background.stopToken()] {
                begun.count_down();
                while (!stop.stop_requested()) {
                    std::this_thread::yield();
                }
                return 0;
            },
            [](int) {});
        background.ask(
            this, [&] { return ++read; }, [](int) {});
        background.write(
            this, [&] { return ++written; }, [](int) {});
        begun.wait();
    }
    QCOMPARE(read.load(), 0);
    QCOMPARE(written.load(), 1);
}

void BackgroundTest::workThatThrowsIsReported() {
    Background background;
    QString said;
    bool failed = false;
    int answer = 0;
    background.onError([&](const QString& what) { said = what; });
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

DLPERF_UI_TEST(BackgroundTest);

}  // namespace dlperf::ui
#include "background_test.moc"
