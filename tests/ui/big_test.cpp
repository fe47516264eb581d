// SPDX-License-Identifier: Apache-2.0
// The window with 10,000 results and a campaign of 1,000 runs at work: everything can be reached and is
// right; the watchdog tells what it took.
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "tests/support/made_workspace.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/models/queue_model.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/report_page.h"
#include "ui/pages/results_panel.h"
#include "ui/pages/run_header.h"
#include "ui/pages/runs_page.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_control.h"

namespace dlperf::ui {
namespace {

constexpr int resultCount = 10'000;
constexpr int runCount = 1'000;

}  // namespace

class BigTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void everythingIsRead();
    void sectionsTakeTurns();
    void whatStaysTheSameIsNotAnnounced();
    void theQueueIsFiltered();
    void theQueueIsWalked();
    void figuresAreFiltered();
    void figuresAreSorted();
    void aRunIsExcluded();
    void theRunnerGoesOn();
    void theReportIsShown();
    void somethingIsFound();

private:
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(window_->focusWidget(), key, modifiers);
    }
    void go(Section section) {
        press(static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(section)), Qt::ControlModifier);
        QCOMPARE(window_->section(), section);
        QTest::qWait(20);
    }

    QTemporaryDir folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<run::WorkspaceLock> lock_;
    std::optional<run::Campaign> campaign_;
    std::unique_ptr<MainWindow> window_;
};

void BigTest::initTestCase() {
    const test::ApartScope apart(test::Apart::StartUp);
    session_ = test::openSession(folder_);
    QVERIFY(dlperf::test::makeResults(session_->workspace(), resultCount));
    auto campaign = dlperf::test::makeCampaign(session_->workspace(), runCount);
    QVERIFY(campaign);
    campaign_ = *campaign;
    auto lock = dlperf::test::seemToRun(session_->workspace(), *campaign_);
    QVERIFY(lock);
    lock_ = std::make_unique<run::WorkspaceLock>(std::move(*lock));
    window_ = std::make_unique<MainWindow>(*session_, theme_);
    QVERIFY(test::showWithPage(*window_));
}

void BigTest::cleanupTestCase() {
    window_.reset();
    session_.reset();
}

void BigTest::everythingIsRead() {
    session_->start();
    QTRY_VERIFY_WITH_TIMEOUT(session_->isLoaded() && !session_->campaigns().empty(), longWait);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->compare().comparison().series.empty(), longWait);
    QCOMPARE(session_->own().size(), std::size_t{resultCount + runCount * 6 / 10});
    QCOMPARE(session_->campaigns().front().runs.size(), std::size_t{runCount});
    QVERIFY(session_->campaigns().front().runnerAlive);
    QTest::qWait(1200);  // two looks at the runner's files
}

void BigTest::sectionsTakeTurns() {
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < sectionCount; ++i) {
            go(static_cast<Section>(i));
            QTest::qWait(200);
        }
    }
}

// Only the time goes on.
void BigTest::whatStaysTheSameIsNotAnnounced() {
    go(Section::Runs);
    auto* header = window_->runs().findChild<RunHeader*>();
    const auto words = [header] {
        QString all;
        for (const QLabel* label : header->findChildren<QLabel*>()) {
            all += label->text() + QLatin1Char('\n');
        }
        return all;
    };
    const QString before = words();
    const QSignalSpy announced(session_.get(), &Session::statusChanged);
    QTest::qWait(1700);  // three looks at the runner's files
    QCOMPARE(announced.count(), 0);
    QVERIFY2(words() != before, qPrintable(before));
}

void BigTest::theQueueIsFiltered() {
    go(Section::Runs);
    auto* model = window_->runs().findChild<QueueModel*>();
    constexpr int caseCount = 20;  // of 50 repetitions each
    QCOMPARE(model->rowCount(), caseCount + 3);
    auto* filter = window_->runs().findChild<QLineEdit*>();
    filter->setFocus();
    QTest::keyClicks(filter, QStringLiteral("1n8g"));
    QCOMPARE(model->rowCount(), caseCount / 5 + 2);  // none of them runs now
    filter->clear();
    QCOMPARE(model->rowCount(), caseCount + 3);
}

void BigTest::theQueueIsWalked() {
    go(Section::Runs);
    auto* queue = window_->runs().findChild<QListView*>();
    queue->setFocus();
    for (const Qt::Key key : {Qt::Key_End, Qt::Key_PageUp, Qt::Key_Up, Qt::Key_Home, Qt::Key_PageDown}) {
        QTest::keyClick(queue, key);
        QTest::qWait(50);
    }
}

void BigTest::figuresAreFiltered() {
    go(Section::Compare);
    auto* filters = window_->compare().findChild<FilterPanel*>();
    const auto count = [this] { return window_->compare().comparison().series.size(); };
    const std::size_t before = count();
    auto* models = filters->findChild<QComboBox*>();
    models->setFocus();
    models->setCurrentIndex(models->findData(QStringLiteral("insightface-r100")));
    emit models->activated(models->currentIndex());
    QTRY_VERIFY(count() != before);
    for (const QString& chip : {QStringLiteral("amp"), QStringLiteral("32"), QStringLiteral("64"),
                                QStringLiteral("96"), QStringLiteral("128"), QStringLiteral("256")}) {
        const auto buttons = filters->findChildren<QToolButton*>();
        const auto found = std::ranges::find(buttons, chip, &QToolButton::text);
        if (found != buttons.end() && !(*found)->isChecked()) {
            QTest::mouseClick(*found, Qt::LeftButton);
            QTest::qWait(20);
        }
    }
    QVERIFY2(count() >= 50, qPrintable(QString::number(count())));
}

void BigTest::figuresAreSorted() {
    go(Section::Compare);
    auto* table = window_->compare().findChild<ResultsPanel*>()->findChild<QTableView*>();
    QVERIFY(table->model()->rowCount() >= 50);
    for (const int column : {0, 3, 3}) {
        const QPoint head(table->horizontalHeader()->sectionViewportPosition(column) + 10, 10);
        QTest::mouseClick(table->horizontalHeader()->viewport(), Qt::LeftButton, {}, head);
        QTest::qWait(20);
    }
}

void BigTest::aRunIsExcluded() {
    const std::string id = campaign_->runs[1].id;
    session_->setNote(id, {{}, true, "a test"});
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::any_of(session_->own(),
                            [&](const RunResult& result) { return result.id == id && result.excluded; }),
        longWait);
}

// The journal grows, as a runner writes it.
void BigTest::theRunnerGoesOn() {
    go(Section::Runs);
    auto journal =
        run::Journal::open(run::campaignFolder(session_->workspace(), campaign_->id) / "journal.jsonl");
    QVERIFY(journal);
    const std::size_t number = runCount * 6 / 10 + 1;
    QVERIFY(journal->write({run::event::PhaseReached{run::RunPhase::Preparing}, number}));
    QTRY_VERIFY_WITH_TIMEOUT(session_->campaigns().front().runs[number].phase == run::RunPhase::Preparing,
                             longWait);
    QTest::qWait(600);
}

void BigTest::theReportIsShown() {
    const test::ApartScope apart(test::Apart::PictureExport);
    go(Section::Report);
    QTRY_VERIFY_WITH_TIMEOUT(window_->report().isShown(), longWait);
    go(Section::Compare);
}

void BigTest::somethingIsFound() {
    press(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(window_->focusWidget(), QStringLiteral("1n8g b64 repetition 7"));
    press(Qt::Key_Return);
    QCOMPARE(window_->section(), Section::Runs);
}

DLPERF_UI_TEST(BigTest);

}  // namespace dlperf::ui
#include "big_test.moc"
