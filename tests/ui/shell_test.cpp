// SPDX-License-Identifier: Apache-2.0
// The window around the pages: finding, workspaces, what is remembered, settings, moving by keyboard.
#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>
#include <fstream>

#include "ui/pages/runs_page.h"
#include "ui/session/session.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette_match.h"
#include "ui/theme/theme_control.h"

namespace dlperf::ui {

class ShellTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void matches_data();
    void matches();
    void beginningsComeFirst();
    void findsAnActionByKeyboard();
    void findsByMouseAndGoesAway();
    void saysThatNothingIsCalledSo();

private:
    CommandPalette* palette() { return window_->findChild<CommandPalette*>(); }
    // Opens it and types.
    QListView* find(const QString& query);

    QTemporaryDir settings_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
    std::unique_ptr<ThemeControl> theme_;
};

void ShellTest::initTestCase() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path());
    QCoreApplication::setOrganizationName(QStringLiteral("dlperf-test"));
    qputenv("DLPERF_RESOURCES", DLPERF_SOURCE_DIR "/resources");
    theme_ = std::make_unique<ThemeControl>(*qApp);
}

void ShellTest::init() {
    QSettings().clear();
    theme_->start(ThemeChoice::Light);
    folder_ = std::make_unique<QTemporaryDir>();
    auto session = Session::open(folder_->filePath(QStringLiteral("w")).toStdString());
    QVERIFY(session);
    session_ = std::move(*session);
    window_ = std::make_unique<MainWindow>(*session_, *theme_);
    window_->show();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
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
    window_->showPlace(Place::Compare);
    const QPointer<QWidget> before = window_->focusWidget();
    QVERIFY(before);
    QListView* list = find(QStringLiteral("lau"));
    QVERIFY(palette()->isVisible());
    QCOMPARE(list->currentIndex().data().toString(), QStringLiteral("Launch"));
    QVERIFY(window_->focusWidget()->accessibleDescription().contains(QStringLiteral("Launch")));
    QTest::keyClick(window_->focusWidget(), Qt::Key_Tab);
    QVERIFY(palette()->isVisible());  // Tab does not lose the palette
    QTest::keyClick(window_->focusWidget(), Qt::Key_Return);
    QVERIFY(!palette()->isVisible());
    QCOMPARE(window_->place(), Place::Launch);

    window_->showPlace(Place::Compare);
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
    QVERIFY(theme_->choice() == ThemeChoice::Dark);
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
    QCOMPARE(window_->place(), Place::Cluster);

    find({});
    QTest::keyClick(window_->focusWidget(), Qt::Key_4, Qt::ControlModifier);
    QVERIFY(!palette()->isVisible());  // the page has the focus
    QCOMPARE(window_->place(), Place::Compare);

    find({});
    QTest::mouseClick(window_->statusBar(), Qt::LeftButton);
    QVERIFY(!palette()->isVisible());
    QVERIFY(window_->focusWidget()->isVisible());

    // From within a text field, and away with the same key.
    window_->showPlace(Place::Report);
    auto* text = window_->findChild<QStackedWidget*>()->currentWidget()->findChild<QLineEdit*>();
    text->setFocus();
    QTest::keyClick(text, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(palette()->isVisible());
    QTest::keyClick(window_->focusWidget(), Qt::Key_K, Qt::ControlModifier);
    QVERIFY(!palette()->isVisible());
    QCOMPARE(window_->focusWidget(), text);
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

}  // namespace dlperf::ui

QTEST_MAIN(dlperf::ui::ShellTest)
#include "shell_test.moc"
