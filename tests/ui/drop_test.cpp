// SPDX-License-Identifier: Apache-2.0
// What is dropped on the window goes where it belongs; what comes from outside is asked about.
#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QUrl>
#include <QtTest>
#include <fstream>

#include "core/base/file.h"
#include "tests/ui/watchdog.h"
#include "ui/pages/cluster_page.h"
#include "ui/pages/launch_page.h"
#include "ui/session/dropped.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_control.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {

class DropTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void logsAreImported();
    void aPlanIsAskedAbout();
    void aClusterIsAskedAbout();
    void whatIsNothingOfOursSaysSo();
    void judgesByContents();

private:
    [[nodiscard]] QString path(const char* name) const { return folder_->filePath(QLatin1String(name)); }
    void write(const char* name, const std::string& text) const;
    void drop(const QStringList& files);
    [[nodiscard]] bool isOffered(const QString& button) const;
    [[nodiscard]] QString said(const char* banner) const;

    QTemporaryDir settings_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
    std::unique_ptr<ThemeControl> theme_;
};

void DropTest::initTestCase() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path());
    QCoreApplication::setOrganizationName(QStringLiteral("dlperf-test"));
    qputenv("DLPERF_RESOURCES", DLPERF_SOURCE_DIR "/resources");
    theme_ = std::make_unique<ThemeControl>(*qApp);
    theme_->start(ThemeChoice::Light);
}

void DropTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    auto session = Session::open(path("w").toStdString());
    QVERIFY(session);
    session_ = std::move(*session);
    window_ = std::make_unique<MainWindow>(*session_, *theme_);
    session_->start();
    window_->resize(1440, 900);
    window_->show();
    QTRY_VERIFY(session_->isLoaded());
}

void DropTest::cleanup() {
    window_.reset();
    session_.reset();
}

void DropTest::write(const char* name, const std::string& text) const {
    const std::filesystem::path file = path(name).toStdString();
    QVERIFY(makeFolders(file.parent_path()));
    QVERIFY(writeFileAtomically(file, text));
}

void DropTest::drop(const QStringList& files) {
    QMimeData mime;
    QList<QUrl> urls;
    for (const QString& file : files) {
        urls << QUrl::fromLocalFile(file);
    }
    mime.setUrls(urls);
    QDragEnterEvent enter({700, 400}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event({700, 400}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &event);
}

bool DropTest::isOffered(const QString& button) const {
    for (const QPushButton* one : window_->findChildren<QPushButton*>()) {
        if (one->text() == button && one->isVisible()) {
            return true;
        }
    }
    return false;
}

QString DropTest::said(const char* name) const {
    const auto* banner = window_->findChild<Banner*>(QLatin1String(name));
    return banner->isVisible() ? banner->accessibleName() : QString();
}

void DropTest::logsAreImported() {
    std::string log;
    for (int i = 0; i < 130; ++i) {
        log += "Epoch: [0][" + std::to_string(i) + "/10000]\tTime  0.400 ( 0.500)\tData  0.001\n";
    }
    write("theirs/1n1g/r50_b128_fp32_1.log", log);
    write("theirs/1n1g/r50_b128_fp32_2.log", log);
    // Two logs of one folder are one import.
    drop({path("theirs/1n1g/r50_b128_fp32_1.log"), path("theirs/1n1g/r50_b128_fp32_2.log")});
    QTRY_VERIFY_WITH_TIMEOUT(said("import").contains(QLatin1String("2 logs were imported")), 30'000);
    QTRY_COMPARE(session_->own().size(), std::size_t{2});
    QCOMPARE(session_->own().front().origin, Origin::Imported);
    for (QPushButton* button :
         window_->findChild<Banner*>(QStringLiteral("import"))->findChildren<QPushButton*>()) {
        if (button->text() == QLatin1String("Show in Compare")) {
            window_->showPlace(Place::Runs);
            button->click();
        }
    }
    QCOMPARE(window_->place(), Place::Compare);
    QVERIFY(said("import").isEmpty());
}

void DropTest::aPlanIsAskedAbout() {
    write("plan.json",
          R"({"name": "x", "recipes": ["dlperf-worker"], "topologies": ["1n1g"], "batch_sizes": [3]})");
    QTRY_VERIFY(window_->launch().isReady());
    drop({path("plan.json")});
    QTRY_COMPARE(window_->place(), Place::Launch);
    QTRY_VERIFY(!window_->launch().isReady());  // until the user says so
}

void DropTest::aClusterIsAskedAbout() {
    write("nodes.json", R"({"name": "lab", "nodes": [{"name": "n", "local": true}]})");
    drop({path("nodes.json")});
    QTRY_COMPARE(window_->place(), Place::Cluster);
    QTRY_VERIFY(isOffered(QStringLiteral("Use these nodes")));
    QCOMPARE(session_->nodes().name(), std::string("this machine"));
}

void DropTest::whatIsNothingOfOursSaysSo() {
    write("poem.txt", "roses");
    drop({path("poem.txt")});
    QTRY_VERIFY(said("import").contains(QLatin1String("no plan, cluster or log")));
    write("odd.json", "{");
    drop({path("odd.json")});
    QTRY_VERIFY(said("import").contains(QLatin1String("odd.json")));
    QVERIFY(QDir(folder_->path()).mkpath(QStringLiteral("empty")));
    drop({path("empty")});
    QTRY_VERIFY(said("import").contains(QLatin1String("no logs in DLPerf's layout")));
}

void DropTest::judgesByContents() {
    write("a.json", R"({"nodes": []})");
    write("b.json", R"({"recipes": []})");
    write("c.json", "[]");
    QCOMPARE(judgeDropped(path("a.json").toStdString())->kind, DroppedKind::Cluster);
    QCOMPARE(judgeDropped(path("b.json").toStdString())->kind, DroppedKind::Plan);
    QVERIFY(!judgeDropped(path("c.json").toStdString()));
    QVERIFY(QDir(folder_->path()).mkpath(QStringLiteral("ws/campaigns")));
    QCOMPARE(judgeDropped(path("ws").toStdString())->kind, DroppedKind::Workspace);
    QVERIFY(!judgeDropped(path("nowhere").toStdString()));
}

}  // namespace dlperf::ui

DLPERF_WATCHED_MAIN(dlperf::ui::DropTest)
#include "drop_test.moc"
