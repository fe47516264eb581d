// SPDX-License-Identifier: Apache-2.0
// Pause, skip, exclude, run again: asked on the Runs page, done by a real runner with the toy trainer.
#include <signal.h>
#include <sys/resource.h>

#include <QClipboard>
#include <QDBusConnection>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>

#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/log/log_view.h"
#include "ui/models/queue_model.h"
#include "ui/pages/run_actions.h"
#include "ui/pages/run_header.h"
#include "ui/pages/runs_page.h"
#include "ui/session/session.h"
#include "ui/shell/notifier.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {
namespace {

// KiB, for a log of 200 MB. Sanitizers keep freed memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr long allowedMemory = 2'000'000;
#else
constexpr long allowedMemory = 100'000;
#endif

// KiB that this process has held at most.
long mostMemory() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

std::uint64_t countLines(const std::filesystem::path& file) {
    std::ifstream text(file);
    return static_cast<std::uint64_t>(
        std::count(std::istreambuf_iterator<char>(text), std::istreambuf_iterator<char>(), '\n'));
}

}  // namespace

// What a desktop does that shows notifications.
class Desktop : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    QStringList shown;

public slots:
    uint Notify(const QString&, uint, const QString&, const QString& summary, const QString& body,
                const QStringList&, const QVariantMap&, int) {
        shown << summary << body;
        return 1;
    }
};

constexpr int leastLog = 150;  // px that somebody can read

class RunControlTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aStartOnAFullDiskIsRefused();
    void twoWindowsLoseNoNote();
    void manyNotesAreOneChange();
    void aPauseHoldsTheNextRun();
    void anEndedPlanLeadsToItsComparison();
    void theDesktopIsToldWhenNobodyLooks();
    void aKeyPressedAfterPauseCancelsNothing();
    void cancelAllCanBeUndone();
    void nothingComesUnderThePointerThatIsToUndo();
    void cancelAllIsRequestedWhenTheWindowCloses();
    void cancelAllCanBeUndoneInAnotherWindow();
    void aRunIsSkippedAndUnskipped();
    void anExcludedRunDoesNotCountUntilItIsUndone();
    void whatIsTypedBelongsToItsRun();
    void aNoteOutlastsItsRun();
    void aLogThatIsReadStays();
    void theRunThatWasPressedIsCancelled();
    void aSecondClickCancelsNoOtherRun();
    void theNextRunIsNotCancelledInPlaceOfTheShownOne();
    void runsTheFailedAgain();
    void showsTheActiveRunAfterStart();
    void aFloodIsShownInBoundedMemory_data();
    void aFloodIsShownInBoundedMemory();

private:
    [[nodiscard]] std::string writePlan(const QByteArray& more) const;
    void start(const QByteArray& more);
    [[nodiscard]] const run::Campaign& campaign() const { return session_->campaigns().back(); }
    [[nodiscard]] bool runnerAlive() const { return test::isRunnerAlive(*session_); }
    [[nodiscard]] bool isOver() const {
        return !session_->campaigns().empty() && campaign().finished() && !runnerAlive() &&
               !session_->isStarting();
    }
    [[nodiscard]] QAbstractButton* button(const QString& text) const {
        return test::findButton(*page_, text);
    }
    // It counts down.
    [[nodiscard]] static QAbstractButton* undoOf(const QWidget& within) {
        return test::findPart<QAbstractButton>(
            within, [](const QAbstractButton& one) { return one.text().startsWith(QStringLiteral("Undo")); });
    }
    [[nodiscard]] QString shown(std::size_t number, int role) const {
        const auto* model = page_->findChild<QueueModel*>();
        return model->indexOf(campaign().runs[number].id).data(role).toString();
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<RunsPage> page_;
};

void RunControlTest::init() {
    const test::ApartScope apart(test::Apart::StartUp);
    folder_ = std::make_unique<QTemporaryDir>();
    test::useToyRecipe(*folder_);
    session_ = test::openSession(*folder_);
    page_ = std::make_unique<RunsPage>(*session_);
    session_->start();
    page_->resize(1200, 800);
    page_->show();
}

void RunControlTest::cleanup() {
    QVERIFY(!session_ || test::endRunner(*session_));
    page_.reset();
    session_.reset();
}

std::string RunControlTest::writePlan(const QByteArray& more) const {
    std::string plan = folder_->path().toStdString() + "/plan.json";
    std::ofstream(plan) << R"({"name": "toy", "recipes": ["toy"], "topologies": ["1n1g"],)"
                        << R"("batch_sizes": [8], "warmup": 2, )" << more.toStdString() << "}";
    return plan;
}

void RunControlTest::start(const QByteArray& more) {
    QVERIFY(session_->startPlan(writePlan(more)));
    QTRY_VERIFY_WITH_TIMEOUT(!session_->campaigns().empty() && !session_->isStarting(), longWait);
}

// Neither what the program says nor how it ended can be written.
void RunControlTest::aStartOnAFullDiskIsRefused() {
    QTRY_VERIFY(session_->isLoaded());
    QSignalSpy refused(session_.get(), &Session::runnerRefused);
    const std::string plan = writePlan(R"("train": 20)");
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit full = before;
    full.rlim_cur = 0;
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &full), 0);  // of what is started here
    const auto started = session_->startPlan(plan);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ::signal(SIGXFSZ, handler);
    QVERIFY(started);
    QTRY_COMPARE_WITH_TIMEOUT(refused.size(), 1, longWait);
    QVERIFY(refused.front().at(1).toString().contains(QLatin1String("disk")));
    QVERIFY(!session_->isStarting());
    start(R"("train": 20)");  // there is room again
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
}

void RunControlTest::twoWindowsLoseNoNote() {
    const auto other = test::openSession(*folder_);
    Session& second = *other;
    second.start();
    QTRY_VERIFY(session_->isLoaded() && second.isLoaded());
    const std::string run = "20261121-081530-3fa2/0001";
    const std::filesystem::path file = store::noteFile(session_->workspace(), run);
    session_->setNote(run, {.note = "hot"});
    QTRY_VERIFY(std::filesystem::exists(file));
    second.setNote(run, {.excluded = true, .reason = "fan"});  // it has not read the note
    QTRY_COMPARE(second.note(run).note, std::string("hot"));
    QVERIFY(second.note(run).excluded);
    session_->setNote(run, {.note = "warm"});  // it has not read the mark
    QTRY_VERIFY(session_->note(run).excluded);
    QCOMPARE(session_->note(run).note, std::string("warm"));
    second.setNote(run, {.note = "a draught", .excluded = true, .reason = "fan"});
    QTRY_COMPARE(second.note(run).note, std::string("warm; a draught"));
    QTRY_COMPARE(store::readNotes(session_->workspace()).byFile.begin()->second.note,
                 std::string("warm; a draught"));
}

void RunControlTest::manyNotesAreOneChange() {
    QTRY_VERIFY(session_->isLoaded());
    const QSignalSpy changed(session_.get(), &Session::notesChanged);
    std::map<std::string, store::RunNote> notes;
    for (int i = 1; i <= 3; ++i) {
        notes["20261121-081530-3fa2/000" + std::to_string(i)] = {.excluded = true, .reason = "fan"};
    }
    session_->setNotes(notes);
    QCOMPARE(changed.size(), 1);
    QTRY_COMPARE(store::readNotes(session_->workspace()).byFile.size(), std::size_t{3});
    for (const auto& [run, note] : notes) {
        QCOMPARE(session_->note(run), note);
    }
    session_->setNotes(notes);  // they are so already
    QCOMPARE(changed.size(), 1);
}

void RunControlTest::aPauseHoldsTheNextRun() {
    start(R"("train": 20, "repetitions": 2)");
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Pause queue")) != nullptr, longWait);
    QTRY_VERIFY_WITH_TIMEOUT(campaign().runs[0].phase == run::RunPhase::Running, longWait);
    button(QStringLiteral("Pause queue"))->click();
    QVERIFY(!button(QStringLiteral("Pause queue"))->isEnabled());  // asked once
    QTRY_VERIFY_WITH_TIMEOUT(campaign().runs[0].phase == run::RunPhase::Finished && campaign().paused,
                             longWait);
    QCOMPARE(shown(1, QueueModel::ResultRole), QStringLiteral("paused"));
    auto* banner = page_->findChild<Banner*>();
    QVERIFY(banner->isVisible() && banner->accessibleName().startsWith(QStringLiteral("Paused.")));
    QCOMPARE(campaign().runs[1].phase, run::RunPhase::Queued);
    emit banner->actionTriggered();
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[1].outcome, Outcome::Ok);
    QVERIFY(!banner->isVisible());
}

void RunControlTest::anEndedPlanLeadsToItsComparison() {
    start(R"("train": 20)");
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Cancel all")) != nullptr, longWait);
    QVERIFY(button(QStringLiteral("See comparison")) == nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QTRY_VERIFY(button(QStringLiteral("See comparison")) != nullptr);
    // What it found is said where its name stands.
    QTRY_VERIFY_WITH_TIMEOUT(test::findWords(*page_, QStringLiteral("On 1 device (1n1g) ")) != nullptr,
                             longWait);
    const QSignalSpy asked(page_.get(), &RunsPage::comparisonRequested);
    button(QStringLiteral("See comparison"))->click();
    QCOMPARE(asked.size(), 1);
}

void RunControlTest::theDesktopIsToldWhenNobodyLooks() {
    Desktop desktop;
    QDBusConnection bus = QDBusConnection::sessionBus();
    const bool hasBus = qEnvironmentVariableIsSet("DLPERF_TEST_BUS");
    if (hasBus) {
        QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.Notifications")));
        QVERIFY(bus.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &desktop,
                                   QDBusConnection::ExportAllSlots));
    }
    QWidget elsewhere;  // never shown, so never looked at
    const Notifier away(*session_, elsewhere);
    QSignalSpy told(&away, &Notifier::notified);
    const Notifier looking(*session_, *page_);
    const QSignalSpy unneeded(&looking, &Notifier::notified);
    QVERIFY(QTest::qWaitForWindowActive(page_.get()));
    start(R"("train": 20)");
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QTRY_COMPARE(told.size(), 1);
    const QStringList expected{QStringLiteral("The plan \"toy\" has ended"),
                               QStringLiteral("1 of 1 runs have a figure. On 1 device (1n1g) dlperf-worker "
                                              "trains 16.00 images/s.")};
    QCOMPARE(told[0][0].toString(), expected[0]);
    QCOMPARE(told[0][1].toString(), expected[1]);
    QCOMPARE(unneeded.size(), 0);
    if (hasBus) {
        QTRY_COMPARE(desktop.shown, expected);
    }
}

void RunControlTest::aKeyPressedAfterPauseCancelsNothing() {
    start(R"("train": 20, "repetitions": 2)");
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Pause queue")) != nullptr, longWait);
    QVERIFY(QTest::qWaitForWindowActive(page_.get()));
    QTest::mouseClick(button(QStringLiteral("Pause queue")), Qt::LeftButton);
    QVERIFY(qobject_cast<QAbstractButton*>(page_->focusWidget()) == nullptr);
    QTest::keyClick(page_->focusWidget(), Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Resume")) != nullptr && campaign().paused, longWait);
    QTest::keyClick(page_->focusWidget(), Qt::Key_Space);
    QVERIFY(!page_->actions().isCancellingAll());
    button(QStringLiteral("Resume"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[0].outcome, Outcome::Ok);
    QCOMPARE(campaign().runs[1].outcome, Outcome::Ok);
}

void RunControlTest::cancelAllCanBeUndone() {
    start(R"("train": 40)");
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Cancel all")) != nullptr, longWait);
    QVERIFY(QTest::qWaitForWindowActive(page_.get()));
    QTest::mouseClick(button(QStringLiteral("Cancel all")), Qt::LeftButton);
    QVERIFY(!button(QStringLiteral("Cancel all"))->isEnabled());
    QVERIFY(page_->actions().isCancellingAll());
    QVERIFY(qobject_cast<QAbstractButton*>(page_->focusWidget()) == nullptr);
    auto* said = page_->findChild<Banner*>(QStringLiteral("said"));
    QVERIFY(said->isVisible());
    QAbstractButton* undo = undoOf(*said);
    QVERIFY(undo != nullptr);
    QCOMPARE(undo->text(), QStringLiteral("Undo (5 s)"));
    QTRY_COMPARE(undo->text(), QStringLiteral("Undo (4 s)"));
    QTest::mouseClick(undo, Qt::LeftButton);
    QVERIFY(!said->isVisible() && !page_->actions().isCancellingAll());
    QVERIFY(button(QStringLiteral("Cancel all"))->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[0].outcome, Outcome::Ok);
}

// The time to undo is over, and then all runs have ended, while the pointer rests on the button.
void RunControlTest::nothingComesUnderThePointerThatIsToUndo() {
    start(R"("train": 100000)");
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Cancel all")) != nullptr, longWait);
    button(QStringLiteral("Cancel all"))->click();
    const auto* said = page_->findChild<Banner*>(QStringLiteral("said"));
    QTRY_VERIFY(undoOf(*said) != nullptr);
    QTest::mouseMove(undoOf(*said));
    const QPoint there = undoOf(*said)->mapTo(page_.get(), undoOf(*said)->rect().center());
    const int height = said->height();
    QTRY_VERIFY_WITH_TIMEOUT(!page_->actions().isCancellingAll(), longWait);
    QVERIFY(undoOf(*said) == nullptr);
    QTest::qWait(50);
    QCOMPARE(said->height(), height);
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QTest::qWait(300);
    // Still a banner: this one, or the one that says why the run has no figure, which comes above it.
    const QWidget* below = page_->childAt(there);
    while (below != nullptr && qobject_cast<const Banner*>(below) == nullptr) {
        below = below->parentWidget();
    }
    QVERIFY(below != nullptr);
    QTest::mouseMove(page_.get(), QPoint(5, 5));
    QTRY_VERIFY(!said->isVisible());
}

void RunControlTest::cancelAllIsRequestedWhenTheWindowCloses() {
    start(R"("train": 100000)");
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Cancel all")) != nullptr, longWait);
    QTest::mouseClick(button(QStringLiteral("Cancel all")), Qt::LeftButton);
    page_.reset();
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[0].outcome, Outcome::Cancelled);
}

// Another language is chosen meanwhile.
void RunControlTest::cancelAllCanBeUndoneInAnotherWindow() {
    start(R"("train": 40)");
    QTRY_VERIFY_WITH_TIMEOUT(runnerAlive(), longWait);
    const test::ApartScope apart(test::Apart::StartUp);
    ThemeControl theme(*qApp);
    theme.start(ThemeChoice::Light);
    auto first = std::make_unique<MainWindow>(*session_, theme);
    first->showSection(Section::Runs);
    first->runs().cancelAll();
    QVERIFY(first->runs().actions().isCancellingAll());
    MainWindow second(*session_, theme);
    second.takeOver(*first);
    first.reset();
    QVERIFY(test::showWithPage(second));
    QVERIFY(second.runs().actions().isCancellingAll());
    undoOf(second)->click();
    QVERIFY(!second.runs().actions().isCancellingAll());
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[0].outcome, Outcome::Ok);
}

void RunControlTest::aRunIsSkippedAndUnskipped() {
    start(R"("train": 40, "repetitions": 3)");
    QTRY_VERIFY_WITH_TIMEOUT(runnerAlive(), longWait);
    auto* said = page_->findChild<Banner*>(QStringLiteral("said"));
    auto* queue = page_->findChild<QListView*>();
    const auto iconOf = [&](std::size_t number) {
        return page_->findChild<QueueModel*>()
            ->indexOf(campaign().runs[number].id)
            .data(QueueModel::RepetitionsRole)
            .toStringList()
            .at(static_cast<qsizetype>(number));
    };
    for (const std::size_t number : {1U, 2U}) {
        page_->select(campaign().runs[number].id);
        queue->setFocus();
        QTest::keyClick(queue, Qt::Key_Delete);
        QTRY_VERIFY(said->isVisible());
        QCOMPARE(iconOf(number), QStringLiteral("cancelled"));
    }
    // The runner has heard it: whoever looks at the workspace sees the same.
    QTRY_VERIFY_WITH_TIMEOUT(campaign().runs[1].skipped && campaign().runs[2].skipped, longWait);
    emit said->actionTriggered();  // Undo, of the last one
    QVERIFY(!said->isVisible());
    QCOMPARE(iconOf(2), QStringLiteral("queued"));
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[1].outcome, Outcome::NotRun);
    QCOMPARE(campaign().runs[2].outcome, Outcome::Ok);
}

void RunControlTest::anExcludedRunDoesNotCountUntilItIsUndone() {
    start(R"("train": 5)");
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QTRY_COMPARE_WITH_TIMEOUT(session_->own().size(), std::size_t{1}, longWait);
    const std::string id = campaign().runs[0].id;
    page_->select(id);
    auto* queue = page_->findChild<QListView*>();
    queue->setFocus();
    QTest::keyClick(queue, Qt::Key_Delete);
    auto* reason = page_->findChild<QLineEdit*>(QStringLiteral("reason"));
    QTRY_VERIFY(reason->isVisible());
    QTest::keyClicks(reason, QStringLiteral("disk was full"));
    QTest::keyClick(reason, Qt::Key_Return);
    QTRY_COMPARE(QString::fromStdString(session_->own()[0].exclusionReason), QStringLiteral("disk was full"));
    QVERIFY(session_->own()[0].excluded);
    QVERIFY(shown(0, Qt::ToolTipRole).contains(QStringLiteral("disk was full")));
    QVERIFY(page_->findChild<QueueModel*>()->indexOf(id).data(QueueModel::ExcludedRole).toBool());
    emit page_->findChild<Banner*>(QStringLiteral("said"))->actionTriggered();
    QTRY_VERIFY(!session_->own()[0].excluded);
    QVERIFY(session_->note(id) == store::RunNote{});
    QVERIFY(!reason->isVisible());
}

void RunControlTest::whatIsTypedBelongsToItsRun() {
    RunRemarks remarks;
    std::map<std::string, store::RunNote> said;
    connect(&remarks, &RunRemarks::edited, this,
            [&](const std::string& run, const store::RunNote& note) { said[run] = note; });
    remarks.showNote("c/1", {});
    remarks.editNote();
    auto* text = remarks.findChild<QLineEdit*>(QStringLiteral("note"));
    QTest::keyClicks(text, QStringLiteral("fan loud"));
    remarks.showNote("c/1", {});  // looked at again meanwhile
    QCOMPARE(text->text(), QStringLiteral("fan loud"));
    remarks.showNote("c/2", {"other", false, {}});
    QCOMPARE(text->text(), QStringLiteral("other"));
    QCOMPARE(said.size(), std::size_t{1});
    QCOMPARE(said["c/1"].note, std::string("fan loud"));
    remarks.showNote("c/3", {});
    QCOMPARE(said.size(), std::size_t{1});  // nothing was typed into the second
}

void RunControlTest::aNoteOutlastsItsRun() {
    start(R"("train": 40, "repetitions": 2)");
    QTRY_VERIFY_WITH_TIMEOUT(campaign().runs[0].phase == run::RunPhase::Running, longWait);
    page_->findChild<RunRemarks*>()->editNote();
    auto* text = page_->findChild<QLineEdit*>(QStringLiteral("note"));
    QTest::keyClicks(text, QStringLiteral("fan "));
    QTRY_VERIFY_WITH_TIMEOUT(
        campaign().runs[0].phase == run::RunPhase::Finished && session_->activeRun() != nullptr, longWait);
    QTest::keyClicks(text, QStringLiteral("loud"));
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_COMPARE(session_->note(campaign().runs[0].id).note, std::string("fan loud"));
    QVERIFY(session_->note(campaign().runs[1].id).note.empty());
}

void RunControlTest::aLogThatIsReadStays() {
    start(R"("train": 40, "repetitions": 2)");
    QTRY_VERIFY_WITH_TIMEOUT(campaign().runs[0].phase == run::RunPhase::Running, longWait);
    auto* log = page_->findChild<LogView*>();
    log->setFocus();
    log->setFollowing(false);
    QTRY_VERIFY_WITH_TIMEOUT(
        campaign().runs[0].phase == run::RunPhase::Finished && session_->activeRun() != nullptr, longWait);
    const QString shown = page_->findChild<QListView*>()->currentIndex().data(QueueModel::IdRole).toString();
    QCOMPARE(shown.toStdString(), campaign().runs[0].id);
}

void RunControlTest::theRunThatWasPressedIsCancelled() {
    start(R"("train": 40, "repetitions": 2)");
    QTRY_VERIFY_WITH_TIMEOUT(campaign().runs[0].phase == run::RunPhase::Running, longWait);
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Cancel run")) != nullptr, longWait);
    QTest::mousePress(button(QStringLiteral("Cancel run")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(
        campaign().runs[0].phase == run::RunPhase::Finished && session_->activeRun() != nullptr, longWait);
    QTest::mouseRelease(button(QStringLiteral("Cancel run")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[1].outcome, Outcome::Ok);
}

void RunControlTest::aSecondClickCancelsNoOtherRun() {
    start(R"("train": 40, "repetitions": 2)");
    QTRY_VERIFY_WITH_TIMEOUT(campaign().runs[0].phase == run::RunPhase::Running, longWait);
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Cancel run")) != nullptr, longWait);
    const QPoint there =
        button(QStringLiteral("Cancel run"))->mapTo(page_.get(), QPoint(10, 10));  // the pointer stays
    QVERIFY(QTest::qWaitForWindowActive(page_.get()));
    QTest::mouseClick(page_->childAt(there), Qt::LeftButton);
    QVERIFY(!button(QStringLiteral("Cancel run"))->isEnabled());
    QVERIFY(qobject_cast<QListView*>(page_->focusWidget()) != nullptr);  // and no chart
    QVERIFY(page_->findChild<Banner*>(QStringLiteral("said"))
                ->accessibleName()
                .contains(QStringLiteral("1n1g, batch 8, repetition 1 is being cancelled.")));
    QTRY_VERIFY_WITH_TIMEOUT(
        campaign().runs[0].phase == run::RunPhase::Finished && session_->activeRun() != nullptr, longWait);
    QTest::qWait(300);  // the next status is shown
    QVERIFY(!button(QStringLiteral("Cancel run"))->isEnabled());
    QTest::mouseClick(page_->childAt(there), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[0].outcome, Outcome::Cancelled);
    QCOMPARE(campaign().runs[1].outcome, Outcome::Ok);
}

// The shown run ends under the pointer that was to cancel it, and the page goes on to the next one.
void RunControlTest::theNextRunIsNotCancelledInPlaceOfTheShownOne() {
    start(R"("train": 40, "repetitions": 2)");
    QTRY_VERIFY_WITH_TIMEOUT(campaign().runs[0].phase == run::RunPhase::Running, longWait);
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Cancel run")) != nullptr, longWait);
    QTest::mouseMove(button(QStringLiteral("Cancel run")));
    const auto* list = page_->findChild<QListView*>();
    const auto shown = [list] {
        return list->currentIndex().data(QueueModel::IdRole).toString().toStdString();
    };
    QTRY_VERIFY_WITH_TIMEOUT(
        shown() == campaign().runs[1].id && button(QStringLiteral("Cancel run")) != nullptr, longWait);
    QTest::mouseClick(button(QStringLiteral("Cancel run")), Qt::LeftButton);
    QVERIFY(!button(QStringLiteral("Cancel run"))->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[1].outcome, Outcome::Ok);
}

void RunControlTest::runsTheFailedAgain() {
    start(R"("train": 8, "repetitions": 2, "options": {"toy": {"fail_at": "4"}})");
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[0].outcome, Outcome::Failed);
    // A failed run opens where its log says why, and the focus stays where it was.
    page_->select(campaign().runs[0].id);
    auto* log = page_->findChild<LogView*>();
    const auto chosen = [log] {
        QSignalSpy copied(log, &LogView::copied);
        QTest::keyClick(log, Qt::Key_C, Qt::ControlModifier);
        return copied.wait(1000) ? QGuiApplication::clipboard()->text() : QString();
    };
    QString said;
    for (int i = 0; i < 20 && said.isEmpty(); ++i) {
        said = chosen();
    }
    QVERIFY2(said.startsWith(QStringLiteral("ModuleNotFoundError")), qPrintable(said));
    QVERIFY(!log->hasFocus());
    // "Show line 26" shows it: below two banners and the load of the nodes there is a log to read (1440x900).
    page_->resize(1264, 845);
    auto* show = test::findPart<QAbstractButton>(*page_, [](const QAbstractButton& one) {
        return one.text().startsWith(QStringLiteral("Show line"));
    });
    QVERIFY(show != nullptr);
    log->goTo(0);
    QTest::mouseClick(show, Qt::LeftButton);
    QTRY_VERIFY2(chosen().startsWith(QStringLiteral("ModuleNotFoundError")), "the line of the hint");
    const int height = log->viewport()->visibleRegion().boundingRect().height();
    QVERIFY2(height >= leastLog, qPrintable(QString::number(height)));
    const auto retry = [this] { return button(QStringLiteral("Retry 2 failed")); };
    QTRY_VERIFY(retry() != nullptr && retry()->isEnabled());
    QVERIFY(session_->measure(Measurement::Kind::Links));
    QVERIFY(!retry()->isEnabled());  // a status comes only where it differs
    session_->measurement().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(retry()->isEnabled(), longWait);
    // One of them, from its menu.
    const std::unique_ptr<QMenu> menu(page_->actions().makeMenu(campaign().runs[1], {}, nullptr));
    const auto items = menu->actions();
    const auto again = std::ranges::find(items, QStringLiteral("Retry this run"), &QAction::text);
    QVERIFY(again != items.end() && (*again)->isEnabled());
    (*again)->trigger();
    const std::string first = campaign().runs[1].id;
    QTRY_VERIFY_WITH_TIMEOUT(campaign().runs[1].id == first + ".2" && isOver(), longWait);
    QCOMPARE(session_->campaigns().size(), std::size_t{1});
    QCOMPARE(campaign().runs.size(), std::size_t{2});
    QCOMPARE(campaign().runs[1].outcome, Outcome::Failed);  // with the same options
}

// Whatever was selected before; whoever selects another run afterwards keeps it.
void RunControlTest::showsTheActiveRunAfterStart() {
    start(R"("train": 5)");
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    const std::string before = campaign().runs[0].id;
    page_->select(before);
    start(R"("train": 40, "repetitions": 2)");
    const auto selected = [this] {
        const auto* queue = page_->findChild<QListView*>();
        return queue->currentIndex().data(QueueModel::IdRole).toString().toStdString();
    };
    QTRY_VERIFY_WITH_TIMEOUT(session_->activeRun() != nullptr, longWait);
    QTRY_COMPARE_WITH_TIMEOUT(selected(), session_->activeRun()->id, longWait);
    page_->select(before);
    QTRY_COMPARE_WITH_TIMEOUT(campaign().runs[0].phase, run::RunPhase::Finished, longWait);
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(selected(), before);
}

void RunControlTest::aFloodIsShownInBoundedMemory_data() {
    QTest::addColumn<QByteArray>("kind");
    QTest::newRow("of lines") << QByteArray("lines");
    QTest::newRow("of one line") << QByteArray("line");
}

// 200 MB at once. How long the window was held is told with every test.
void RunControlTest::aFloodIsShownInBoundedMemory() {
    QFETCH(const QByteArray, kind);
    const long before = mostMemory();
    start(R"("train": 8, "options": {"toy": {"flood": ")" + kind + R"("}})");
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), longWait);
    QCOMPARE(campaign().runs[0].outcome, Outcome::Ok);
    auto* log = page_->findChild<LogView*>();
    QVERIFY(log != nullptr);
    const auto lastLine = [log, last = countLines(campaign().runs[0].path / "node0.log")] {
        log->goTo(last - 1);  // they count from 0
        QTest::keyClick(log, Qt::Key_C, Qt::ControlModifier);
        return QGuiApplication::clipboard()->text();
    };
    QTRY_VERIFY_WITH_TIMEOUT(lastLine().contains(QLatin1String("iteration 8 ")), longWait);
    QVERIFY2(mostMemory() - before < allowedMemory, qPrintable(QString::number(mostMemory() - before)));
}

DLPERF_UI_TEST(RunControlTest);

}  // namespace dlperf::ui
#include "run_control_test.moc"
