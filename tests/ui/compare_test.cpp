// SPDX-License-Identifier: Apache-2.0
// A first start shows DLPerf's published figures, to the digit; filters, legend and table agree.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "tests/store/fixture.h"
#include "tests/support/made_workspace.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/models/pivot_model.h"
#include "ui/models/results_model.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/legend_list.h"
#include "ui/pages/named_menu.h"
#include "ui/pages/pivot_fields.h"
#include "ui/pages/pivot_panel.h"
#include "ui/pages/results_panel.h"
#include "ui/pages/run_actions.h"
#include "ui/session/session.h"
#include "ui/theme/localized.h"
#include "ui/widgets/elided.h"

namespace dlperf::ui {

class CompareTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void showsThePublishedFigures();
    void copiesWhatIsShown();
    void comparesWithAChosenSeries();
    void aViewIsKeptWhole();
    void aDamagedViewIsNamed();
    void thePageOpensAsItWasLeft();
    void featuresAreFiltered();
    void manySeriesAreListedBesideTheCharts();
    void coloursTellApartWhatIsChosen();
    void aCampaignHasANameThatCanBeChanged();
    void aViewIsSavedUnderAName();
    void hidesInChartsAndTable();
    void filtersOfferWhatIsThere();
    void whatFiltersHideIsCountedAndShown();
    void aToggleKeepsTheKeyboardsPlace();
    void hidingTheBaseKeepsTheSpeedups();
    void reportShowsWhatIsSeen();
    void spreadIsOneChoiceForAll();
    void speedupsHaveTheirIntervalBesideTheMedians();
    void tableOpensWithoutHolesOrScrolling();
    void allTopologiesFitTheWindow();
    void saysWhatCannotBeToldApart();
    void theLeftChartIsOverAChosenSetting();
    void theSettingIsKeptWithTheView();
    void missingFiguresAreMarkedInBothCharts();
    void timesHaveTheirOwnAxis();
    void everyPublishedRowCanBeChosen();
    void aViewShowsThePivotOfTheSeed();
    void thePivotsFieldsCanBeMoved();
    void thePivotSaysWhatItMixesInItsRoom();
    void thePivotSaysWhatItsMarksMean();
    void aFieldThatCannotMoveSaysWhy();
    void whatIsComparedWithCareMovesNothing();
    void aSeriesHasAMenuWhereverItIsShown();
    void aClickOnATitleMovesNoColumn();
    void pointingAndNewResultsLeaveTheSelection();
    void aChartFillsTheScreen();
    void copiesTheChartThatIsSeen();
    void modelIsSound();

private:
    void open();
    void save(const char* name) const;
    void putOwnRuns() const;
    void putSweep() const;
    [[nodiscard]] QToolButton* button(const QString& text) const;
    [[nodiscard]] QComboBox* settingBox() const;
    [[nodiscard]] bool isShown(const QString& title) const;  // as the title of a panel
    [[nodiscard]] const report::ChartSpec& leftSpec() const;
    void showTopology(const char* text) const;

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<ComparePage> page_;
};

void CompareTest::init() {
    const test::ApartScope apart(test::Apart::StartUp);
    page_.reset();
    session_.reset();
    folder_ = std::make_unique<QTemporaryDir>();
    open();
    save("compare-page");
}

void CompareTest::save(const char* name) const {
    test::keepPicture(*page_, QLatin1String(name));
}

void CompareTest::open() {
    page_.reset();
    auto session = Session::open(folder_->path().toStdString());
    QVERIFY(session);
    session_ = std::move(*session);
    page_ = std::make_unique<ComparePage>(*session_);
    page_->resize(1264, 800);
    page_->show();
    session_->start();
    QTRY_VERIFY(session_->isLoaded());
    QTRY_VERIFY(!page_->comparison().series.empty());
    QTest::qWait(50);
}

void CompareTest::showsThePublishedFigures() {
    // Nothing is one's own yet: the page says where that begins.
    const QSignalSpy launch(page_.get(), &ComparePage::launchRequested);
    auto* button = test::findButton(*page_, QStringLiteral("Go to Launch"));
    QVERIFY(button != nullptr);
    button->click();
    QCOMPARE(launch.size(), 1);
    const auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    const QAbstractItemModel& model = *table->model();
    // DLPerf's report v1, ResNet50, fp32, batch size 128 per device, four nodes with eight V100 each.
    const QList<QStringList> expected{
        {"OneFlow", "12,411.97", "31.21×"},       {"NGC MXNet", "11,331.93", "28.89×"},
        {"NGC PyTorch", "10,917.09", "29.72×"},   {"PyTorch", "10,021.29", "28.75×"},
        {"MXNet gluon-cv", "9,579.74", "24.93×"}, {"NGC TensorFlow 1.x", "9,514.64", "26.25×"},
        {"TensorFlow 2.x", "9,418.44", "29.27×"}, {"PaddlePaddle", "9,348.17", "26.50×"}};
    QCOMPARE(model.rowCount(), static_cast<int>(expected.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
        const auto text = [&](int column) { return model.index(row, column).data().toString(); };
        QVERIFY2(text(ResultsModel::SeriesColumn).startsWith(expected[row][0]),
                 qPrintable(text(ResultsModel::SeriesColumn)));
        QCOMPARE(text(ResultsModel::MedianColumn), expected[row][1]);
        QCOMPARE(text(ResultsModel::SpeedupColumn), expected[row][2]);
    }
}

void CompareTest::copiesWhatIsShown() {
    const auto* panel = page_->findChild<ResultsPanel*>();
    const QString markdown = QString::fromStdString(report::toMarkdown(panel->shownRows()));
    QVERIFY(markdown.startsWith(QStringLiteral("| Series | Runs | Median, images/s |")));
    QCOMPARE(markdown.count(QLatin1Char('\n')), 2 + 8);
    QVERIFY(markdown.contains(QStringLiteral("12,411.97")));
    const QString csv = QString::fromStdString(report::toCsv(report::withoutDashes(panel->shownRows())));
    QVERIFY2(csv.contains(QStringLiteral("\r\nOneFlow,,12411.97,")), qPrintable(csv));
    // The rows and their order are the page's, also after another sorting.
    auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    table->sortByColumn(ResultsModel::SeriesColumn, Qt::DescendingOrder);
    const QStringList lines = QString::fromStdString(report::toCsv(report::withoutDashes(panel->shownRows())))
                                  .split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1 + table->model()->rowCount());
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        QVERIFY(lines[row + 1].contains(
            table->model()->index(row, ResultsModel::SeriesColumn).data().toString()));
    }
    // All four kinds hold every text of the table in its order.
    for (const QString& copied : {QString::fromStdString(report::toMarkdown(panel->shownRows())),
                                  QString::fromStdString(report::toHtml(panel->shownRows())),
                                  QString::fromStdString(report::toLatex(panel->shownRows()))}) {
        qsizetype at = 0;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            for (const int column : {ResultsModel::SeriesColumn, ResultsModel::MedianColumn}) {
                const QString text = table->model()->index(row, column).data().toString();
                at = copied.indexOf(text, at);
                QVERIFY2(at >= 0, qPrintable(text + QStringLiteral(" is missing or misplaced in ") + copied));
            }
        }
    }
}

void CompareTest::comparesWithAChosenSeries() {
    const auto* panel = page_->findChild<ResultsPanel*>();
    const auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    const auto combos = page_->findChildren<SeriesCombo*>();
    const auto found =
        std::ranges::find(combos, QStringLiteral("Speedup base"), &SeriesCombo::accessibleName);
    QVERIFY(found != combos.end());
    SeriesCombo* base = *found;
    auto* baseline = panel->findChild<SeriesCombo*>();
    const auto text = [&](int row, int column) {
        return table->model()->index(row, column).data().toString();
    };
    QCOMPARE(text(1, ResultsModel::DifferenceColumn), QStringLiteral("−8.7\u00A0%"));
    baseline->choose(baseline->itemData(3).toString());  // NGC PyTorch is third
    QCOMPARE(text(2, ResultsModel::DifferenceColumn), QStringLiteral("baseline"));
    QCOMPARE(text(0, ResultsModel::DifferenceColumn), QStringLiteral("+13.7\u00A0%"));  // 12411.97 / 10917.09
    QVERIFY(QString::fromStdString(report::toMarkdown(panel->shownRows()))
                .contains(QStringLiteral("Over NGC PyTorch")));
    baseline->choose({});
    base->choose(base->itemData(3).toString());
    QTRY_COMPARE(page_->comparison().speedupBase, std::string("NGC PyTorch"));
    QCOMPARE(text(2, ResultsModel::SpeedupColumn), QStringLiteral("29.72×"));
    QCOMPARE(text(0, ResultsModel::SpeedupColumn), QStringLiteral("33.79×"));          // 12411.97 / 367.29
    QCOMPARE(text(0, ResultsModel::EfficiencyColumn), QStringLiteral("97.5\u00A0%"));  // stays its own
    QCOMPARE(page_->reportView().speedupBase, base->chosen().toStdString());
    base->choose({});
}

void CompareTest::aViewIsKeptWhole() {
    auto* menu = page_->findChild<MenuOf<report::CompareView>*>();
    auto* filters = page_->findChild<FilterPanel*>();
    emit filters->edited([](report::ResultFilter& filter) {
        filter.hiddenTopologies.insert(Topology{2, 8});
    });
    emit filters->edited([](report::ResultFilter& filter) { filter.onlyFindings = true; });
    QTRY_COMPARE(page_->comparison().series.size(), std::size_t{1});  // MXNet gluon-cv's loss inside a node
    QVERIFY(page_->comparison().series[0].title.starts_with("MXNet gluon-cv"));
    auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    showTopology("1n8g");
    table->sortByColumn(ResultsModel::EfficiencyColumn, Qt::AscendingOrder);
    const report::CompareView kept = page_->view();
    QCOMPARE(kept.table.topology, std::string("1n8g"));
    QCOMPARE(kept.table.sortedBy, std::string("efficiency"));
    QSignalSpy loaded(menu, &NamedMenu::loaded);
    menu->save(QStringLiteral("a / b & c"));
    QTRY_VERIFY(menu->values().contains(QStringLiteral("a / b & c")));
    QCOMPARE(menu->title(), QStringLiteral("View: a / b & c"));
    emit filters->cleared();
    QTRY_COMPARE(page_->comparison().series.size(), std::size_t{8});
    QCOMPARE(menu->title(), QStringLiteral("Views"));
    // A filter that leaves the chosen topology leaves it chosen.
    QCOMPARE(page_->view().table.topology, std::string("1n8g"));
    showTopology("4n8g");
    table->sortByColumn(ResultsModel::SeriesColumn, Qt::DescendingOrder);
    QVERIFY(!(page_->view() == kept));
    page_->setView(menu->values().at(QStringLiteral("a / b & c")));
    QVERIFY(page_->view() == kept);
    QCOMPARE(table->model()->rowCount(), 1);
    QCOMPARE(page_->comparison().series.size(), std::size_t{1});
    QCOMPARE(page_->shownResults().size(), std::size_t{4});  // the report has that series only
    menu->remove(QStringLiteral("a / b & c"));
    QTRY_VERIFY(!menu->values().contains(QStringLiteral("a / b & c")));
}

void CompareTest::aDamagedViewIsNamed() {
    const auto workspace = session_->workspace();
    std::filesystem::create_directories(workspace.views());
    std::ofstream(workspace.views() / "x.json") << R"({"sources": ["moon"]})";
    const report::StoredViews stored = report::readViews(session_->resources(), workspace);
    QCOMPARE(stored.values.size(), stored.builtIn.size());
    QCOMPARE(stored.problems.size(), std::size_t{1});
    QVERIFY(stored.problems[0].what.find("moon") != std::string::npos);
}

void CompareTest::thePageOpensAsItWasLeft() {
    report::CompareView left = page_->view();
    left.filter.hiddenTopologies = {{4, 8}};
    left.hidden = {page_->comparison().series.front().id};
    left.mode = report::CompareMode::Table;
    page_->setView(left);
    const report::CompareView kept = page_->view();
    QVERIFY(kept.filter == left.filter && kept.hidden == left.hidden && kept.mode == left.mode);
    open();
    QVERIFY(page_->view() == kept);
    QVERIFY((page_->comparison().topologies.back() == Topology{2, 8}));
    emit page_->findChild<FilterPanel*>()->cleared();
    open();
    QVERIFY(page_->view().filter.hiddenTopologies.empty());
}

void CompareTest::featuresAreFiltered() {
    auto* filters = page_->findChild<FilterPanel*>();
    emit filters->sourceToggled(report::Source::Readmes, true);
    const auto with = [&](bool features) {
        return std::ranges::count_if(page_->comparison().series, [&](const report::ComparedSeries& series) {
            return series.key.configuration.features.empty() != features;
        });
    };
    QTRY_VERIFY(with(true) > 0 && with(false) > 0);
    const auto featured = with(true);
    emit filters->edited([](report::ResultFilter& filter) { filter.hiddenFeatures.insert(""); });
    QTRY_COMPARE(with(false), 0);
    QCOMPARE(with(true), featured);
}

void CompareTest::hidesInChartsAndTable() {
    auto* legend = page_->findChild<LegendBar*>();
    const auto entries = legend->findChildren<QToolButton*>();
    QCOMPARE(entries.size(), 8);
    QTest::mouseClick(entries[0], Qt::LeftButton);
    const auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    QCOMPARE(table->model()->rowCount(), 7);
    QCOMPARE(page_->chartOptions().hidden.size(), std::size_t{1});
}

void CompareTest::manySeriesAreListedBesideTheCharts() {
    auto* legend = page_->findChild<LegendBar*>();
    auto* list = page_->findChild<LegendList*>();
    QVERIFY(!list->isVisible());
    const int height = page_->findChild<ChartView*>()->height();
    auto* filters = page_->findChild<FilterPanel*>();
    emit filters->edited([](report::ResultFilter& filter) {
        filter.batchSizes = {32, 64, 128, 160, 196, 256};
        filter.precisions = {"fp32", "amp"};
    });
    QTRY_VERIFY(list->isVisible());
    QVERIFY(page_->comparison().series.size() > 9);
    QVERIFY(legend->findChildren<QToolButton*>().isEmpty());
    QVERIFY(page_->findChild<ChartView*>()->height() >= height);
    auto* table = list->findChild<QTableView*>();
    QCOMPARE(table->model()->rowCount(), static_cast<int>(page_->comparison().series.size()));

    // The largest figure is first; a click hides what it hits, and nothing moves.
    const auto click = [&](int row, Qt::KeyboardModifiers keys = {}) {
        const QRect place = table->visualRect(table->model()->index(row, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, keys, place.center());
    };
    const auto names = [&] {
        QStringList texts;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            texts << table->model()->index(row, 0).data().toString();
        }
        return texts;
    };
    const QStringList before = names();
    QCOMPARE(before.front(), localized(page_->comparison().series.front().title));
    click(0);
    QCOMPARE(legend->hidden(), std::set<std::string>{page_->comparison().series.front().id});
    QCOMPARE(names(), before);
    QCOMPARE(page_->chartOptions().hidden, legend->hidden());
    click(0);
    QVERIFY(legend->hidden().empty());
    click(2, Qt::ControlModifier);
    QCOMPARE(legend->hidden().size(), page_->comparison().series.size() - 1);
    QTest::keyClick(table, Qt::Key_Space);  // hiding the last one shows all
    QVERIFY(legend->hidden().empty());

    QTest::mouseClick(table->horizontalHeader()->viewport(), Qt::LeftButton, {}, QPoint(20, 10));
    QStringList sorted = before;
    sorted.sort();
    QVERIFY(names() == sorted || names() == QStringList(sorted.rbegin(), sorted.rend()));
    auto* words = list->findChild<QLineEdit*>();
    QTest::keyClick(table, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(words->hasFocus());
    QTest::keyClicks(words, QStringLiteral("mxnet"));
    QVERIFY(table->model()->rowCount() > 0 && table->model()->rowCount() < before.size());
    words->clear();
    test::keepPictures(*page_, theme_, QStringLiteral("compare-legend-list"));
}

void CompareTest::coloursTellApartWhatIsChosen() {
    auto* filters = page_->findChild<FilterPanel*>();
    emit filters->edited([](report::ResultFilter& filter) {
        filter.batchSizes = {128, 256};
        filter.precisions = {"fp32", "amp"};
    });
    QTRY_VERIFY(page_->comparison().series.size() > 9);
    QVERIFY(!page_->comparison().series.front().position);  // five frameworks have colours of their own
    SeriesCombo* colours = nullptr;
    for (auto* combo : page_->findChildren<SeriesCombo*>()) {
        colours = combo->accessibleName() == QStringLiteral("Colour") ? combo : colours;
    }
    QVERIFY(colours != nullptr);
    colours->choose(QStringLiteral("precision"));
    const auto huesOf = [&](const std::string& precision) {
        std::set<int> hues;
        for (const report::ComparedSeries& series : page_->comparison().series) {
            if (series.key.configuration.precision == precision) {
                hues.insert(series.position.value_or(-1) % report::huesByPosition);
            }
        }
        return hues;
    };
    QCOMPARE(huesOf("fp32"), std::set<int>{0});
    QCOMPARE(huesOf("amp"), std::set<int>{1});
    QCOMPARE(page_->view().colouredBy, report::PivotField::Precision);
    const report::CompareView kept = page_->view();
    colours->choose({});
    QVERIFY(!page_->comparison().series.front().position);
    emit filters->edited([](report::ResultFilter& filter) { filter.precisions = {"fp32"}; });
    QTRY_VERIFY(huesOf("amp").empty());  // nothing differs in it now
    page_->setView(kept);
    QCOMPARE(huesOf("amp"), std::set<int>{1});
    QCOMPARE(page_->reportView().colouredBy, report::PivotField::Precision);
}

void CompareTest::aCampaignHasANameThatCanBeChanged() {
    const auto campaign = dlperf::test::makeCampaign(session_->workspace(), 40);
    QVERIFY(campaign);
    open();
    QTRY_VERIFY(session_->campaigns().size() == 1);
    const auto usual = campaignTitle(campaign->id, campaign->plan);
    QVERIFY(usual.ends_with(", " + campaign->plan));
    QTRY_VERIFY(!page_->comparison().series.empty());
    QTRY_COMPARE(page_->comparison().series.front().campaignName, usual);
    askForCampaignName(*session_, campaign->id, page_.get());
    auto* ask = page_->findChild<QInputDialog*>();
    QVERIFY(ask != nullptr);
    QCOMPARE(ask->textValue(), QString::fromStdString(usual));
    ask->setTextValue(QStringLiteral("  image  32 <b>"));
    ask->accept();
    QTRY_COMPARE(page_->comparison().series.front().campaignName, std::string("image 32 <b>"));
    QCOMPARE(page_->reportView().campaignNames.at(campaign->id), std::string("image 32 <b>"));
    open();  // it is kept
    QTRY_VERIFY(!session_->campaigns().empty());
    QTRY_COMPARE(session_->campaignNames().at(campaign->id), std::string("image 32 <b>"));
    session_->nameCampaign(campaign->id, {});
    QCOMPARE(session_->campaignNames().at(campaign->id), usual);
}

void CompareTest::aViewIsSavedUnderAName() {
    QAction* save = nullptr;
    for (const QMenu* menu : page_->findChildren<QMenu*>()) {
        for (QAction* action : menu->actions()) {
            save = action->text() == QStringLiteral("Save view …") ? action : save;
        }
    }
    QVERIFY(save != nullptr);
    bool couldBeEmpty = true;
    QTimer::singleShot(0, page_.get(), [&] {
        auto* ask = page_->findChild<QInputDialog*>();
        const auto* ok = ask->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        ask->setTextValue(QStringLiteral("  "));
        couldBeEmpty = ok->isEnabled();
        ask->setTextValue(QStringLiteral("mine"));
        ask->accept();
    });
    save->trigger();
    QVERIFY(!couldBeEmpty);
    QTRY_VERIFY(
        QFile::exists(QString::fromStdString((session_->workspace().views() / "mine.json").string())));
}

void CompareTest::filtersOfferWhatIsThere() {
    auto* filters = page_->findChild<FilterPanel*>();
    emit filters->sourceToggled(report::Source::ReportV1, false);
    QTRY_VERIFY(page_->comparison().series.empty());  // nothing matches, and the page says so
    emit filters->cleared();
    QTRY_COMPARE(page_->comparison().series.size(), std::size_t{8});
    emit filters->edited([](report::ResultFilter& filter) {
        filter.hiddenTopologies.insert(Topology{4, 8});
    });
    QTRY_COMPARE(toString(page_->comparison().topologies.back()), std::string("2n8g"));
    emit filters->modelChosen(QStringLiteral("bert-base"));
    QTRY_VERIFY(!page_->comparison().series.empty());
    QVERIFY(page_->comparison().title.find("BERT") != std::string::npos);
}

void CompareTest::whatFiltersHideIsCountedAndShown() {
    const auto hidden = [this] {
        return test::findPart<QAbstractButton>(*page_, [](const QAbstractButton& one) {
            return one.text().endsWith(QStringLiteral(" hidden"));
        });
    };
    report::CompareView view = page_->view();
    view.filter.hiddenTopologies = {{4, 8}};
    view.filter.onlyFindings = true;
    page_->setView(view);
    QTRY_VERIFY(hidden() != nullptr);
    hidden()->click();
    QTRY_VERIFY(hidden() == nullptr);
    QVERIFY(page_->view().filter.precisions.size() > 1);  // the report has fp16, too
    QVERIFY(!page_->view().filter.onlyFindings && page_->view().filter.hiddenTopologies.empty());
}

void CompareTest::aToggleKeepsTheKeyboardsPlace() {
    auto* filters = page_->findChild<FilterPanel*>();
    QVERIFY(QTest::qWaitForWindowActive(page_.get()));
    const auto chips = filters->findChildren<QToolButton*>();
    const auto chip = std::ranges::find(chips, QStringLiteral("2n8g"), &QToolButton::text);
    QVERIFY(chip != chips.end());
    const QPointer<QToolButton> button = *chip;
    button->setFocus(Qt::TabFocusReason);
    QTest::keyClick(button, Qt::Key_Space);
    QTest::qWait(50);  // the panel is told by an event
    QVERIFY(button && button->hasFocus());
    QVERIFY(!button->isChecked());
    QTest::keyClick(button, Qt::Key_Space);
    QTest::qWait(50);
    QVERIFY(button && button->hasFocus() && button->isChecked());
}

void CompareTest::hidingTheBaseKeepsTheSpeedups() {
    const report::Comparison before = page_->comparison();
    emit page_->findChild<FilterPanel*>()->edited([](report::ResultFilter& filter) {
        filter.hiddenTopologies.insert(Topology{1, 1});
    });
    const report::Comparison& after = page_->comparison();
    QCOMPARE(after.topologies.size(), before.topologies.size() - 1);
    QVERIFY(after.topologies.front() != Topology(1, 1));
    QCOMPARE(after.series.size(), before.series.size());
    int speedups = 0;
    for (std::size_t i = 0; i < after.series.size(); ++i) {
        QCOMPARE(after.series[i].cells.size(), after.topologies.size());
        for (std::size_t k = 0; k < after.topologies.size(); ++k) {
            QCOMPARE(after.series[i].cells[k].speedup, before.series[i].cells[k + 1].speedup);
            speedups += after.series[i].cells[k].speedup ? 1 : 0;
        }
    }
    QVERIFY(speedups > 10);
}

// Per device, linear axes, a hidden series and a hidden topology: the report has the page's charts and table.
void CompareTest::reportShowsWhatIsSeen() {
    emit page_->findChild<FilterPanel*>()->edited([](report::ResultFilter& filter) {
        filter.hiddenTopologies.insert(Topology{1, 1});
    });
    QTest::mouseClick(page_->findChild<LegendBar*>()->findChildren<QToolButton*>()[0], Qt::LeftButton);
    for (QToolButton* button : page_->findChildren<QToolButton*>()) {
        if (button->text() == QStringLiteral("log2") || button->text() == QStringLiteral("Per device")) {
            button->click();
        }
    }
    const auto report =
        report::buildReport(page_->shownResults(), session_->vocabulary(), {}, page_->reportView());
    QVERIFY(!report.sections.empty());
    std::size_t shown = 0;
    for (const report::ReportSection& section : report.sections) {
        shown += section.comparison.series.size();
        QVERIFY(section.comparison.topologies.front() != Topology(1, 1));
        for (const report::ComparedSeries& series : section.comparison.series) {
            const auto same =
                std::ranges::find(page_->comparison().series, series.id, &report::ComparedSeries::id);
            QVERIFY(same != page_->comparison().series.end());
            QCOMPARE(series.cells.back().speedup, same->cells.back().speedup);
        }
        const auto bars =
            report::throughputBars(section.comparison, session_->vocabulary(), page_->chartOptions());
        QCOMPARE(section.charts[0].title, std::string("Throughput per device"));
        QCOMPARE(section.charts[0].series[0].points[0].y, bars.series[0].points[0].y);
        QVERIFY(section.charts[1].x.scale != report::AxisScale::Log2);
    }
    QCOMPARE(shown, std::size_t{7});
    for (const RunResult& run : report.runs) {
        QVERIFY(run.benchmarkCase.topology != Topology(1, 1));
    }
}

// Seven repetitions at 1n1g, six at 1n8g and 4n8g, four at 2n8g.
void CompareTest::putOwnRuns() const {
    const auto put = [&](const Topology& topology, const std::vector<double>& figures) {
        for (std::size_t i = 0; i < figures.size(); ++i) {
            store::test::putRun(session_->workspace(),
                                store::test::someRecord(topology, static_cast<int>(i) + 1, figures[i]));
        }
    };
    put({1, 1}, {354.2, 355.1, 353.9, 354.6, 356.0, 353.2, 362.0});
    put({1, 8}, {2710, 2722, 2698, 2805, 2715, 2709});
    put({2, 8}, {5210, 5222, 5198, 5305});
    put({4, 8}, {10010, 9960, 10025, 9990, 10040, 9975});
}

void CompareTest::showTopology(const char* text) const {
    const auto buttons = page_->findChild<ResultsPanel*>()->findChildren<QToolButton*>();
    const auto found = std::ranges::find(buttons, QLatin1String(text), &QToolButton::text);
    QVERIFY(found != buttons.end());
    (*found)->click();
}

void CompareTest::speedupsHaveTheirIntervalBesideTheMedians() {
    putOwnRuns();
    open();
    auto* panel = page_->findChild<ResultsPanel*>();
    const auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    const QString title = QStringLiteral("95\u00A0% of speedup");
    QCOMPARE(table->model()->headerData(ResultsModel::SpeedupRangeColumn, Qt::Horizontal).toString(), title);
    QVERIFY(table->isColumnHidden(ResultsModel::SpeedupRangeColumn));  // as the one of the medians
    QVERIFY(!QString::fromStdString(report::toMarkdown(panel->shownRows())).contains(title));
    panel->setSpread(report::Spread::Confidence);
    QVERIFY(!table->isColumnHidden(ResultsModel::SpeedupRangeColumn));
    const report::Cell& cell = page_->comparison().series.front().cells.back();
    QVERIFY(cell.speedupInterval && cell.topology == Topology(4, 8));
    const QString shown = table->model()->index(0, ResultsModel::SpeedupRangeColumn).data().toString();
    QCOMPARE(shown, QStringLiteral("%1 – %2×")
                        .arg(cell.speedupInterval->low, 0, 'f', 2)
                        .arg(cell.speedupInterval->high, 0, 'f', 2));
    for (const QString& file :
         {QString::fromStdString(report::toMarkdown(panel->shownRows())),
          QString::fromStdString(report::toCsv(report::withoutDashes(panel->shownRows()))),
          QString::fromStdString(report::toHtml(panel->shownRows())),
          QString::fromStdString(report::toLatex(panel->shownRows()))}) {
        QVERIFY2(file.contains(shown), qPrintable(file));
    }
    showTopology("1n1g");  // the base
    const QModelIndex base = table->model()->index(0, ResultsModel::SpeedupRangeColumn);
    QVERIFY(table->isColumnHidden(ResultsModel::SpeedupRangeColumn));
    QCOMPARE(base.data().toString(), QStringLiteral("–"));
    QVERIFY(base.data(Qt::ToolTipRole).toString().contains(QStringLiteral("A base has none")));
}

// As it opens, before anything is sorted, resized or chosen.
void CompareTest::tableOpensWithoutHolesOrScrolling() {
    QVERIFY(dlperf::test::makeCampaign(session_->workspace(), 100));
    open();
    const auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    QHeaderView& header = *table->horizontalHeader();
    QVERIFY(table->isColumnHidden(ResultsModel::TopologyColumn));
    int end = 0;
    for (int column = 0; column < header.count(); ++column) {
        if (!table->isColumnHidden(column)) {
            QCOMPARE(header.sectionPosition(column), end);
            end += header.sectionSize(column);
        }
    }
    QCOMPARE(header.length(), end);
    QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
    // Where titles are shorter than the least width of a column, as Chinese ones are.
    header.setMinimumSectionSize(header.sectionSize(ResultsModel::RunsColumn) + 5);
    page_->resize(page_->width() - 40, page_->height());
    QTest::qWait(50);
    QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
}

// As much as a table usually holds, in a window that is 1440 px wide: nothing is scrolled to, no figure is
// cut.
void CompareTest::allTopologiesFitTheWindow() {
    putOwnRuns();
    open();
    emit page_->findChild<FilterPanel*>()->sourceToggled(report::Source::ReportV1, true);
    QTRY_COMPARE(page_->comparison().series.size(), std::size_t{9});
    showTopology("All");
    const auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    const QHeaderView& header = *table->horizontalHeader();
    for (const auto spread : {report::Spread::MinToMax, report::Spread::Confidence}) {
        page_->findChild<ResultsPanel*>()->setSpread(spread);
        QTest::qWait(50);
        QVERIFY(table->model()->rowCount() >= 9 * 4);
        test::keepPictures(*page_, theme_, QStringLiteral("compare-all-%1").arg(static_cast<int>(spread)));
        QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);  // the vertical one comes late
        QVERIFY(header.length() <= table->viewport()->width());
        for (int column = 0; column < header.count(); ++column) {
            const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
            const bool cut = column == ResultsModel::SeriesColumn || column == ResultsModel::FindingColumn;
            for (int row = 0; row < table->model()->rowCount() && !table->isColumnHidden(column); ++row) {
                const QModelIndex index = table->model()->index(row, column);
                const QFontMetrics metrics(index.data(Qt::FontRole).value<QFont>());
                const QString text =
                    column == ResultsModel::SpreadBarColumn ? QString() : index.data().toString();
                const bool words = cut || text == QStringLiteral("not distinguishable");
                QVERIFY2(words || metrics.horizontalAdvance(text) + 12 <= header.sectionSize(column),
                         qPrintable(title + QStringLiteral(": ") + text));
            }
        }
    }
}

// Seven, four and two repetitions of one's own: whiskers, table, dots, report and saved view follow the
// choice.
void CompareTest::spreadIsOneChoiceForAll() {
    const auto workspace = session_->workspace();
    const auto put = [&](const Topology& topology, const std::vector<double>& figures) {
        for (std::size_t i = 0; i < figures.size(); ++i) {
            store::test::putRun(workspace,
                                store::test::someRecord(topology, static_cast<int>(i) + 1, figures[i]));
        }
    };
    put({1, 1}, {354.2, 355.1, 353.9, 354.6, 356.0, 353.2, 362.0});
    put({1, 8}, {2710, 2722, 2698, 2805});
    put({4, 8}, {10010, 9960, 10025, 9990, 10040, 9975});
    open();
    auto* panel = page_->findChild<ResultsPanel*>();
    const auto cell = [&] { return page_->comparison().series.front().cells.front(); };
    QTRY_COMPARE(cell().repetitions.size(), std::size_t{7});
    QCOMPARE(cell().range->high, 362.0);
    for (QToolButton* button : page_->findChildren<QToolButton*>()) {
        if (button->text() == QStringLiteral("Spread")) {
            QVERIFY(button->isEnabled());
            button->click();
        }
    }
    QTest::qWait(50);
    save("compare-spread");
    panel->setSpread(report::Spread::Confidence);
    QCOMPARE(cell().range->low, 353.9);
    QCOMPARE(cell().range->high, 356.0);
    QVERIFY(!page_->comparison().series.front().cells[1].range);  // four are too few
    const auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    QCOMPARE(table->model()->headerData(ResultsModel::RangeColumn, Qt::Horizontal).toString(),
             QStringLiteral("95\u00A0% interval"));
    const QString shown = table->model()->index(0, ResultsModel::RangeColumn).data().toString();
    QVERIFY2(shown.startsWith(QStringLiteral("9,967.50 – ")), qPrintable(shown));
    QVERIFY(QString::fromStdString(report::toMarkdown(panel->shownRows())).contains(shown));
    QVERIFY(page_->reportView().spread == report::Spread::Confidence);
    QVERIFY(page_->view().spread == report::Spread::Confidence);
    save("compare-interval");
    const auto views = page_->findChildren<ChartView*>();
    const auto dots = std::ranges::find_if(
        views, [](const ChartView* view) { return view->spec().kind == report::ChartKind::Dots; });
    QVERIFY(dots != views.end());
    QTRY_COMPARE((*dots)->spec().series[0].points.size(), std::size_t{3});
    QTest::mouseClick(page_->findChild<LegendBar*>()->findChildren<QToolButton*>()[0], Qt::LeftButton,
                      Qt::ControlModifier);
    const auto entries = page_->findChild<LegendBar*>()->hidden().size();
    QTRY_COMPARE((*dots)->spec().series.size() + entries, page_->comparison().series.size());
}

// Two variants of one's own: at 1n1g they overlap, at 1n8g they do not, at 4n8g three of each are too few.
void CompareTest::saysWhatCannotBeToldApart() {
    const auto put = [&](const char* workers, const Topology& topology, const std::vector<double>& figures) {
        for (std::size_t i = 0; i < figures.size(); ++i) {
            auto record = store::test::someRecord(topology, static_cast<int>(i) + 1, figures[i]);
            record.result.benchmarkCase.configuration.variant = {{"workers", workers}};
            record.result.id += workers;
            store::test::putRun(session_->workspace(), record);
        }
    };
    put("8", {1, 1}, {354.2, 355.1, 353.9, 354.6, 356.0});
    put("16", {1, 1}, {354.0, 355.2, 353.8, 354.4, 355.9});
    put("8", {1, 8}, {2710, 2722, 2698, 2715, 2720});
    put("16", {1, 8}, {2510, 2522, 2498, 2515, 2520});
    put("8", {4, 8}, {10010, 9960, 10025});
    put("16", {4, 8}, {9010, 8960, 9025});
    open();
    QTRY_COMPARE(page_->comparison().series.size(), std::size_t{2});
    auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    auto* model = table->findChild<ResultsModel*>();
    model = model != nullptr ? model : page_->findChild<ResultsModel*>();
    const auto slower = [&](const Topology& topology, int role) {
        model->setComparison(page_->comparison(), {}, topology);
        return model->index(1, ResultsModel::VerdictColumn).data(role).toString();
    };
    QCOMPARE(slower({1, 1}, Qt::DisplayRole), QStringLiteral("not distinguishable"));
    QCOMPARE(model->index(1, ResultsModel::DifferenceColumn).data().toString(),
             QStringLiteral("not distinguishable"));
    QVERIFY(!model->index(1, ResultsModel::DifferenceColumn).data(ResultsModel::NumberRole).isValid());
    QVERIFY(slower({1, 1}, Qt::ToolTipRole).contains(QStringLiteral("rank test of 5 and 5 runs")));
    QCOMPARE(slower({1, 8}, Qt::DisplayRole), QStringLiteral("different"));
    QCOMPARE(model->index(1, ResultsModel::DifferenceColumn).data().toString(),
             QStringLiteral("−7.4\u00A0%"));  // the plain figure is the headline
    QVERIFY(slower({1, 8}, Qt::ToolTipRole).contains(QStringLiteral("Different: p = 0.008")));
    QCOMPARE(slower({4, 8}, Qt::DisplayRole), QStringLiteral("too few runs"));
    model->setComparison(page_->comparison(), {}, Topology{1, 8});
    QVERIFY(model->index(0, ResultsModel::SpeedupColumn)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("median and base resampled")));
    QVERIFY(model->index(0, ResultsModel::MedianColumn)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("median within 2,698.00 to 2,722.00")));
    auto* panel = page_->findChild<ResultsPanel*>();
    panel->setComparison(page_->comparison(), {});  // the model is the panel's
    QCOMPARE(model->tooFew(), 1);
    const auto labels = page_->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->text() == QStringLiteral("Too few runs to judge a difference: 1");
    }));
    for (const QString& file :
         {QString::fromStdString(report::toMarkdown(panel->shownRows())),
          QString::fromStdString(report::toCsv(report::withoutDashes(panel->shownRows()))),
          QString::fromStdString(report::toHtml(panel->shownRows()))}) {
        QVERIFY(file.contains(QStringLiteral("too few runs")));  // what is seen is what is exported
    }
    save("compare-differences");
    // Words yield to figures where there is no room for both.
    panel->setSpread(report::Spread::Confidence);
    showTopology("All");
    QTest::qWait(50);
    QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
    save("compare-differences-all");
}

// Workers 4 (the default), 8 and 16, each with and without a variable.
void CompareTest::putSweep() const {
    double figure = 300;
    for (const char* algorithm : {"Ring", "Tree"}) {
        for (const char* workers : {"4", "8", "16"}) {
            for (const Topology& topology : {Topology{1, 1}, Topology{1, 2}}) {
                auto record = store::test::someRecord(topology, 1, figure * topology.devices);
                Variant& variant = record.result.benchmarkCase.configuration.variant;
                variant = {{"NCCL_ALGO", algorithm}, {"workers", workers}};
                if (std::string_view(workers) == "4") {
                    variant.erase("workers");
                }
                record.result.defaults = {{"workers", "4"}};
                record.result.id += std::string(algorithm) + workers;
                store::test::putRun(session_->workspace(), record);
            }
            figure += 25;
        }
    }
}

QToolButton* CompareTest::button(const QString& text) const {
    const auto buttons = page_->findChildren<QToolButton*>();
    const auto found = std::ranges::find(buttons, text, &QToolButton::text);
    return found == buttons.end() ? nullptr : *found;
}

QComboBox* CompareTest::settingBox() const {
    const auto boxes = page_->findChildren<QComboBox*>();
    return *std::ranges::find(boxes, QStringLiteral("Over which setting"), &QComboBox::accessibleName);
}

bool CompareTest::isShown(const QString& title) const {
    return std::ranges::any_of(page_->findChildren<QLabel*>(), [&](const QLabel* label) {
        return label->isVisible() && label->text() == title;
    });
}

const report::ChartSpec& CompareTest::leftSpec() const {
    const QWidget* panel = settingBox()->parentWidget()->parentWidget();
    return panel->findChild<ChartView*>()->spec();
}

void CompareTest::theLeftChartIsOverAChosenSetting() {
    QVERIFY(!button(QStringLiteral("Setting"))->isEnabled());  // published: one batch size, nothing swept
    QVERIFY(settingBox()->isHidden());
    putSweep();
    open();
    QTRY_COMPARE(page_->comparison().series.size(), std::size_t{6});
    QVERIFY(button(QStringLiteral("Setting"))->isEnabled());
    QTest::qWait(50);  // the legend has its rows
    const QPoint switchAt = button(QStringLiteral("Setting"))->mapTo(page_.get(), QPoint());
    button(QStringLiteral("Setting"))->click();
    QTest::qWait(50);
    QVERIFY(!settingBox()->isHidden());
    QCOMPARE(button(QStringLiteral("Setting"))->mapTo(page_.get(), QPoint()), switchAt);
    QStringList offered;
    for (int i = 0; i < settingBox()->count(); ++i) {
        offered << settingBox()->itemText(i);
    }
    QCOMPARE(offered, QStringList({QStringLiteral("NCCL_ALGO"), QStringLiteral("workers")}));
    QVERIFY(leftSpec().kind == report::ChartKind::Bars);
    QCOMPARE(leftSpec().x.categories, (std::vector<std::string>{"Ring", "Tree"}));
    test::keepPictures(*page_, theme_, QStringLiteral("compare-over-variable"));

    QTest::keyClick(settingBox(), Qt::Key_Down);
    QTRY_VERIFY(leftSpec().kind == report::ChartKind::Lines);
    QCOMPARE(leftSpec().x.title, std::string("workers"));
    QCOMPARE(leftSpec().series.size(), std::size_t{2});
    for (const report::Series& line : leftSpec().series) {
        QCOMPARE(line.points.size(), std::size_t{3});  // the default has its place
        QVERIFY(line.title.ends_with("NCCL_ALGO=Ring") || line.title.ends_with("NCCL_ALGO=Tree"));
    }
    QVERIFY(isShown(QStringLiteral("Throughput, 1n2g")));
    test::keepPictures(*page_, theme_, QStringLiteral("compare-over-option"));
    showTopology("1n1g");  // the chart is of the table's topology
    QTRY_VERIFY(isShown(QStringLiteral("Throughput, 1n1g")));
    button(QStringLiteral("Total"))->click();
    QVERIFY(settingBox()->isHidden());
}

void CompareTest::theSettingIsKeptWithTheView() {
    putSweep();
    open();
    QTRY_COMPARE(page_->comparison().series.size(), std::size_t{6});
    button(QStringLiteral("Setting"))->click();
    QTest::keyClick(settingBox(), Qt::Key_Down);
    const report::CompareView kept = page_->view();
    QCOMPARE(kept.setting, std::string("workers"));
    const auto again = report::parseView(toJson(kept), "view");
    QVERIFY(again && *again == kept);
    button(QStringLiteral("Total"))->click();
    page_->setView(*again);
    QVERIFY(page_->view() == kept);
    QTRY_COMPARE(QString::fromStdString(leftSpec().x.title), QStringLiteral("workers"));

    // Where no series has it the chart is what it is for all.
    emit page_->findChild<FilterPanel*>()->sourceToggled(report::Source::Own, false);
    emit page_->findChild<FilterPanel*>()->sourceToggled(report::Source::ReportV1, true);
    QTRY_VERIFY(button(QStringLiteral("Total"))->isChecked());
    QVERIFY(settingBox()->isHidden());
    QTRY_COMPARE(QString::fromStdString(leftSpec().x.title), QStringLiteral("Topology"));
    report::CompareView other = kept;
    other.setting = "gone";
    page_->setView(other);
    QVERIFY(button(QStringLiteral("Total"))->isChecked());
}

// Two variants ran out of memory on two nodes: both charts mark it and say the same.
void CompareTest::missingFiguresAreMarkedInBothCharts() {
    putOwnRuns();
    for (const char* workers : {"8", "16"}) {
        for (const auto& [topology, figure] :
             {std::pair{Topology{1, 1}, 340.0}, {{1, 8}, 2600.0}, {{2, 8}, 0.0}}) {
            auto record = store::test::someRecord(topology, 1, figure);
            record.result.benchmarkCase.configuration.variant = {{"workers", workers}};
            record.result.id += workers;
            if (figure == 0) {
                record.result.outcome = Outcome::Oom;
                record.result.throughput.reset();
            }
            store::test::putRun(session_->workspace(), record);
        }
    }
    open();
    QTRY_COMPARE(page_->comparison().series.size(), std::size_t{3});
    QTest::qWait(50);  // charts come one a turn
    test::keepPictures(*page_, theme_, QStringLiteral("compare-missing"));
    const auto saidOf = [&](report::ChartKind kind) {
        std::set<std::pair<std::string, std::string>> said;
        for (const ChartView* chart : page_->findChildren<ChartView*>()) {
            for (const report::Series& series : chart->spec().series) {
                for (const report::Point& point : series.points) {
                    if (chart->spec().kind == kind && point.missing) {
                        said.emplace(point.tip, point.finding);
                    }
                }
            }
        }
        return said;
    };
    QCOMPARE(saidOf(report::ChartKind::Lines).size(), std::size_t{2});
    QVERIFY(saidOf(report::ChartKind::Lines) == saidOf(report::ChartKind::Bars));
    for (const auto& [tip, finding] : saidOf(report::ChartKind::Lines)) {
        QVERIFY(tip.find(", 2n8g\n") != std::string::npos && finding.starts_with("Missing figure: OOM. "));
    }
}

// Wide and Deep is published by latency and memory: lower is better, and nothing of it is in images/s.
void CompareTest::timesHaveTheirOwnAxis() {
    emit page_->findChild<FilterPanel*>()->modelChosen(QStringLiteral("wide-deep"));
    QTRY_VERIFY(!page_->comparison().series.empty());
    for (const report::ComparedSeries& series : page_->comparison().series) {
        QCOMPARE(series.unit, std::string("ms/iteration"));
    }
    const auto units = [&] {
        std::set<std::string> all;
        for (const ChartView* chart : page_->findChildren<ChartView*>()) {
            all.insert(chart->spec().unit);
        }
        return all;
    };
    QTRY_COMPARE(units(), (std::set<std::string>{"MB", "ms/iteration"}));
    const auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    QVERIFY(!table->isColumnHidden(ResultsModel::MemoryColumn));
    QTest::qWait(50);
    save("compare-times");
}

// The page's own filters lead to each row: its model is offered, then its source, precision and batch size.
void CompareTest::everyPublishedRowCanBeChosen() {
    const auto results = session_->results();
    QCOMPARE(results->size(), std::size_t{2221});
    const auto models = report::modelChoices(*results);
    std::map<std::pair<std::string, report::Source>, report::FilterChoices> offered;
    for (const RunResult& result : *results) {
        const Configuration& configuration = result.benchmarkCase.configuration;
        const auto model = std::ranges::find_if(models, [&](const std::string& id) {
            return configuration.model == id || configuration.model.starts_with(id + "-");
        });
        QVERIFY2(model != models.end(), result.id.c_str());
        report::ResultFilter filter;
        filter.model = *model;
        filter.sources = {report::sourceOf(result)};
        const auto [choices, isNew] = offered.try_emplace({*model, report::sourceOf(result)});
        if (isNew) {
            choices->second = choicesFor(*results, filter);
        }
        QVERIFY2(choices->second.sources.contains(report::sourceOf(result)), result.id.c_str());
        QVERIFY2(choices->second.precisions.contains(configuration.precision), result.id.c_str());
        QVERIFY2(choices->second.batchSizes.contains(configuration.batchSize), result.id.c_str());
        filter.precisions = {configuration.precision};
        filter.batchSizes = {configuration.batchSize};
        QVERIFY2(filter.passes(result), result.id.c_str());
    }
}

void CompareTest::aViewShowsThePivotOfTheSeed() {
    auto* menu = page_->findChild<MenuOf<report::CompareView>*>();
    QTRY_VERIFY(menu->values().contains(QStringLiteral("Five frameworks by batch size")));
    page_->setView(menu->values().at(QStringLiteral("Five frameworks by batch size")));
    const auto* panel = page_->findChild<PivotPanel*>();
    auto* table = panel->findChild<QTableView*>();
    QVERIFY(table->isVisible());
    QVERIFY(!page_->findChild<ResultsPanel*>()->isVisible());
    const QAbstractItemModel& model = *table->model();
    QCOMPARE(model.rowCount(), 24 + 6);  // a heading for each topology
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(text(0, 0), QStringLiteral("1n1g   1 node with 1 device"));
    QCOMPARE(text(1, 2), QStringLiteral("306.82"));
    QCOMPARE(text(1, 6), QStringLiteral("+1.5\u00A0%"));
    test::keepPictures(*page_, theme_, QStringLiteral("compare-pivot"));
    // Sorted within the groups, and copied as it is shown.
    table->sortByColumn(2, Qt::DescendingOrder);
    QCOMPARE(text(0, 0), QStringLiteral("1n1g   1 node with 1 device"));
    QCOMPARE(text(1, 0), QStringLiteral("160"));
    QVERIFY(QString::fromStdString(report::toCsv(panel->shownTable()))
                .section(QStringLiteral("\r\n"), 1, 1)
                .startsWith(QStringLiteral("1n1g,160,383.76,350.63,")));
    // Back to how the fields order it.
    table->sortByColumn(-1, Qt::AscendingOrder);
    QCOMPARE(text(1, 0), QStringLiteral("32"));
    const report::CompareView kept = page_->view();
    QCOMPARE(kept.mode, report::CompareMode::Pivot);
    const auto again = report::parseView(toJson(kept), "view");
    QVERIFY(again && *again == kept);
    const auto report =
        report::buildReport(page_->shownResults(), session_->vocabulary(), {}, page_->reportView());
    QCOMPARE(report.pivot->rows.size(), std::size_t{24});
}

void CompareTest::aClickOnATitleMovesNoColumn() {
    auto* table = page_->findChild<ResultsPanel*>()->findChild<QTableView*>();
    QHeaderView& header = *table->horizontalHeader();
    const auto places = [&] {
        QTest::qWait(20);
        std::vector<int> lefts;
        for (int column = 0; column < header.count(); ++column) {
            lefts.push_back(header.sectionViewportPosition(column));
        }
        return lefts;
    };
    const auto before = places();
    QCOMPARE(header.length(), table->viewport()->width());
    for (const int column : {ResultsModel::SpeedupColumn, ResultsModel::SpeedupColumn,
                             ResultsModel::RunsColumn, ResultsModel::SeriesColumn}) {
        const QPoint where(header.sectionViewportPosition(column) + header.sectionSize(column) / 2, 10);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, where);
        QCOMPARE(header.sortIndicatorSection(), column);
        QCOMPARE(places(), before);
        QCOMPARE(header.length(), table->viewport()->width());  // rows reach the table's end
    }
}

void CompareTest::pointingAndNewResultsLeaveTheSelection() {
    const auto* panel = page_->findChild<ResultsPanel*>();
    auto* table = panel->findChild<QTableView*>();
    const auto isLit = [&](int row) {
        return table->model()->index(row, 0).data(ResultsModel::PointedRole).toBool();
    };
    table->setFocus();
    table->selectRow(2);
    const auto chosen = panel->selectedCases();
    QCOMPARE(chosen.size(), std::size_t{1});
    const QString other = table->model()->index(0, 0).data(ResultsModel::KeyRole).toString();
    auto* chart = page_->findChild<ChartView*>();
    emit chart->seriesHovered(other);
    QCOMPARE(panel->selectedCases(), chosen);
    QVERIFY(isLit(0) && !isLit(2));
    test::keepPictures(*page_, theme_, QStringLiteral("compare-pointed-at"));
    emit chart->seriesHovered({});
    QVERIFY(!isLit(0));
    emit session_->resultsChanged();
    QTest::qWait(50);
    QCOMPARE(panel->selectedCases(), chosen);
    QCOMPARE(table->currentIndex().row(), 2);
}

void CompareTest::aSeriesHasAMenuWhereverItIsShown() {
    auto* legend = page_->findChild<LegendBar*>();
    const auto menuOf = [&](QWidget& widget, const QPoint& where) {
        QContextMenuEvent asked(QContextMenuEvent::Mouse, where, widget.mapToGlobal(where));
        QApplication::sendEvent(&widget, &asked);
        return qobject_cast<QMenu*>(QApplication::activePopupWidget());
    };
    const auto choose = [](QMenu& menu, const QString& text) {
        const auto actions = menu.actions();
        const auto found = std::ranges::find(actions, text, &QAction::text);
        const bool isThere = found != actions.end();
        if (isThere) {
            (*found)->trigger();
        }
        menu.close();
        return isThere;
    };
    const auto entries = legend->findChildren<QToolButton*>();
    QMenu* menu = menuOf(*entries[1], QPoint(5, 5));  // NGC MXNet
    QVERIFY(menu != nullptr);
    QVERIFY(choose(*menu, QStringLiteral("Compare the others with it")));
    const auto* panel = page_->findChild<ResultsPanel*>();
    QCOMPARE(panel->baseline(), page_->comparison().series[1].id);
    menu = menuOf(*entries[0], QPoint(5, 5));
    QVERIFY(menu != nullptr);
    QVERIFY(choose(*menu, QStringLiteral("Hide")));
    QCOMPARE(legend->hidden(), std::set{page_->comparison().series[0].id});
    menu = menuOf(*entries[2], QPoint(5, 5));
    QVERIFY(menu != nullptr);
    QVERIFY(choose(*menu, QStringLiteral("Show only this one")));
    QCOMPARE(legend->hidden().size(), std::size_t{7});
    // A chart's own menu, where no series is pointed at.
    auto* chart = page_->findChild<ChartView*>();
    menu = menuOf(*chart, QPoint(3, 3));
    QVERIFY(menu != nullptr);
    QVERIFY(choose(*menu, QStringLiteral("Copy chart")));
    QVERIFY(QApplication::clipboard()->mimeData()->hasImage());
}

// One button says how much, its menu what; what the filters say is not said again.
void CompareTest::whatIsComparedWithCareMovesNothing() {
    auto* care = test::findButton(*page_, QStringLiteral("Compare with care: 1"));
    QVERIFY(care != nullptr);
    QVERIFY(care->toolTip().contains(QStringLiteral("ResNet50 v1b")));
    auto* filters = page_->findChild<FilterPanel*>();
    const auto readmes = [&] {
        return test::findPart<QCheckBox>(*filters, [&](const QCheckBox& one) {
            return one.text() == QLatin1String("Published: readmes");
        });
    };
    QTRY_VERIFY(readmes() != nullptr);
    const QPoint place = readmes()->mapTo(filters, QPoint());
    emit filters->edited([](report::ResultFilter& filter) {
        filter.precisions = {"fp32", "amp"};
        filter.batchSizes = {128, 256};
        filter.hiddenFeatures = {"xla"};
    });
    QTRY_VERIFY(page_->comparison().series.size() > 8);
    const QString said = care->toolTip();
    QVERIFY2(!said.contains(QStringLiteral("Precisions differ")), qPrintable(said));
    QVERIFY2(!said.contains(QStringLiteral("Batch sizes differ")), qPrintable(said));
    // A source's own check box stays under the pointer when it brings more chips.
    emit filters->sourceToggled(report::Source::Readmes, true);
    QTest::qWait(50);
    QTRY_VERIFY(readmes() != nullptr);
    QCOMPARE(readmes()->mapTo(filters, QPoint()), place);
}

void CompareTest::thePivotSaysWhatItMixesInItsRoom() {
    PivotPanel panel;
    panel.setPivot({});
    const int least = panel.minimumSizeHint().width();
    report::Pivot pivot;
    pivot.mixed = {"Campaign differs: " + std::string(400, 'x') + "."};
    pivot.cells = {{report::PivotCell{.cases = 2}}};
    panel.setPivot(pivot);
    QCOMPARE(panel.minimumSizeHint().width(), least);
    const auto labels = panel.findChildren<ElidedLabel*>();
    QVERIFY(std::ranges::any_of(
        labels, [](const ElidedLabel* label) { return label->text().contains(QStringLiteral("hold")); }));
}

void CompareTest::thePivotSaysWhatItsMarksMean() {
    button(QStringLiteral("Pivot"))->click();
    auto* fields = page_->findChild<PivotFields*>();
    auto* panel = page_->findChild<PivotPanel*>();
    QVERIFY(test::findWords(*panel, QStringLiteral("Bold and darkest: best of its row")));
    // Sizes across: each has a best of its own, and the shade stays what was chosen.
    report::PivotLayout layout = fields->layoutOfTable();
    layout.rows = {report::PivotField::Framework};
    layout.columns = {report::PivotField::Topology};
    fields->setLayoutOfTable(layout);
    emit fields->changed();
    QVERIFY(test::findWords(*panel, QStringLiteral("Bold: best of its column, darkest: of its row")));
    // Implementations of a framework share its row: the corner says so.
    QVERIFY(test::findWords(*panel, QStringLiteral("several cases")));
    const auto& cells = panel->pivot().cells;
    const auto* table = panel->findChild<QTableView*>();
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        for (int column = 1; column < table->model()->columnCount(); ++column) {
            QCOMPARE(table->model()->index(row, column).data(PivotModel::SharedRole).toBool(),
                     cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column) - 1].cases > 1);
        }
    }
    test::keepPictures(*page_, theme_, QStringLiteral("compare-pivot-shared"));
    layout.comparedTo = "4n8g";
    fields->setLayoutOfTable(layout);
    emit fields->changed();
    QVERIFY(test::findWords(*panel, QStringLiteral("blue: above, orange: below")));
    layout.shade = report::PivotShade::None;
    fields->setLayoutOfTable(layout);
    emit fields->changed();
    QVERIFY(!test::findWords(*panel, QStringLiteral("darkest")));
    // A cell with a marked corner shows its figure when it is selected, too.
    auto* view = panel->findChild<QTableView*>();
    QModelIndexList shared;
    for (int column = 1; column < view->model()->columnCount() && shared.isEmpty(); ++column) {
        shared = view->model()->match(view->model()->index(0, column), PivotModel::SharedRole, true, 1,
                                      Qt::MatchExactly);
    }
    QVERIFY(!shared.isEmpty());
    view->scrollTo(shared.front());
    const auto ground = [&] {
        const QPoint besideText = view->visualRect(shared.front()).topLeft() + QPoint(6, 6);
        return view->viewport()->grab().toImage().pixelColor(besideText);
    };
    view->clearSelection();
    const QColor unselected = ground();
    view->selectionModel()->select(shared.front(), QItemSelectionModel::ClearAndSelect);
    QCOMPARE(ground(), unselected);
}

void CompareTest::aFieldThatCannotMoveSaysWhy() {
    button(QStringLiteral("Pivot"))->click();
    auto* fields = page_->findChild<PivotFields*>();
    const auto drop = [&](report::PivotField field, const QString& list) {
        QWidget* into = test::findNamed<QPushButton>(*fields, list)->parentWidget();
        QMimeData dragged;
        dragged.setData(QStringLiteral("application/x-dlperf-pivot-field"),
                        QByteArray::number(static_cast<int>(field)));
        QDragEnterEvent enter({4, 4}, Qt::MoveAction, &dragged, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(into, &enter);
        QDropEvent event(QPointF(4, 4), Qt::MoveAction, &dragged, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(into, &event);
        QCoreApplication::processEvents();
    };
    using enum report::PivotField;
    drop(Implementation, QStringLiteral("Add to Rows"));  // the only column
    QCOMPARE(fields->layoutOfTable().columns, std::vector{Implementation});
    QVERIFY(test::findWords(*fields, QStringLiteral("Implementation stays")));
    drop(BatchSize, QStringLiteral("Add to Columns"));
    QCOMPARE(fields->layoutOfTable().columns, (std::vector{BatchSize, Implementation}));
    QVERIFY(!test::findWords(*fields, QStringLiteral("stays")));
}

void CompareTest::thePivotsFieldsCanBeMoved() {
    button(QStringLiteral("Pivot"))->click();
    auto* fields = page_->findChild<PivotFields*>();
    const auto* panel = page_->findChild<PivotPanel*>();
    QVERIFY(fields->isVisible());
    const auto choose = [&](const QString& chip, const QString& action) {
        test::findButton(*fields, chip)->click();
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        const auto actions = menu->actions();
        const auto found = std::ranges::find(actions, action, &QAction::text);
        QVERIFY(found != actions.end());
        (*found)->trigger();
        menu->close();
    };
    using enum report::PivotField;
    choose(QStringLiteral("Batch size"), QStringLiteral("Move up"));
    QCOMPARE(panel->pivot().layout.rows, (std::vector{BatchSize, Topology}));
    choose(QStringLiteral("Batch size"), QStringLiteral("Remove"));
    QCOMPARE(panel->pivot().layout.rows, std::vector{Topology});
    choose(QStringLiteral("Implementation"), QStringLiteral("Remove"));  // disabled: a table has columns
    QCOMPARE(panel->pivot().layout.columns, std::vector{Implementation});
    fields->compareWith(QStringLiteral("OneFlow"));
    QCOMPARE(panel->pivot().layout.comparedTo, std::string("OneFlow"));
    // A click on the way back leaves charts and table as they were.
    button(QStringLiteral("Charts"))->click();
    QVERIFY(!fields->isVisible());
    QVERIFY(page_->findChild<ResultsPanel*>()->isVisible());
    button(QStringLiteral("Table"))->click();
    QVERIFY(page_->findChild<ResultsPanel*>()->isVisible());
    QVERIFY(!page_->findChild<ChartView*>()->isVisible());
}

void CompareTest::aChartFillsTheScreen() {
    ChartView* chart = page_->findChildren<ChartView*>().front();
    // Charts come one a turn.
    QTRY_VERIFY(chart->spec().series.size() >= page_->comparison().series.size());
    const std::size_t count = chart->spec().series.size();
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_F11);
    QPointer<FullChart> full = chart->findChild<FullChart*>();
    QVERIFY(full && full->isFullScreen());
    auto* inside = full->findChild<ChartView*>();
    QCOMPARE(inside->spec().series.size(), count);
    // It follows the page, and what is hidden on it is hidden there only.
    QTest::mouseClick(page_->findChild<LegendBar*>()->findChildren<QToolButton*>()[0], Qt::LeftButton);
    QTRY_COMPARE(inside->spec().series.size(), count - 1);
    QTest::mouseClick(full->findChild<LegendBar*>()->findChildren<QToolButton*>()[0], Qt::LeftButton);
    QTRY_COMPARE(inside->spec().series.size(), count - 2);
    QCOMPARE(chart->spec().series.size(), count - 1);
    test::keepPicture(*full, QStringLiteral("full-chart"));
    QTest::keyClick(inside, Qt::Key_Escape);
    QTRY_VERIFY(full.isNull());
}

// A hidden series and a topology out of sight are not in the file, and nothing of them.
void CompareTest::copiesTheChartThatIsSeen() {
    QAction* copy = nullptr;
    for (QAction* action : page_->findChildren<QAction*>()) {
        copy = action->text() == QStringLiteral("Copy left chart") ? action : copy;
    }
    QVERIFY(copy != nullptr);
    const auto copied = [copy] {
        copy->trigger();
        return QString::fromUtf8(
            QGuiApplication::clipboard()->mimeData()->data(QStringLiteral("image/svg+xml")));
    };
    for (const char* text : {"OneFlow", "12,412", "PaddlePaddle", "1n1g", "4n8g"}) {
        QVERIFY2(copied().contains(QString::fromLatin1(text)), text);
    }
    QTest::mouseClick(page_->findChild<LegendBar*>()->findChildren<QToolButton*>()[0], Qt::LeftButton);
    QVERIFY(!copied().contains(QStringLiteral("OneFlow")) && !copied().contains(QStringLiteral("#3064d8")));
    const auto views = page_->findChildren<ChartView*>();
    const auto bars = std::ranges::find_if(
        views, [](const ChartView* view) { return view->spec().kind == report::ChartKind::Bars; });
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(*bars, Qt::Key_Plus);
    }
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(*bars, Qt::Key_Left, Qt::ShiftModifier);
    }
    QVERIFY(copied().contains(QStringLiteral("1n1g")) && !copied().contains(QStringLiteral("4n8g")));
}

void CompareTest::modelIsSound() {
    ResultsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setComparison(page_->comparison(), {}, std::nullopt);
    QCOMPARE(model.rowCount(), static_cast<int>(8 * page_->comparison().topologies.size()));
    model.setComparison({}, {}, std::nullopt);
    QCOMPARE(model.rowCount(), 0);
}

DLPERF_UI_TEST(CompareTest);

}  // namespace dlperf::ui
#include "compare_test.moc"
