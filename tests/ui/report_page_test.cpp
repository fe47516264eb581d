// SPDX-License-Identifier: Apache-2.0
// The Report page as its user has it: sections in their order, words of one's own, templates, pages of paper.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <future>

#include "core/base/file.h"
#include "tests/store/fixture.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/export_panel.h"
#include "ui/pages/named_menu.h"
#include "ui/pages/report_page.h"
#include "ui/pages/sections_list.h"
#include "ui/pages/summaries_dialog.h"
#include "ui/paper/paper_view.h"
#include "ui/session/background.h"
#include "ui/shell/settings_dialog.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

using report::ReportPart;
using namespace std::chrono_literals;

class ReportPageTest final : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { made_.reset(); }
    void sectionsAreMovedByKeysAndKeptForTheNextTime();
    void whatIsTypedLastIsKept();
    void nothingIsWrittenBeforeItIsRead();
    void twoWindowsKeepWhatEachHasChanged();
    void lookingAtAPivotTableChoosesNoSection();
    void theUsersWordsStandInTheFiles();
    void wordsForOtherFiguresAreTold();
    void aTemplateBringsAllBack();
    void theReportSpeaksItsOwnLanguage();
    void pagesAreTurnedAndZoomed();
    void fittedPagesNeedNoScrollingSideways();
    void cancelledCasesAreCounted();
    void whatIsSelectedIsCopied();
    void exportingMovesNothing();
    void latexIsWrittenInParts();
    void theFolderIsTheWorkspacesAndIsNotEmpty();
    void closingWaitsForTheFiles();
    void anotherLanguageWaitsForTheFiles();

private:
    [[nodiscard]] ReportPage& page() const { return made_->window().report(); }
    [[nodiscard]] PaperView& paper() const { return *page().findChild<PaperView*>(); }
    [[nodiscard]] SectionsList& sections() const { return *page().findChild<SectionsList*>(); }
    [[nodiscard]] MenuOf<report::ReportTemplate>& templates() const {
        return *page().findChild<MenuOf<report::ReportTemplate>*>();
    }
    // The file's text once it is there and says this, else what it says.
    [[nodiscard]] QString exported(const QString& name, const QString& said) const;
    void setSummary(const QString& text) const;
    void beginExport() const;

    std::unique_ptr<test::MadeWindow> made_;
};

void ReportPageTest::init() {
    const test::ApartScope apart(test::Apart::StartUp);
    made_ = test::MadeWindow::open({}, theme_);
    QVERIFY(made_);
    made_->press(Qt::Key_5, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(paper().pageCount() > 0, longWait);
}

QString ReportPageTest::exported(const QString& name, const QString& said) const {
    const test::ApartScope apart(test::Apart::PictureExport);
    page().primaryAction();
    QString text;
    (void)QTest::qWaitFor(
        [&] {
            QFile file(made_->path(QStringLiteral("w/report/") + name));
            text = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
            return text.contains(said);
        },
        longWait);
    return text;
}

void ReportPageTest::setSummary(const QString& text) const {
    test::findButton(page(), QStringLiteral("Summaries …"))->click();
    SummariesDialog* dialog = nullptr;  // the one before may be on its way out
    QTRY_VERIFY((dialog = test::findPart<SummariesDialog>(page())) != nullptr);
    dialog->findChild<QPlainTextEdit*>()->setPlainText(text);
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
}

void ReportPageTest::sectionsAreMovedByKeysAndKeptForTheNextTime() {
    QCOMPARE(sections().parts(), report::templateParts());
    sections().setFocus();
    const int last = static_cast<int>(report::templateParts().size()) - 1;  // Method
    sections().setCurrentRow(last);
    for (int i = 0; i < last; ++i) {
        made_->press(Qt::Key_Up, Qt::AltModifier);
    }
    QCOMPARE(sections().parts().front(), ReportPart::Method);
    QCOMPARE(sections().currentRow(), 0);  // it goes along
    made_->press(Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(sections().parts().front(), ReportPart::Method);
    sections().setCurrentRow(1);
    made_->press(Qt::Key_Space);
    QCOMPARE(sections().parts().size(), report::templateParts().size() - 1);
    const QString html = exported(QStringLiteral("report.html"), QStringLiteral("id=\"results\""));
    QVERIFY(html.indexOf(QStringLiteral("id=\"method\"")) < html.indexOf(QStringLiteral("id=\"results\"")));
    QVERIFY(!html.contains(QStringLiteral("id=\"summary\"")));
    const auto file = made_->session().workspace().reportFile();
    const auto kept = [&] {
        const auto json = readJsonFile(file);
        return json && *report::parseTemplate(*json, "x") == page().chosen();
    };
    QTRY_VERIFY_WITH_TIMEOUT(kept(), longWait);
}

// The window is closed while the title is being typed, and right after a section was left out.
void ReportPageTest::whatIsTypedLastIsKept() {
    const auto kept = [this] {
        const auto json = readJsonFile(made_->session().workspace().reportFile());
        return json ? *report::parseTemplate(*json, "x") : report::ReportTemplate();
    };
    const auto open = [this] {
        auto page = std::make_unique<ReportPage>(made_->session(), made_->window().compare());
        page->resize(1400, 850);  // with room for every panel
        page->setVisible(true);
        page->enter();
        (void)QTest::qWaitFor([&] { return page->isShown(); }, longWait);
        return page;
    };
    auto other = open();
    QTest::keyClicks(test::findNamed<QLineEdit>(*other, QStringLiteral("Title")), QStringLiteral("Night"));
    other.reset();
    QTRY_COMPARE(kept().title, std::string("Night"));
    other = open();
    auto* list = other->findChild<SectionsList*>();
    list->setCurrentRow(1);
    QTest::keyClick(list, Qt::Key_Space);
    const auto parts = list->parts();
    other.reset();
    QTRY_VERIFY(kept().parts == parts);
}

// The results of a large workspace are read first, which takes seconds.
void ReportPageTest::nothingIsWrittenBeforeItIsRead() {
    const auto file = made_->session().workspace().reportFile();
    report::ReportTemplate mine = page().chosen();
    mine.title = "Night";
    mine.summaries = {{.heading = "Summary", .text = "We bought the cable.", .inPlaceOf = "x"}};
    QVERIFY(writeFileAtomically(file, toJson(mine).dump()));
    std::promise<void> results;
    Background& background = made_->session().background();
    background.ask(
        qApp, [read = results.get_future().share()] { return read.wait_for(30s); }, [](auto) {});
    const auto open = [this] {
        auto page = std::make_unique<ReportPage>(made_->session(), made_->window().compare());
        page->resize(1400, 850);
        page->setVisible(true);
        return page;
    };
    const auto tick = [](const ReportPage& page) {
        auto* list = page.findChild<SectionsList*>();
        list->setCurrentRow(1);
        QTest::keyClick(list, Qt::Key_Space);
        QTest::keyClicks(test::findNamed<QLineEdit>(page, QStringLiteral("Title")), QStringLiteral("x"));
    };
    auto closed = open();
    tick(*closed);
    const auto kept = open();
    tick(*kept);
    QTest::qWait(600);  // longer than a pause in the changes
    closed.reset();
    results.set_value();
    QTRY_COMPARE(kept->chosen().title, mine.title);
    QVERIFY(test::findNamed<QLineEdit>(*kept, QStringLiteral("Title"))->isEnabled());
    bool written = false;  // whatever there was to write
    background.ask(
        qApp, [] { return true; }, [&](bool all) { written = all; });
    QTRY_VERIFY(written);
    QVERIFY(*report::parseTemplate(*readJsonFile(file), "x") == mine);
}

void ReportPageTest::twoWindowsKeepWhatEachHasChanged() {
    ReportPage other(made_->session(), made_->window().compare());
    other.resize(1400, 850);  // with room for every panel
    other.setVisible(true);
    auto* title = test::findNamed<QLineEdit>(other, QStringLiteral("Title"));
    QTRY_VERIFY(title->isEnabled());
    sections().setCurrentRow(1);
    QTest::keyClick(&sections(), Qt::Key_Space);
    QTest::keyClicks(title, QStringLiteral("Night"));
    QTest::keyClick(title, Qt::Key_Return);  // before it can know of the section
    const auto parts = sections().parts();
    QTRY_COMPARE_WITH_TIMEOUT(page().chosen().title, std::string("Night"), longWait);
    QTRY_VERIFY_WITH_TIMEOUT(other.chosen().parts == parts, longWait);
    QVERIFY(page().chosen() == other.chosen());
    QVERIFY(page().chosen() ==
            *report::parseTemplate(*readJsonFile(made_->session().workspace().reportFile()), "x"));
}

void ReportPageTest::lookingAtAPivotTableChoosesNoSection() {
    made_->window().showSection(Section::Compare);
    test::findButton(made_->window().compare(), QStringLiteral("Pivot"))->click();
    QCOMPARE(made_->window().compare().view().mode, report::CompareMode::Pivot);
    made_->press(Qt::Key_5, Qt::ControlModifier);
    QCOMPARE(sections().parts(), report::templateParts());
}

void ReportPageTest::theUsersWordsStandInTheFiles() {
    setSummary(QStringLiteral("We bought <the> cable."));
    QVERIFY(exported(QStringLiteral("report.html"), QStringLiteral("We bought &lt;the&gt; cable."))
                .contains(QStringLiteral("We bought &lt;the&gt; cable.")));
    QCOMPARE(page().chosen().summaries.size(), std::size_t{1});
    // Emptied, or as it was computed: the report speaks for itself again.
    setSummary({});
    QVERIFY(page().chosen().summaries.empty());
}

void ReportPageTest::wordsForOtherFiguresAreTold() {
    setSummary(QStringLiteral("We bought the cable."));
    report::ReportTemplate other = page().chosen();
    other.summaries.front().inPlaceOf = "What the figures said then.";
    page().setChosen(other);
    page().enter();
    QLabel* told = nullptr;
    QTRY_VERIFY((told = test::findPart<QLabel>(page(), [](const QLabel& label) {
                     return label.text().contains(QStringLiteral("written for other figures"));
                 })) != nullptr);
    QVERIFY(!exported(QStringLiteral("report.html"), QStringLiteral("id=\"summary\""))
                 .contains(QStringLiteral("We bought the cable.")));
}

void ReportPageTest::aTemplateBringsAllBack() {
    page().setChosen({.title = "Weekly",
                      .language = "en",
                      .parts = {ReportPart::Results, ReportPart::Method},
                      .files = {"csv"},
                      .dated = true});
    const report::ReportTemplate kept = page().chosen();
    templates().save(QStringLiteral("week / 48"));
    QTRY_VERIFY(templates().values().contains(QStringLiteral("week / 48")));
    QCOMPARE(templates().title(), QStringLiteral("Template: week / 48"));
    page().setChosen({});
    QVERIFY(!(page().chosen() == kept));
    for (QAction* action : templates().menu()->actions()) {
        if (action->text() == QStringLiteral("week / 48")) {
            action->trigger();
        }
    }
    QVERIFY(page().chosen() == kept);
    QCOMPARE(templates().title(), QStringLiteral("Template: week / 48"));
    QVERIFY(test::findButton(page(), QStringLiteral("Export 1 file")) != nullptr);
    // Changed by hand, it is that template no more.
    sections().item(sections().count() - 1)->setCheckState(Qt::Checked);
    QCOMPARE(templates().title(), QStringLiteral("Template"));
    templates().remove(QStringLiteral("week / 48"));
    QTRY_VERIFY(templates().values().empty());
}

void ReportPageTest::theReportSpeaksItsOwnLanguage() {
    test::findButton(page(), QStringLiteral("中文"))->click();
    QVERIFY(exported(QStringLiteral("report.html"), QStringLiteral("lang=\"zh-CN\""))
                .contains(QStringLiteral("lang=\"zh-CN\"")));
    QVERIFY(test::findButton(page(), QStringLiteral("Page")) != nullptr);  // the window keeps its own
}

void ReportPageTest::pagesAreTurnedAndZoomed() {
    QVERIFY(paper().pageCount() >= 2);
    auto* next = test::findNamed<QAbstractButton>(page(), QStringLiteral("Next page"));
    auto* previous = test::findNamed<QAbstractButton>(page(), QStringLiteral("Previous page"));
    QVERIFY(!previous->isEnabled());
    next->click();
    QCOMPARE(paper().currentPage(), 1);
    QVERIFY(previous->isEnabled());
    const QString place = tr("Page %1 of %2").arg(2).arg(paper().pageCount());
    QVERIFY(test::findPart<QLabel>(page(), [&](const QLabel& label) { return label.text() == place; }) !=
            nullptr);
    QVERIFY(paper().goTo(QStringLiteral("method")));
    QVERIFY(paper().currentPage() >= 1);
    QVERIFY(!paper().goTo(QStringLiteral("weather")));
    auto* zoom = test::findNamed<QComboBox>(page(), QStringLiteral("Zoom"));
    zoom->setCurrentIndex(1);  // a whole page
    const double whole = paper().zoom();
    QVERIFY(whole < 1);
    paper().goToPage(0);
    QCOMPARE(paper().currentPage(), 0);
    QTest::qWait(0);
    zoom->setCurrentText(QStringLiteral("200\u00A0%"));
    QCOMPARE(paper().zoom(), 2.0);
    QVERIFY(paper().horizontalScrollBar()->maximum() > 0);
    emit paper().zoomAsked(-1);
    QCOMPARE(zoom->currentText(), QStringLiteral("150\u00A0%"));
    zoom->setCurrentText(QStringLiteral("300\u00A0%"));  // too large to keep a picture of, where it is dense
    const QImage large = paper().grab().toImage();
    int ink = 0;
    for (int x = 0; x < large.width(); ++x) {
        for (int y = 0; y < large.height(); ++y) {
            ink += qGray(large.pixel(x, y)) < 100 ? 1 : 0;
        }
    }
    QVERIFY2(ink > 500, qPrintable(QString::number(ink)));
    zoom->setCurrentIndex(0);
    QCOMPARE(paper().horizontalScrollBar()->maximum(), 0);
}

// At whatever width the window has been resized to.
void ReportPageTest::fittedPagesNeedNoScrollingSideways() {
    auto* zoom = test::findNamed<QComboBox>(page(), QStringLiteral("Zoom"));
    for (const int fit : {1, 0}) {
        zoom->setCurrentIndex(fit);
        for (int width = 1200; width < 1300; ++width) {
            made_->window().resize(width, 800);
            QCoreApplication::processEvents();
            QCOMPARE(paper().horizontalScrollBar()->maximum(), 0);
        }
    }
}

// As in the command line's report.
void ReportPageTest::cancelledCasesAreCounted() {
    const auto& workspace = made_->session().workspace();
    store::test::putRun(workspace, store::test::someRecord());
    store::RunRecord cancelled = store::test::someRecord({1, 8});
    cancelled.result.benchmarkCase.configuration.batchSize = 64;
    cancelled.result.outcome = Outcome::Cancelled;
    cancelled.result.throughput.reset();
    store::test::putRun(workspace, cancelled);
    made_->session().reload();
    QTRY_COMPARE_WITH_TIMEOUT(made_->session().own().size(), std::size_t{2}, longWait);
    QTest::qWait(0);  // Compare has them
    page().enter();
    const QString said = exported(QStringLiteral("report.md"), QStringLiteral("1 case cancelled"));
    QVERIFY2(said.contains(QStringLiteral("1 case cancelled")), qPrintable(said.left(400)));
}

void ReportPageTest::whatIsSelectedIsCopied() {
    paper().setFocus();
    made_->press(Qt::Key_A, Qt::ControlModifier);
    made_->press(Qt::Key_C, Qt::ControlModifier);
    const QString copied = QApplication::clipboard()->text();
    QVERIFY(copied.contains(QStringLiteral("12,411.97")));
    QVERIFY(!copied.contains(QChar(0x200B)) && !copied.contains(QChar(QChar::ObjectReplacementCharacter)));
    // By the mouse: from the title's line to the line below it.
    QWidget* view = paper().viewport();
    const QPoint from(view->width() / 4, view->height() / 8);
    QTest::mousePress(view, Qt::LeftButton, {}, from);
    QTest::mouseMove(view, from + QPoint(view->width() / 4, view->height() / 8));
    QTest::mouseRelease(view, Qt::LeftButton, {}, from + QPoint(view->width() / 4, view->height() / 8));
    const QString some = paper().selectedText();
    QVERIFY(some.size() < copied.size() / 2);
}

void ReportPageTest::exportingMovesNothing() {
    const auto places = [this] {
        std::vector<QRect> rects;
        for (const QWidget* widget : page().findChildren<QWidget*>()) {
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible()) {
                rects.emplace_back(widget->mapTo(&page(), QPoint()), widget->size());
            }
        }
        return rects;
    };
    const auto before = places();
    QVERIFY(exported(QStringLiteral("report.html"), QStringLiteral("</html>"))
                .contains(QStringLiteral("</html>")));
    QPushButton* open = nullptr;
    QTRY_VERIFY((open = test::findPart<QPushButton>(page(), [](const QPushButton& button) {
                     return button.text() == QStringLiteral("Open folder") && button.isEnabled();
                 })) != nullptr);
    const auto after = places();
    QCOMPARE(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
        QCOMPARE(after[i], before[i]);
    }
}

void ReportPageTest::latexIsWrittenInParts() {
    report::ReportTemplate chosen = page().chosen();
    chosen.files = {"tex"};
    chosen.latexParts = true;
    page().setChosen(chosen);
    QVERIFY(exported(QStringLiteral("report-table-1.tex"), QStringLiteral("\\caption{"))
                .contains(QStringLiteral("\\caption{")));
}

void ReportPageTest::theFolderIsTheWorkspacesAndIsNotEmpty() {
    auto* folder = test::findNamed<QLineEdit>(page(), QStringLiteral("Folder"));
    const auto* button = test::findPart<QPushButton>(
        page(), [](const QPushButton& one) { return one.text().startsWith(QStringLiteral("Export ")); });
    const auto* problem = page().findChild<ExportPanel*>()->findChild<QLabel*>(QStringLiteral("problem"));
    QVERIFY(button != nullptr && problem != nullptr);
    QVERIFY(button->isEnabled() && !problem->isVisible());
    folder->setText(QStringLiteral(" "));
    QVERIFY(!button->isEnabled() && problem->isVisible());
    folder->setText(QStringLiteral("mine/of today"));
    QVERIFY(button->isEnabled() && !problem->isVisible());
    page().primaryAction();
    QTRY_VERIFY(QFile::exists(made_->path(QStringLiteral("w/mine/of today/report.html"))));
}

// Only the first of three files is there.
void ReportPageTest::beginExport() const {
    report::ReportTemplate chosen = page().chosen();
    chosen.files = {"html", "md", "json"};
    page().setChosen(chosen);
    page().primaryAction();
    QVERIFY(QFile::exists(made_->path(QStringLiteral("w/report/report.html"))));
}

void ReportPageTest::closingWaitsForTheFiles() {
    const test::ApartScope apart(test::Apart::PictureExport);
    beginExport();
    QVERIFY(!made_->window().close());
    QTRY_VERIFY_WITH_TIMEOUT(!made_->window().isVisible(), longWait);
    QVERIFY(QFile::exists(made_->path(QStringLiteral("w/report/report.json"))));  // the last
}

void ReportPageTest::anotherLanguageWaitsForTheFiles() {
    const test::ApartScope apart(test::Apart::PictureExport);
    made_->window().showSettings();
    const QSignalSpy chosen(&made_->window(), &MainWindow::languageChosen);
    beginExport();
    emit made_->window().findChild<SettingsDialog*>()->languageChosen();
    QCOMPARE(chosen.count(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(chosen.count(), 1, longWait);
    QVERIFY(QFile::exists(made_->path(QStringLiteral("w/report/report.json"))));
}

}  // namespace
DLPERF_UI_TEST(ReportPageTest);

}  // namespace dlperf::ui
#include "report_page_test.moc"
