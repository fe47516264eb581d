// SPDX-License-Identifier: Apache-2.0
// While a workspace is read the window says so; what is there at once is not told. DLPERF_PICTURES=FOLDER
// keeps a picture of it.
#include <SQLiteCpp/SQLiteCpp.h>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

#include "tests/support/made_workspace.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_stack.h"

namespace dlperf::ui {

class LoadingTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void showsASlowRead();
    void whatWasReadStaysWhenTheFolderGoes();

private:
    QTemporaryDir folder_;
};

// Another program holds the index, as a second window on a slow disk would.
void LoadingTest::showsASlowRead() {
    const auto root = folder_.filePath(QStringLiteral("w")).toStdString();
    auto session = Session::open(root);
    QVERIFY(session);
    SQLite::Database index(root + "/results.sqlite", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    index.exec("BEGIN EXCLUSIVE");
    MainWindow window(**session, theme_);
    (*session)->start();
    window.resize(1440, 900);
    QVERIFY(test::showWithPage(window));
    const auto* strip = window.findChild<LoadingStrip*>();
    QVERIFY(!strip->isVisible());
    QTRY_VERIFY(strip->isVisible());
    test::keepPicture(window, QStringLiteral("loading"));
    index.exec("ROLLBACK");
    QTRY_VERIFY_WITH_TIMEOUT((*session)->isLoaded(), 30'000);
    QTRY_VERIFY(!strip->isVisible());
}

void LoadingTest::whatWasReadStaysWhenTheFolderGoes() {
    const std::filesystem::path root = folder_.filePath(QStringLiteral("moved")).toStdString();
    auto session = Session::open(root);
    QVERIFY(session);
    QVERIFY(dlperf::test::makeCampaign((*session)->workspace(), 40));
    QSignalSpy problems(session->get(), &Session::problemFound);
    (*session)->start();
    QTRY_VERIFY((*session)->isLoaded() && !(*session)->campaigns().empty());
    const std::size_t own = (*session)->own().size();
    QVERIFY(own > 0);
    std::filesystem::rename(root, root.string() + "-2");
    (*session)->reload();
    QTRY_COMPARE(problems.count(), 1);
    const Error told = problems[0][0].value<Error>();
    QCOMPARE(told.where, root.string());
    QVERIFY(!told.remedy.empty());
    QTest::qWait(1200);  // it is said once
    QCOMPARE(problems.count(), 1);
    QCOMPARE((*session)->own().size(), own);
    QCOMPARE((*session)->campaigns().size(), std::size_t{1});
    QVERIFY(!(*session)->startPlan("plan.json"));
    QVERIFY(!std::filesystem::exists(root));
    std::filesystem::rename(root.string() + "-2", root);
    std::filesystem::remove_all(root / "campaigns");
    QTRY_VERIFY((*session)->campaigns().empty());  // it is read again
}

DLPERF_UI_TEST(LoadingTest);

}  // namespace dlperf::ui
#include "loading_test.moc"
