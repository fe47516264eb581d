// SPDX-License-Identifier: Apache-2.0
// Launch's list of what is ready: states, words to copy, and the button that prepares or cancels.
#include "ui/pages/readiness_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTableWidget>
#include <QtTest>

#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/refused_login.h"
#include "tests/ui/watchdog.h"
#include "ui/session/background.h"
#include "ui/session/readiness.h"

namespace dlperf::ui {
namespace {

using run::EnvironmentPhase;

const std::vector<run::EnvironmentProgress> mixed{
    {"this", "mxnet", EnvironmentPhase::Ready, "/home/me/dlperf/cache/python/1/bin/python", {}},
    {"this", "paddle", EnvironmentPhase::ToPrepare, "", {}},
    {"this", "ngc-mxnet-resnet50", EnvironmentPhase::Failed, "there is no GPU",
     "Use a node with one: nvidia-smi -L"}};

// This machine, perhaps for a recipe whose folder of data it has not.
launch::PlanNodes planOn(const char* node, bool needsData) {
    launch::PlanNodes plan;
    plan.cluster = cluster::thisMachine();
    plan.cluster.nodes.front().name = node;
    plan.needs.resize(1);
    plan.recipes.resize(1);
    if (needsData) {
        cluster::RecipeNeeds needs;
        needs.recipe = "toy";
        needs.data.emplace();
        plan.recipes.front().push_back(needs);
    }
    return plan;
}

}  // namespace

class ReadinessTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void isHiddenWhereNothingIsNeeded();
    void saysWhatIsReady();
    void copiesTheRemedy();
    void preparesAndCancels();
    void waitsForTheNodesAnswers();
    void anOldAnswerReplacesNoNewerOne();
    void whatIsAskedMeanwhileIsLookedAtAfterwards();
    void whoCancelledALoginIsAskedAgain();

private:
    [[nodiscard]] bool says(const QString& words) const { return test::findWords(*panel_, words) != nullptr; }
    [[nodiscard]] QAbstractButton* button(const QString& text) const {
        return test::findButton(*panel_, text);
    }
    [[nodiscard]] QTableWidget* table() const { return panel_->findChild<QTableWidget*>(); }

    std::unique_ptr<QWidget> window_;
    ReadinessPanel* panel_ = nullptr;
};

void ReadinessTest::init() {
    window_ = std::make_unique<QWidget>();
    panel_ = new ReadinessPanel(window_.get());
    window_->resize(900, 400);
    panel_->resize(900, 300);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

void ReadinessTest::isHiddenWhereNothingIsNeeded() {
    QVERIFY(!panel_->isVisible());
    panel_->showRows(mixed, false);
    QVERIFY(panel_->isVisible());
    panel_->showRows({}, false);
    QVERIFY(!panel_->isVisible());
}

void ReadinessTest::saysWhatIsReady() {
    panel_->showRows(mixed, false);
    QVERIFY(says(QStringLiteral("1 of 3 ready")));
    const QStringList states{table()->item(0, 2)->text(), table()->item(1, 2)->text(),
                             table()->item(2, 2)->text()};
    QCOMPARE(states, (QStringList{"ready", "to be prepared", "cannot run"}));
    QCOMPARE(table()->item(2, 3)->text(),
             QStringLiteral("there is no GPU. Use a node with one: nvidia-smi -L"));
    auto changed = mixed;
    changed[1].phase = EnvironmentPhase::Ready;
    panel_->showRows(changed, false);
    QVERIFY(says(QStringLiteral("2 of 3 ready")));
    QVERIFY2(!button(QStringLiteral("Prepare"))->isEnabled(), "nothing is left that preparing would mend");
}

void ReadinessTest::copiesTheRemedy() {
    panel_->showRows(mixed, false);
    emit table()->cellDoubleClicked(2, 3);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Use a node with one: nvidia-smi -L"));
    emit table()->cellDoubleClicked(0, 0);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(mixed[0].message));
}

void ReadinessTest::preparesAndCancels() {
    QSignalSpy prepares(panel_, &ReadinessPanel::prepareRequested);
    QSignalSpy cancels(panel_, &ReadinessPanel::cancelRequested);
    panel_->showRows(mixed, false);
    QTest::mouseClick(button(QStringLiteral("Prepare")), Qt::LeftButton);
    QCOMPARE(prepares.count(), 1);
    auto working = mixed;
    working[1] = {"this", "paddle", EnvironmentPhase::Working, "Collecting paddlepaddle", {}};
    panel_->showRows(working, true);
    QVERIFY(!button(QStringLiteral("Look again"))->isEnabled());
    QTest::mouseClick(button(QStringLiteral("Cancel")), Qt::LeftButton);
    QCOMPARE(cancels.count(), 1);
    QCOMPARE(prepares.count(), 1);
}

void ReadinessTest::waitsForTheNodesAnswers() {
    auto looking = mixed;
    looking[0].phase = EnvironmentPhase::Looking;
    panel_->showRows(looking, false);
    QVERIFY(says(QStringLiteral("asking the nodes …")));
    QVERIFY(!button(QStringLiteral("Prepare"))->isEnabled());
}

void ReadinessTest::anOldAnswerReplacesNoNewerOne() {
    Background machine;  // one thread: its answers come in order
    Readiness readiness(machine, std::make_shared<remote::CredentialCache>(remote::AuthCallbacks{}));
    readiness.look(planOn("a", true));
    QCOMPARE(readiness.rows().size(), std::size_t{1});
    readiness.look(planOn("b", false));  // needs nothing, so nothing is asked
    bool answered = false;
    machine.ask(
        this, [] { return true; }, [&](bool done) { answered = done; });
    QTRY_VERIFY_WITH_TIMEOUT(answered, 60'000);
    QVERIFY(readiness.rows().empty());
}

void ReadinessTest::whatIsAskedMeanwhileIsLookedAtAfterwards() {
    Background machine;
    Readiness readiness(machine, std::make_shared<remote::CredentialCache>(remote::AuthCallbacks{}));
    readiness.look(planOn("a", true));
    QTRY_COMPARE_WITH_TIMEOUT(readiness.count(EnvironmentPhase::Looking), std::size_t{0}, 60'000);
    readiness.prepare();
    QVERIFY(readiness.isPreparing());
    readiness.look(planOn("b", true));
    QTRY_VERIFY_WITH_TIMEOUT(!readiness.isPreparing(), 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(readiness.count(EnvironmentPhase::Looking), std::size_t{0}, 60'000);
    QCOMPARE(readiness.rows().size(), std::size_t{1});
    QCOMPARE(readiness.rows().front().node, std::string("b"));
}

void ReadinessTest::whoCancelledALoginIsAskedAgain() {
    test::RefusedLogin login;
    Background machine;
    Readiness readiness(machine, login.credentials());
    readiness.look(planOn("this", false));
    QVERIFY(login.asks());
    QVERIFY(!login.asks());
    readiness.lookAgain();
    QVERIFY(login.asks());
    readiness.prepare();
    QVERIFY(login.asks());
    QTRY_VERIFY(!readiness.isPreparing());
}

DLPERF_UI_TEST(ReadinessTest);

}  // namespace dlperf::ui
#include "readiness_test.moc"
