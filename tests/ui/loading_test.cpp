// SPDX-License-Identifier: Apache-2.0
// While a workspace is read the window says so; what is there at once is not told. DLPERF_PICTURES=FOLDER
// keeps a picture of it.
#include <SQLiteCpp/SQLiteCpp.h>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_stack.h"
#include "ui/theme/theme_control.h"

namespace dlperf::ui {

class LoadingTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void showsASlowRead();

private:
    QTemporaryDir settings_;
    QTemporaryDir folder_;
    std::unique_ptr<ThemeControl> theme_;
};

void LoadingTest::initTestCase() {
    test::useTestSettings(settings_);
    theme_ = std::make_unique<ThemeControl>(*qApp);
    theme_->start(ThemeChoice::Light);
}

// Another program holds the index, as a second window on a slow disk would.
void LoadingTest::showsASlowRead() {
    const auto root = folder_.filePath(QStringLiteral("w")).toStdString();
    auto session = Session::open(root);
    QVERIFY(session);
    SQLite::Database index(root + "/results.sqlite", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    index.exec("BEGIN EXCLUSIVE");
    MainWindow window(**session, *theme_);
    (*session)->start();
    window.resize(1440, 900);
    QVERIFY(test::showWithPage(window));
    const auto* strip = window.findChild<LoadingStrip*>();
    QVERIFY(!strip->isVisible());
    QTRY_VERIFY(strip->isVisible());
    if (const QString pictures = qEnvironmentVariable("DLPERF_PICTURES"); !pictures.isEmpty()) {
        QVERIFY(QDir().mkpath(pictures));
        QVERIFY(window.grab().save(pictures + QStringLiteral("/loading.png")));
    }
    index.exec("ROLLBACK");
    QTRY_VERIFY_WITH_TIMEOUT((*session)->isLoaded(), 30'000);
    QTRY_VERIFY(!strip->isVisible());
}

DLPERF_UI_TEST(LoadingTest);

}  // namespace dlperf::ui
#include "loading_test.moc"
