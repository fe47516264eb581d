// SPDX-License-Identifier: Apache-2.0
// "Before and after" on Compare: two campaigns of one plan, chosen, held against each other and told.
#include <QComboBox>
#include <QHeaderView>
#include <QSpinBox>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QtTest>

#include "tests/store/fixture.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/chart_view.h"
#include "ui/models/before_after_model.h"
#include "ui/pages/before_after_panel.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/run_actions.h"
#include "ui/pages/runs_page.h"
#include "ui/shell/main_window.h"
#include "ui/theme/localized.h"
#include "ui/theme/theme_control.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {

class BeforeAfterPanelTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void theLastTwoAreHeldAgainstEachOther();
    void sidesAreSwappedAndChosen();
    void aToleranceLetsCasesPass();
    void aClickOnATitleSortsAndMovesNoColumn();
    void aViewKeepsWhatWasChosen();
    void theKeyboardReachesAll();
    void aRunLeadsToItsCampaignBeforeAndAfter();
    void itTakesTwoCampaigns();
    void theNewestImportComesFirst();

private:
    void open(const test::Made& made);
    void openNights() {
        open({.nights = true});
        QTRY_COMPARE(model()->rowCount(), 8);
    }
    [[nodiscard]] bool isSaid(const QString& text) const { return test::findWords(*page_, text) != nullptr; }
    [[nodiscard]] QComboBox* box(const char* name) const {
        return test::findNamed<QComboBox>(*panel_, BeforeAfterPanel::tr(name));
    }
    [[nodiscard]] QTableView* table() const {
        return test::findNamed<QTableView>(*panel_, BeforeAfterPanel::tr("Cases"));
    }
    [[nodiscard]] QAbstractItemModel* model() const { return table()->model(); }
    [[nodiscard]] QString text(int row, int column) const {
        return model()->index(row, column).data().toString();
    }
    // The campaigns' ids, newest first, as the session has them.
    [[nodiscard]] std::string campaign(std::size_t fromTheEnd) const {
        const auto& campaigns = made_->session().campaigns();
        return campaigns[campaigns.size() - fromTheEnd].id;
    }

    std::unique_ptr<test::MadeWindow> made_;
    ComparePage* page_ = nullptr;
    BeforeAfterPanel* panel_ = nullptr;
};

void BeforeAfterPanelTest::open(const test::Made& made) {
    made_ = test::MadeWindow::open(made, theme_);
    QVERIFY(made_ != nullptr);
    made_->window().resize(1440, 900);
    made_->press(Qt::Key_4, Qt::ControlModifier);
    QTRY_VERIFY(made_->window().findChild<ComparePage*>() != nullptr);
    page_ = made_->window().findChild<ComparePage*>();
    QTRY_VERIFY(test::findButton(*page_, ComparePage::tr("Before and after")) != nullptr);
    QVERIFY(page_->findChild<BeforeAfterPanel*>() == nullptr);  // nobody who does not look pays for it
    test::findButton(*page_, ComparePage::tr("Before and after"))->click();
    panel_ = page_->findChild<BeforeAfterPanel*>();
    QTRY_VERIFY(panel_ != nullptr && panel_->isVisible());
}

void BeforeAfterPanelTest::theLastTwoAreHeldAgainstEachOther() {
    openNights();
    const auto names = made_->session().campaignNames();
    QCOMPARE(box("Before")->count(), 2);
    for (std::size_t i : {1U, 2U}) {  // newest first; both began in one minute, and are told apart
        const QString id = QString::fromStdString(campaign(i));
        QCOMPARE(box("Before")->itemData(static_cast<int>(i) - 1).toString(), id);
        QVERIFY(box("Before")
                    ->itemText(static_cast<int>(i) - 1)
                    .startsWith(QString::fromStdString(names.at(campaign(i)))));
    }
    QVERIFY(box("Before")->itemText(0) != box("Before")->itemText(1));
    QCOMPARE(box("Before")->currentIndex(), 1);
    QCOMPARE(box("After")->currentIndex(), 0);
    QTRY_VERIFY(
        isSaid(QStringLiteral("8 cases: 1 slower, 1 faster, 5 no difference seen, 1 without a figure")));
    // What became slower stands first, what has no figure last.
    QCOMPARE(text(0, BeforeAfterModel::CaseColumn), QStringLiteral("dlperf-worker, batch size 32"));
    QCOMPARE(text(0, BeforeAfterModel::TopologyColumn), QStringLiteral("1n4g"));
    QVERIFY(text(0, BeforeAfterModel::DifferenceColumn).startsWith(QStringLiteral("−3.")));
    QVERIFY(text(0, BeforeAfterModel::IntervalColumn).contains(QStringLiteral(" to −")));
    QCOMPARE(text(0, BeforeAfterModel::PColumn), QStringLiteral("< 0.001"));
    QCOMPARE(text(0, BeforeAfterModel::VerdictColumn), QStringLiteral("slower"));
    QVERIFY(!model()->index(0, BeforeAfterModel::VerdictColumn).data(Qt::DecorationRole).isNull());
    QCOMPARE(text(6, BeforeAfterModel::VerdictColumn), QStringLiteral("faster"));
    QCOMPARE(text(7, BeforeAfterModel::AfterColumn), QStringLiteral("OOM"));
    QCOMPARE(text(7, BeforeAfterModel::VerdictColumn), QStringLiteral("no figure after: OOM"));
    const report::ChartSpec& chart = panel_->findChild<ChartView*>()->spec();
    QCOMPARE(chart.series.size(), 2U);  // the batch sizes
    QCOMPARE(chart.x.categories, (std::vector<std::string>{"1n1g", "1n2g", "1n4g", "1n8g"}));
    QCOMPARE(chart.series[0].points.size(), 4U);
    QCOMPARE(chart.series[1].points.size(), 3U);
    const QString differs =
        test::findNamed<QTextBrowser>(*panel_, BeforeAfterPanel::tr("What else differs"))->toPlainText();
    for (const char* word : {"nccl", "2.18.3", "2.19.4", "NCCL_ALGO", "Tree", "OMP_NUM_THREADS"}) {
        QVERIFY2(differs.contains(QLatin1String(word)), word);
    }
    // Filters choose no campaigns; as soon as they do something they are back.
    QVERIFY(!page_->findChild<FilterPanel*>()->isVisible());
    test::keepPictures(made_->window(), theme_, QStringLiteral("before-after"));
    theme_.start(ThemeChoice::Light);
    test::findButton(*page_, ComparePage::tr("Charts"))->click();
    QVERIFY(page_->findChild<FilterPanel*>()->isVisible());
    QVERIFY(!panel_->isVisible());
}

void BeforeAfterPanelTest::sidesAreSwappedAndChosen() {
    openNights();
    test::findNamed<QToolButton>(*panel_, BeforeAfterPanel::tr("Swap before and after"))->click();
    QCOMPARE(panel_->view().before, campaign(1));
    for (const char* side : {"Before", "After"}) {  // a campaign's name may look like markup
        QCOMPARE(box(side)->toolTip(), plainTip(box(side)->currentText()));
    }
    QCOMPARE(panel_->view().after, campaign(2));
    QTRY_COMPARE(text(6, BeforeAfterModel::TopologyColumn), QStringLiteral("1n4g"));
    QCOMPARE(text(6, BeforeAfterModel::VerdictColumn), QStringLiteral("faster"));
    QCOMPARE(text(7, BeforeAfterModel::VerdictColumn), QStringLiteral("no figure before: OOM"));
    // What is held against itself is refused, and the next choice is answered.
    QTest::keyClick(box("After"), Qt::Key_Up);
    QCOMPARE(panel_->view().after, campaign(1));
    QTRY_COMPARE(model()->rowCount(), 0);
    QVERIFY(isSaid(QStringLiteral("before and after are the same")));
    QVERIFY(!panel_->findChild<ChartView*>()->isVisible());
    QTest::keyClick(box("Before"), Qt::Key_Down);
    QTRY_COMPARE(text(0, BeforeAfterModel::VerdictColumn), QStringLiteral("slower"));
    QVERIFY(panel_->findChild<ChartView*>()->isVisible());
}

void BeforeAfterPanelTest::aToleranceLetsCasesPass() {
    openNights();
    auto* tolerance = test::findNamed<QSpinBox>(*panel_, BeforeAfterPanel::tr("Tolerance"));
    QCOMPARE(tolerance->value(), 0);
    tolerance->setValue(5);
    QVERIFY(isSaid(
        QStringLiteral("8 cases: 1 slower within the tolerance, 1 faster, 5 no difference seen, 1 without a "
                       "figure")));
    QCOMPARE(text(0, BeforeAfterModel::VerdictColumn), QStringLiteral("slower within the tolerance"));
    QVERIFY(model()->index(0, BeforeAfterModel::VerdictColumn).data(Qt::DecorationRole).isNull());
    tolerance->setValue(2);
    QCOMPARE(text(0, BeforeAfterModel::VerdictColumn), QStringLiteral("slower"));
    QCOMPARE(panel_->view().tolerance, 2);
}

void BeforeAfterPanelTest::aClickOnATitleSortsAndMovesNoColumn() {
    openNights();
    QHeaderView& header = *table()->horizontalHeader();
    const auto places = [&] {
        QTest::qWait(20);
        std::vector<int> lefts;
        for (int column = 0; column < header.count(); ++column) {
            lefts.push_back(header.sectionViewportPosition(column));
        }
        return lefts;
    };
    const auto before = places();
    QCOMPARE(header.length(), table()->viewport()->width());
    for (const int column : {BeforeAfterModel::TopologyColumn, BeforeAfterModel::PColumn,
                             BeforeAfterModel::VerdictColumn, BeforeAfterModel::CaseColumn}) {
        const QPoint where(header.sectionViewportPosition(column) + header.sectionSize(column) / 2, 10);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, where);
        QCOMPARE(header.sortIndicatorSection(), column);
        QCOMPARE(places(), before);
        QCOMPARE(header.length(), table()->viewport()->width());
    }
    QCOMPARE(panel_->view().sortedBy, std::string("case"));
    QStringList cases;
    for (int row = 0; row < model()->rowCount(); ++row) {
        cases << text(row, BeforeAfterModel::CaseColumn);
    }
    QStringList sorted = cases;
    sorted.sort();
    if (panel_->view().descending) {
        std::ranges::reverse(sorted);
    }
    QCOMPARE(cases, sorted);
    QVERIFY(cases.first() != cases.last());
    // The file has what is seen, in its order, and the figures in full precision.
    const report::Table table = panel_->shownTable();
    QCOMPARE(table.columns.size(), std::size_t{BeforeAfterModel::ColumnCount});
    QCOMPARE(QString::fromStdString(table.rows[0][0].text), cases[0]);
    QVERIFY(table.rows[0][BeforeAfterModel::BeforeColumn].number.has_value());
}

void BeforeAfterPanelTest::aViewKeepsWhatWasChosen() {
    openNights();
    test::findNamed<QToolButton>(*panel_, BeforeAfterPanel::tr("Swap before and after"))->click();
    test::findNamed<QSpinBox>(*panel_, BeforeAfterPanel::tr("Tolerance"))->setValue(3);
    table()->sortByColumn(BeforeAfterModel::RunsColumn, Qt::DescendingOrder);
    const report::CompareView kept = page_->view();
    QCOMPARE(kept.mode, report::CompareMode::BeforeAfter);
    const auto again = report::parseView(toJson(kept), "view");
    QVERIFY(again);
    QVERIFY(*again == kept);
    report::CompareView other = kept;
    other.mode = report::CompareMode::Charts;
    other.beforeAfter = {};
    page_->setView(other);
    QTRY_VERIFY(!panel_->isVisible());
    QCOMPARE(box("Before"), nullptr);
    page_->setView(*again);
    QTRY_VERIFY(panel_->isVisible());
    QCOMPARE(box("Before")->currentData().toString().toStdString(), campaign(1));
    QTRY_COMPARE(model()->rowCount(), 8);
    QVERIFY(page_->view() == kept);
    QCOMPARE(table()->horizontalHeader()->sortIndicatorSection(), int{BeforeAfterModel::RunsColumn});
    // Another place of the window does not forget it.
    made_->press(Qt::Key_3, Qt::ControlModifier);
    made_->press(Qt::Key_4, Qt::ControlModifier);
    QTRY_VERIFY(panel_->isVisible());
    QVERIFY(page_->view() == kept);
}

void BeforeAfterPanelTest::theKeyboardReachesAll() {
    openNights();
    page_->enter();
    QVERIFY(table()->hasFocus());
    QCOMPARE(table()->currentIndex().row(), 0);
    QStringList reached;
    box("Before")->setFocus();
    for (int i = 0; i < 20 && !table()->hasFocus(); ++i) {
        const QWidget* focus = QApplication::focusWidget();
        QVERIFY(focus != nullptr && panel_->isAncestorOf(focus));
        reached << focus->accessibleName();
        made_->press(Qt::Key_Tab);
    }
    QVERIFY(table()->hasFocus());
    for (const char* name : {"Before", "Swap before and after", "After", "Tolerance", "What else differs"}) {
        QVERIFY2(reached.contains(BeforeAfterPanel::tr(name)), qPrintable(reached.join(QLatin1Char('|'))));
    }
    made_->press(Qt::Key_A, Qt::ControlModifier);
    made_->press(Qt::Key_C, Qt::ControlModifier);
    const QStringList lines =
        QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 8);
    QVERIFY2(lines[0].contains(QLatin1String("slower")), qPrintable(lines[0]));
}

void BeforeAfterPanelTest::aRunLeadsToItsCampaignBeforeAndAfter() {
    openNights();
    test::findButton(*page_, ComparePage::tr("Charts"))->click();
    made_->press(Qt::Key_3, Qt::ControlModifier);
    auto* runs = made_->window().findChild<RunsPage*>();
    QTRY_VERIFY(runs != nullptr && runs->isVisible());
    const auto choose = [&](std::size_t fromTheEnd) {
        const auto& campaigns = made_->session().campaigns();
        const std::unique_ptr<QMenu> menu(
            runs->actions().makeMenu(campaigns[campaigns.size() - fromTheEnd].runs.front(), {}, nullptr));
        const auto actions = menu->actions();
        const auto found =
            std::ranges::find(actions, RunActions::tr("Compare with the campaign before"), &QAction::text);
        if (found == actions.end() || !(*found)->isEnabled()) {
            return false;
        }
        (*found)->trigger();
        return true;
    };
    QVERIFY(!choose(2));  // the first of its plan
    QVERIFY(choose(1));
    QTRY_VERIFY(panel_->isVisible());
    QCOMPARE(panel_->view().before, campaign(2));
    QCOMPARE(panel_->view().after, campaign(1));
    QTRY_COMPARE(text(0, BeforeAfterModel::VerdictColumn), QStringLiteral("slower"));
}

void BeforeAfterPanelTest::itTakesTwoCampaigns() {
    open({.runs = 20});
    QTRY_VERIFY(isSaid(BeforeAfterPanel::tr("It takes two campaigns")));
    QVERIFY(test::findButton(*panel_, BeforeAfterPanel::tr("Go to Launch")) != nullptr);
    QCOMPARE(table(), nullptr);
}

DLPERF_UI_TEST(BeforeAfterPanelTest);

void BeforeAfterPanelTest::theNewestImportComesFirst() {
    openNights();
    const auto put = [this](const std::string& name, int repetition, const char* time) {
        store::RunRecord record = store::test::someRecord({1, 1}, repetition);
        record.result.id = name + "/1";
        record.result.campaign = name;
        record.result.origin = Origin::Imported;
        record.result.imported = parseIso8601(time);
        store::test::putRun(made_->session().workspace(), record);
    };
    put("imported-a", 1, "2026-11-20T08:00:00.000Z");
    put("imported-b", 2, "2026-11-22T08:00:00.000Z");
    put("imported-c", 3, "2026-11-21T08:00:00.000Z");
    made_->session().reload();
    QTRY_COMPARE(box("After")->count(), 5);
    const QStringList wanted{QStringLiteral("imported-b"), QStringLiteral("imported-c"),
                             QStringLiteral("imported-a")};
    for (int i = 0; i < wanted.size(); ++i) {
        QCOMPARE(box("After")->itemData(2 + i).toString(), wanted[i]);
    }
}

}  // namespace dlperf::ui

#include "before_after_panel_test.moc"
