// SPDX-License-Identifier: Apache-2.0
// Deleting runs, campaigns and imports on Runs by keyboard and menu, and undoing it.
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QtTest>

#include "tests/store/fixture.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/models/queue_model.h"
#include "ui/pages/deletions.h"
#include "ui/pages/runs_page.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {

class DeletionsTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void cleanup() { made_.reset(); }
    void aCaseIsDeletedByKeyAndPutBack();
    void twoDeletionsAreUndoneOneAfterTheOther();
    void severalRowsStaySelectedAndGoTogether();
    void severalRowsAreExcludedTogether();
    void theLastCampaignGoesAndComesBack();
    void nothingIsDeletedWhileARunnerWorks();
    void anImportIsDeletedAndPutBack();
    void theTrashIsEmptied();
    void itLooksWell();

private:
    void open(const test::Made& made);
    [[nodiscard]] QListView* list() const {
        return test::findNamed<QListView>(made_->window(), QStringLiteral("Runs"));
    }
    [[nodiscard]] QMessageBox* question() const {
        return made_->window().findChild<QMessageBox*>(QStringLiteral("deleting"));
    }
    [[nodiscard]] UndoBanner* said() const { return test::findPart<UndoBanner>(made_->window()); }
    [[nodiscard]] std::size_t figures() const { return made_->session().own().size(); }
    [[nodiscard]] std::size_t runs() const {
        std::size_t count = 0;
        for (const run::Campaign& campaign : made_->session().campaigns()) {
            count += campaign.runs.size();
        }
        return count;
    }
    [[nodiscard]] QString shown() const { return list()->currentIndex().data(QueueModel::IdRole).toString(); }
    void askByKey();
    void answer(const QString& button);
    void undoByKey();
    void deleteCampaign(const std::string& id);

    std::unique_ptr<test::MadeWindow> made_;
};

void DeletionsTest::open(const test::Made& made) {
    made_ = test::MadeWindow::open(made, theme_);
    QVERIFY(made_ != nullptr);
    made_->window().resize(1440, 900);
    made_->window().showSection(Section::Runs);
    QTRY_VERIFY(list() != nullptr);
    QTRY_VERIFY(list()->currentIndex().isValid());
}

// The window is active again only some time after a question is gone.
void DeletionsTest::askByKey() {
    made_->window().activateWindow();
    list()->setFocus();
    QTRY_VERIFY(list()->hasFocus());
    QTest::keyClick(list(), Qt::Key_Delete, Qt::ShiftModifier);
}

void DeletionsTest::answer(const QString& button) {
    QVERIFY(question() != nullptr);
    QAbstractButton* found = test::findButton(*question(), button);
    QVERIFY(found != nullptr);
    found->click();
    QTRY_VERIFY(question() == nullptr);
}

void DeletionsTest::undoByKey() {
    made_->window().activateWindow();
    QTRY_VERIFY(made_->window().isActiveWindow());
    made_->press(Qt::Key_Z, Qt::ControlModifier);
}

void DeletionsTest::deleteCampaign(const std::string& id) {
    made_->window().runs().deletions().askForCampaign(id);
    QVERIFY(question() != nullptr);
    QVERIFY(question()->informativeText().contains(QStringLiteral("56 runs")));
    answer(QStringLiteral("Delete"));
}

void DeletionsTest::aCaseIsDeletedByKeyAndPutBack() {
    open({.nights = true});
    const std::size_t all = figures();
    QCOMPARE(runs(), std::size_t{112});
    QTest::keyClick(list(), Qt::Key_Down);
    const QString second = shown();
    const QString third =
        list()->model()->index(list()->currentIndex().row() + 1, 0).data(QueueModel::IdRole).toString();
    askByKey();
    QVERIFY(question() != nullptr);
    QCOMPARE(question()->text(), QStringLiteral("Delete 7 runs?"));
    QVERIFY(question()->informativeText().contains(QStringLiteral("Undo puts all back")));
    answer(QStringLiteral("Cancel"));
    QTest::qWait(0);
    QCOMPARE(runs(), std::size_t{112});
    askByKey();
    QVERIFY(question() != nullptr);
    QTest::keyClick(question(), Qt::Key_Return);
    QTRY_COMPARE(runs(), std::size_t{105});
    QTRY_COMPARE(figures(), all - 7);
    QCOMPARE(shown(), third);
    QVERIFY(said() != nullptr && said()->canTakeBack());
    list()->setFocus();
    undoByKey();
    QTRY_COMPARE(runs(), std::size_t{112});
    QTRY_COMPARE(figures(), all);
    QTRY_COMPARE(shown(), second);
    QVERIFY(!QFile::exists(made_->path(QStringLiteral("w/trash"))));
}

void DeletionsTest::twoDeletionsAreUndoneOneAfterTheOther() {
    open({.nights = true});
    for (const std::size_t left : {105U, 98U}) {
        askByKey();
        answer(QStringLiteral("Delete"));
        QTRY_COMPARE(runs(), left);
    }
    for (const std::size_t back : {105U, 112U}) {
        QTRY_VERIFY(said() != nullptr && said()->canTakeBack());
        list()->setFocus();
        undoByKey();
        QTRY_COMPARE(runs(), back);
    }
    QTRY_VERIFY(said() != nullptr && !said()->canTakeBack());
}

void DeletionsTest::severalRowsStaySelectedAndGoTogether() {
    open({.nights = true});
    list()->setFocus();
    QTest::keyClick(list(), Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(list(), Qt::Key_Down, Qt::ShiftModifier);
    const auto selected = [&] { return list()->selectionModel()->selectedIndexes().size(); };
    QCOMPARE(selected(), 3);
    made_->session().reload();
    emit made_->session().statusChanged();
    QTest::qWait(50);
    QCOMPARE(selected(), 3);
    askByKey();
    QVERIFY(question() != nullptr);
    QCOMPARE(question()->text(), QStringLiteral("Delete 21 runs?"));
    QVERIFY(question()->informativeText().contains(QStringLiteral(", batch 64: 7 runs")));
    answer(QStringLiteral("Delete"));
    QTRY_COMPARE(runs(), std::size_t{91});
    QCOMPARE(selected(), 1);
}

// Delete alone acts on what is selected as well, as its menu says. One of the three cases ran out of memory.
void DeletionsTest::severalRowsAreExcludedTogether() {
    open({.nights = true});
    const auto excluded = [&] {
        const auto own = made_->session().own();
        return static_cast<int>(std::ranges::count(own, true, &RunResult::excluded));
    };
    list()->setFocus();
    QTest::keyClick(list(), Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(list(), Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(list(), Qt::Key_Delete);
    QTRY_COMPARE(excluded(), 14);
    QVERIFY(said() != nullptr && said()->canTakeBack());
    QCOMPARE(list()->selectionModel()->selectedIndexes().size(), 3);
    emit list()->customContextMenuRequested(list()->visualRect(list()->currentIndex()).center());
    const auto* menu =
        test::findPart<QMenu>(made_->window(), [](const QMenu& one) { return one.isVisible(); });
    QVERIFY(menu != nullptr);
    QCOMPARE(menu->actions().front()->text(), QStringLiteral("Exclude or skip the selected: 21 runs"));
    QTest::keyClick(made_->window().windowHandle(), Qt::Key_Escape);
    QTest::keyClick(list(), Qt::Key_Delete);  // once more: there is nothing left to do
    QCOMPARE(excluded(), 14);
    list()->setFocus();
    undoByKey();
    QTRY_COMPARE(excluded(), 0);
}

void DeletionsTest::theLastCampaignGoesAndComesBack() {
    open({.nights = true});
    const std::size_t all = figures();
    while (!made_->session().campaigns().empty()) {
        const std::size_t before = made_->session().campaigns().size();
        deleteCampaign(made_->session().campaigns().back().id);
        QTRY_COMPARE(made_->session().campaigns().size(), before - 1);
    }
    QTRY_COMPARE(figures(), std::size_t{0});
    QTRY_VERIFY(list() == nullptr);  // the empty page
    QTRY_VERIFY(said() != nullptr && said()->canTakeBack());
    undoByKey();
    QTRY_COMPARE(made_->session().campaigns().size(), std::size_t{1});
    QTRY_VERIFY(list() != nullptr && said() != nullptr && said()->canTakeBack());
    said()->takeBack();
    QTRY_COMPARE(made_->session().campaigns().size(), std::size_t{2});
    QTRY_COMPARE(figures(), all);
}

void DeletionsTest::nothingIsDeletedWhileARunnerWorks() {
    open({.runs = 40});
    const std::size_t all = runs();
    askByKey();
    QVERIFY(question() == nullptr);
    QTRY_VERIFY(said() != nullptr && !said()->canTakeBack());
    QCOMPARE(runs(), all);
}

void DeletionsTest::anImportIsDeletedAndPutBack() {
    open({.nights = true});
    store::RunRecord record = store::test::someRecord({1, 1}, 1);
    record.result.id = "imported-a/0001";
    record.result.campaign = "imported-a";
    record.result.origin = Origin::Imported;
    store::test::putRun(made_->session().workspace(), record);
    made_->session().reload();
    const auto imports = [&] { return made_->session().imports().size(); };
    QTRY_COMPARE(imports(), std::size_t{1});
    QTRY_COMPARE(figures(), std::size_t{113});
    made_->window().runs().select("imported-a/0001");
    QTRY_COMPARE(shown(), QStringLiteral("imported-a/0001"));
    askByKey();
    QVERIFY(question() != nullptr);
    QCOMPARE(question()->text(), QStringLiteral("Delete one run?"));
    answer(QStringLiteral("Delete"));
    QTRY_COMPARE(imports(), std::size_t{0});
    QTRY_VERIFY(said() != nullptr && said()->canTakeBack());
    said()->takeBack();
    QTRY_COMPARE(imports(), std::size_t{1});
    QTRY_COMPARE(shown(), QStringLiteral("imported-a/0001"));
}

void DeletionsTest::theTrashIsEmptied() {
    open({.nights = true});
    Deletions& deletions = made_->window().runs().deletions();
    deletions.askToEmpty();
    QTRY_VERIFY(said() != nullptr);
    QVERIFY(question() == nullptr);
    deleteCampaign(made_->session().campaigns().front().id);
    QTRY_COMPARE(made_->session().campaigns().size(), std::size_t{1});
    QTRY_VERIFY(said() != nullptr && said()->canTakeBack());
    deletions.askToEmpty();
    QTRY_VERIFY(question() != nullptr);
    QVERIFY(question()->informativeText().contains(QStringLiteral("56 runs")));
    answer(QStringLiteral("Empty the trash"));
    QTRY_VERIFY(said() != nullptr && !said()->canTakeBack());
    QVERIFY(!QFile::exists(made_->path(QStringLiteral("w/trash"))));
}

void DeletionsTest::itLooksWell() {
    open({.nights = true});
    list()->setFocus();
    QTest::keyClick(list(), Qt::Key_Down, Qt::ShiftModifier);
    askByKey();
    QTRY_VERIFY(question() != nullptr && question()->isVisible());
    const QRect all(QPoint(), question()->size());
    for (const QPushButton* button : question()->findChildren<QPushButton*>()) {
        QVERIFY(all.contains(QRect(button->mapTo(question(), QPoint()), button->size())));
    }
    test::keepPictures(*question(), theme_, QStringLiteral("delete-question"));
    answer(QStringLiteral("Delete"));
    QTRY_VERIFY(said() != nullptr && said()->canTakeBack());
    test::keepPictures(made_->window(), theme_, QStringLiteral("deleted"));
}

DLPERF_UI_TEST(DeletionsTest);

}  // namespace dlperf::ui

#include "deletions_test.moc"
