// SPDX-License-Identifier: Apache-2.0
// Launch's list of what is ready: states, words to copy, and the button that prepares or cancels.
#include "ui/pages/readiness_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/theme/theme_control.h"

namespace dlperf::ui {
namespace {

using run::EnvironmentPhase;

const std::vector<run::EnvironmentProgress> mixed{
    {"this", "mxnet", EnvironmentPhase::Ready, "/home/me/dlperf/cache/python/1/bin/python", {}},
    {"this", "paddle", EnvironmentPhase::ToPrepare, "", {}},
    {"this", "ngc-mxnet-resnet50", EnvironmentPhase::Failed, "there is no GPU",
     "Use a node with one: nvidia-smi -L"}};

}  // namespace

class ReadinessTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void isHiddenWhereNothingIsNeeded();
    void saysWhatIsReady();
    void copiesTheRemedy();
    void preparesAndCancels();
    void waitsForTheNodesAnswers();

private:
    [[nodiscard]] bool says(const QString& words) const {
        return test::findPart<QLabel>(*panel_, [&](const QLabel& label) { return label.text() == words; }) !=
               nullptr;
    }
    [[nodiscard]] QAbstractButton* button(const QString& text) const {
        return test::findButton(*panel_, text);
    }
    [[nodiscard]] QTableWidget* table() const { return panel_->findChild<QTableWidget*>(); }

    QTemporaryDir settings_;
    std::unique_ptr<ThemeControl> theme_;
    std::unique_ptr<QWidget> window_;
    ReadinessPanel* panel_ = nullptr;
};

void ReadinessTest::initTestCase() {
    test::useTestSettings(settings_);
    theme_ = std::make_unique<ThemeControl>(*qApp);
    theme_->start(ThemeChoice::Light);
}

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

DLPERF_UI_TEST(ReadinessTest);

}  // namespace dlperf::ui
#include "readiness_test.moc"
