// SPDX-License-Identifier: Apache-2.0
// The window as the program starts it: made before there is a style sheet, and measured before it is shown.
// What is seen then has the sizes of the sheet.
#include <QAbstractButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/charts/legend_bar.h"
#include "ui/pages/compare_page.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_control.h"

namespace dlperf::ui {

class FirstShowTest : public QObject {
    Q_OBJECT

private slots:
    void theLegendHasItsRoom();

private:
    QTemporaryDir settings_;
    QTemporaryDir folder_;
};

void FirstShowTest::theLegendHasItsRoom() {
    test::useTestSettings(settings_);
    auto session = Session::open(folder_.filePath(QStringLiteral("w")).toStdString());
    QVERIFY(session.has_value());
    ThemeControl theme(*qApp);
    theme.prepare(ThemeChoice::Light);
    MainWindow window(**session, theme);
    QObject::connect(&window, &MainWindow::shown, session->get(), &Session::start);
    window.remember();
    theme.start(ThemeChoice::Light);
    window.show();
    QTRY_VERIFY((*session)->isLoaded());
    window.showPlace(Place::Compare);
    const auto* page = window.findChild<ComparePage*>();
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

}  // namespace dlperf::ui

DLPERF_WATCHED_MAIN(dlperf::ui::FirstShowTest)
#include "first_show_test.moc"
