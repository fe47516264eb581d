// SPDX-License-Identifier: Apache-2.0
// The window as the program starts it: its first picture has the place's title, and its page comes then. What
// is seen then has the sizes of the style sheet.
#include <QAbstractButton>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/legend_bar.h"
#include "ui/pages/compare_page.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_control.h"

namespace dlperf::ui {

class FirstShowTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void theFirstPictureIsTheSectionsTitle();
    void theLegendHasItsRoom();
    void tabsHaveTheirRoom();

private:
    QTemporaryDir folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
    QStringList firstTitles_;  // seen when the first picture was there
    bool firstHadPage_ = true;
};

namespace {

QStringList pageTitles(const MainWindow& window) {
    QStringList titles;
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        if (label->isVisible() && label->property("kind").toString() == QLatin1String("pagetitle")) {
            titles << label->text();
        }
    }
    return titles;
}

}  // namespace

void FirstShowTest::init() {
    session_ = test::openSession(folder_);
    window_ = std::make_unique<MainWindow>(*session_, theme_);
    QObject::connect(window_.get(), &MainWindow::shown, session_.get(), &Session::start);
    QObject::connect(window_.get(), &MainWindow::shown, session_.get(), [this] {
        firstTitles_ = pageTitles(*window_);
        firstHadPage_ = window_->findChild<ComparePage*>() != nullptr;
    });
    window_->remember();
    QVERIFY(test::showWithPage(*window_));
    QTRY_VERIFY(session_->isLoaded());
}

void FirstShowTest::cleanup() {
    window_.reset();
    session_.reset();
}

void FirstShowTest::theFirstPictureIsTheSectionsTitle() {
    QCOMPARE(firstTitles_, QStringList{QStringLiteral("Compare")});
    QVERIFY(!firstHadPage_);
    QTRY_VERIFY(window_->findChild<ComparePage*>() != nullptr);
    QVERIFY(window_->findChild<ComparePage*>()->isVisible());
    QCOMPARE(pageTitles(*window_), QStringList{QStringLiteral("Compare")});
}

void FirstShowTest::theLegendHasItsRoom() {
    window_->showSection(Section::Compare);
    const auto* page = window_->findChild<ComparePage*>();
    QVERIFY(page != nullptr);
    const auto* legend = page->findChild<LegendBar*>();
    QVERIFY(legend != nullptr);
    QTRY_VERIFY(!legend->findChildren<QAbstractButton*>().isEmpty());
    const QScrollArea* room = nullptr;
    for (const auto* area : page->findChildren<QScrollArea*>()) {
        room = area->widget() == legend ? area : room;
    }
    QVERIFY(room != nullptr);
    QTRY_COMPARE(room->verticalScrollBar()->maximum(), 0);
    QTest::qWait(50);  // nor does it come later
    QCOMPARE(room->verticalScrollBar()->maximum(), 0);
}

void FirstShowTest::tabsHaveTheirRoom() {
    window_->showSection(Section::Cluster);
    int bars = 0;
    for (const auto* bar : window_->findChildren<QTabBar*>()) {
        if (bar->isVisible()) {
            ++bars;
            QTRY_VERIFY(bar->tabRect(bar->count() - 1).right() < bar->width());
            QVERIFY(bar->tabRect(0).bottom() < bar->height());
            for (const auto* button : bar->findChildren<QToolButton*>()) {
                QVERIFY(!button->isVisible());  // those that scroll
            }
        }
    }
    QVERIFY(bars > 0);
}

DLPERF_UI_TEST(FirstShowTest);

}  // namespace dlperf::ui
#include "first_show_test.moc"
