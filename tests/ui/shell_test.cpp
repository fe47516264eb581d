// SPDX-License-Identifier: Apache-2.0
// The window around the pages: finding, workspaces, what is remembered, settings, moving by keyboard.
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSet>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <fstream>

#include "tests/ui/chart_specs.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/paper_chart.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/launch_page.h"
#include "ui/pages/results_panel.h"
#include "ui/pages/runs_page.h"
#include "ui/session/log_imports.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/drop_target.h"
#include "ui/shell/edit_menu.h"
#include "ui/shell/language.h"
#include "ui/shell/main_window.h"
#include "ui/shell/manual_window.h"
#include "ui/shell/settings_dialog.h"
#include "ui/shell/window_memory.h"
#include "ui/shell/workspace_menu.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_control.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {

class ShellTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void matches_data();
    void matches();
    void beginningsComeFirst();
    void findsAnActionByKeyboard();
    void findsByMouseAndGoesAway();
    void findsWhatThePagesOffer();
    void looseAnswersGiveWayToBetterOnes();
    void saysThatNothingIsCalledSo();
    void recentWorkspacesThatExist();
    void recentWorkspacesInTheMenu();
    void asksBeforeAFolderThatHoldsSomethingElse();
    void restoresTheWindow();
    void writesNothingUnasked();
    void settingsHoldAtOnce();
    void allFontsScale();
    void exportsKeepTheirSize();
    void languageIsKept();
    void aLanguageHoldsAtOnce();
    void theSidebarSaysWhatItCounts();
    void regionsByKeyboard();
    void theManualOpensAtThePage();
    void theManualsChaptersAreWhole();
    void theManualPartsCodeBlocks();
    void theManualIsSearched();
    void anErrorIsSaidInTheWindowsLanguage();
    void anImportIsFollowedAndSummedUp();
    void showsWhatAnImportSkipped();
    void theEditMenuTakesBackARemovedNode();

private:
    CommandPalette* palette() { return window_->findChild<CommandPalette*>(); }
    // Opens it and types.
    QListView* find(const QString& query);

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
};

void ShellTest::init() {
    const test::ApartScope apart(test::Apart::StartUp);
    QSettings().clear();
    setFontPercent(100);
    theme_.start(ThemeChoice::Light);
    folder_ = std::make_unique<QTemporaryDir>();
    session_ = test::openSession(*folder_);
    window_ = std::make_unique<MainWindow>(*session_, theme_);
    QVERIFY(test::showWithPage(*window_));
}

void ShellTest::cleanup() {
    window_.reset();
    session_.reset();
}

QListView* ShellTest::find(const QString& query) {
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(window_->focusWidget(), query);
    return palette()->findChild<QListView*>();
}

void ShellTest::matches_data() {
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("found");
    const auto row = [](const char* query, const char* text, bool found) {
        QTest::newRow(query) << QString::fromUtf8(query) << QString::fromUtf8(text) << found;
    };
    row("", "Open workspace", true);
    row("OPEN", "Open workspace", true);
    row("ow", "Open workspace", true);
    row("work open", "Open workspace", true);
    row("owk", "Open workspace", true);
    row("pytorch 1n8g", "NGC PyTorch 1n8g b128", true);
    row("1n8g pyt b128", "NGC PyTorch 1n8g b128", true);
    row("1n4g pytorch", "NGC PyTorch 1n8g b128", false);
    row("wo open x", "Open workspace", false);
    row("nepo", "Open workspace", false);
    row("pace", "Open workspace", true);
    row("pce", "Open workspace", false);  // letters in order, but from the middle of a word
    row("\xe6\x8a\xa5\xe5\x91\x8a", "\xe5\xaf\xbc\xe5\x87\xba\xe6\x8a\xa5\xe5\x91\x8a", true);
}

void ShellTest::matches() {
    QFETCH(QString, query);
    QFETCH(QString, text);
    QTEST(matchScore(query, text).has_value(), "found");
}

void ShellTest::beginningsComeFirst() {
    // Best first: the text's beginning, a word's, first letters, inside a word, letters in order.
    const QStringList texts{QStringLiteral("report"), QStringLiteral("Export report"),
                            QStringLiteral("Read every part of results today"), QStringLiteral("Unreported"),
                            QStringLiteral("re-export of that")};
    const QStringList queries{QStringLiteral("report"), QStringLiteral("report"), QStringLiteral("rep"),
                              QStringLiteral("report"), QStringLiteral("report")};
    int before = 1'000'000;
    for (int i = 0; i < texts.size(); ++i) {
        const auto score = matchScore(queries[i], texts[i]);
        QVERIFY2(score && *score < before, qPrintable(texts[i]));
        before = *score;
    }
    // Two beginnings of words beat one and a middle.
    QVERIFY(*matchScore(QStringLiteral("p 1n"), QStringLiteral("PyTorch 1n8g")) >
            *matchScore(QStringLiteral("p 1n"), QStringLiteral("Map 11n8g")));
}

void ShellTest::findsAnActionByKeyboard() {
    window_->showSection(Section::Compare);
    const QPointer<QWidget> before = window_->focusWidget();
    QVERIFY(before);
    QListView* list = find(QStringLiteral("lau"));
    QVERIFY(palette()->isVisible());
    // It has the theme's look though it stands in no page: the page behind it does not shine through.
    QCOMPARE(window_->grab(QRect(palette()->pos() + QPoint(palette()->width() / 2, 3), QSize(1, 1)))
                 .toImage()
                 .pixelColor(0, 0),
             currentTheme().panel);
    QCOMPARE(list->currentIndex().data().toString(), QStringLiteral("Launch"));
    QVERIFY(window_->focusWidget()->accessibleDescription().contains(QStringLiteral("Launch")));
    QTest::keyClick(window_->focusWidget(), Qt::Key_Tab);
    QVERIFY(palette()->isVisible());  // Tab does not lose the palette
    QTest::keyClick(window_->focusWidget(), Qt::Key_Return);
    QVERIFY(!palette()->isVisible());
    QCOMPARE(window_->section(), Section::Launch);

    window_->showSection(Section::Compare);
    list = find({});
    const int all = list->model()->rowCount();
    QVERIFY(all > 10);
    QTest::keyClick(window_->focusWidget(), Qt::Key_Up);
    QCOMPARE(list->currentIndex().row(), all - 1);
    QTest::keyClick(window_->focusWidget(), Qt::Key_Down);
    QCOMPARE(list->currentIndex().row(), 0);
    // A key of the page's own does nothing behind the palette.
    QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
    QVERIFY(!palette()->isVisible());
    QCOMPARE(window_->focusWidget(), before.data());

    find(QStringLiteral("dark"));
    QTest::keyClick(window_->focusWidget(), Qt::Key_Return);
    QVERIFY(theme_.choice() == ThemeChoice::Dark);
}

void ShellTest::findsByMouseAndGoesAway() {
    auto* button = static_cast<QToolButton*>(window_->menuBar()->cornerWidget());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(palette()->isVisible());
    auto* list = palette()->findChild<QListView*>();
    QTest::keyClicks(window_->focusWidget(), QStringLiteral("cluster"));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(0, 0)).center());
    QVERIFY(!palette()->isVisible());
    QCOMPARE(window_->section(), Section::Cluster);

    find({});
    QTest::keyClick(window_->focusWidget(), Qt::Key_4, Qt::ControlModifier);
    QVERIFY(!palette()->isVisible());  // the page has the focus
    QCOMPARE(window_->section(), Section::Compare);

    find({});
    QTest::mouseClick(window_->statusBar(), Qt::LeftButton);
    QVERIFY(!palette()->isVisible());
    QVERIFY(window_->focusWidget()->isVisible());

    // From within a text field, and away with the same key.
    window_->showSection(Section::Report);
    auto* text = window_->findChild<QStackedWidget*>()->currentWidget()->findChild<QLineEdit*>();
    QTRY_VERIFY(text->isEnabled());  // once the report's choices are read
    text->setFocus();
    QTest::keyClick(text, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(palette()->isVisible());
    QTest::keyClick(window_->focusWidget(), Qt::Key_K, Qt::ControlModifier);
    QVERIFY(!palette()->isVisible());
    QCOMPARE(window_->focusWidget(), text);
}

void ShellTest::findsWhatThePagesOffer() {
    window_->showSection(Section::Cluster);
    const auto details = [&](const QString& query) {
        const QListView* list = find(query);
        QStringList texts;
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            texts << list->model()->index(row, 0).data(Qt::AccessibleTextRole).toString();
        }
        return texts;
    };
    for (const char* wanted : {"Add node, Cluster", "Export: Host file of MPI or Horovod, Cluster"}) {
        QVERIFY2(details(QString::fromUtf8(wanted).section(QLatin1Char(','), 0, 0))
                     .contains(QString::fromUtf8(wanted)),
                 wanted);
        QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
    }
    const QStringList removes = details(QStringLiteral("remove node"));
    QVERIFY2(removes.isEmpty() || removes.front().contains(QStringLiteral("not possible now")),
             qPrintable(removes.join(QLatin1Char(';'))));  // the only one cannot be
    QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
    QVERIFY(details(QStringLiteral("clear list")).isEmpty());
    QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
    window_->showSection(Section::Report);
    find(QStringLiteral("add node"));
    QTest::keyClick(window_->focusWidget(), Qt::Key_Return);
    QCOMPARE(window_->section(), Section::Cluster);
    auto* ask = test::findPart<QInputDialog>(*window_);
    QVERIFY(ask != nullptr);
    ask->reject();
}

void ShellTest::looseAnswersGiveWayToBetterOnes() {
    const std::vector<PaletteEntry> entries{{QStringLiteral("Change the measurement range"), {}, {}, {}, {}},
                                            {QStringLiteral("Theme: Dark"), {}, {}, {}, {}}};
    const auto theme = findEntries(entries, QStringLiteral("theme"));
    QCOMPARE(theme.size(), std::size_t{1});
    QCOMPARE(theme.front(), &entries[1]);
    QCOMPARE(findEntries(entries, QStringLiteral("mrng")).size(), std::size_t{1});  // nothing better
}

void ShellTest::saysThatNothingIsCalledSo() {
    QListView* list = find(QStringLiteral("qqxyz"));
    QCOMPARE(list->model()->rowCount(), 0);
    QVERIFY(!list->isVisible());
    const QString text = window_->focusWidget()->accessibleDescription();
    QCOMPARE(text, QStringLiteral("Nothing is called \"qqxyz\""));
    QTest::keyClick(window_->focusWidget(), Qt::Key_Return);
    QVERIFY(palette()->isVisible());
}

void ShellTest::recentWorkspacesThatExist() {
    const QDir here(folder_->path());
    for (int i = 0; i < 12; ++i) {
        const QString name = QStringLiteral("recent%1").arg(i);
        QVERIFY(i == 11 || here.mkdir(name));  // the newest is gone
        rememberWorkspace(here.filePath(name));
    }
    rememberWorkspace(here.filePath(QStringLiteral("recent3")));  // once more: it moves, it is not doubled
    const QStringList existing = existingWorkspaces(rememberedWorkspaces());
    QCOMPARE(existing.size(), mostRecent);
    QCOMPARE(existing.front(), here.filePath(QStringLiteral("recent3")));
    QCOMPARE(existing.at(1), here.filePath(QStringLiteral("recent10")));
    QCOMPARE(existing.count(existing.front()), 1);
    QCOMPARE(existing.back(), here.filePath(QStringLiteral("recent4")));
}

void ShellTest::recentWorkspacesInTheMenu() {
    const QDir here(folder_->path());
    QVERIFY(here.mkdir(QStringLiteral("a&b")));
    rememberWorkspace(here.filePath(QStringLiteral("w")));  // the open one
    rememberWorkspace(here.filePath(QStringLiteral("a&b")));
    QMenu* file = window_->menuBar()->actions().front()->menu();
    QMenu* recent = file->findChild<QMenu*>();
    QCOMPARE(recent->actions().size(), 1);
    QVERIFY(!recent->actions().front()->isEnabled());  // "None yet"
    emit file->aboutToShow();
    QTRY_COMPARE(recent->actions().size(), 4);  // two, a line, "Clear list"
    QVERIFY(recent->actions().at(0)->text().endsWith(QStringLiteral("a&&b")));
    QVERIFY(recent->actions().at(0)->isEnabled());
    QVERIFY(!recent->actions().at(1)->isEnabled());
    recent->actions().back()->trigger();
    QTRY_COMPARE(recent->actions().size(), 1);
    QVERIFY(rememberedWorkspaces().isEmpty());
}

void ShellTest::asksBeforeAFolderThatHoldsSomethingElse() {
    const QDir here(folder_->path());
    const QString other = here.filePath(QStringLiteral("photos"));
    QVERIFY(here.mkpath(QStringLiteral("photos/summer")) && here.mkpath(QStringLiteral("known/campaigns")));
    QVERIFY(here.mkdir(QStringLiteral("empty")));
    WorkspaceMenu menu(*session_, window_.get());
    QSignalSpy chosen(&menu, &WorkspaceMenu::chosen);
    for (const QString& name :
         {QStringLiteral("known"), QStringLiteral("empty"), QStringLiteral("missing")}) {
        menu.use(here.filePath(name));
        QCOMPARE(chosen.takeFirst().front().toString(), here.filePath(name));
    }
    QVERIFY(window_->findChild<QMessageBox*>() == nullptr);

    menu.use(other);
    QVERIFY(chosen.isEmpty());
    auto* question = window_->findChild<QMessageBox*>();
    QVERIFY(question != nullptr && question->informativeText().contains(QStringLiteral("A workspace is")));
    QTest::keyClick(question, Qt::Key_Return);  // the harmless answer
    QTRY_VERIFY(window_->findChild<QMessageBox*>() == nullptr);
    QVERIFY(chosen.isEmpty());

    menu.use(other);
    question = window_->findChild<QMessageBox*>();
    for (QAbstractButton* button : question->buttons()) {
        if (button->text() == QLatin1String("Use it")) {
            button->click();
        }
    }
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.front().front().toString(), other);
}

void ShellTest::restoresTheWindow() {
    const auto splitter = [this] { return window_->compare().findChildren<QSplitter*>().last(); };
    const auto header = [this] {
        return window_->compare().findChild<ResultsPanel*>()->findChild<QTableView*>()->horizontalHeader();
    };
    window_->remember();
    QVERIFY(window_->section() == Section::Compare);
    window_->resize(1300, 800);
    QTest::qWait(1);  // laid out
    const int all = splitter()->sizes().first() + splitter()->sizes().last();
    splitter()->setSizes({all / 2 + 40, all / 2 - 40});
    const QList<int> sizes = splitter()->sizes();
    const int column = header()->sortIndicatorSection() == 0 ? 1 : 0;
    header()->setSortIndicator(column, Qt::DescendingOrder);
    window_->showSection(Section::Runs);
    window_->close();

    window_ = std::make_unique<MainWindow>(*session_, theme_);
    QVERIFY(splitter()->sizes() != sizes);
    window_->remember();
    window_->show();
    QVERIFY(window_->section() == Section::Runs);
    QCOMPARE(window_->size(), QSize(1300, 800));
    window_->showSection(Section::Compare);
    QTRY_COMPARE(splitter()->sizes(), sizes);
    QCOMPARE(header()->sortIndicatorSection(), column);
    QVERIFY(header()->sortIndicatorOrder() == Qt::DescendingOrder);

    // Another workspace has a window of its own.
    auto other = Session::open(folder_->filePath(QStringLiteral("other")).toStdString());
    QVERIFY(other);
    MainWindow second(**other, theme_);
    second.remember();
    QVERIFY(second.section() == Section::Compare);
    QVERIFY(second.size() != QSize(1300, 800));
}

void ShellTest::writesNothingUnasked() {
    window_->showSection(Section::Runs);
    window_->close();
    QVERIFY(QSettings().allKeys().isEmpty());
}

void ShellTest::settingsHoldAtOnce() {
    QTest::keyClick(window_.get(), Qt::Key_Comma, Qt::ControlModifier);
    auto* dialog = window_->findChild<SettingsDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    auto* theme = dialog->findChild<QComboBox*>(QStringLiteral("theme"));
    QCOMPARE(theme->currentText(), QStringLiteral("Light"));
    theme->setFocus();
    QTest::keyClick(theme, Qt::Key_Down);
    QVERIFY(theme_.choice() == ThemeChoice::Dark && ThemeControl::stored() == ThemeChoice::Dark);
    theme_.toggle();  // elsewhere: the dialog shows it
    QCOMPARE(theme->currentText(), QStringLiteral("Light"));

    auto* percent = dialog->findChild<QSpinBox*>(QStringLiteral("fontPercent"));
    percent->setValue(150);
    QCOMPARE(ThemeControl::storedFontPercent(), 150);
    QCOMPARE(QApplication::font().pixelSize(), 20);
    QTRY_COMPARE(percent->font().pixelSize(), 20);
    QTRY_COMPARE(window_->findChild<Sidebar*>()->width(), 264);
    percent->setValue(400);
    QCOMPARE(ThemeControl::storedFontPercent(), 150);

    // Asked for again: the same one.
    window_->findChild<Sidebar*>()->findChildren<QToolButton*>().last()->setFocus();
    emit window_->findChild<Sidebar*>()->settingsRequested();
    QCOMPARE(window_->findChildren<SettingsDialog*>().size(), 1);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(window_->findChild<SettingsDialog*>() == nullptr);
}

void ShellTest::allFontsScale() {
    const QString sheet = QStringLiteral("A { font-size: 12px; height: 20px; }\nB { font-size:22px }");
    QCOMPARE(withScaledFonts(sheet), sheet);
    setFontPercent(150);
    QCOMPARE(withScaledFonts(sheet),
             QStringLiteral("A { font-size: 18px; height: 20px; }\nB { font-size:33px }"));
    QCOMPARE(textFont().pixelSize(), 20);
    QCOMPARE(monoFont(size::caption).pixelSize(), 17);
    setFontPercent(10);
    QCOMPARE(fontPercent(), smallestFontPercent);
    QCOMPARE(textFont(size::caption).pixelSize(), 10);
    {
        const PaperFonts fonts;
        QCOMPARE(textFont().pixelSize(), 13);
    }
    QCOMPARE(textFont().pixelSize(), 12);
}

void ShellTest::exportsKeepTheirSize() {
    const report::ChartSpec spec = test::throughputSpec();
    const auto before = renderSvg(spec, 600, 400);
    setFontPercent(150);
    const auto after = renderSvg(spec, 600, 400);
    QVERIFY(before && after);
    QVERIFY(before->find("font-size") != std::string::npos);
    QCOMPARE(*after, *before);
}

void ShellTest::languageIsKept() {
    QVERIFY(storedLanguage().isEmpty());
    emit window_->findChild<Sidebar*>()->settingsRequested();
    auto* language = window_->findChild<SettingsDialog*>()->findChild<QComboBox*>(QStringLiteral("language"));
    QCOMPARE(language->count(), hasChinese() ? 3 : 2);
    language->setFocus();
    QTest::keyClick(language, Qt::Key_Down);
    QCOMPARE(storedLanguage(), QStringLiteral("en"));
    QSettings().setValue(QStringLiteral("language"), QStringLiteral("tlh"));
    QVERIFY(storedLanguage().isEmpty());
}

// Another window takes the place of the first, with the plan that is being changed.
void ShellTest::aLanguageHoldsAtOnce() {
    const test::ApartScope apart(test::Apart::StartUp);
    window_->showSection(Section::Launch);
    QTRY_VERIFY(window_->launch().draft());
    auto* name = test::findNamed<QLineEdit>(window_->launch(), QStringLiteral("Name of the plan"));
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("mine"));
    const QSignalSpy chosen(window_.get(), &MainWindow::languageChosen);
    window_->showSettings();
    auto* language = window_->findChild<SettingsDialog*>()->findChild<QComboBox*>(QStringLiteral("language"));
    language->setFocus();
    QTest::keyClick(language, Qt::Key_End);
    QCOMPARE(chosen.count(), 1);

    Language texts;
    QVERIFY(texts.use({}));
    MainWindow second(*session_, theme_);
    second.takeOver(*window_);
    QVERIFY(!window_->isVisible());
    QVERIFY(test::showWithPage(second));
    QCOMPARE(second.section(), Section::Launch);
    const bool differs =
        second.menuBar()->actions().first()->text() != window_->menuBar()->actions().first()->text();
    QCOMPARE(differs, hasChinese());  // a build without it has English alone to choose
    QTest::qWait(300);                // what a new page reads must not come over it
    QCOMPARE(second.launch().draft()->plan.name, std::string("mine"));
    QCOMPARE(second.geometry(), window_->geometry());
    QVERIFY(texts.use(QStringLiteral("en")));
}

void ShellTest::theSidebarSaysWhatItCounts() {
    Sidebar sidebar;
    sidebar.showRuns({.runs = 43, .figures = 38});
    sidebar.setCount(Section::Cluster, QStringLiteral("1 failed"), QStringLiteral("Nodes"), true);
    const auto tipOf = [&](Section section) {
        for (const auto* button : sidebar.findChildren<QToolButton*>()) {
            if (button->accessibleName() == sectionTitle(section)) {
                return button->toolTip();
            }
        }
        return QString();
    };
    QCOMPARE(tipOf(Section::Cluster), QStringLiteral("Cluster (Ctrl+1)\nNodes: 1 failed"));
    QCOMPARE(tipOf(Section::Runs),
             QStringLiteral("Runs (Ctrl+3)\nRuns of all campaigns, and imported ones: 43"));
    QCOMPARE(tipOf(Section::Compare),
             QStringLiteral("Compare (Ctrl+4)\nOwn and imported runs that have a figure: 38"));
    sidebar.showRuns({});
    QCOMPARE(tipOf(Section::Runs), QStringLiteral("Runs (Ctrl+3)"));
}

// Every region once around and back, on every page: each takes the focus, and the sidebar's is the place.
void ShellTest::regionsByKeyboard() {
    auto* sidebar = window_->findChild<Sidebar*>();
    for (int i = 0; i < sectionCount; ++i) {
        window_->showSection(static_cast<Section>(i));
        entryOf(*sidebar)->setFocus();
        QVERIFY(static_cast<QToolButton*>(window_->focusWidget())->isChecked());
        const QPointer<QWidget> start = window_->focusWidget();
        QList<QWidget*> way;
        do {
            way << window_->focusWidget();
            QTest::keyClick(window_.get(), Qt::Key_F6);
            QVERIFY(way.size() < 12);
        } while (window_->focusWidget() != start);
        QVERIFY2(way.size() >= 2, qPrintable(sectionTitle(static_cast<Section>(i))));
        QCOMPARE(QSet<QWidget*>(way.begin(), way.end()).size(), way.size());
        for (auto back = way.rbegin(); back != way.rend(); ++back) {
            QTest::keyClick(window_.get(), Qt::Key_F6, Qt::ShiftModifier);
            QCOMPARE(window_->focusWidget(), *back);
        }
    }
}

void ShellTest::theManualOpensAtThePage() {
    window_->showSection(Section::Cluster);
    QTest::keyClick(window_.get(), Qt::Key_F1);
    auto* manual = window_->findChild<ManualWindow*>();
    QVERIFY(manual != nullptr && manual->isVisible());
    QCOMPARE(manual->chapter(), QStringLiteral("cluster"));
    window_->showSection(Section::Compare);
    QTest::keyClick(window_.get(), Qt::Key_F1);
    QCOMPARE(manual->chapter(), QStringLiteral("comparison"));
    auto* page = manual->findChild<ManualPage*>();
    emit page->anchorClicked(QUrl(QStringLiteral("files.md#clusterjson")));
    QCOMPARE(manual->chapter(), QStringLiteral("files"));
    QCOMPARE(page->textCursor().block().text(), QStringLiteral("cluster.json"));
    page->backward();
    QCOMPARE(manual->chapter(), QStringLiteral("comparison"));
    QTest::keyClick(manual, Qt::Key_Escape);
    QTRY_VERIFY(window_->findChild<ManualWindow*>() == nullptr);
}

// None is empty, and each picture is there.
void ShellTest::theManualsChaptersAreWhole() {
    QTest::keyClick(window_.get(), Qt::Key_F1);
    auto* manual = window_->findChild<ManualWindow*>();
    auto* page = manual->findChild<ManualPage*>();
    auto* chapters = manual->findChild<QListWidget*>();
    QCOMPARE(chapters->count(), 9);
    for (int i = 0; i < chapters->count(); ++i) {
        chapters->setCurrentRow(i);
        QVERIFY(!chapters->item(i)->text().isEmpty());
        QVERIFY(page->toPlainText().startsWith(chapters->item(i)->text()));
        QVERIFY(page->document()->blockCount() > 10);
    }
    chapters->setCurrentRow(0);
    QVERIFY(page->document()->size().height() > page->height());
    manual->close();
}

// A plan, and right below it the command that runs it.
void ShellTest::theManualPartsCodeBlocks() {
    ManualWindow manual(std::filesystem::path(DLPERF_SOURCE_DIR) / "resources/manual");
    manual.showChapter(QStringLiteral("recipes"));
    const QTextDocument& page = *manual.findChild<QTextBrowser*>()->document();
    int boundaries = 0;
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
        if (block.text() == QLatin1String("}") && block.next().text().startsWith(QLatin1String("dlperf "))) {
            ++boundaries;
            QVERIFY(block.blockFormat().bottomMargin() > 0);
        }
    }
    QVERIFY(boundaries > 2);
}

void ShellTest::theManualIsSearched() {
    window_->showSection(Section::Cluster);
    QTest::keyClick(window_.get(), Qt::Key_F1);
    auto* manual = window_->findChild<ManualWindow*>();
    QVERIFY(QTest::qWaitForWindowActive(manual));
    auto* page = manual->findChild<ManualPage*>();
    auto* field = test::findNamed<QLineEdit>(*manual, QStringLiteral("Search the manual"));
    QVERIFY(field != nullptr);
    QTest::keyClick(manual, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("Measurement Range"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(page->textCursor().selectedText().toLower(), QStringLiteral("measurement range"));
    const QString chapter = manual->chapter();
    QSet<QString> seen{chapter};
    for (int i = 0; i < 200 && (i < 2 || manual->chapter() != chapter); ++i) {
        QTest::keyClick(field, Qt::Key_Return);
        seen.insert(manual->chapter());
        QCOMPARE(page->textCursor().selectedText().toLower(), QStringLiteral("measurement range"));
    }
    QVERIFY(seen.size() > 1);  // on to the other chapters, and round
    QTest::keyClick(field, Qt::Key_F3, Qt::ShiftModifier);
    QVERIFY(manual->chapter() != chapter);
    field->setText(QStringLiteral("qwertyuiop"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(test::findWords(*manual, QStringLiteral("0 hits")) != nullptr);
    QTest::keyClick(field, Qt::Key_Escape);  // first the search, then the window
    QVERIFY(field->text().isEmpty() && manual->isVisible());
    QTest::keyClick(field, Qt::Key_Escape);
    QTRY_VERIFY(window_->findChild<ManualWindow*>() == nullptr);
}

// A remedy that is a sentence is no command to copy, in Chinese neither.
void ShellTest::anErrorIsSaidInTheWindowsLanguage() {
    const Error error{
        .what = "the plan has no runs", .where = "plan.json", .remedy = "Change the plan, or the cluster."};
    const QLocale before;
    QLocale::setDefault(QLocale(QStringLiteral("zh_CN")));
    Banner banner;
    banner.showError(error);
    const QString said = banner.accessibleName();
    QLocale::setDefault(before);
    QCOMPARE(said, QStringLiteral("计划没有运行 plan.json"));
    for (const auto* button : banner.findChildren<QAbstractButton*>()) {
        QVERIFY(button->text() != QStringLiteral("Copy") || !button->isVisibleTo(&banner));
    }
}

void ShellTest::anImportIsFollowedAndSummedUp() {
    LogImports imports(session_->workspace(), session_->vocabulary(), session_->importBackground());
    const DropTarget target(*session_);
    Banner banner;
    const ImportNotice notice(imports, target, banner);
    QSignalSpy results(&notice, &ImportNotice::resultsRequested);
    emit imports.moved(dlperf::imports::Stage::Unpacking, 0);
    QCOMPARE(banner.accessibleName(), QStringLiteral("Importing logs … unpacking them: 0 %"));
    emit imports.moved(dlperf::imports::Stage::Reading, 40);
    QCOMPARE(banner.accessibleName(), QStringLiteral("Importing logs … reading them: 40 %"));
    QVERIFY(test::findButton(banner, QStringLiteral("Cancel")) != nullptr);
    emit imports.planned({});  // the dialog has the word
    QVERIFY(!banner.isVisible());
    emit imports.moved(dlperf::imports::Stage::Saving, 100);
    QCOMPARE(banner.accessibleName(), QStringLiteral("Importing logs … saving them: 100 %"));
    emit imports.imported({.name = "theirs", .logs = 1, .formats = {"mxnet"}});
    QCOMPARE(banner.property("state").toString(), QStringLiteral("ok"));
    QCOMPARE(banner.accessibleName(),
             QStringLiteral(
                 "1 log was imported (mxnet). They stand in logs/imported-theirs now, and in Compare."));
    test::findButton(banner, QStringLiteral("Show in Compare"))->click();
    QVERIFY(!banner.isVisible());
    QCOMPARE(results.size(), 1);
    emit imports.refused({.what = "there is no log in it", .where = "theirs.zip"});
    QCOMPARE(banner.property("state").toString(), QStringLiteral("fail"));
    QCOMPARE(banner.accessibleName(), QStringLiteral("there is no log in it theirs.zip"));
}

// Logs without a figure, problems and findings: as many lines as a banner holds, and how many are left.
void ShellTest::showsWhatAnImportSkipped() {
    LogImports imports(session_->workspace(), session_->vocabulary(), session_->importBackground());
    const DropTarget target(*session_);
    Banner banner;
    const ImportNotice notice(imports, target, banner);
    dlperf::imports::Imported imported{
        .name = "theirs", .logs = 9, .withoutFigure = 1, .formats = {"mxnet", "paddle"}};
    emit imports.imported(imported);
    QCOMPARE(banner.property("state").toString(), QStringLiteral("warn"));
    QVERIFY2(
        banner.accessibleName().startsWith(QStringLiteral("9 logs were imported (mxnet, paddle).")) &&
            banner.accessibleName().endsWith(QStringLiteral("1 has no figure in its measurement range.")),
        qPrintable(banner.accessibleName()));
    imported.withoutFigure = 2;
    imported.problems = {{.what = "a link is not followed", .where = "a/link"}};
    for (int i = 1; i <= 6; ++i) {
        imported.findings.push_back({"drift", "drifts", "r50_" + std::to_string(i) + ".log"});
    }
    emit imports.imported(imported);
    const QStringList lines = banner.accessibleName().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 1 + 5 + 1);
    QVERIFY(lines[0].endsWith(QStringLiteral("2 have no figure in their measurement ranges.")));
    QCOMPARE(lines[1], QStringLiteral("a/link: a link is not followed"));
    // What is noticed says why it matters.
    QCOMPARE(lines[2], QStringLiteral("r50_1.log: drifts. The figure depends on where the range lies."));
    QCOMPARE(lines[6], QStringLiteral("and 2 more remarks"));
}

DLPERF_UI_TEST(ShellTest);

void ShellTest::theEditMenuTakesBackARemovedNode() {
    NodeList& nodes = session_->nodes();
    session_->start();
    QTRY_VERIFY(nodes.isRead());
    cluster::Node second;
    second.name = "second";
    second.local = true;
    second.workDir = "~/dlperf-second";
    QVERIFY(nodes.add(second));
    window_->showSection(Section::Cluster);
    auto* table = window_->findChild<QTableView*>(QStringLiteral("nodes"));
    table->setFocus();
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(nodes.entries().size(), std::size_t{1});
    auto* edit = window_->findChild<EditMenu*>();
    edit->lookAgain();
    QAction* undo = edit->actions().front();
    QVERIFY(undo->isEnabled());
    QCOMPARE(undo->text(), QStringLiteral("&Undo: second was removed from the list"));
    undo->trigger();
    QCOMPARE(nodes.entries().size(), std::size_t{2});
    edit->lookAgain();
    QVERIFY(!undo->isEnabled());
    QCOMPARE(undo->text(), QStringLiteral("&Undo"));
    table->setFocus();
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(nodes.entries().size(), std::size_t{1});
    QTest::keyClick(table, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(nodes.entries().size(), std::size_t{2});
}

}  // namespace dlperf::ui
#include "shell_test.moc"
